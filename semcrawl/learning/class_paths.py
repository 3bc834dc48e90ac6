"""The classes of a page: the concept it fits best, and all that is above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.topics import Topic

__all__ = ["ClassPaths"]


class ClassPaths:
    """Finds the concepts above a concept, in the graphs of a topic.

    In the paper a class is named by its path, and every beginning of the path
    is a feature (Chakrabarti et al. 2002, section 3.8).
    """

    def __init__(self, topic: Topic | None) -> None:
        concepts = topic.concepts if topic else ()
        self._graphs = list({id(concept.graph): concept.graph for concept in concepts}.values())
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, concept: str | None) -> tuple[str, ...]:
        """A concept with all its ancestors; itself alone where no graph knows it."""
        if concept is None:
            return ()
        if concept not in self._known:
            graph = next((graph for graph in self._graphs if concept in graph), None)
            above = graph.ancestors(concept) if graph else ()
            self._known[concept] = tuple(sorted({concept, *above}))
        return self._known[concept]
