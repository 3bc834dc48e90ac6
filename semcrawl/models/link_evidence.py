"""All evidence on URLs that links have shown so far, as numbers, and a model of it.

Evidence on a URL is gathered over all links to it: labels and learnt words in their anchors, the
relevance of the pages they stand on, and what came of the links beside them. The model is a
logistic regression, whose weights begin with those fitted on the development topics and move
away from them as URLs are fetched. docs/adaptive.md has the formulas.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semcrawl.models.adaptive_judge import OWN_NAMES, AdaptiveJudge, mean_odds
from semcrawl.models.crawl_memory import (
    RELATION,
    WORDS,
    GrowingArray,
    WordRows,
    word_number,
    word_vectors,
)
from semcrawl.relevance.explanation import sigmoid
from semcrawl.relevance.label_similarity import HALF
from semcrawl.text.terms import Analyser

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

START: dict[str, float] = {
    "constant": -3.46,
    "anchor is a label": 0.2,
    "best label in the anchor": 1.07,
    "labels of the anchor": 2.33,
    "names of the topic in the anchor": -4.5,
    "learnt words in the best anchor": 6.1,
    "learnt words in the anchors": 5.2,
    "learnt words, times relevance of the page": 2.35,
    "best page that links here": 0.31,
    "relevance near the top of the page": 0.81,
    "listed": 0.5,
    "mean of the pages that link here": 0.6,
    "links of these pages that were followed": 0.22,
    "links nearby that were followed": 0.09,
    "followed links with the same words": 0.2,
    "more relevant links than expected": 0.12,
}
"""What the log odds of a URL are made of, with the weights before anything is learnt."""

_PRIOR = 8.0  # how firmly the weights are held to those of the start
_STEPS = 12  # in which the weights are fitted
_NEARBY = 4  # links on either side
_EARLIER = 2.0  # outcomes that are taken as known before there are any
_TOP = 8.0  # the place on a page at which nearness to its top counts half

_MAXIMA = 9  # columns of the evidence that are maxima over links; the other are sums
_COUNT, _WORDS, _RELEVANCE, _YIELD, _NEAR, _SAME_WORDS, _WEIGHTED, _EXPECTED, _SQUARES = range(9)
_SUMS = 9
_LINKS_AT_ONCE = 50_000  # that are added to the evidence together
_URL_WORD = re.compile(r"[^\W\d_]+")
_MOST_URL_WORDS = 8


class Anchors:
    """What the topic says of each anchor, and the words of anchors."""

    def __init__(self, judge: AdaptiveJudge, analyser: Analyser, idfs: Mapping[str, float]) -> None:
        self._judge = judge
        self._analyser = analyser
        self._idfs = idfs
        self._words = WordRows()
        self._labels = [GrowingArray(np.float64) for _ in range(3)]
        self._by_names = GrowingArray(np.float64)
        self._by_learnt = GrowingArray(np.float64)
        self._learnt_words: Array | None = None  # without the topic's own names

    def catch_up(self, texts: list[str]) -> None:
        """Look at the anchors that have come since."""
        first = len(self._words)
        if first == len(texts):
            return
        parts = [text.partition(RELATION) for text in texts[first:]]
        words = self._analyser.words_of_all(text for text, _, _ in parts)
        counts = [_counted(self._analyser.terms_among(one)) for one in words]
        for (_, _, relation), count in zip(parts, counts, strict=True):
            if relation:  # a word of no weight, by which outcomes are told apart
                count[f"<{relation}>"] = 0
        self._words.add_all(*word_vectors(counts, self._idfs))
        in_text = self._judge.in_short_text
        found = [in_text(text, one) for (text, _, _), one in zip(parts, words, strict=True)]
        for column, values in zip(self._labels, zip(*found, strict=True), strict=True):
            column.extend(values)
        self._by_names.extend(self._words.dot(self._judge.own_names, first))
        self._by_learnt.extend(self._products(first))

    def learn(self) -> None:
        """Weigh the words of all anchors anew."""
        learnt = self._judge.learnt
        if learnt is not None:
            words = learnt.link_words.weights - np.float32(OWN_NAMES) * self._judge.own_names
            self._learnt_words = words / (float(np.sqrt(words @ words)) or 1.0)
        self._by_learnt = GrowingArray(np.float64, self._products(0))

    def columns(self, anchors: Numbers) -> list[Array]:
        """Return label that is all of it, best label, labels, names and learnt words, by link."""
        best, whole, similarity = (column.values[anchors] for column in self._labels)
        total = _label_sums(similarity)
        return [whole, best, total, self._by_names.values[anchors], self._by_learnt.values[anchors]]

    def words_of(self, anchors: Numbers) -> tuple[NDArray[np.int32], Numbers]:
        """Return the words of anchors, one after the other, and how many each has."""
        return self._words.numbers_of(anchors)

    def _products(self, first: int) -> Array:
        if self._learnt_words is None:
            return np.zeros(len(self._words) - first)
        return self._words.dot(self._learnt_words, first)


class LinkWords:
    """What came of links by the words of their anchors and of their targets' URLs."""

    def __init__(self, anchors: Anchors) -> None:
        self._anchors = anchors
        self._urls = WordRows()
        self._lifts = np.zeros(WORDS)
        # Of links that were followed in other shards, by word: their relevance and number.
        self.others: tuple[Array, Array] | tuple[float, float] = 0.0, 0.0

    def catch_up(self, urls: list[str]) -> None:
        """Look at the URLs that have come since."""
        found = [_url_words(url) for url in urls[len(self._urls) :]]
        sizes = np.fromiter(map(len, found), np.int64, len(found))
        numbers = np.fromiter(chain.from_iterable(found), np.int32, int(sizes.sum()))
        self._urls.add_all(numbers, 1.0, sizes)

    def learn(
        self, anchors: Numbers, targets: Numbers, relevance: Array, rows: Numbers, mean: float
    ) -> Array:
        """Learn from links that were followed; return what was known of each before that."""
        words, links, counts = self._words(anchors, targets)
        followed = rows[links] >= 0
        good = np.asarray(np.bincount(words, relevance[links], WORDS), np.float64)
        count = np.asarray(np.bincount(words, followed, WORDS), np.float64)
        all_good, all_count = good + self.others[0], count + self.others[1]
        met = np.flatnonzero(all_count)
        self._lifts = np.zeros(WORDS)
        self._lifts[met] = _lift(all_good[met], all_count[met], _EARLIER, mean)
        known = _known_before(words, rows[links], relevance[links], (good[words], count[words]))
        return _summed(_lift(*known, _EARLIER, mean), links, counts)

    def sums(self, anchors: Numbers, targets: Numbers, relevance: Array) -> dict[str, Array]:
        """Return the sums of some links that were followed, for other shards."""
        words, links, _ = self._words(anchors, targets)
        return {
            "words good": np.asarray(np.bincount(words, relevance[links], WORDS), np.float64),
            "words count": np.asarray(np.bincount(words, minlength=WORDS), np.float64),
        }

    def values(self, anchors: Numbers, targets: Numbers) -> Array:
        """Return what is known of links that have not been followed."""
        words, links, counts = self._words(anchors, targets)
        return _summed(self._lifts[words], links, counts)

    def _words(
        self, anchors: Numbers, targets: Numbers
    ) -> tuple[NDArray[np.int32], Numbers, Numbers]:
        """Return the words of links, the link of each, and how many each link has."""
        by_anchor, in_anchor = self._anchors.words_of(anchors)
        by_url, in_url = self._urls.numbers_of(targets)
        each = np.arange(len(anchors))
        links = np.concatenate([np.repeat(each, in_anchor), np.repeat(each, in_url)])
        return np.concatenate([by_anchor, by_url]), links, in_anchor + in_url


