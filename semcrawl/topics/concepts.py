"""Concepts, their labels and the relations between them: one structure for every source.

WordNet, ontologies, thesauri and taxonomies are all read into a
:class:`ConceptGraph`; what works on it knows nothing of where it came from.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import TopicError
from semcrawl.topics.labels import Label, LabelTable, normal_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    IntArray = NDArray[np.int64]

_WAYS = ("label", "mapping")


class Edges:
    """Directed edges from the nodes 0 .. size-1, grouped by source, in the order given.

    The targets of node ``n`` are ``target[start[n]:start[n + 1]]``.

    >>> edges = Edges([2, 0, 2], [1, 1, 0], size=3)
    >>> edges.of(2), edges.of(1), edges.reversed().of(1)
    ([1, 0], [], [0, 2])
    """

    __slots__ = ("start", "target")

    def __init__(self, sources: ArrayLike, targets: ArrayLike, size: int) -> None:
        """Take the two ends of every edge, and the number of nodes."""
        source = np.asarray(sources, np.int64)
        self.start: IntArray = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(source, minlength=size), out=self.start[1:])
        self.target: IntArray = np.asarray(targets, np.int64)
        if len(source) and np.any(source[1:] < source[:-1]):
            self.target = self.target[np.argsort(source, kind="stable")]

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.target)

    def of(self, node: int) -> list[int]:
        """Return the targets of the edges that leave a node."""
        found: list[int] = self.target[self.start[node] : self.start[node + 1]].tolist()
        return found

    def sources(self) -> IntArray:
        """Return the source of every edge, beside ``target``."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def reversed(self) -> Edges:
        """Return the same edges the other way round."""
        return Edges(self.target, self.sources(), len(self.start) - 1)


@dataclass(frozen=True, slots=True)
class Concept:
    """A node that can be talked about: its id in the graph and its preferred label."""

    id: str
    label: str


