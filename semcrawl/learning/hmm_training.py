"""From browsing paths and the pages on them to a model (Batsakis 2007, sections 2.5 and 3.4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.learning.browsing import click_distances, urls_of
from semcrawl.learning.clustering import relevant_apart, x_means
from semcrawl.learning.hmm import count_model
from semcrawl.learning.hmm_model import HmmFacts, HmmModel
from semcrawl.learning.neighbours import Neighbours
from semcrawl.learning.page_vectors import (
    TermTable,
    centroid,
    heaviest_terms,
    vector_matrix,
)
from semcrawl.text.background import Background
from semcrawl.text.vectors import tf_idf

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from semcrawl.learning.browsing import BrowsingPath

__all__ = ["X_MEANS", "HmmOptions", "background_of_pages", "page_states", "train_hmm"]

X_MEANS = 0
"""As a number of clusters: let X-means find it."""

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class HmmOptions:
    """How a model is made.

    Attributes:
        clusters: how many clusters there are, the last for the target pages; X_MEANS for
            as many as X-means finds, without one for the targets.
        max_clusters: how many X-means may find.
        states: how many hidden states there are: a target, 1 link away, and so on; the
            last state is all that is farther.
        neighbours: how many of the nearest training pages tell the cluster of a page.
        smoothing: what is added to every count.
        terms: how many terms of a page are looked at, the heaviest; 0: all.
        seed: of the clustering.
    """

    clusters: int = 5
    max_clusters: int = 20
    states: int = 4
    neighbours: int = 5
    smoothing: float = 0.1
    terms: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        if self.clusters != X_MEANS and self.clusters < 2:
            raise ConfigError(
                f"clusters must be at least 2, one of them for the targets, not {self.clusters}"
            )
        for name, least in (("max_clusters", 2), ("states", 2), ("neighbours", 1), ("terms", 0)):
            if getattr(self, name) < least:
                raise ConfigError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if not (isfinite(self.smoothing) and self.smoothing >= 0):
            raise ConfigError(f"the smoothing must be 0 or more, not {self.smoothing:g}")
        if not 0 <= self.seed < 1 << 32:
            raise ConfigError(f"the seed must be between 0 and {(1 << 32) - 1}, not {self.seed}")


def train_hmm(
    paths: Sequence[BrowsingPath],
    targets: Collection[str],
    pages: Mapping[str, Mapping[str, int]],
    background: Background,
    options: HmmOptions | None = None,
    *,
    topic: str = "",
) -> HmmModel:
    """The model of some browsing paths.

    With X-means the idf is that of the training pages, as in the thesis
    (section 3.4.1), and ``background`` is not used.

    Args:
        paths: the URLs that people went through.
        targets: which of them they sought.
        pages: the term counts of the pages that are known, by URL.
        background: document frequencies.
        options: how the model is made.
        topic: what the targets are about; a crawl with another topic refuses the model.

    Raises:
        ConfigError: nothing can be learnt: no page is known, none or all of them are
            targets, nobody went from one page to another, or there are too few.
    """
    options = options or HmmOptions()
    states = page_states(paths, targets, options.states)
    known = [url for url in urls_of(paths) if pages.get(url)]
    _require_examples(paths, states, known)
    if options.clusters == X_MEANS:
        background = background_of_pages([pages[url] for url in known])
    vectors = [heaviest_terms(pages[url], background, options.terms) for url in known]
    relevant = centroid(tf_idf(pages[url], background) for url in known if states[url] == 0)
    terms = sorted({*relevant, *(term for vector in vectors for term in vector)})
    matrix = vector_matrix(vectors, terms)
    clusters = _clusters(matrix, np.array([states[url] == 0 for url in known]), options)
    number = int(clusters.max()) + 1
    markov = count_model(
        paths,
        states,
        dict(zip(known, clusters.tolist(), strict=True)),
        states=options.states,
        clusters=number,
        smoothing=options.smoothing,
    )
    neighbours = Neighbours(matrix, clusters, options.neighbours)
    sizes = Counter(states[url] for url in known)
    facts = HmmFacts(
        topic=topic,
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
    table = TermTable(terms, background, options.terms)
    return HmmModel(markov, neighbours, table, weights, background, facts)


def page_states(
    paths: Sequence[BrowsingPath], targets: Collection[str], states: int
) -> dict[str, int]:
    """The hidden state of every page: its clicks to a target, the last state for all farther.

    >>> paths = [("http://a.test/", "http://b.test/", "http://t.test/", "http://z.test/")]
    >>> list(page_states(paths, {"http://t.test/"}, states=3).values())
    [2, 1, 0, 2]
    """
    distances = click_distances(paths, targets)
    farthest = states - 1
    return {url: min(distances.get(url, farthest), farthest) for url in urls_of(paths)}


def background_of_pages(pages: Collection[Mapping[str, int]]) -> Background:
    """The document frequencies of pages that are given by their term counts."""
    frequencies = Counter(term for counts in pages for term in counts)
    return Background.from_counts(frequencies, len(pages))


def _clusters(
    matrix: Any, is_relevant: NDArray[np.bool_], options: HmmOptions
) -> NDArray[np.int64]:
    if options.clusters == X_MEANS:
        return x_means(matrix, options.seed, most=options.max_clusters)[0]
    return relevant_apart(matrix, is_relevant, options.clusters, options.seed)


def _require_examples(
    paths: Sequence[BrowsingPath], states: Mapping[str, int], known: Sequence[str]
) -> None:
    if not known:
        named = ", ".join(list(states)[:_SHOWN])
        raise ConfigError(
            f"none of the {len(states):,} pages on the paths is known ({named}, …); "
            "give the recorded web that they are in"
        )
    if all(len(path) < 2 for path in paths):
        raise ConfigError(
            "every browsing path has one page only: nobody went from a page to another, "
            "so there is nothing to learn"
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
