"""A topic's concepts and what is narrower, as rows to write down beside a crawl."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.topics.sources import concept_iri

if TYPE_CHECKING:
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.topic import Topic

__all__ = ["ConceptNote", "outline"]


@dataclass(frozen=True, slots=True)
class ConceptNote:
    """One concept: its IRI, its label, the IRIs that are broader, and whether it is marked good.

    Only what is in the same outline is named as broader.
    """

    iri: str
    label: str
    broader: tuple[str, ...] = ()
    good: bool = False


def outline(topic: Topic, limit: int = 10_000) -> list[ConceptNote]:
    """The topic's concepts and everything narrower, breadth first, at most ``limit`` of them.

    >>> from semcrawl.topics import Topic
    >>> [note.label for note in outline(Topic.parse("wordnet:asthma"))]
    ['asthma', 'status asthmaticus']
    """
    found: dict[str, tuple[str, ConceptGraph]] = {}
    queue = deque((part.id, part.graph) for part in topic.concepts)
    while queue and len(found) < limit:
        concept, graph = queue.popleft()
        if (iri := concept_iri(concept)) not in found:
            found[iri] = (concept, graph)
            queue.extend((narrower, graph) for narrower in graph.narrower(concept))
    return [
        ConceptNote(
            iri,
            graph.label(concept),
            tuple(up for one in graph.broader(concept) if (up := concept_iri(one)) in found),
        )
        for iri, (concept, graph) in found.items()
    ]
