"""Where the concepts of a topic come from: one entry per kind of source.

A reference is what a user writes to name concepts, such as ``wordnet:asthma``.
A source knows its own references, reads them, and gives its concepts IRIs. A
new kind of source is one more entry in :data:`SOURCES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from semcrawl.errors import TopicError
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.ontology_source import OntologySource
from semcrawl.topics.taxonomy_source import TaxonomySource
from semcrawl.topics.wordnet_source import WordNetSource

if TYPE_CHECKING:
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.read_options import ReadOptions

__all__ = [
    "SOURCES",
    "ConceptSource",
    "concept_iri",
    "concept_reference",
    "iri_reference",
    "read_concepts",
    "source_of",
]


class ConceptSource(Protocol):
    """A kind of source that concepts can be taken from."""

    form: str
    """How a reference is written, for messages: ``wordnet:WORD``."""

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:
        """Return whether a reference is written in this source's form."""

    def read(
        self, reference: str, options: ReadOptions | None = None
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference with their graph; TopicError if there are none."""

    def iri(self, concept: str) -> str | None:
        """Return the IRI of a concept id, None if the id is not of this source."""

    def reference(self, iri: str) -> str | None:
        """Return the reference of a concept's IRI, None if the IRI is not of this source."""


SOURCES: tuple[ConceptSource, ...] = (WordNetSource(), TaxonomySource(), OntologySource())
"""Every source, in the order in which they are asked."""


def source_of(reference: str, options: ReadOptions | None = None) -> ConceptSource | None:
    """Return the first source that accepts a reference, None if none does."""
    return next((source for source in SOURCES if source.accepts(reference, options)), None)


def read_concepts(
    reference: str, options: ReadOptions | None = None
) -> list[tuple[str, ConceptGraph]]:
    """Return the concepts of a reference with their graph.

    >>> [concept for concept, graph in read_concepts("wordnet:asthma")]
    ['wordnet:asthma.n.01']
    """
    source = source_of(reference, options)
    if source is None:
        forms = ", ".join(source.form for source in SOURCES)
        raise TopicError(f"{reference[:80]!r} names no concept; a concept is written as {forms}")
    return source.read(reference, options)


def concept_reference(concept: str, graph: ConceptGraph, *, absolute: bool = False) -> str:
    """Return the reference that :func:`read_concepts` takes for a concept of a graph.

    A concept of a file is named with the path of the file, as it was given or absolute.
    """
    if isinstance(graph, FileGraph):
        return graph.reference(concept, absolute=absolute)
    return concept


def concept_iri(concept: str) -> str:
    """Return the IRI of a concept id; an id that no source claims is an IRI already.

    >>> concept_iri("wordnet:asthma.n.01")
    'https://w3id.org/semcrawl/wordnet/asthma.n.01'
    """
    return next((iri for source in SOURCES if (iri := source.iri(concept))), concept)


def iri_reference(iri: str) -> str:
    """Return the reference that :func:`read_concepts` takes for an IRI.

    >>> iri_reference("https://w3id.org/semcrawl/wordnet/asthma.n.01")
    'wordnet:asthma.n.01'
    """
    return next((name for source in SOURCES if (name := source.reference(iri))), iri)
