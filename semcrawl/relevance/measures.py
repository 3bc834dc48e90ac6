"""Measures: how near two concepts of a graph are, from 0 to 1."""

from dataclasses import dataclass, replace
from math import exp, isfinite, log, tanh
from typing import Protocol

import numpy as np

from semcrawl.arrays import Floats, Ints
from semcrawl.errors import ConfigError
from semcrawl.registry import Registry
from semcrawl.relevance.hierarchy import FAR, Hierarchy, hierarchy_of
from semcrawl.topics.concepts import ConceptGraph


class Measure(Protocol):
    """How near two concepts of a graph are: from 0, nothing in common, to 1.

    Symmetric. ``cut_off`` is for lenses where the user gives none: the share of
    the topic's similarity with itself below which a concept is too far off.
    """

    cut_off: float

    def spread(self, graph: ConceptGraph, concept: str) -> Floats:
        """Return the similarity of one concept to every concept, by position, in one sweep."""
        ...


MEASURES = Registry("measure", "semcrawl.measures", frozenset())


def measure_named(measure: str | Measure) -> Measure:
    """Return the measure of a name with options, such as ``li:alpha=0.3``; a measure as it is."""
    found: Measure = MEASURES.create(measure) if isinstance(measure, str) else measure
    return found


def spread_from_topic(measure: Measure, graph: ConceptGraph, concept: str) -> Floats:
    """Return the similarity of a topic's concept to every concept, by the measure fitted to it."""
    if isinstance(measure, BaseMeasure):
        measure = measure.fitted(graph, concept)
    return measure.spread(graph, concept)


def senses(graph: ConceptGraph, word: str) -> list[str]:
    """Return the concepts that have a word as label, or else as stemmed label."""
    return graph.find(word) or graph.find(word, stemmed=True)


class BaseMeasure:
    """What our measures share: one sweep over the is-a hierarchy tells of all concepts."""

    cut_off: float

    def fitted(self, graph: ConceptGraph, concept: str) -> Measure:  # noqa: ARG002
        """Return the measure for a lens on a topic that is this concept; often the measure itself."""
        return self

    def similarity(self, graph: ConceptGraph, a: str, b: str) -> float:
        """Return the similarity of two concepts, given by their ids; that to all others takes no longer."""
        return float(self.spread(graph, a)[graph.position(b)])

    def spread(self, graph: ConceptGraph, concept: str) -> Floats:
        """Return the similarity of one concept to every concept, by position, in one sweep."""
        return self._of_all(hierarchy_of(graph), graph.position(concept))

    def _of_all(self, hierarchy: Hierarchy, position: int) -> Floats:
        raise NotImplementedError


class _PathMeasure(BaseMeasure):
    def __init__(self, virtual_root: bool = False) -> None:
        self._virtual = virtual_root  # all roots hang below one more concept: there is a path

    def _of_all(self, hierarchy: Hierarchy, position: int) -> Floats:
        far = hierarchy.distances(position, virtual_root=self._virtual)
        return np.where(far < FAR, self._of_length(far, hierarchy), 0.0)

    def _of_length(self, far: Ints, hierarchy: Hierarchy) -> Floats:
        raise NotImplementedError


class Ehrig(_PathMeasure):
    """factor ^ shortest path: 1 within a concept, half with every edge (Batsakis 2007, eq. 3).

    >>> from semcrawl.topics import wordnet
    >>> Ehrig().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.0625
    """

    cut_off = 0.2

    def __init__(self, factor: float = 0.5, virtual_root: bool = False) -> None:
        if not 0 < factor < 1:
            raise ConfigError(f"ehrig: factor={factor} must lie between 0 and 1")
        super().__init__(virtual_root)
        self._factor = factor

    def _of_length(self, far: Ints, hierarchy: Hierarchy) -> Floats:  # noqa: ARG002
        return np.asarray(self._factor ** far.astype(float))


class Path(_PathMeasure):
    """1 / (1 + shortest path), as nltk's path_similarity (Rada et al. 1989).

    >>> from semcrawl.topics import wordnet
    >>> Path().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.2
    """

    cut_off = 0.3

    def _of_length(self, far: Ints, hierarchy: Hierarchy) -> Floats:  # noqa: ARG002
        return np.asarray(1 / (1 + far))


