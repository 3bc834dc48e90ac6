"""Making a concept graph concept by concept."""

from __future__ import annotations

import numpy as np

from semcrawl.errors import TopicError
from semcrawl.topics.concepts import ConceptGraph
from semcrawl.topics.edges import Edges
from semcrawl.topics.labels import Label, LabelTable

__all__ = ["ConceptGraphBuilder"]


class ConceptGraphBuilder:
    """Collects concepts and edges in any order; :meth:`build` makes the graph.

    >>> builder = ConceptGraphBuilder("pets")
    >>> builder.add("ex:pet", "pet")
    >>> builder.add("ex:dog", "dog", Label("Hund", "de"), broader=["ex:pet"])
    >>> graph = builder.build()
    >>> graph.broader("ex:dog"), graph.find("hund"), graph.depth("ex:dog")
    (['ex:pet'], ['ex:dog'], 1)
    """

    def __init__(self, name: str) -> None:
        """Start an empty graph; the name is for people."""
        self._name = name
        self._labels: dict[str, dict[Label, None]] = {}
        self._broader: dict[tuple[str, str], None] = {}
        self._relations: dict[str, dict[tuple[str, str], None]] = {}

    def add(self, concept: str, *labels: str | Label, broader: list[str] | None = None) -> None:
        """Add a concept, or labels and broader concepts to one that is there already."""
        if not concept:
            raise TopicError(f"a concept of {self._name} has an empty id")
        known = self._labels.setdefault(concept, {})
        for given in labels:
            label = Label(given) if isinstance(given, str) else given
            label = label._replace(text=" ".join(label.text.split()))
            if label.text:
                known.setdefault(label)
        for parent in broader or ():
            self._broader[concept, parent] = None

    def relate(self, source: str, name: str, target: str, inverse: str | None = None) -> None:
        """Add a named relation, and its inverse under a name of its own if one is given."""
        self._relations.setdefault(name, {})[source, target] = None
        if inverse:
            self._relations.setdefault(inverse, {})[target, source] = None

    def build(self) -> ConceptGraph:
        """Return the graph of what was added; TopicError if an edge ends at no concept."""
        ids = list(self._labels)
        number = {concept: position for position, concept in enumerate(ids)}
        broader = Edges(*self._ends(self._broader, number), size=len(ids))
        relations = {
            name: self._ends(pairs, number) for name, pairs in sorted(self._relations.items())
        }
        return ConceptGraph(self._name, ids, self._label_table(), broader, relations)

    def _ends(
        self, pairs: dict[tuple[str, str], None], number: dict[str, int]
    ) -> tuple[list[int], list[int]]:
        for concept in (end for pair in pairs for end in pair):
            if concept not in number:
                raise TopicError(f"{self._name} has an edge with {concept!r}, but no such concept")
        return [number[source] for source, _ in pairs], [number[target] for _, target in pairs]

    def _label_table(self) -> LabelTable:
        rows = [label for labels in self._labels.values() for label in labels]
        start = np.zeros(len(self._labels) + 1, np.int64)
        np.cumsum([len(labels) for labels in self._labels.values()], out=start[1:])
        return LabelTable(
            start,
            np.arange(len(rows)),
            [label.text for label in rows],
            languages=[label.language for label in rows],
            weights=[label.weight for label in rows],
        )
