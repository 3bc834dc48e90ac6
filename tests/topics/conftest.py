from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl.topics import ConceptGraph, ConceptGraphBuilder
from semcrawl.topics.labels import Label

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
PREFIXES = """
@prefix : <http://example.org/o#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix obo: <http://www.geneontology.org/formats/oboInOwl#> .
@prefix schema: <https://schema.org/> .
"""


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Graphs are read anew: the user's cache has no part in these tests."""
    monkeypatch.setenv("SEMCRAWL_CACHE", "off")


@pytest.fixture
def animals() -> ConceptGraph:
    """A small graph with two parents, a second language, and a named relation."""
    builder = ConceptGraphBuilder("animals")
    builder.add("ex:cat", Label("cat"), Label("Katze", "de"), broader=["ex:mammal", "ex:pet"])
    builder.add("ex:mammal", "mammal", broader=["ex:animal"])
    builder.add("ex:pet", "pet", "house_pet", broader=["ex:animal"])
    builder.add("ex:animal", "animal")
    builder.add("ex:paw", "paw")
    builder.relate("ex:paw", "part-of", "ex:cat", inverse="has-part")
    return builder.build()


@pytest.fixture
def ontology(tmp_path: Path) -> Callable[..., Path]:
    """Writes an ontology file: text with the usual prefixes, or bytes as they are."""

    def write(content: str | bytes, name: str = "test.ttl") -> Path:
        path = tmp_path / name
        if isinstance(content, str) and name.endswith(".ttl"):
            content = PREFIXES + content
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(scope="session")
def real_ontologies() -> Path:
    """The folder of real ontologies; skips where it is absent."""
    data = Path(os.environ.get("SEMCRAWL_DATA", ROOT.parent / "shared" / "data"))
    folder = data / "ontologies"
    if not folder.is_dir():
        pytest.skip(f"there are no ontologies in {folder}")
    return folder


@pytest.fixture
def needs_java(monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("java") is None:
        pytest.skip("reasoning needs Java, which is not installed")
    # Small ontologies are done before the second compiler has paid for itself.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
