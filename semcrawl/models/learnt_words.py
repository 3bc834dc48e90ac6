"""Words that tell pages inside a topic from the others, learnt from a crawl; docs/adaptive.md has w and v."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Self

import numpy as np
from numpy.typing import NDArray

from semcrawl.models.crawl_memory import WORDS, CrawlMemory, word_number
from semcrawl.relevance.label_similarity import LabelSimilarity

Array = NDArray[np.float64]
Vector = tuple[NDArray[np.int32], NDArray[np.float32]]

# Weights were fitted on the ten development topics.
OWN_NAMES = 0.3  # what the topic's own names weigh among the words that links are ranked by
FEWEST = 5  # pages that something can be learnt from
_DOUBT = 3.0  # how fast words lose weight where they speak against the labels
_MOST_OF_SITE = 20.0  # relevant pages of one site that count when words are learnt
_MOST = 0.8  # the share of pages, as of those with a footer, whose common words tell nothing


@dataclass(frozen=True, slots=True, eq=False)
class LearntWords:
    """Words of the topic, and how much pages have of them."""

    weights: NDArray[np.float32] | Array  # by number: how much a word speaks for the topic
    mean: float  # of the products of pages with these words
    spread: float

    def kept(self) -> "LearntWords":
        """Return the same in single precision, in an array of its own."""
        return LearntWords(self.weights.astype(np.float32), self.mean, self.spread)

    def standard(self, vector: Vector) -> float:
        """Return the product of a page with the words, in units of their spread."""
        numbers, weights = vector
        return (float(self.weights[numbers] @ weights) - self.mean) / self.spread


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """Words of pages that are not in the memory, summed, and how many pages count."""

    words: NDArray[np.int64]  # of all words a few, by number
    inside: Array
    inside_mass: float
    outside: Array
    outside_mass: float

    @classmethod
    def of_sums(cls, inside: Array, outside: Array, masses: Array) -> Self:
        """Take sums by word that may be of any word."""
        words = np.flatnonzero((inside != 0.0) | (outside != 0.0))
        return cls(words, inside[words], float(masses[0]), outside[words], float(masses[1]))


def words_of(
    memory: CrawlMemory,
    inside: Array,
    relevance: Array,
    weight: Array,
    by_labels: Array,
    sites: NDArray[np.int64],
    taught: Sequence[Taught],
    names: NDArray[np.float32] | None = None,
    of_site: Array | None = None,
) -> tuple[LearntWords, Array, tuple[Array, Array]]:
    """Return the words of pages inside the topic less those of the others, and by page how much.

    w = Σ I x / Σ I - Σ (1-R) x / Σ (1-R) + 0.3 names; without ``names``, words that most pages
    have weigh nothing. In a page's product with w its own share is left out, but a relevant page that
    is nearly all of the inside is as near to it as the nearest other; names count without the share
    ``of_site`` of the page's labels that stands in texts of its site. Words that speak against the
    relevance ``by_labels`` count less. A site counts for no more than twenty pages inside. The last
    value is how much each page counts inside and outside. The words are in an array of the memory,
    which the next call takes: `LearntWords.kept` are not.
    """
    rows = len(relevance)
    positive = inside * weight
    mass = np.bincount(sites, positive)
    positive *= np.minimum(1.0, _MOST_OF_SITE / np.maximum(mass, 1e-9))[sites]
    negative = (1.0 - relevance) * weight
    all_inside = max(positive.sum() + sum(one.inside_mass for one in taught), 1e-9)
    all_outside = max(negative.sum() + sum(one.outside_mass for one in taught), 1e-9)
    shares = positive / all_inside - negative / all_outside
    words = memory.pages.sum(shares, rows, memory.scratch)
    for one in taught:
        words[one.words] += one.inside / all_inside - one.outside / all_outside
    if names is None:
        words[_everywhere(memory, relevance)] = 0.0
    else:
        named = np.flatnonzero(names != 0.0)  # a few of all words; to look for numbers takes twenty times as long
        words[named] += OWN_NAMES * names[named]
    products, own = memory.pages.dot(words)[:rows], memory.is_own.values[:rows]
    if names is not None and of_site is not None and of_site.any():
        products -= OWN_NAMES * of_site * memory.pages.dot(names)[:rows]
    if products[own].std() < shares[own].std() / 2:  # pages are alike: nothing but their own shares tells them apart
        words, products, shares, positive, negative = map(np.zeros_like, (words, products, shares, positive, negative))
    products = products - shares
    mean, spread = float(products[own].mean()), float(products[own].std()) or 1.0
    standards = np.where(own, (products - mean) / spread, 0.0)
    alone = np.where(own, positive / all_inside * relevance, 0.0)
    standards += alone * (standards.max() - standards)
    trust = _trust(by_labels[own], standards[own])
    return LearntWords(words, mean, spread / trust), standards * trust, (positive, negative)


def _trust(by_labels: Array, standards: Array) -> float:
    """Return how far words are to be believed: less where pages with labels have less of them than the others.

    So it is where each page has words of its own, and these are left out: then only chance tells pages apart.
    """
    if min(by_labels.std(), standards.std()) < 1e-9:
        return 1.0
    agreement = np.corrcoef(by_labels, standards)[0, 1]
    return float(np.clip(1.0 + _DOUBT * agreement, 1e-6, 1.0))


def _everywhere(memory: CrawlMemory, relevance: Array) -> NDArray[np.int64]:
    """Return the words that most pages on the topic have, and most others: those of footers, menus."""
    own = memory.is_own.values[: len(relevance)]
    groups = own & (relevance >= 0.5), own & (relevance < 0.5)
    sizes = [np.count_nonzero(group) for group in groups]
    if min(sizes) < FEWEST:
        return np.empty(0, np.int64)
    inside, outside = map(memory.pages.counts, groups)
    least = [ceil(_MOST * size) for size in sizes]
    found = np.flatnonzero((inside >= least[0]) & (outside >= least[1]))
    # Near duplicates have nearly all words in common: without these, chance would judge them.
    common = inside[found].sum() + outside[found].sum()
    return found if 2 * common < inside.sum() + outside.sum() else found[:0]


def own_names(each_language: Iterable[LabelSimilarity]) -> NDArray[np.float32]:
    """Return the names of a topic as weights of words, a vector of length 1."""
    found = np.zeros(WORDS, np.float32)
    for one in each_language:
        for word, weight in one.own_words.items():
            found[word_number(word)] += weight
    length = float(np.sqrt(found @ found))
    return found / length if length else found