def _counted(terms: list[str]) -> dict[str, int]:
    counts = dict.fromkeys(terms, 1)
    return counts if len(counts) == len(terms) else dict(Counter(terms))


def _url_words(url: str) -> list[int]:
    """Return the numbers of the last words of a URL's path, told apart from those of anchors."""
    path = url.find("/", url.find("://") + 3)
    words = _URL_WORD.findall(url[path:].lower()) if path >= 0 else ()
    return sorted({word_number(f"/{word}") for word in words[-_MOST_URL_WORDS:]})


def _label_sums(similarity: Array) -> Array:
    """Return log(1 + 4 s), s being the sum of labels that was squashed to a similarity below 1."""
    return np.asarray(np.log1p(4 * HALF * similarity / (1.0 - np.minimum(similarity, 0.999))))


def _summed(values: Array, links: Numbers, counts: Numbers) -> Array:
    sums = np.asarray(np.bincount(links, values, len(counts)), np.float64)
    return sums / np.sqrt(np.maximum(counts, 1))


class LinkEvidence:
    """The evidence on every URL; updated page by page, gathered anew after each round."""

    def __init__(self, judge: AdaptiveJudge, anchors: Anchors) -> None:
        self._judge = judge
        self._anchors = anchors
        self._words = LinkWords(anchors)
        self._maxima: Array = np.empty((0, _MAXIMA))
        self._sums: Array = np.zeros((0, _SUMS))
        self.weights = np.array(list(START.values()))
        self._on_topic = 0.5
        self._own, self._others = dict[str, Array](), dict[str, Array]()

    def sums(self) -> Mapping[str, Array]:
        """Return what the weights were fitted to, and what came of links by their words."""
        return self._own

    def learn_from_others(self, sums: Mapping[str, Array]) -> None:
        """Take the same of all other shards, for the next round."""
        self._others = dict(sums)
        if "words good" in sums:
            self._words.others = sums["words good"], sums["words count"]

    def gather(self, pages: int) -> None:
        """Gather the evidence of the first pages anew, and learn from the URLs among them."""
        memory = self._judge.memory
        self._catch_up()
        self._anchors.learn()
        self._maxima, self._sums = np.empty((0, _MAXIMA)), np.zeros((0, _SUMS))
        self._grow(len(memory.urls))
        learnt = self._judge.learnt
        self._on_topic = learnt.on_topic if learnt else 0.5
        end = int(memory.link_starts.values[pages])
        outcomes = self._outcomes(pages, end)
        for first in range(0, end, _LINKS_AT_ONCE):
            some = slice(first, min(first + _LINKS_AT_ONCE, end))
            self._add(some, pages, tuple(column[some] for column in outcomes))
        self._learn(pages)

    def add(self, row: int) -> Numbers:
        """Add the links of a page; return the URLs they lead to."""
        memory = self._judge.memory
        self._catch_up()
        self._grow(len(memory.urls))
        links = memory.links_of(row)
        self._add(links, row + 1, None)
        return np.asarray(memory.link_targets.values[links].astype(np.int64))

    def _catch_up(self) -> None:
        memory = self._judge.memory
        self._anchors.catch_up(memory.anchors.texts)
        self._words.catch_up(memory.urls.texts)

    def odds(self, urls: Numbers) -> Array:
        """Return the log odds that URLs, by number, are on the topic."""
        return np.asarray(self.features(urls) @ self.weights)

    def by_words(self, texts: Sequence[str]) -> list[float]:
        """Return the probability by the labels in texts alone, as anchors that stand on no page."""
        found = np.array([self._judge.in_short_text(text) for text in texts]).reshape(-1, 3)
        total = _label_sums(found[:, 2])
        odds = self.weights[0] + np.stack([found[:, 1], found[:, 0], total], 1) @ self.weights[1:4]
        return [round(one, 6) for one in sigmoid(odds).tolist()]

    def has_links(self) -> NDArray[np.bool_]:
        """Return which URLs some link leads to."""
        return np.asarray(self._sums[:, _COUNT] > 0)

    def features(self, urls: Numbers) -> Array:
        """Return the evidence on URLs, a row each, in the order of `START`."""
        maxima, sums, mean = self._maxima[urls], self._sums[urls], self._on_topic
        count = np.maximum(sums[:, _COUNT], 1.0)
        spread = np.sqrt(np.maximum(sums[:, _SQUARES], 1e-9))
        found = np.empty((len(urls), len(START)))
        found[:, 0] = 1.0
        found[:, 1:6] = maxima[:, :5]
        found[:, 6] = sums[:, _WORDS] / count
        found[:, 7:11] = maxima[:, 5:]
        found[:, 11] = mean_odds(sums[:, _RELEVANCE], sums[:, _COUNT], mean)
        found[:, 12] = sums[:, _YIELD] / np.sqrt(count)
        found[:, 13] = sums[:, _NEAR] / np.sqrt(count)
        found[:, 14] = sums[:, _SAME_WORDS] / np.sqrt(count)
        found[:, 15] = (sums[:, _WEIGHTED] - mean * sums[:, _EXPECTED]) / spread
        return found

    def _add(self, links: slice, pages: int, outcomes: tuple[Array, ...] | None) -> None:
        """Add links to the evidence on their targets, all of them or those of one page."""
        memory = self._judge.memory
        starts = memory.link_starts.values[: pages + 1]
        targets = memory.link_targets.values[links].astype(np.int64)
        anchors = memory.link_anchors.values[links].astype(np.int64)
        places = np.arange(links.start, links.stop)
        sources = np.searchsorted(starts, places, "right") - 1
        relevance = self._judge.text_relevance()[sources]
        columns = self._anchors.columns(anchors)
        top = 1.0 / (1.0 + (places - starts[sources]) / _TOP)
        share = 1.0 / np.sqrt(np.diff(starts)[sources])
        if outcomes is None:
            nothing = np.zeros(len(targets))
            outcomes = nothing, nothing, self._words.values(anchors, targets)
        by_relevance = columns[4] * relevance, relevance, top * relevance
        maxima = (*columns, *by_relevance, memory.lists.values[sources])
        counts = np.ones(len(targets)), columns[4], relevance
        sums = (*counts, *outcomes, relevance * share, share, share * share)
        # One by one in their order, so that it does not matter how many come together.
        np.maximum.at(self._maxima.reshape(-1), *_cells(targets, maxima))
        np.add.at(self._sums.reshape(-1), *_cells(targets, sums))

    def _outcomes(self, pages: int, end: int) -> tuple[Array, ...]:
        """Return, by link, what came of others: of its page, beside it, and with its words."""
        memory = self._judge.memory
        starts = memory.link_starts.values[: pages + 1]
        sources = np.repeat(np.arange(pages), np.diff(starts))
        rows = memory.rows[memory.link_targets.values[:end]].astype(np.int64)
        rows[rows >= pages] = -1
        followed = (rows >= 0).astype(np.float64)
        relevance = np.where(rows >= 0, self._judge.text_relevance()[np.maximum(rows, 0)], 0.0)
        other_good, other_count = self._others.get("outcomes", (0.0, 0.0))
        good_and_bad = followed.sum() + other_count + 2
        mean = float(np.clip((relevance.sum() + other_good + 0.5) / good_and_bad, 0.02, 0.98))
        count = np.asarray(np.bincount(sources, followed, pages), np.float64)
        good = np.asarray(np.bincount(sources, relevance, pages), np.float64)
        known = _known_before(sources, rows, relevance, (good[sources], count[sources]))
        by_page = _lift(*known, _EARLIER, mean)
        near_good, near = np.zeros(end), np.zeros(end)
        when = np.where(rows >= 0, rows, pages)
        for step in range(1, _NEARBY + 1):
            same = sources[step:] == sources[:-step]
            earlier, later = (
                same & (when[:-step] < when[step:]),
                same & (when[step:] < when[:-step]),
            )
            for values, sums in ((relevance, near_good), (followed, near)):
                sums[step:] += earlier * values[:-step]
                sums[:-step] += later * values[step:]
        anchors = memory.link_anchors.values[:end].astype(np.int64)
        targets = memory.link_targets.values[:end].astype(np.int64)
        by_words = self._words.learn(anchors, targets, relevance, rows, mean)
        if memory.is_of_shard:  # what came of links to other shards is theirs to tell
            own = (rows >= 0) & memory.is_own.values[np.maximum(rows, 0)]
            self._own = self._words.sums(anchors[own], targets[own], relevance[own])
            self._own["outcomes"] = np.array([relevance[own].sum(), own.sum()])
        return by_page, _lift(near_good, near, 1.0, mean), by_words

    def _learn(self, pages: int) -> None:
        """Fit the weights to the URLs that were fetched, held to those of the start.

        The logistic loss plus 4 |β - β₀|² falls with each step, as its curve is bounded by
        tanh(o/2) / 2o at log odds o (Jaakkola, Jordan 2000, equation 10).
        """
        memory, start = self._judge.memory, np.array(list(START.values()))
        counted = memory.is_current(pages) & memory.is_own.values[:pages]
        numbers = memory.page_urls.values[:pages][counted].astype(np.int64)
        linked = numbers[self._sums[numbers, _COUNT] > 0]
        self.weights = start
        if len(linked) < 10 and not memory.is_of_shard:
            return
        features = self.features(linked)
        relevance = self._judge.text_relevance()[memory.rows[linked]]
        hold = _PRIOR * np.eye(len(start))
        own = features.T @ (relevance - 0.5)
        wanted = own + _PRIOR * start
        if "fit curve" in self._others:  # the bound of other shards, at their weights
            hold += self._others["fit curve"].reshape(hold.shape)
            wanted += self._others["fit wanted"]
        for _ in range(_STEPS):
            odds = np.maximum(np.abs(features @ self.weights), 1e-6)
            curve = np.tanh(odds / 2) / (2 * odds)
            bound = (features * curve[:, None]).T @ features
            self.weights = np.linalg.solve(bound + hold, wanted)
        if memory.is_of_shard:
            self._own |= {"fit curve": bound.ravel(), "fit wanted": own}

    def _grow(self, size: int) -> None:
        more = size - len(self._sums)
        if more > 0:
            more += len(self._sums) // 2  # not with every page
            self._maxima = np.concatenate([self._maxima, np.full((more, _MAXIMA), -1.0)])
            self._sums = np.concatenate([self._sums, np.zeros((more, _SUMS))])