class ConceptGraph:
    """Concepts with labels, is-a edges (broader and narrower) and other named relations.

    An id is an IRI or ``source:name``, such as ``wordnet:bank.n.01``. Inside,
    concepts are numbered by their position in ``ids``.
    """

    def __init__(
        self,
        name: str,
        ids: Sequence[str],
        labels: LabelTable,
        broader: Edges,
        relations: Mapping[str, tuple[ArrayLike, ArrayLike]],
    ) -> None:
        """Take the columns; ``relations`` maps a name to sources and targets of its edges."""
        self.name = name
        self.ids = ids
        self.is_a = broader
        self._labels = labels
        self._relations = relations

    def __len__(self) -> int:
        """Return the number of concepts."""
        return len(self.ids)

    def __contains__(self, concept: object) -> bool:
        """Return whether there is a concept with this id."""
        return concept in self._positions

    def __iter__(self) -> Iterator[str]:
        """Iterate over the ids."""
        return iter(self.ids)

    def __repr__(self) -> str:
        return f"<ConceptGraph {self.name}: {len(self):,} concepts>"

    def position(self, concept: str) -> int:
        """Return the position of an id in ``ids``; TopicError if it is not there."""
        position = self._positions.get(concept)
        if position is None:
            raise TopicError(f"there is no concept {concept!r} in {self.name}")
        return position

    @property
    def problems(self) -> Sequence[str]:
        """What was odd or missing in the file that the graph was read from, one line each."""
        return ()

    @property
    def mappings(self) -> Mapping[str, tuple[str, ...]]:
        """Per concept the IRIs elsewhere that mean the same."""
        return {}

    def place(self, *, absolute: bool = False) -> str | None:  # noqa: ARG002 - for graphs of files
        """Return the file that the graph was read from, as references write it; None for none."""
        return None

    def reference(self, concept: str, *, absolute: bool = False) -> str:  # noqa: ARG002 - as above
        """Return the reference that names a concept of this graph in a topic file."""
        return concept

    def concept(self, concept: str) -> Concept:
        """Return the concept with an id."""
        return Concept(concept, self.label(concept))

    def label(self, concept: str) -> str:
        """Return the preferred label of a concept; its id if it has no label."""
        labels = self.labels(concept)
        return labels[0].text if labels else concept

    def labels(self, concept: str) -> list[Label]:
        """Return all labels of a concept, the preferred one first."""
        return self._labels.of(self.position(concept))

    def find(self, label: str, *, stemmed: bool = False) -> list[str]:
        """Return the ids of the concepts with a label, the most usual first.

        Case, underscores and repeated spaces do not matter; with ``stemmed``
        neither do the endings of the words.
        """
        found = self._labels.find_stemmed(label) if stemmed else self._labels.find(label)
        return self._ids(found)

    def search(self, text: str, limit: int = 20) -> list[tuple[str, list[str]]]:
        """Return the labels that hold a text, each with the ids of its concepts."""
        return [(label, self.find(label)) for label in self._labels.search(text, limit)]

    def near_labels(self, text: str, limit: int = 5) -> list[str]:
        """Return labels that are spelt much like a text, to offer after a typing error."""
        return self._labels.near(text, limit)

    def broader(self, concept: str) -> list[str]:
        """Return what a concept is a kind, or an instance, of."""
        return self._ids(self.is_a.of(self.position(concept)))

    def narrower(self, concept: str) -> list[str]:
        """Return the kinds and instances of a concept."""
        return self._ids(self.has_kind.of(self.position(concept)))

    def relations(self, concept: str, name: str | None = None) -> list[tuple[str, str]]:
        """Return the other relations of a concept as (name, id), or those of one name only."""
        edges, names = self._other
        coded = (divmod(code, len(self)) for code in edges.of(self.position(concept)))
        return [
            (names[kind], self.ids[target])
            for kind, target in coded
            if name is None or names[kind] == name
        ]

    def relation_names(self) -> list[str]:
        """Return the names of the relations other than is-a."""
        return list(self._relations)

    def relation(self, name: str) -> Edges:
        """Return the edges of one relation between positions; no edges for an unknown name."""
        sources, targets = self._relations.get(name, ((), ()))
        return Edges(sources, targets, len(self))

    def roots(self) -> list[str]:
        """Return the concepts that have narrower concepts and no broader one."""
        is_root = (np.diff(self.is_a.start) == 0) & (np.diff(self.has_kind.start) > 0)
        return self._ids(np.flatnonzero(is_root).tolist())

    def ancestors(self, concept: str) -> dict[str, int]:
        """Return all broader concepts with their distance in edges, the concept itself at 0."""
        return {self.ids[node]: far for node, far in self._upward(self.position(concept)).items()}

    def depth(self, concept: str) -> int:
        """Return the number of is-a edges up to the nearest root, 0 for a root.

        A concept that reaches no root, because its ancestors form a cycle, is
        as deep as its farthest ancestor is far.
        """
        distances = self._upward(self.position(concept))
        start = self.is_a.start
        to_roots = [far for node, far in distances.items() if start[node] == start[node + 1]]
        return min(to_roots) if to_roots else max(distances.values())

    def paths_to_root(self, concept: str) -> Iterator[list[str]]:
        """Yield every is-a path as a list of ids from a root down to the concept.

        A path never meets the same concept twice: where broader concepts form a
        cycle, it starts at the last new one. There can be very many paths.
        """
        trail = [self.position(concept)]
        pending = [iter(self._new_parents(trail))]
        if not self._new_parents(trail):
            yield self._ids(trail)
        while pending:
            parent = next(pending[-1], None)
            if parent is None:
                pending.pop()
                trail.pop()
                continue
            trail.append(parent)
            parents = self._new_parents(trail)
            if not parents:
                yield self._ids(trail[::-1])
            pending.append(iter(parents))

    @cached_property
    def has_kind(self) -> Edges:
        """The narrower edges between positions."""
        return self.is_a.reversed()

    @cached_property
    def _positions(self) -> dict[str, int]:
        return dict(zip(self.ids, range(len(self.ids)), strict=True))

    @cached_property
    def _other(self) -> tuple[Edges, list[str]]:
        """All named edges as one: a target is coded as kind * number of concepts + position."""
        names = list(self._relations)
        pairs = [tuple(map(np.asarray, self._relations[name])) for name in names]
        if not pairs:
            return Edges([], [], len(self)), names
        sources = np.concatenate([source for source, _ in pairs])
        targets = [kind * len(self) + target for kind, (_, target) in enumerate(pairs)]
        return Edges(sources, np.concatenate(targets), len(self)), names

    def _ids(self, positions: list[int]) -> list[str]:
        return [self.ids[position] for position in positions]

    def _new_parents(self, trail: list[int]) -> list[int]:
        return [parent for parent in self.is_a.of(trail[-1]) if parent not in trail]

    def _upward(self, position: int) -> dict[int, int]:
        distances = {position: 0}
        queue = deque((position,))
        while queue:
            node = queue.popleft()
            for parent in self.is_a.of(node):
                if parent not in distances:
                    distances[parent] = distances[node] + 1
                    queue.append(parent)
        return distances


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

    def __contains__(self, concept: object) -> bool:
        """Return whether a concept was added."""
        return concept in self._labels

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

    def link(self, narrower: str, broader: str) -> None:
        """Make a concept a kind of another, if both were added and are not the same."""
        if narrower in self and broader in self and narrower != broader:
            self._broader[narrower, broader] = None

    def relate_known(self, source: str, name: str, target: str, inverse: str | None = None) -> None:
        """Add a named relation, if both concepts were added and are not the same."""
        if source in self and target in self and source != target:
            self.relate(source, name, target, inverse)

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


