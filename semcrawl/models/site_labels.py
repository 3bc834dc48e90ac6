"""Labels in texts that a site has on nearly all pages: in menus and footers they say nothing of a page.

Such a text is known by the three words before a label or the three after it, without stop words.
docs/adaptive.md says when it counts as the site's.
"""

from collections.abc import Callable
from functools import reduce
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from semcrawl.relevance.label_similarity import HALF, NOISE, LabelPlaces
from semcrawl.text.vocabulary import ByWord, GrowingArray, WordSequence

Array = NDArray[np.float64]
Ints = NDArray[np.int32]

LEAST_ODDS = -3.33  # log odds of a page without any label
_NOISE_ODDS = log(NOISE / HALF)
_NEARLY_ALL = 0.8  # the share of a site's pages that have a text of the site, and of the words of copies that all have
_FEWEST = 5  # pages of a site of which that can be said
_BARE = 0.25, 3  # of the pages with it, at least so many have no other label: not so on a site about the topic
MOST_USES = 200  # of a page: the first and the last, where menus and footers are
_SIDES = 2  # words before, words after
_AROUND = 3  # words
_FACTOR = np.uint32(1_000_003)


class LabelTexts(NamedTuple):
    """The labels in a page's text: what stands around each, by number, and its share of what all give."""

    around: Ints  # a row each: what stands before it, what stands after it
    shares: NDArray[np.float32]


NO_LABELS = LabelTexts(np.empty((0, _SIDES), np.int32), np.empty(0, np.float32))


def label_texts(words: WordSequence, uses: LabelPlaces, by_word: ByWord) -> LabelTexts:
    """Return what stands around the labels in a text; ``by_word`` gives the numbers of words."""
    if not len(uses.places):
        return NO_LABELS
    places, sizes, shares = uses
    if len(places) > MOST_USES:
        kept = np.r_[: MOST_USES // 2, len(places) - MOST_USES // 2 : len(places)]
        places, sizes, shares = places[kept], sizes[kept], shares[kept]
    edge = [-1] * _AROUND
    numbers = np.concatenate([edge, by_word.of_all(words), edge]).astype(np.uint32)
    sides = []
    for side, label in ((-1, places + _AROUND), (1, places + sizes - 1 + _AROUND)):
        found = numbers[label] + np.uint32(side + 1)
        for step in range(1, _AROUND + 1):
            found = found * _FACTOR + numbers[label + side * step]
        sides.append(found)
    return LabelTexts(np.stack(sides, 1).view(np.int32), shares.astype(np.float32))


def own_odds(odds: Array | float, shares: Array | float) -> Array:
    """Return the log odds by labels without some ``shares`` of what they give."""
    left = odds + np.log(np.maximum(1.0 - np.asarray(shares), 1e-9))
    return np.where(np.asarray(shares) > 0.0, np.where(left < _NOISE_ODDS, LEAST_ODDS, np.minimum(left, odds)), odds)


class SiteLabels:
    """The labels in the texts of all pages, a page after the other, and which texts are those of sites."""

    def __init__(self) -> None:
        self._starts = GrowingArray(np.int64, [0])
        self._around = GrowingArray(np.int32)
        self._shares = GrowingArray(np.float32)
        self._of_sites = np.empty(0, np.int64)  # site and text as one number, ascending

    def add(self, texts: LabelTexts) -> None:
        """Take in the next page."""
        self._around.extend(texts.around.reshape(-1))
        self._shares.extend(texts.shares)
        self._starts.extend([len(self._shares)])

    def row(self, number: int) -> LabelTexts:
        """Return what was taken in of a page."""
        start, end = self._starts.values[number : number + 2]
        return LabelTexts(self._around.values.reshape(-1, _SIDES)[start:end], self._shares.values[start:end])

    def learn(
        self, odds: Array, sites: NDArray[np.int64], is_current: NDArray[np.bool_], words: Callable[[int], Ints]
    ) -> Array:
        """Find the texts of sites among the first pages; return, by page, the share of labels in these.

        ``odds`` are the log odds of these pages by all labels, ``sites`` the number of the site of
        each; ``words`` gives the words of a page.
        """
        self._of_sites = np.empty(0, np.int64)
        pages, nothing = len(odds), np.zeros(len(odds))
        end = int(self._starts.values[pages])
        site_pages = np.bincount(sites[is_current], minlength=1)
        if not end or site_pages.max() < _FEWEST:
            return nothing
        rows = np.repeat(np.arange(pages), np.diff(self._starts.values[: pages + 1]))
        keys = _keys(sites[rows], self._around.values[: _SIDES * end])
        # How many pages have each text, every page counted once.
        each, of_text = np.unique(keys[is_current[rows]], return_inverse=True)
        both = np.unique(of_text.reshape(-1).astype(np.int64) * pages + np.repeat(rows[is_current[rows]], _SIDES))
        text, page = np.divmod(both, pages)
        counts = np.bincount(text, minlength=len(each))
        likely = counts >= np.maximum(_NEARLY_ALL * site_pages[each >> 32], _FEWEST)
        if not likely.any():
            return nothing
        self._of_sites = each[likely]
        shares = self._shares_by_row(rows, keys, pages)
        is_bare = (own_odds(odds, shares) <= LEAST_ODDS) & (shares > 0.0)
        bare = np.bincount(text, is_bare[page], len(each))
        found = each[likely & (bare >= np.maximum(_BARE[0] * counts, _BARE[1]))]
        alike = [site for site in np.unique(found >> 32) if _are_alike(sites == site, is_current, words)]
        self._of_sites = found[~np.isin(found >> 32, alike)]
        return self._shares_by_row(rows, keys, pages)

    def share(self, site: int, texts: LabelTexts) -> float:
        """Return the share of labels in texts of its site, of a page that came after; -1 is a new site."""
        if site < 0 or not len(self._of_sites) or not len(texts.shares):
            return 0.0
        found = np.isin(_keys(np.full(len(texts.shares), site), texts.around), self._of_sites).any(1)
        return min(float(texts.shares[found].sum()), 1.0)

    def _shares_by_row(self, rows: NDArray[np.int64], keys: NDArray[np.int64], pages: int) -> Array:
        found = np.isin(keys, self._of_sites).any(1)
        return np.minimum(np.bincount(rows[found], self._shares.values[: len(rows)][found], pages), 1.0)


def _are_alike(is_here: NDArray[np.bool_], is_current: NDArray[np.bool_], words: Callable[[int], Ints]) -> bool:
    """Whether pages of a site have nearly all words in common, so that all they say would pass for a menu."""
    some = [words(row) for row in np.flatnonzero(is_here & is_current)[:_FEWEST]]
    return len(some) * len(reduce(np.intersect1d, some)) >= _NEARLY_ALL * sum(map(len, some))


def _keys(sites: NDArray[np.int64], around: Ints) -> NDArray[np.int64]:
    """Return site and text as one number, two for each label."""
    return (sites[:, None] << 32) | around.reshape(-1, _SIDES).view(np.uint32).astype(np.int64)
