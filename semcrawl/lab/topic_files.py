"""The files that a topic is read from: ontologies that a topic file names, and their imports."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import SemcrawlError
from semcrawl.lab.digests import file_digest
from semcrawl.topics import Topic
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.ontology import ontology_files

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["topic_digests"]

_IMPORTS = (b":imports", b"#imports", b"<Import", b"Import(")


def topic_digests(spec: str) -> list[str]:
    """The digests of the files that a topic's concepts are read from, with what they import.

    A topic that cannot be read has none: its runs tell why.
    """
    try:
        concepts = Topic.parse(spec).concepts
    except SemcrawlError:
        return []
    graphs = (concept.graph for concept in concepts)
    paths = {graph.notes.path for graph in graphs if isinstance(graph, FileGraph)}
    files = dict.fromkeys(file for path in paths for file in _with_imports(path))
    return sorted({file_digest(file) for file in files})


def _with_imports(path: str) -> Iterator[Path]:
    yield Path(path)
    yield from _imported(path, file_digest(path))


@lru_cache(maxsize=256)
def _imported(path: str, _content: str) -> tuple[Path, ...]:
    """What an ontology imports; it is parsed only where it may import anything."""
    text = Path(path).read_bytes()
    if not any(sign in text for sign in _IMPORTS):
        return ()
    try:
        return tuple(ontology_files(Path(path)))
    except SemcrawlError:  # a taxonomy in another format
        return ()
