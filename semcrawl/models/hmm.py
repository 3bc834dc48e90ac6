"""The hidden Markov model of browsing (Batsakis 2007, section 2.5).

The hidden state of a page is its link distance to a target, what is seen the cluster of its text.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Floats
from semcrawl.errors import ConfigError
from semcrawl.model_files import Member, ModelKind, open_model, write_model
from semcrawl.models import clustering
from semcrawl.models.browsing import BrowsingPath, click_distances, urls_of
from semcrawl.models.training_options import X_MEANS, HmmOptions
from semcrawl.text.background import Background
from semcrawl.text.vectors import tf_idf

_ROUNDING = 1e-9


class MarkovModel(msgspec.Struct, frozen=True, eq=False):
    """The probabilities of the model, checked when it is made."""

    initial: Floats  # π, the probability of each state
    transitions: Floats  # A, row i the probabilities of the states after state i
    emissions: Floats  # B, row i the probabilities of the clusters in state i

    def __post_init__(self) -> None:
        states = len(self.initial) if self.initial.ndim == 1 else 0
        is_table = self.emissions.ndim == 2 and self.emissions.size
        fit = self.transitions.shape == (states, states) and self.emissions.shape[:1] == (states,)
        if states < 2 or not is_table or not fit:
            raise ConfigError("the tables of the HMM do not fit each other; train it again")
        for name in ("initial", "transitions", "emissions"):
            table = getattr(self, name)
            # Not a number is neither below 0 nor near 1: ask for what must hold.
            if not ((table >= 0).all() and np.allclose(table.sum(axis=-1), 1.0, atol=1e-6)):
                raise ConfigError(
                    f"the {name} probabilities of the HMM do not sum to 1, or are no numbers; train it again"
                )

    def states(self, before: Floats | None, cluster: int | None) -> Floats:
        """The states of a page of a cluster: π_j b_j(c) where no page led to it, else b_j(c) Σ_i a(i) a_ij, normalised.

        Batsakis 2007, eq. 5; ``before`` are the states of the page that led to it.
        """
        expected = self.initial if before is None else self.ahead(before)
        weighed = expected if cluster is None else expected * self.emissions[:, cluster]
        total = weighed.sum()
        # Without smoothing a cluster may be impossible here: then it says nothing.
        return np.asarray(weighed / total if total > 0 else expected / expected.sum())

    def ahead(self, states: Floats, steps: int = 1) -> Floats:
        """The states so many steps on: Σ_i a(i) a_ij (Batsakis 2007, eq. 6)."""
        for _ in range(steps):
            states = states @ self.transitions
        return states


def count_model(
    paths: Sequence[Sequence[str]],
    states_of: Mapping[str, int],
    clusters_of: Mapping[str, int],
    *,
    states: int,
    clusters: int,
    smoothing: float,
) -> MarkovModel:
    """The model of some paths, by counting (Batsakis 2007, section 2.5, I to III).

    π: the share of pages in each state. A: the share of the clicks from a state that lead to each
    other. B: the share of the pages of a state in each cluster. Where there is nothing to count,
    all is equally likely. Only the pages of ``clusters_of`` are counted for π and B.

    >>> model = count_model([("a", "b", "t")], {"a": 2, "b": 1, "t": 0},
    ...                     {"a": 0, "b": 0, "t": 1}, states=3, clusters=2, smoothing=0)
    >>> model.transitions.round(2).tolist()
    [[0.33, 0.33, 0.33], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    initial = np.zeros(states)
    transitions = np.zeros((states, states))
    emissions = np.zeros((states, clusters))
    for url, cluster in clusters_of.items():
        initial[states_of[url]] += 1
        emissions[states_of[url], cluster] += 1
    for path in paths:
        for source, target in pairwise(path):
            transitions[states_of[source], states_of[target]] += 1
    tables = (_shares(table, smoothing) for table in (initial, transitions, emissions))
    return MarkovModel(*tables)


def with_look_ahead(one: float, two: float, epsilon: float) -> float:
    """A priority by the chance of a target one step on; where chances are as good as equal, two.

    Batsakis 2007, section 3.4: of two probabilities that are closer than ε, the one with the
    better look-ahead comes first. That is not transitive, so 0 to 1 is cut into pieces of length
    ε: between pieces one step decides, within a piece two. The priority is within ε of ``one``.

    >>> with_look_ahead(0.304, 0.5, 0.01) > with_look_ahead(0.306, 0.2, 0.01)
    True
    >>> with_look_ahead(0.311, 0.2, 0.01) > with_look_ahead(0.306, 0.5, 0.01)
    True
    >>> with_look_ahead(0.3, 0.5, 0)
    0.3
    """
    if not epsilon:
        return one
    last = ceil(1 / epsilon) - 1
    piece = min(floor(one / epsilon + _ROUNDING), last)
    return epsilon * (piece + min(two, 1.0 - _ROUNDING))


def _shares(counts: Floats, smoothing: float) -> Floats:
    counts = counts + smoothing
    totals = counts.sum(axis=-1, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), 1 / counts.shape[-1])


