"""Reading a tree of categories with the places of its examples, from any of its forms.

- a table, an indented text or a folder of folders, as :func:`semcrawl.topics.read_taxonomy`
- SKOS in any syntax of RDF: ``skos:broader`` and ``skos:narrower`` make the tree,
  ``sc:example`` and ``foaf:page`` of a concept name its examples, and so does
  ``dcterms:subject`` of a document

Paths of examples in a file are relative to the folder of the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pyoxigraph as ox

from semcrawl.errors import TopicError
from semcrawl.taxonomy.tree import CategoryTree
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.rdf_file import RDF_SUFFIXES, read_triples
from semcrawl.topics.taxonomy import CATEGORY_IRI, read_taxonomy
from semcrawl.topics.trained_taxonomy import Category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from semcrawl.topics.file_graph import FileGraph

__all__ = ["TreeFile", "is_url", "read_tree"]

_EXAMPLE_OF = (
    "https://w3id.org/semcrawl/ns#example",
    "http://xmlns.com/foaf/0.1/page",
)
_SUBJECT = "http://purl.org/dc/terms/subject"
# What a relative IRI in a file without a base becomes when the file is read.
_FILE_BASE = "https://w3id.org/semcrawl/file/"
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A tree as it was read: the categories, and per category where its examples are."""

    tree: CategoryTree
    examples: dict[str, tuple[str, ...]]

    def counted(
        self, each: Callable[[int, int], None] | None = None
    ) -> Iterator[tuple[str, Iterable[str]]]:
        """Yield each category with the places of its examples, to be gone through in turn.

        When the next place is asked for, the one before is done with, and ``each``
        is told how many are, and of how many.
        """
        total, numbers = sum(map(len, self.examples.values())), count(1)

        def told(places: Iterable[str]) -> Iterator[str]:
            for place in places:
                yield place
                if each is not None:
                    each(next(numbers), total)

        for category, places in self.examples.items():
            yield category, told(places)


def read_tree(path: str | Path, *, language: str = "en", first_parent: bool = False) -> TreeFile:
    """The tree of a file or folder.

    With ``first_parent``, a concept with several broader ones stands under the
    first that the file names.

    Raises:
        TopicError: it cannot be read, or is no tree: a cycle, several parents, equal names.
    """
    place = Path(path)
    if place.suffix.lower() in RDF_SUFFIXES and not place.is_dir():
        graph = read_ontology(place, language=language)
        examples = _rdf_examples(place, graph)
    else:
        graph = read_taxonomy(place, language=language)
        examples = {category: list(found) for category, found in graph.notes.examples.items()}
    tree = CategoryTree(
        place.stem,
        _categories(graph, place, first_parent=first_parent),
        language=language,
        place=str(place),
    )
    # A folder's own examples come with the folder's path already.
    folder = Path() if place.is_dir() else place.parent
    return TreeFile(
        tree, {category: _placed(found, folder) for category, found in examples.items()}
    )


def is_url(place: str) -> bool:
    """Whether a place is a URL to fetch, and not a file.

    >>> is_url("https://example.org/"), is_url("pages/a.html")
    (True, False)
    """
    return place.lower().startswith(("http://", "https://"))


def _placed(examples: list[str], folder: Path) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(place if is_url(place) else str(folder / place) for place in examples)
    )


def _categories(graph: FileGraph, place: Path, *, first_parent: bool) -> Iterator[Category]:
    for concept in graph:
        parents = graph.broader(concept)
        labels = tuple(dict.fromkeys(label.text for label in graph.labels(concept)))
        if len(parents) > 1 and not first_parent:
            named = ", ".join(graph.label(parent) for parent in parents[:_SHOWN])
            raise TopicError(
                f"{place}: {graph.label(concept)!r} stands under {len(parents)} concepts "
                f"({named}), and a tree has one parent each: keep one skos:broader, or take "
                "the first of each with --first-parent"
            )
        yield Category(concept, _name(concept, labels), labels, parents[0] if parents else None)


def _name(concept: str, labels: tuple[str, ...]) -> str:
    """The step of a category in its path: as the file writes it, or the preferred label."""
    if concept.startswith(CATEGORY_IRI):
        return unquote(concept.rpartition("/")[2])
    return labels[0] if labels else concept


def _rdf_examples(place: Path, graph: FileGraph) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for triple in read_triples(place):
        subject, named, value = triple.subject, triple.predicate.value, triple.object
        if named in _EXAMPLE_OF and isinstance(subject, ox.NamedNode):
            category, document = subject.value, _document(value)
        elif named == _SUBJECT and isinstance(value, ox.NamedNode):
            category, document = value.value, _document(subject)
        else:
            continue
        if document and category in graph:
            found.setdefault(category, []).append(document)
    return found


def _document(term: object) -> str:
    """Where a document is that RDF names: a URL, or a path relative to the file."""
    if isinstance(term, ox.Literal):
        return term.value.strip()
    if not isinstance(term, ox.NamedNode):
        return ""
    if term.value.startswith(_FILE_BASE):
        return unquote(term.value.removeprefix(_FILE_BASE))
    if term.value.startswith("file:"):
        return unquote(urlsplit(term.value).path)
    return term.value
