"""Concepts, their labels and the relations between them: one structure for every source."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from semcrawl.arrays import Ints
from semcrawl.errors import TopicError
from semcrawl.topics.labels import Label, normal_label, stemmed_label

_MOST_CANDIDATES = 4_000
_FEW_SCANS = 20  # as long as so many take, about, the index takes


class Edges:
    """Directed edges from the nodes 0 .. size-1, grouped by source, in the order given.

    The targets of node ``n`` are ``target[start[n]:start[n + 1]]``.

    >>> edges = Edges([2, 0, 2], [1, 1, 0], size=3)
    >>> edges.of(2), edges.of(1), edges.reversed().of(1)
    ([1, 0], [], [0, 2])
    """

    __slots__ = ("start", "target")

    def __init__(self, sources: ArrayLike, targets: ArrayLike, size: int) -> None:
        source = np.asarray(sources, np.int64)
        self.start: Ints = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(source, minlength=size), out=self.start[1:])
        self.target: Ints = np.asarray(targets, np.int64)
        if len(source) and np.any(source[1:] < source[:-1]):
            self.target = self.target[np.argsort(source, kind="stable")]

    def __len__(self) -> int:
        return len(self.target)

    def of(self, node: int) -> list[int]:
        """Return the targets of the edges that leave a node."""
        found: list[int] = self.target[self.start[node] : self.start[node + 1]].tolist()
        return found

    def reached(self, node: int) -> dict[int, int]:
        """Return the nodes that edges lead to from a node, itself at 0, with their distances."""
        distances, waiting = {node: 0}, [node]
        for source in waiting:
            new = [target for target in dict.fromkeys(self.of(source)) if target not in distances]
            distances |= dict.fromkeys(new, distances[source] + 1)
            waiting += new
        return distances

    def sources(self) -> Ints:
        """Return the source of every edge, beside ``target``."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))

    def reversed(self) -> "Edges":
        """Return the same edges the other way round."""
        return Edges(self.target, self.sources(), len(self.start) - 1)


MOST_SENSES = 256  # ranks of one part of speech lie below this; the next begins here


