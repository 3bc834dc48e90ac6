"""The hidden Markov model of browsing: how far a page is from a target, by the path to it.

The hidden state of a page is its link distance to a target page: 0 for a
target, then 1, 2 and so on; the last state is all that is farther. What is
seen of a page is the cluster of its text (Batsakis 2007, section 2.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["MarkovModel", "count_model", "with_look_ahead"]

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class MarkovModel:
    """The probabilities of the model, checked when it is made.

    Attributes:
        initial: π, the probability of each state.
        transitions: A, row i the probabilities of the states after state i.
        emissions: B, row i the probabilities of the clusters in state i.
    """

    initial: NDArray[np.float64]
    transitions: NDArray[np.float64]
    emissions: NDArray[np.float64]

    def __post_init__(self) -> None:
        states = len(self.initial) if self.initial.ndim == 1 else 0
        if (
            states < 2
            or self.transitions.shape != (states, states)
            or self.emissions.ndim != 2
            or self.emissions.shape[0] != states
            or not self.emissions.shape[1]
        ):
            raise ConfigError("the tables of the HMM do not fit each other; train it again")
        for name in ("initial", "transitions", "emissions"):
            table = getattr(self, name)
            # Not a number is neither below 0 nor near 1: ask for what must hold.
            if not ((table >= 0).all() and np.allclose(table.sum(axis=-1), 1.0, atol=1e-6)):
                raise ConfigError(
                    f"the {name} probabilities of the HMM do not sum to 1, or are no numbers; "
                    "train it again"
                )

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.initial)

    @property
    def clusters(self) -> int:
        """The number of clusters."""
        return int(self.emissions.shape[1])

    def first(self, cluster: int | None) -> NDArray[np.float64]:
        """The states of a page that no other led to: π_j b_j(c), normalised.

        π is the probability of the states "at time 1" (Batsakis 2007, section
        2.5), so no step is taken to the first page. None is an unknown cluster.
        """
        return self._seen(self.initial, cluster)

    def follow(self, before: NDArray[np.float64], cluster: int | None) -> NDArray[np.float64]:
        """The states of the next page: b_j(c) Σ_i a(i) a_ij (Batsakis 2007, eq. 5), normalised.

        ``before`` are the states of the page that it was found on. The division
        by the sum keeps long paths from running to 0, and makes the values the
        probabilities of the states given all that was seen.
        """
        return self._seen(self.ahead(before), cluster)

    def ahead(self, states: NDArray[np.float64], steps: int = 1) -> NDArray[np.float64]:
        """The states so many steps on: Σ_i a(i) a_ij (Batsakis 2007, eq. 6)."""
        for _ in range(steps):
            states = states @ self.transitions
        return states

    def _seen(self, expected: NDArray[np.float64], cluster: int | None) -> NDArray[np.float64]:
        weighed = expected if cluster is None else expected * self.emissions[:, cluster]
        total = weighed.sum()
        # Without smoothing a cluster may be impossible here: then it says nothing.
        seen: NDArray[np.float64] = weighed / total if total > 0 else expected / expected.sum()
        return seen


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

    π: the share of pages in each state. A: the share of the clicks from a state
    that lead to each other. B: the share of the pages of a state in each
    cluster. ``smoothing`` is added to every count; where there is nothing to
    count, all is equally likely.

    Args:
        paths: the browsing paths.
        states_of: the state of every page on them.
        clusters_of: the cluster of every page whose text is known; only these are counted
            for π and B.
        states: how many states there are.
        clusters: how many clusters there are.
        smoothing: what is added to every count, 0 or more.

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

    Batsakis 2007, section 3.4: of two probabilities that are closer than ε, the
    one with the better look-ahead comes first. "Closer than ε" is no order, for
    a may be close to b and b to c, but a not to c; so the line from 0 to 1 is
    cut into pieces of length ε. Between pieces one step decides, within a piece
    two steps do. The priority differs from ``one`` by at most ε.

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


def _shares(counts: NDArray[np.float64], smoothing: float) -> NDArray[np.float64]:
    counts = counts + smoothing
    totals = counts.sum(axis=-1, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), 1 / counts.shape[-1])