class HmmFacts(msgspec.Struct, frozen=True, kw_only=True):
    """How a model was made, and with how many paths and pages."""

    topic: str = ""  # of the targets, "" if none was named
    topic_digest: str = ""
    judge: str = ""  # that found the targets, with its options; "" if none did
    clustering: str = "k-means"
    neighbours: int
    terms: int  # of a page that are looked at; 0: all
    smoothing: float
    seed: int
    paths: int
    pages: int
    state_sizes: tuple[int, ...]  # in pages; the first are the targets
    cluster_sizes: tuple[int, ...]


class HmmModel(msgspec.Struct, frozen=True, eq=False):
    """A hidden Markov model of browsing, with what tells the cluster of a page."""

    markov: MarkovModel
    neighbours: clustering.Neighbours
    terms: clustering.TermTable
    centroid: NDArray[np.float32]  # c_r, the average vector of the target pages
    background: Background
    facts: HmmFacts

    def states(self, page: clustering.PageTerms, before: Floats | None) -> Floats:
        """The probabilities of the states of a page; ``before`` are those of what led to it."""
        return self.markov.states(before, self.neighbours.cluster(page))

    def centroid_terms(self) -> dict[str, float]:
        """The centroid as a vector of terms, to compare texts with."""
        places = np.flatnonzero(self.centroid).tolist()
        return {self.terms.terms[place]: float(self.centroid[place]) for place in places}


_SHOWN = 3


def train_hmm(
    paths: Sequence[BrowsingPath],
    targets: Collection[str],
    pages: Mapping[str, Mapping[str, int]],
    background: Background | None,
    options: HmmOptions | None = None,
    *,
    topic: str = "",
    topic_digest: str = "",
    judge: str = "",
) -> HmmModel:
    """The model of some browsing paths to targets; ``pages`` are the known term counts by URL.

    With X-means, as in the thesis (section 3.4.1), and without a ``background`` the idf is that of
    the training pages. ConfigError where nothing can be learnt; another ``topic`` is refused.
    """
    options = options or HmmOptions()
    states = page_states(paths, targets, options.states)
    known = [url for url in urls_of(paths) if pages.get(url)]
    _require_examples(paths, states, known)
    if options.clusters == X_MEANS or background is None:
        background = Background.from_terms(pages[url] for url in known)
    vectors = [clustering.heaviest_terms(pages[url], background, options.terms) for url in known]
    relevant = clustering.centroid(tf_idf(pages[url], background) for url in known if states[url] == 0)
    terms = sorted({*relevant, *(term for vector in vectors for term in vector)})
    matrix = clustering.vector_matrix(vectors, {term: n for n, term in enumerate(terms)})
    if options.clusters == X_MEANS:
        clusters = clustering.x_means(matrix, options.seed, most=options.max_clusters)[0]
    else:
        is_relevant = np.array([states[url] == 0 for url in known])
        clusters = clustering.relevant_apart(matrix, is_relevant, options.clusters, options.seed)
    number = int(clusters.max()) + 1
    markov = count_model(
        paths,
        states,
        dict(zip(known, clusters.tolist(), strict=True)),
        states=options.states,
        clusters=number,
        smoothing=options.smoothing,
    )
    sizes = Counter(states[url] for url in known)
    facts = HmmFacts(
        topic=topic,
        topic_digest=topic_digest,
        judge=judge,
        clustering="x-means" if options.clusters == X_MEANS else "k-means",
        neighbours=options.neighbours,
        terms=options.terms,
        smoothing=options.smoothing,
        seed=options.seed,
        paths=len(paths),
        pages=len(known),
        state_sizes=tuple(sizes[state] for state in range(options.states)),
        cluster_sizes=tuple(np.bincount(clusters, minlength=number).tolist()),
    )
    weights = np.array([relevant.get(term, 0.0) for term in terms], np.float32)
    table = clustering.TermTable(terms, background, options.terms)
    neighbours = clustering.Neighbours(matrix, clusters, options.neighbours)
    return HmmModel(markov, neighbours, table, weights, background, facts)