class LabelTable:
    """All labels of a graph; ``rows`` leads from concepts to ``texts``, small ranks come first."""

    def __init__(
        self,
        rows: Edges,
        texts: Sequence[str],  # without line breaks
        *,
        languages: Sequence[str] | str = "en",
        weights: Sequence[float] | None = None,
        ranks: Ints | None = None,
    ) -> None:
        self.rows = rows  # from every concept to its texts, the preferred label first
        self.texts = texts  # the different ones
        self.languages = [languages] * len(rows) if isinstance(languages, str) else languages  # "" where there is none
        self.weights = [1.0] * len(rows) if weights is None else weights
        self.ranks = np.zeros(len(rows), np.int64) if ranks is None else ranks
        self._scans = 0

    def senses(self) -> Ints:
        """Return for every row which sense of the text it is, from 1; all are 1 without ranks."""
        return np.maximum(self.ranks % MOST_SENSES, 1)

    def label(self, row: int) -> Label:
        """Return the label of a row."""
        return Label(self.text(row), self.languages[row], self.weights[row])

    def text(self, row: int) -> str:
        """Return the text of a row."""
        return self.texts[int(self.rows.target[row])]

    def of(self, concept: int) -> list[Label]:
        """Return the labels of a concept, the preferred one first."""
        return [self.label(row) for row in range(*self.rows.start[concept : concept + 2].tolist())]

    def joined(self, other: "LabelTable", places: Ints, size: int) -> "LabelTable":
        """Return both as one table of ``size`` concepts; concept n of the other is at places[n]."""
        theirs = places[other.rows.sources()]
        known = set(zip(self.rows.sources().tolist(), *self._written_as(), strict=True))
        offered = zip(theirs.tolist(), *other._written_as(), strict=True)
        rows = np.flatnonzero([label not in known for label in offered])
        owners = np.concatenate((self.rows.sources(), theirs[rows]))
        order = np.argsort(owners, kind="stable")
        text = np.concatenate((self.rows.target, other.rows.target[rows] + len(self.texts)))
        languages = [*self.languages, *map(other.languages.__getitem__, rows.tolist())]
        weights = [*self.weights, *map(other.weights.__getitem__, rows.tolist())]
        # What this table has is found before what only the other has.
        ranks = np.concatenate((self.ranks, other.ranks[rows] + (1 << 20)))
        return LabelTable(
            Edges(owners[order], text[order], size),
            [*self.texts, *other.texts],
            languages=list(map(languages.__getitem__, order.tolist())),
            weights=list(map(weights.__getitem__, order.tolist())),
            ranks=ranks[order],
        )

    def _written_as(self) -> tuple[Iterator[str], Sequence[str]]:
        """Text and language of every row."""
        return map(self.texts.__getitem__, self.rows.target.tolist()), self.languages

    def find(self, text: str, *, stemmed: bool = False) -> list[int]:
        """Return the concepts with a label, or with one of the same stems, by rank."""
        key = stemmed_label(text) if stemmed else normal_label(text)
        if not stemmed and self._scans < _FEW_SCANS and "_exact" not in self.__dict__:
            self._scans += 1
            return self._scan(key)
        numbers, owners = self._stemmed if stemmed else self._exact
        number = numbers.get(key)
        return [] if number is None else list(dict.fromkeys(owners.of(number)))

    def _scan(self, key: str) -> list[int]:
        """Return what :meth:`find` does: for a few labels that is quicker than the index."""
        wanted, places = f"\n{key}\n", list[int]()
        place = self._folded.find(wanted)
        while place >= 0:
            places.append(self._folded.count("\n", 0, place))
            place = self._folded.find(wanted, place + len(wanted) - 1)
        rows = np.flatnonzero(np.isin(self.rows.target, places))
        rows = rows[np.argsort(self.ranks[rows], kind="stable")]
        owners = np.searchsorted(self.rows.start, rows, side="right") - 1
        return list(dict.fromkeys(owners.tolist()))

    def search(self, text: str) -> Iterator[tuple[Label, int]]:
        """Yield labels that hold a text, each with its concept, and every concept once.

        Labels that begin with the text come first, then short ones.
        """
        wanted = normal_label(text)
        numbers, owners = self._exact
        found = [label for label in numbers if wanted in label]
        found.sort(key=lambda label: (not label.startswith(wanted), len(label), label))
        seen = set[int]()
        for key in found:
            for concept in owners.of(numbers[key]):
                if concept not in seen:
                    seen.add(concept)
                    labels = self.of(concept)
                    yield next((one for one in labels if normal_label(one.text) == key), labels[0]), concept

    def near(self, text: str, limit: int) -> list[str]:
        """Return labels that are spelt much like a text, the nearest first."""
        wanted = normal_label(text)
        if not wanted:
            return []
        size, first, last = len(wanted), wanted[0], wanted[-2:]
        # Only labels of about the same length and beginning or end are compared, for speed.
        candidates = [
            label
            for label in self._exact[0]
            if abs(len(label) - size) <= 2 and (label[:1] == first or label[-2:] == last)
        ]
        candidates.sort(key=lambda label: (label[:2] != wanted[:2], abs(len(label) - size)))
        return get_close_matches(wanted, candidates[:_MOST_CANDIDATES], limit, 0.7)

    @cached_property
    def _folded(self) -> str:
        """All texts in the form in which they are compared, each between line breaks."""
        # One pass over the joined text is five times faster than one per label.
        return "\n".join(("", *self.texts, "")).replace("_", " ").casefold()

    @cached_property
    def _exact(self) -> tuple[dict[str, int], Edges]:
        return self._lookup(self._folded.split("\n")[1:-1] if self.texts else [])

    @cached_property
    def _stemmed(self) -> tuple[dict[str, int], Edges]:
        return self._lookup([stemmed_label(text) for text in self.texts])

    def _lookup(self, keys: list[str]) -> tuple[dict[str, int], Edges]:
        """Return numbers of the keys of all texts, and the edges from these to the concepts."""
        numbers = dict(zip(keys, range(len(keys)), strict=True))
        found = np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))[self.rows.target]
        ranked = found * (int(self.ranks.max(initial=0)) + 1) + self.ranks
        order = np.argsort(ranked, kind="stable")
        return numbers, Edges(found[order], self.rows.sources()[order], len(keys))