class LeacockChodorow(_PathMeasure):
    """-log((1 + shortest path) / (2 D)), D the depth of the hierarchy (Leacock, Chodorow 1998).

    ``normalised`` divides by log(2 D), which gives [0, 1]; without it the figures are nltk's.
    ``depth`` is D; 0 takes the longest path below a root in the whole graph.

    >>> from semcrawl.topics import wordnet
    >>> measure = LeacockChodorow(normalised=False)
    >>> round(measure.similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 6)
    2.028148
    """

    cut_off = 0.65

    def __init__(self, normalised: bool = True, depth: float = 0, virtual_root: bool = False) -> None:
        if not (depth >= 0 and isfinite(depth)):
            raise ConfigError(f"leacock-chodorow: depth={depth} is no depth of a hierarchy")
        super().__init__(virtual_root)
        self._normalised = normalised
        self._depth = depth

    def _of_length(self, far: Ints, hierarchy: Hierarchy) -> Floats:
        depth = max(self._depth, 1)
        if not self._depth:
            depth = max(int(hierarchy.longest.max(initial=0)), 1) + self._virtual
        widest = 2 * depth
        raw: Floats = np.log(widest / (1 + far))
        return np.maximum(raw / log(widest), 0.0) if self._normalised else raw


class NearKinds(_PathMeasure):
    """1 within a distance by is-a alone, 0 beyond (Batsakis 2007, section 2.4 b).

    >>> from semcrawl.topics import wordnet
    >>> NearKinds().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.0
    """

    cut_off = 0.5

    def __init__(self, distance: int = 2) -> None:
        if distance < 0:
            raise ConfigError(f"is-a-2: distance={distance} must be 0 or more")
        super().__init__()
        self._distance = distance

    def _of_length(self, far: Ints, hierarchy: Hierarchy) -> Floats:  # noqa: ARG002
        return np.where(far <= self._distance, 1.0, 0.0)


class Synonyms(NearKinds):
    """1 within a concept, that is between synonyms, 0 else.

    >>> from semcrawl.topics import wordnet
    >>> Synonyms().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01")
    0.0
    """

    def __init__(self) -> None:
        super().__init__(distance=0)


@dataclass(eq=False, repr=False)
class Li(BaseMeasure):
    """e^(-alpha L) tanh(beta H), L edges between, H depth in common (Batsakis 2007, eq. 4).

    As in Li, Bandar, McLean (2003); the thesis prints the second factor in the exponent.

    Args:
        alpha: how fast similarity falls with the path.
        beta: how fast it rises with the depth.
        root_depth: the depth of a root; -1, where its children are at 0, agrees best with people.
        common: which common concept gives H: "any" takes the best of all, each with the
            path through it; "deepest" the deepest, with the shortest path of all.
        least_depth: in a lens, a topic nearer to the root is counted as this deep.

    >>> from semcrawl.topics import wordnet
    >>> round(Li().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 3)
    0.449
    """

    cut_off = 0.6

    alpha: float = 0.2
    beta: float = 0.6
    root_depth: int = -1
    common: str = "any"
    least_depth: int = 3

    def __post_init__(self) -> None:
        alpha, beta, common = self.alpha, self.beta, self.common
        if not (0 <= alpha < float("inf") and 0 < beta < float("inf")):
            raise ConfigError(f"li: alpha={alpha}, beta={beta}: alpha must be >= 0 and beta > 0")
        if common not in ("any", "deepest"):
            raise ConfigError(f"li: common={common!r} is neither 'any' nor 'deepest'")

    def _of_all(self, hierarchy: Hierarchy, position: int) -> Floats:
        scores = np.zeros(hierarchy.size)
        by_path = self.common == "any"
        for node, far in hierarchy.above(position).items():
            scores[node] = self._value(far if by_path else 0, hierarchy, node)
        hierarchy.spread_down(scores, exp(-self.alpha) if by_path else 1.0)
        if by_path:
            return scores
        distances = hierarchy.distances(position)
        decays = np.exp(-self.alpha * np.where(distances < FAR, distances, 0))
        return scores * np.where(distances < FAR, decays, 0.0)

    def fitted(self, graph: ConceptGraph, concept: str) -> "Li":
        """Return the measure that counts a topic near the root as ``least_depth`` deep."""
        depth = int(hierarchy_of(graph).depths[graph.position(concept)])
        root_depth = max(self.root_depth, self.least_depth - depth)
        return replace(self, root_depth=root_depth)

    def _value(self, far: int, hierarchy: Hierarchy, node: int) -> float:
        depth = max(int(hierarchy.depths[node]) + self.root_depth, 0)
        return exp(-self.alpha * far) * tanh(self.beta * depth)


