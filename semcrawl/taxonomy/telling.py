"""Which words speak for a category, and which spoke for it in one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from semcrawl.taxonomy.classifier import Classifier

__all__ = ["Comparison", "TellingTerm", "compare", "telling_terms"]


@dataclass(frozen=True, slots=True)
class TellingTerm:
    """A term, how often it counts in the document, and ln (Pr[t|c] / Pr[t|other])."""

    term: str
    count: float
    log_ratio: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The decision between the best good category and the best other one for a document.

    The two are siblings: where the paths to the best good leaf and to the best
    other leaf part. ``log_prior`` and the sum of count · log_ratio over the terms are
    together ln (Pr[category|d] / Pr[other|d]), where each of the two has one part;
    where it is a mixture, its most probable part speaks for it.
    """

    category: str
    other: str
    log_prior: float
    terms: tuple[TellingTerm, ...]


def compare(classifier: Classifier, terms: Mapping[str, int]) -> Comparison | None:
    """What decided between good and other categories; None where all or none are good."""
    layout, weights = classifier.layout, classifier.weights
    logs = classifier.log_probabilities(terms)
    leaves = layout.leaves.tolist()
    good = [leaf for leaf in leaves if classifier.is_good(leaf)]
    others = [leaf for leaf in leaves if not classifier.is_good(leaf)]
    if not good or not others:
        return None
    one, other = _parting(classifier, max(good, key=logs.item), max(others, key=logs.item))
    scores = classifier.part_scores(terms)
    part, rival = _best_part(classifier, scores, one), _best_part(classifier, scores, other)
    group = int(layout.group[one])
    found = []
    for term, count in terms.items():
        said = _said(classifier, term)
        if said is not None and len(weights.prior) + group in said:
            ratio = said.get(part, 0.0) - said.get(rival, 0.0)
            base = float(weights.unseen[part] - weights.unseen[rival])
            found.append(TellingTerm(term, float(count), ratio + base))
    total = sum(telling.count for telling in found)
    if weights.length and total > weights.length:
        scale = weights.length / total
        found = [TellingTerm(one.term, one.count * scale, one.log_ratio) for one in found]
    found.sort(key=lambda telling: (-telling.count * telling.log_ratio, telling.term))
    prior = float(weights.prior[part] - weights.prior[rival])
    return Comparison(layout.ids[one], layout.ids[other], prior, tuple(found))


def telling_terms(classifier: Classifier, category: str, number: int = 10) -> list[TellingTerm]:
    """The terms that tell a category from its siblings best.

    They are ordered by Pr[t|c] ln (Pr[t|c] / Pr[t|siblings]), where Pr[t|siblings]
    is the mean over the other parts of the decision, weighted by their examples.
    Empty for an only child and for a category without examples.
    """
    layout, weights = classifier.layout, classifier.weights
    if category not in layout.ids:
        return []
    column = layout.ids.index(category)
    own = _parts(classifier, column)
    inside = np.zeros(len(weights.prior), bool)
    inside[own] = True
    rivals = np.flatnonzero((weights.part_group == layout.group[column]) & ~inside)
    if not len(rivals):
        return []
    # Words that the category itself has: only they can speak for it.
    rows = np.repeat(np.arange(len(weights.start) - 1), np.diff(weights.start))
    used = np.unique(rows[np.isin(weights.column, own)])
    with_rows = np.isin(rows, used)
    table = np.zeros((len(used), len(weights.prior)))
    entry_parts = weights.column[with_rows]
    is_part = entry_parts < len(weights.prior)
    at = np.searchsorted(used, rows[with_rows][is_part])
    table[at, entry_parts[is_part]] = weights.value[with_rows][is_part]
    chances = np.exp(table + weights.unseen)
    here, there = (
        _mixed(chances, weights.prior, np.array(own)),
        _mixed(chances, weights.prior, rivals),
    )
    words = {row: term for term, row in weights.rows.items()}
    ratio = np.log(here / there)
    order = np.argsort(-here * ratio, kind="stable")[:number]
    return [TellingTerm(words[int(used[at])], 1.0, float(ratio[at])) for at in order]


def _mixed(
    chances: NDArray[np.float64], prior: NDArray[np.float64], parts: NDArray[np.int64]
) -> NDArray[np.float64]:
    shares = np.exp(prior[parts] - prior[parts].max())
    mixed: NDArray[np.float64] = chances[:, parts] @ (shares / shares.sum())
    return mixed


def _parting(classifier: Classifier, one: int, other: int) -> tuple[int, int]:
    """The columns in which the ways to two leaves differ first; they are siblings."""
    trails = zip(classifier.layout.trail(one), classifier.layout.trail(other), strict=False)
    return next((mine, theirs) for mine, theirs in trails if mine != theirs)


def _parts(classifier: Classifier, column: int) -> list[int]:
    starts = classifier.weights.part_starts
    ends = [*starts[1:].tolist(), len(classifier.weights.prior)]
    return list(range(int(starts[column]), ends[column]))


def _best_part(classifier: Classifier, scores: NDArray[np.float64], column: int) -> int:
    return max(_parts(classifier, column), key=scores.item)


def _said(classifier: Classifier, term: str) -> dict[int, float] | None:
    weights = classifier.weights
    row = weights.rows.get(term)
    if row is None:
        return None
    entries = slice(int(weights.start[row]), int(weights.start[row + 1]))
    return dict(zip(weights.column[entries].tolist(), weights.value[entries].tolist(), strict=True))