@dataclass(eq=False, repr=False)
class ConceptGraph:
    """Concepts with labels, is-a edges (broader and narrower) and other named relations.

    An id is an IRI or ``source:name``; inside, concepts are numbered by their position in ``ids``.
    """

    name: str
    ids: Sequence[str]
    label_table: LabelTable
    is_a: Edges
    relation_ends: Mapping[str, tuple[ArrayLike, ArrayLike]]  # per other relation its sources and targets
    problems: Sequence[str] = ()  # what was odd or missing in its file, one line each
    mappings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # per concept the equal IRIs elsewhere

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, concept: object) -> bool:
        return concept in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __repr__(self) -> str:
        return f"<ConceptGraph {self.name}: {len(self):,} concepts>"

    def position(self, concept: str) -> int:
        """Return the position of an id in ``ids``; TopicError if it is not there."""
        position = self._positions.get(concept)
        if position is None:
            raise TopicError(f"there is no concept {concept!r} in {self.name}")
        return position

    def place(self, *, absolute: bool = False) -> str | None:  # noqa: ARG002 - for graphs of files
        """Return the file that the graph was read from, as references write it; None for none."""
        return None

    def reference(self, concept: str, *, absolute: bool = False) -> str:
        """Return the reference that names a concept of this graph in a topic file."""
        place = self.place(absolute=absolute)
        return concept if place is None else f"{place}#<{concept}>"

    def label(self, concept: str) -> str:
        """Return the preferred label of a concept; its id if it has no label."""
        labels = self.labels(concept)
        return labels[0].text if labels else concept

    def labels(self, concept: str) -> list[Label]:
        """Return all labels of a concept, the preferred one first."""
        return self.label_table.of(self.position(concept))

    def find(self, label: str, *, stemmed: bool = False) -> list[str]:
        """Return the concepts with a label in any case, or of the same stems, most usual first."""
        return self._ids(self.label_table.find(label, stemmed=stemmed))

    def search(self, text: str, limit: int | None = 20) -> list[tuple[Label, str]]:
        """Return the concepts with a label that holds a text, each with that label."""
        return [(label, self.ids[concept]) for label, concept in islice(self.label_table.search(text), limit)]

    def near_labels(self, text: str, limit: int = 5) -> list[str]:
        """Return labels that are spelt much like a text, to offer after a typing error."""
        return self.label_table.near(text, limit)

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
        found = [(names[kind], self.ids[target]) for kind, target in coded]
        return [pair for pair in found if name is None or pair[0] == name]

    def relation(self, name: str) -> Edges:
        """Return the edges of one relation between positions; no edges for an unknown name."""
        sources, targets = self.relation_ends.get(name, ((), ()))
        return Edges(sources, targets, len(self))

    def roots(self) -> list[str]:
        """Return the concepts that have narrower concepts and no broader one."""
        is_root = (np.diff(self.is_a.start) == 0) & (np.diff(self.has_kind.start) > 0)
        return self._ids(np.flatnonzero(is_root).tolist())

    def ancestors(self, concept: str) -> dict[str, int]:
        """Return all broader concepts with their distance in edges, the concept itself at 0."""
        return {self.ids[node]: far for node, far in self.is_a.reached(self.position(concept)).items()}

    def path_to_root(self, concept: str) -> list[str]:
        """Return a shortest is-a path, as ids from a root to the concept; without roots, from what is farthest."""
        found: dict[int, int] = {}  # broader concepts, with that which led there
        waiting = [self.position(concept)]
        for node in waiting:
            parents = self.is_a.of(node)
            if not parents:
                break
            new = [parent for parent in parents if parent not in found and parent != waiting[0]]
            found |= dict.fromkeys(new, node)
            waiting += new
        trail = [node]
        while trail[-1] in found:
            trail.append(found[trail[-1]])
        return self._ids(trail)

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
        names = list(self.relation_ends)
        pairs = [tuple(map(np.asarray, self.relation_ends[name])) for name in names]
        if not pairs:
            return Edges([], [], len(self)), names
        sources = np.concatenate([source for source, _ in pairs])
        targets = [kind * len(self) + target for kind, (_, target) in enumerate(pairs)]
        return Edges(sources, np.concatenate(targets), len(self)), names

    def _ids(self, positions: list[int]) -> list[str]:
        return [self.ids[position] for position in positions]