def join_graphs(
    first: ConceptGraph, second: ConceptGraph, by: Sequence[str] = _WAYS
) -> ConceptGraph:
    """Return one graph with the concepts, labels and edges of both.

    Concepts of the two that mean the same become one, which keeps the id and the
    preferred label of the first graph; :func:`same_concepts` says which do.
    """
    same = same_concepts(first, second, by)
    ids = [*first.ids, *(concept for concept in second if concept not in same)]
    number = {concept: position for position, concept in enumerate(ids)}
    here = np.arange(len(first))
    there = np.asarray([number[same.get(concept, concept)] for concept in second], np.int64)
    relations = {}
    for name in dict.fromkeys((*first.relation_names(), *second.relation_names())):
        relations[name] = _both(first.relation(name), second.relation(name), here, there)
    labels = first._labels.joined(second._labels, there, len(ids))
    is_a = Edges(*_both(first.is_a, second.is_a, here, there), size=len(ids))
    return ConceptGraph(f"{first.name} + {second.name}", ids, labels, is_a, relations)


def _both(
    first: Edges, second: Edges, here: IntArray, there: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the edges of two graphs between the new positions, each once, without loops."""
    source = np.concatenate((here[first.sources()], there[second.sources()]))
    target = np.concatenate((here[first.target], there[second.target]))
    pairs = np.stack((source, target))
    _, once = np.unique(pairs, axis=1, return_index=True)
    kept = np.sort(once[source[once] != target[once]])
    return source[kept], target[kept]


def same_concepts(
    first: ConceptGraph, second: ConceptGraph, by: Sequence[str] = _WAYS
) -> dict[str, str]:
    """Return the concepts of the second graph that are in the first, with their ids there.

    ``mapping``: the same id, or declared equal by skos:exactMatch,
    owl:equivalentClass or owl:sameAs. ``label``: the same preferred label,
    whatever its case, if it is the preferred label of one concept only in
    each graph. A label that several concepts share tells nothing.
    """
    unknown = [way for way in by if way not in _WAYS]
    if unknown:
        raise TopicError(f"graphs are joined by label or by mapping, not by {unknown[0]!r}")
    found: dict[str, str] = {}
    if "mapping" in by:
        found |= {concept: concept for concept in second if concept in first}
        for concept, others in second.mappings.items():
            for other in others:
                if other in first:
                    found.setdefault(concept, other)
        for concept, others in first.mappings.items():
            for other in others:
                if other in second:
                    found.setdefault(other, concept)
    if "label" in by:
        taken = set(found.values())
        labels = _unique_labels(first)
        for label, concept in _unique_labels(second).items():
            partner = labels.get(label)
            if partner and partner not in taken:
                found.setdefault(concept, partner)
    return found


def _unique_labels(graph: ConceptGraph) -> dict[str, str]:
    """Return the preferred labels that only one concept has."""
    found: dict[str, str | None] = {}
    for concept in graph:
        label = normal_label(graph.label(concept))
        found[label] = None if label in found else concept
    return {label: concept for label, concept in found.items() if concept is not None}
