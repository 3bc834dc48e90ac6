"""OWL/XML: literals of every datatype, and the ontologies that owlready2 is tested with."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import read_ontology
from semcrawl.topics.rdf_files import read_triples

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

XSD = "http://www.w3.org/2001/XMLSchema#"
ONTOLOGY = """<?xml version="1.0"?>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://example.org/o">
  <Declaration><Class IRI="#Cafe"/></Declaration>
  <AnnotationAssertion>
    <AnnotationProperty IRI="http://www.w3.org/2000/01/rdf-schema#label"/>
    <IRI>#Cafe</IRI><Literal datatypeIRI="{kind}">{text}</Literal>
  </AnnotationAssertion>
</Ontology>"""
# Of these the parser itself fails: they are no well-formed XML.
BROKEN = {"test_owlxml_bug.owl"}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((name, "3") for name in ("integer", "int", "long", "short", "byte", "unsignedByte")),
        *((name, "+007") for name in ("nonNegativeInteger", "positiveInteger", "unsignedLong")),
        *((name, "-5") for name in ("negativeInteger", "nonPositiveInteger")),
        *((name, "1.50") for name in ("decimal", "double", "float")),
        *((name, "INF") for name in ("double", "float")),
        *(("boolean", text) for text in ("true", "0")),
        *(("string", "3"), ("token", "3"), ("anyURI", "http://a.test/"), ("language", "en")),
        *(("date", "2024-02-30"), ("dateTime", "2024-01-01T00:00:00Z"), ("gYear", "2024")),
        *(("duration", "P1D"), ("hexBinary", "0F"), ("base64Binary", "aGk=")),
        *(("integer", "three"), ("decimal", "a lot"), ("unknown", "x")),
    ],
)
def test_a_typed_literal_is_read_as_it_is_written(
    ontology: Callable[..., Path], kind: str, text: str
) -> None:
    path = ontology(ONTOLOGY.format(kind=XSD + kind, text=text), "a.owx")
    literals = [t.object for t in read_triples(path) if isinstance(t.object, ox.Literal)]
    assert literals == [ox.Literal(text, datatype=ox.NamedNode(XSD + kind))]
    assert read_ontology(path).label("http://example.org/o#Cafe") == text


@pytest.mark.parametrize("name", ["", "owl:"])
def test_an_ontology_may_have_neither_name_nor_prefixes(
    ontology: Callable[..., Path], name: str
) -> None:
    text = (
        f'<{name}Ontology xmlns{":owl" if name else ""}="http://www.w3.org/2002/07/owl#">'
        f'<{name}Declaration><{name}Class IRI="urn:x:Cafe"/></{name}Declaration>'
        f'<{name}Declaration><{name}Class IRI="Bar"/></{name}Declaration></{name}Ontology>'
    )
    cafe, bar = read_ontology(ontology(text, "a.owx"))
    assert cafe == "urn:x:Cafe"
    assert bar.endswith("/Bar")


def owlready2_tests() -> list[Path]:
    spec = find_spec("owlready2")
    assert spec is not None
    assert spec.origin is not None
    data = Path(os.environ.get("SEMCRAWL_DATA", ROOT.parent / "shared" / "data"))
    for folder in (Path(spec.origin).parent / "test", data / "owlready2-test"):
        if folder.is_dir():
            return sorted(p for p in folder.glob("*.owl") if b"<Ontology" in p.read_bytes())
    return []


def test_the_ontologies_that_owlready2_is_tested_with() -> None:
    files = owlready2_tests()
    if not files:
        pytest.skip("owlready2 is installed without its tests, and there is no copy of them")
    for path in files:
        if path.name in BROKEN:
            with pytest.raises(TopicError, match="not well-formed XML"):
                list(read_triples(path))
            continue
        found = len(list(read_triples(path)))
        reference = path.with_suffix(".ntriples")
        if reference.exists():
            assert found == len(list(read_triples(reference)))
        assert found > 0