class ConceptGraphBuilder:
    """Collects concepts and edges in any order; :meth:`build` makes the graph.

    >>> builder = ConceptGraphBuilder("pets")
    >>> builder.add("ex:pet", "pet")
    >>> builder.add("ex:dog", "dog", Label("Hund", "de"), broader=["ex:pet"])
    >>> graph = builder.build()
    >>> graph.broader("ex:dog"), graph.find("hund")
    (['ex:pet'], ['ex:dog'])
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._labels: dict[str, dict[Label, None]] = {}
        self._broader: dict[tuple[str, str], None] = {}
        self._relations: dict[str, dict[tuple[str, str], None]] = {}

    def __contains__(self, concept: object) -> bool:
        return concept in self._labels

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def add(self, concept: str, *labels: str | Label, broader: list[str] | None = None) -> None:
        """Add a concept, or labels and broader concepts to one that is there already."""
        if not concept:
            raise TopicError(f"a concept of {self._name} has an empty id")
        known = self._labels.setdefault(concept, {})
        for given in labels:
            label = Label(given) if isinstance(given, str) else given
            if (text := " ".join(label.text.split())) != label.text:
                label = label._replace(text=text)
            if text:
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

    def merge(self, aliases: Mapping[str, str]) -> None:
        """Make each concept that is a key one with its value, which gets its labels and edges."""
        if not aliases:
            return
        for alias, concept in aliases.items():
            self._labels[concept].update(self._labels.pop(alias))
        self._broader = _renamed(self._broader, aliases)
        self._relations = {n: _renamed(pairs, aliases) for n, pairs in self._relations.items()}

    def build(self) -> ConceptGraph:
        """Return the graph of what was added; TopicError if an edge ends at no concept."""
        ids = list(self._labels)
        number = {concept: position for position, concept in enumerate(ids)}
        broader = Edges(*self._ends(self._broader, number), size=len(ids))
        relations = {name: self._ends(pairs, number) for name, pairs in sorted(self._relations.items())}
        rows = [(owner, label) for owner, found in enumerate(self._labels.values()) for label in found]
        labels = LabelTable(
            Edges([owner for owner, _ in rows], range(len(rows)), len(ids)),
            [label.text for _, label in rows],
            languages=[label.language for _, label in rows],
            weights=[label.weight for _, label in rows],
        )
        return ConceptGraph(self._name, ids, labels, broader, relations)

    def _ends(self, pairs: dict[tuple[str, str], None], number: dict[str, int]) -> tuple[list[int], list[int]]:
        for concept in (end for pair in pairs for end in pair):
            if concept not in number:
                raise TopicError(f"{self._name} has an edge with {concept!r}, but no such concept")
        return [number[source] for source, _ in pairs], [number[target] for _, target in pairs]


def _renamed(pairs: dict[tuple[str, str], None], aliases: Mapping[str, str]) -> dict[tuple[str, str], None]:
    named = ((aliases.get(a, a), aliases.get(b, b)) for a, b in pairs)
    return {pair: None for pair in named if pair[0] != pair[1]}


def join_graphs(first: ConceptGraph, second: ConceptGraph) -> ConceptGraph:
    """Return both graphs as one; :func:`same_concepts` keep id and label of the first."""
    same = same_concepts(first, second)
    ids = [*first.ids, *(concept for concept in second if concept not in same)]
    number = {concept: position for position, concept in enumerate(ids)}
    here = np.arange(len(first))
    there = np.asarray([number[same.get(concept, concept)] for concept in second], np.int64)
    relations = {
        name: _both(first.relation(name), second.relation(name), here, there)
        for name in dict.fromkeys((*first.relation_ends, *second.relation_ends))
    }
    labels = first.label_table.joined(second.label_table, there, len(ids))
    is_a = Edges(*_both(first.is_a, second.is_a, here, there), size=len(ids))
    return ConceptGraph(f"{first.name} + {second.name}", ids, labels, is_a, relations)


def _both(first: Edges, second: Edges, here: Ints, there: Ints) -> tuple[Ints, Ints]:
    source = np.concatenate((here[first.sources()], there[second.sources()]))
    target = np.concatenate((here[first.target], there[second.target]))
    _, once = np.unique(np.stack((source, target)), axis=1, return_index=True)
    kept = np.sort(once[source[once] != target[once]])
    return source[kept], target[kept]


def same_concepts(first: ConceptGraph, second: ConceptGraph) -> dict[str, str]:
    """Return the concepts of the second graph that are in the first, with their ids there.

    They have the same id, or are declared equal (skos:exactMatch, owl:sameAs ...), or have the
    same preferred label in any case, if one concept of each graph has it.
    """
    found = {concept: concept for concept in second if concept in first}
    pairs = [(one, other) for one, others in second.mappings.items() for other in others]
    pairs += [(other, one) for one, others in first.mappings.items() for other in others]
    for theirs, ours in pairs:
        if theirs in second and ours in first:
            found.setdefault(theirs, ours)
    taken, labels = set(found.values()), _unique_labels(first)
    for label, concept in _unique_labels(second).items():
        if (partner := labels.get(label)) and partner not in taken:
            found.setdefault(concept, partner)
    return found


def _unique_labels(graph: ConceptGraph) -> dict[str, str]:
    found: dict[str, str | None] = {}
    for concept in graph:
        label = normal_label(graph.label(concept))
        found[label] = None if label in found else concept
    return {label: concept for label, concept in found.items() if concept is not None}