def page_states(paths: Sequence[BrowsingPath], targets: Collection[str], states: int) -> dict[str, int]:
    """The hidden state of every page: its clicks to a target, the last state for all farther.

    >>> paths = [("http://a.test/", "http://b.test/", "http://t.test/", "http://z.test/")]
    >>> list(page_states(paths, {"http://t.test/"}, states=3).values())
    [2, 1, 0, 2]
    """
    distances = click_distances(paths, targets)
    farthest = states - 1
    return {url: min(distances.get(url, farthest), farthest) for url in urls_of(paths)}


def _require_examples(paths: Sequence[BrowsingPath], states: Mapping[str, int], known: Sequence[str]) -> None:
    if not known:
        named = ", ".join(list(states)[:_SHOWN])
        raise ConfigError(
            f"none of the {len(states):,} pages on the paths is known ({named}, …); "
            "give the recorded web that they are in"
        )
    if all(len(path) < 2 for path in paths):
        raise ConfigError(
            "every browsing path has one page only: nobody went from a page to another, so there is nothing to learn"
        )
    relevant = sum(states[url] == 0 for url in known)
    targets = [url for url, state in states.items() if state == 0]
    if targets and not relevant:
        raise ConfigError(
            "none of the targets on the paths could be read "
            f"({', '.join(targets[:_SHOWN])}): give the recorded web that they are in, or name "
            "other targets"
        )
    if relevant in (0, len(known)):
        which = "none" if not relevant else "every one"
        raise ConfigError(
            f"{which} of the {len(known):,} known pages on the paths is a target: there must be "
            "targets and other pages to tell apart; name the targets of your topic"
        )


KIND = ModelKind("hmm", "HMM of browsing", "semcrawl train hmm PATHS -o MODEL")


def save_hmm(model: HmmModel, path: str | Path) -> None:
    """Write a model file, whole or not at all; StoreError if it cannot be written."""
    vectors = model.neighbours.vectors
    members: dict[str, Member] = {
        "terms": model.terms.terms,
        "background": model.background.to_bytes(),
        "initial": model.markov.initial,
        "transitions": model.markov.transitions,
        "emissions": model.markov.emissions,
        "weights": vectors.data.astype(np.float32),
        "columns": vectors.indices.astype(np.int32),
        "starts": vectors.indptr.astype(np.int64),
        "clusters": model.neighbours.clusters,
        "centroid": model.centroid,
    }
    write_model(path, KIND, model.facts, members)


def load_hmm(path: str | Path) -> HmmModel:
    """Read a model file; ModelError if it is missing, damaged, or of another kind or version."""
    from scipy.sparse import csr_matrix

    with open_model(path, KIND) as file:
        facts = file.facts(HmmFacts)
        markov = MarkovModel(
            file.array("initial", "f8"), file.array("transitions", "f8", 2), file.array("emissions", "f8", 2)
        )
        background = Background.from_bytes(file.data("background"), "its background")
        terms, clusters = file.lines("terms"), file.array("clusters", "i8")
        if not len(clusters) or clusters.max() >= markov.emissions.shape[1]:
            raise ValueError("a page is in a cluster that is not there")
        centroid = file.array("centroid", "f4")
        if centroid.shape != (len(terms),):
            raise ValueError("the centroid does not fit the terms")
        parts = [file.array(*one) for one in (("weights", "f4"), ("columns", "i4"), ("starts", "i8"))]
        vectors = csr_matrix(tuple(parts), shape=(len(clusters), len(terms)))
        vectors.check_format(full_check=True)
        neighbours = clustering.Neighbours(vectors, clusters, max(1, facts.neighbours))
        table = clustering.TermTable(terms, background, max(0, facts.terms))
        return HmmModel(markov, neighbours, table, centroid, background, facts)