def _cells(rows: Numbers, columns: Sequence[Array]) -> tuple[Numbers, Array]:
    """Return the places of values in a table, as one number each, and the values."""
    places = rows[:, None] * len(columns) + np.arange(len(columns))
    return places.reshape(-1), np.stack(columns, 1).reshape(-1)


def _known_before(
    groups: NDArray[np.integer[Any]], rows: Numbers, relevance: Array, known: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Return what came of links of the same group that were followed before each link.

    That is the sum of their relevance and their number; of links that were not followed, whose row
    is -1, what is ``known`` stays. To leave out only a link's own outcome would not do: where it
    was good the others are worse on average, and a model would learn that good outcomes speak
    against a link.
    """
    good, count = known
    followed = np.flatnonzero(rows >= 0)
    order = followed[np.lexsort((rows[followed], groups[followed]))]
    places = np.arange(len(order))
    is_group = np.diff(groups[order], prepend=-1) != 0
    is_page = is_group | (np.diff(rows[order], prepend=-1) != 0)
    group = np.maximum.accumulate(np.where(is_group, places, 0))
    page = np.maximum.accumulate(np.where(is_page, places, 0))
    sums = np.cumsum(relevance[order]) - relevance[order]
    good[order] = np.maximum(sums[page] - sums[group], 0.0)
    count[order] = page - group
    return good, count


def _lift(good: Array, count: Array, earlier: float, mean: float) -> Array:
    """Return the log odds of outcomes less those of the mean; 0 where nothing is known."""
    odds = np.log((good + earlier * mean) / (count - good + earlier * (1.0 - mean)))
    return np.asarray(odds - np.log(mean / (1.0 - mean)))