class WuPalmer(BaseMeasure):
    """2 N / (N1 + N2 + 2 N), N the depth in common, N1, N2 edges to it (Wu, Palmer 1994).

    As in nltk, the common concept is the one deepest by the shortest path, N counts
    concepts on its longest path to the root, and N1, N2 are shortest paths to it. Of
    several as deep the one that gives most counts; nltk takes the first by name.

    >>> from semcrawl.topics import wordnet
    >>> similarity = WuPalmer().similarity
    >>> round(similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 6)
    0.857143
    """

    cut_off = 0.8

    def __init__(self, virtual_root: bool = False) -> None:
        self._virtual = virtual_root

    def _of_all(self, hierarchy: Hierarchy, position: int) -> Floats:
        scores = np.zeros(hierarchy.size)
        if self._virtual:
            scores[:] = _value(1, hierarchy.depths[position] + hierarchy.depths + 2)
        deepest = np.full(hierarchy.size, -1, np.int64)
        # From the root downward: what lies below a deeper common concept is overwritten.
        for node in sorted(hierarchy.above(position), key=hierarchy.depths.__getitem__):
            reached = hierarchy.below(node) < FAR
            edges = hierarchy.distances(node)
            depth = int(hierarchy.longest[node]) + 1 + self._virtual
            values = _value(depth, edges + edges[position])
            tied = reached & (deepest == hierarchy.depths[node])
            values = np.where(tied, np.maximum(values, scores), values)
            scores[reached] = values[reached]
            deepest[reached] = hierarchy.depths[node]
        return scores


def _value(depth: int, edges: Ints) -> Floats:
    return 2 * depth / (edges + 2 * depth)


class Resnik(BaseMeasure):
    """The information content of the most telling common concept (Resnik 1995).

    The content is intrinsic: :func:`~semcrawl.relevance.hierarchy.intrinsic_content`.

    >>> from semcrawl.topics import wordnet
    >>> similarity = Resnik().similarity
    >>> round(similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 3)
    0.478
    """

    cut_off = 0.9

    def fitted(self, graph: ConceptGraph, concept: str) -> Measure:
        """Return a measure for a topic that tells nothing, a root: what is below belongs to it."""
        tells = hierarchy_of(graph).content[graph.position(concept)] > 0
        return self if tells else BelowRoot()

    def _of_all(self, hierarchy: Hierarchy, position: int) -> Floats:
        scores = np.zeros(hierarchy.size)
        above = list(hierarchy.above(position))
        scores[above] = hierarchy.content[above]
        hierarchy.spread_down(scores, 1.0)
        return scores


class BelowRoot(BaseMeasure):
    """1 for a concept and all below it; 0 else. For roots, whose information content is 0."""

    cut_off = 0.9

    def _of_all(self, hierarchy: Hierarchy, position: int) -> Floats:
        return np.where(hierarchy.below(position) < FAR, 1.0, 0.0)


class Lin(Resnik):
    """2 IC(common) / (IC(a) + IC(b)), with intrinsic information content (Lin 1998).

    >>> from semcrawl.topics import wordnet
    >>> similarity = Lin().similarity
    >>> round(similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:dog.n.01"), 3)
    0.789
    """

    cut_off = 0.7

    def _of_all(self, hierarchy: Hierarchy, position: int) -> Floats:
        common = super()._of_all(hierarchy, position)
        both = hierarchy.content + hierarchy.content[position]
        # Above a cycle's concepts others may say more than they do: hence the minimum.
        scores = np.minimum(2 * common / np.where(common > 0, both, 1.0), 1.0)
        scores[position] = 1.0
        return scores


class Related(BaseMeasure):
    """1 for a concept and all at distance 1 by any relation, 0 else (Batsakis 2007, 2.4 a).

    >>> from semcrawl.topics import wordnet
    >>> Related().similarity(wordnet().graph, "wordnet:cat.n.01", "wordnet:feline.n.01")
    1.0
    """

    cut_off = 0.5

    def spread(self, graph: ConceptGraph, concept: str) -> Floats:
        """Return the similarity of one concept to every concept."""
        position = graph.position(concept)
        scores = np.zeros(len(graph))
        scores[[position, *graph.is_a.of(position), *graph.has_kind.of(position)]] = 1.0
        scores[[graph.position(near) for _, near in graph.relations(concept)]] = 1.0
        for name in graph.relation_ends:
            edges = graph.relation(name)
            scores[edges.sources()[edges.target == position]] = 1.0
        return scores
