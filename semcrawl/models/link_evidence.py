"""All evidence on URLs that links have shown so far, as numbers, and a model of it.

Evidence on a URL is gathered over all links to it: labels and learnt words in their anchors, the relevance of the pages
they stand on, and what came of the links beside them. The model is a logistic regression, whose weights begin with
those fitted on the development topics and move away from them as URLs are fetched. docs/adaptive.md has the formulas.
"""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semcrawl.models.adaptive_judge import AdaptiveJudge, mean_odds
from semcrawl.models.crawl_memory import RELATION, WORDS, WordRows, begins, in_parts, word_number, word_vectors
from semcrawl.models.learnt_words import OWN_NAMES
from semcrawl.relevance.explanation import sigmoid
from semcrawl.relevance.label_similarity import HALF
from semcrawl.resources import facts_beside
from semcrawl.text.background import Background
from semcrawl.text.terms import Analyser
from semcrawl.text.vocabulary import GrowingArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Ints = NDArray[np.int32]

START: dict[str, float] = facts_beside(__file__, "link_weights.toml")
"""What the log odds of a URL are made of, with the weights before anything is learnt."""

_PRIOR = 8.0  # how firmly the weights are held to those of the start
_STEPS = 12  # in which the weights are fitted
_NEARBY = 4  # links on either side
_EARLIER = 2.0  # outcomes that are taken as known before there are any
_TOP = 8.0  # the place on a page at which nearness to its top counts half

_MAXIMA = 8  # columns of the evidence that are maxima over links; the other are sums
_COUNT, _WORDS, _LISTED, _RELEVANCE, _YIELD, _NEAR, _SAME_WORDS, _WEIGHTED, _EXPECTED, _SQUARES = range(10)
_SUMS = 10
_LINKS_AT_ONCE = 50_000  # links that are looked at together
_AT_ONCE = 1_000  # URLs in one product: of more, threads would take turns, for many times as long
_URL_WORD = re.compile(r"[^\W\d_]+")
_MOST_URL_WORDS = 8


class Anchors:
    """What the topic and links say of each anchor, and the words of anchors."""

    def __init__(self, judge: AdaptiveJudge, analyser: Analyser, background: Background) -> None:
        self._judge = judge
        self._analyser = analyser
        self._background = background
        self.words = WordRows()
        # Most anchors have no label: they share the first row, of four columns.
        self._labels = GrowingArray(np.float64, [0.0] * 4)
        self._label_rows = GrowingArray(np.int32)
        self._by_learnt = GrowingArray(np.float64)
        self._learnt_words: NDArray[np.float32] | None = None  # without the topic's own names

    def catch_up(self, texts: Sequence[str]) -> None:
        """Look at the anchors that have come since."""
        if not texts:
            return
        first = len(self.words)
        # A relation is a word of no weight, by which outcomes are told apart.
        relations = {
            place: f"<{relation}>" for place, text in enumerate(texts) if (relation := text.partition(RELATION)[2])
        }
        words = [text.partition(RELATION)[0] for text in texts] if relations else texts
        read = self._analyser.read_all(words)
        self.words.add_all(*word_vectors(read, self._background, relations))
        best, whole, similarity = self._judge.in_short_texts(words, read).T
        table = np.stack([whole, best, _label_sums(similarity), self.words.dot(self._judge.own_names, first)], 1)
        has_label = table.any(1)
        rows = len(self._labels) // 4 - 1 + np.cumsum(has_label)
        self._label_rows.extend(rows * has_label)
        self._labels.extend(table[has_label].reshape(-1))
        self._by_learnt.extend(self._products(first))

    def learn(self) -> None:
        """Weigh the words of all anchors anew."""
        learnt = self._judge.learnt
        if learnt is not None:
            names = self._judge.own_names
            named = np.flatnonzero(names != 0.0)
            words = learnt.link_words.weights.astype(np.float32)
            words[named] -= np.float32(OWN_NAMES) * names[named]
            words /= float(np.sqrt(words @ words)) or 1.0
            self._learnt_words = words
        self._by_learnt = GrowingArray(np.float64, self._products(0))

    def columns(self, anchors: Numbers) -> tuple[Array, Array]:
        """Return, by link, a row of label that is all of it, best label, labels and names; and learnt words."""
        return self._labels.values.reshape(-1, 4)[self._label_rows.values[anchors]], self._by_learnt.values[anchors]

    def _products(self, first: int) -> Array:
        if self._learnt_words is None:
            return np.zeros(len(self.words) - first)
        return self.words.dot(self._learnt_words, first)


class LinkWords:
    """What came of links by the words of their anchors and of their targets' URLs."""

    def __init__(self, anchors: Anchors) -> None:
        self._anchors = anchors
        self._urls = WordRows()
        # By word; the first two are there to be used again.
        self._good, self._count, self._lifts = np.zeros(WORDS), np.zeros(WORDS), np.zeros(WORDS)
        # What the words of each add up to.
        self._by_anchor, self._by_url = GrowingArray(np.float64), GrowingArray(np.float64)

    def catch_up(self, urls: list[str]) -> None:
        """Look at the URLs and anchors that have come since."""
        found = list(map(_url_words, urls[len(self._urls) :]))
        sizes = np.fromiter(map(len, found), np.int64, len(found))
        self._urls.add_all(np.fromiter(chain.from_iterable(found), np.int32), None, sizes)
        self._add_up()

    def _add_up(self) -> None:
        for rows, sums in ((self._anchors.words, self._by_anchor), (self._urls, self._by_url)):
            sums.extend(rows.dot(self._lifts, len(sums), is_weighted=False))

    def learn(self, anchors: Numbers, targets: Numbers, relevance: Array, rows: Ints, mean: float) -> Array:
        """Learn from links that were followed; return what was known of each before that."""
        words, links, counts = self._words(anchors, targets)
        good, count = self._good, self._count
        for column, each in ((good, relevance[links]), (count, 1.0)):
            column.fill(0.0)
            np.add.at(column, words, each)
        met = np.flatnonzero(count != 0.0)
        self._lifts.fill(0.0)
        self._lifts[met] = _lift(good[met], count[met], _EARLIER, mean)
        self._by_anchor, self._by_url = GrowingArray(np.float64), GrowingArray(np.float64)
        self._add_up()
        known = _known_before(words, rows[links], relevance[links], (good[words], count[words]))
        sums = np.bincount(links, _lift(*known, _EARLIER, mean), len(counts))
        return np.asarray(sums / np.sqrt(np.maximum(counts, 1)))

    def values(self, anchors: Numbers, targets: Numbers) -> Array:
        """Return what is known of links that have not been followed."""
        counts = self._anchors.words.sizes_of(anchors) + self._urls.sizes_of(targets)
        sums = self._by_anchor.values[anchors] + self._by_url.values[targets]
        return np.asarray(sums / np.sqrt(np.maximum(counts, 1)))

    def _words(self, anchors: Numbers, targets: Numbers) -> tuple[Ints, Ints, Numbers]:
        """Return the words of links, the link of each, and how many each link has."""
        by_anchor, in_anchor = self._anchors.words.numbers_of(anchors)
        by_url, in_url = self._urls.numbers_of(targets)
        each = np.arange(len(anchors), dtype=np.int32)
        links = np.concatenate([np.repeat(each, in_anchor), np.repeat(each, in_url)])
        return np.concatenate([by_anchor, by_url]), links, in_anchor + in_url


def _url_words(url: str) -> list[int]:
    """Return the numbers of the last words of a URL's path, told apart from those of anchors."""
    path = url.find("/", url.find("://") + 3)
    words = _URL_WORD.findall(url[path:].lower()) if path >= 0 else ()
    return sorted({word_number(f"/{word}") for word in words[-_MOST_URL_WORDS:]})


def _label_sums(similarity: Array) -> Array:
    """Return log(1 + 4 s), s being the sum of labels that was squashed to a similarity below 1."""
    return np.asarray(np.log1p(4 * HALF * similarity / (1.0 - np.minimum(similarity, 0.999))))


class LinkEvidence:
    """The evidence on every URL; updated page by page, gathered anew after each round."""

    def __init__(self, judge: AdaptiveJudge, anchors: Anchors) -> None:
        self._judge = judge
        self._anchors = anchors
        self._words = LinkWords(anchors)
        # In single precision: this is most of what is held for a URL.
        self._maxima, self._sums = np.empty((0, _MAXIMA), np.float32), np.zeros((0, _SUMS), np.float32)
        self.weights = np.array(list(START.values()))
        self._on_topic = 0.5

    def gather(self, pages: int) -> None:
        """Gather the evidence of the first pages anew, and learn from the URLs among them."""
        memory = self._judge.memory
        self._catch_up()
        self._anchors.learn()
        self._maxima.fill(-1.0)
        self._sums.fill(0.0)
        self._grow(len(memory.urls))
        learnt = self._judge.learnt
        self._on_topic = learnt.on_topic if learnt else 0.5
        outcomes = _Outcomes(self._judge, self._words, pages)
        for some in in_parts(memory.link_starts.values, 0, pages, _LINKS_AT_ONCE):
            self._add(some, outcomes)
        self._learn(pages)

    def add(self, row: int, end: int = 0) -> Numbers:
        """Add the links of a page, or of all up to ``end``; return the URLs they lead to."""
        memory = self._judge.memory
        self._catch_up()
        self._grow(len(memory.urls))
        pages = in_parts(memory.link_starts.values, row, end or row + 1, _LINKS_AT_ONCE)
        return np.concatenate([self._add(some, None) for some in pages])

    def _catch_up(self) -> None:
        memory = self._judge.memory
        self._anchors.catch_up(memory.anchors.take())
        self._words.catch_up(memory.urls.texts)

    def odds(self, urls: Numbers) -> Array:
        """Return the log odds that URLs, by number, are on the topic."""
        found = np.empty(len(urls))
        for first in range(0, len(urls), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            found[some] = self.features(urls[some]) @ self.weights
        return found

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
        mean, (maxima, sums) = self._on_topic, (one[urls].astype(np.float64) for one in (self._maxima, self._sums))
        count = np.maximum(sums[:, _COUNT], 1.0)
        spread = np.sqrt(np.maximum(sums[:, _SQUARES], 1e-9))
        found = np.empty((len(urls), len(START)))
        found[:, 0] = 1.0
        found[:, 1:6] = maxima[:, :5]
        found[:, 6] = sums[:, _WORDS] / count
        found[:, 7:10] = maxima[:, 5:]
        found[:, 10] = sums[:, _LISTED] / count
        found[:, 11] = mean_odds(sums[:, _RELEVANCE], sums[:, _COUNT], mean)
        found[:, 12:15] = sums[:, _YIELD : _SAME_WORDS + 1] / np.sqrt(count)[:, None]
        found[:, 15] = (sums[:, _WEIGHTED] - mean * sums[:, _EXPECTED]) / spread
        return found

    def _add(self, pages: slice, outcomes: "_Outcomes | None") -> Numbers:
        """Add the links of some pages to the evidence on their targets; return these."""
        memory = self._judge.memory
        starts = memory.link_starts.values[pages.start : pages.stop + 1]
        sizes = np.diff(starts)
        links = slice(int(starts[0]), int(starts[-1]))
        both = memory.link_targets, memory.link_anchors
        targets, anchors = (column.values[links].astype(np.int64) for column in both)
        sources = np.repeat(np.arange(pages.start, pages.stop), sizes)
        relevance = self._judge.leading_relevance.values[sources]
        labels, by_learnt = self._anchors.columns(anchors)
        places = np.arange(links.start, links.stop) - np.repeat(starts[:-1], sizes)
        top = 1.0 / (1.0 + places / _TOP)
        share = 1.0 / np.sqrt(np.repeat(sizes, sizes))
        by_words = self._words.values(anchors, targets)
        came = outcomes.of_links(links, sources, by_words) if outcomes else (0.0, 0.0, by_words)
        maxima = (*labels.T, by_learnt, by_learnt * relevance, relevance, top * relevance)
        counts = 1.0, by_learnt, memory.lists.values[sources], relevance
        sums = (*counts, *came, relevance * share, share, share * share)
        # One by one in their order, so that it does not matter how many come together.
        np.maximum.at(self._maxima.reshape(-1), *_cells(targets, maxima))
        np.add.at(self._sums.reshape(-1), *_cells(targets, sums))
        return np.asarray(targets)

    def _learn(self, pages: int) -> None:
        """Fit the weights to the URLs that were fetched, held to those of the start.

        The logistic loss plus 4 |β - β₀|² falls with each step, as its curve is bounded by
        tanh(o/2) / 2o at log odds o (Jaakkola, Jordan 2000, equation 10).
        """
        memory, start = self._judge.memory, np.array(list(START.values()))
        numbers = memory.page_urls.values[:pages][memory.is_current(pages)].astype(np.int64)
        linked = numbers[self._sums[numbers, _COUNT] > 0]
        self.weights, others = start, self._judge.others
        if len(linked) < 10 and "link outcomes" not in others:
            return
        features = self.features(linked)
        relevance = self._judge.leading_relevance.values[memory.rows.values[linked]]
        outcomes = features.T @ (relevance - 0.5)
        # Of URLs of other shards, where these have left off: their weights are nearly the same.
        wanted = outcomes + others.get("link outcomes", 0.0) + _PRIOR * start
        curved = others.get("link curves", np.zeros(start.size**2)).reshape(start.size, -1)
        hold = _PRIOR * np.eye(start.size) + curved
        parts = [features[first : first + _AT_ONCE] for first in range(0, len(features), _AT_ONCE)]
        for _ in range(_STEPS):
            curves = sum((_curves(part, self.weights) for part in parts), np.zeros_like(curved))
            self.weights = np.linalg.solve(curves + hold, wanted)
        self._judge.link_sums = {"link outcomes": outcomes, "link curves": curves.reshape(-1)}

    def _grow(self, size: int) -> None:
        more = size - len(self._sums)
        if more > 0:
            more += len(self._sums) // 4  # not with every page
            self._maxima = np.concatenate([self._maxima, np.full((more, _MAXIMA), -1.0, np.float32)])
            self._sums = np.concatenate([self._sums, np.zeros((more, _SUMS), np.float32)])


def _curves(features: Array, weights: Array) -> Array:
    odds = np.maximum(np.abs(features @ weights), 1e-6)
    return np.asarray((features * (np.tanh(odds / 2) / (2 * odds))[:, None]).T @ features)


class _Outcomes:
    """What came of the links of the first pages: the row of each target, or -1."""

    def __init__(self, judge: AdaptiveJudge, words: LinkWords, pages: int) -> None:
        memory = judge.memory
        end = int(memory.link_starts.values[pages])
        self._pages = pages
        self._rows = memory.rows.values[memory.link_targets.values[:end]]
        self._rows[self._rows >= pages] = -1
        self._relevance = judge.leading_relevance.values
        # The links that were followed, in their order.
        self._followed = np.flatnonzero(self._rows >= 0)
        rows = self._rows[self._followed]
        relevance = self._relevance[rows]
        self._mean = float(np.clip((relevance.sum() + 0.5) / (len(rows) + 2), 0.02, 0.98))
        anchors = memory.link_anchors.values[self._followed].astype(np.int64)
        targets = memory.link_targets.values[self._followed].astype(np.int64)
        self._by_words = words.learn(anchors, targets, relevance, rows, self._mean)

    def of_links(self, links: slice, sources: Numbers, by_words: Array) -> tuple[Array, ...]:
        """Return, by link of some pages, what came of others: of its page, beside it, by words."""
        first, last = np.searchsorted(self._followed, (links.start, links.stop))
        by_words[self._followed[first:last] - links.start] = self._by_words[first:last]
        rows, mean = self._rows[links], self._mean
        followed = (rows >= 0).astype(np.float64)
        relevance = np.where(rows >= 0, self._relevance[np.maximum(rows, 0)], 0.0)
        pages = sources - sources[:1]
        count, good = (np.bincount(pages, column)[pages] for column in (followed, relevance))
        by_page = _lift(*_known_before(sources, rows, relevance, (good, count)), _EARLIER, mean)
        near_good, near = np.zeros(len(rows)), np.zeros(len(rows))
        when = np.where(rows >= 0, rows, self._pages)
        for step in range(1, _NEARBY + 1):
            same = sources[step:] == sources[:-step]
            earlier = same & (when[:-step] < when[step:])
            later = same & (when[step:] < when[:-step])
            for values, sums in ((relevance, near_good), (followed, near)):
                sums[step:] += earlier * values[:-step]
                sums[:-step] += later * values[step:]
        return by_page, _lift(near_good, near, 1.0, mean), by_words


def _cells(rows: Numbers, columns: Sequence[Array | float]) -> tuple[Numbers, NDArray[np.float32]]:
    """Return the places of values in a table, as one number each, and the values."""
    values = np.empty((len(rows), len(columns)), np.float32)
    for place, column in enumerate(columns):
        values[:, place] = column
    places = rows[:, None] * len(columns) + np.arange(len(columns))
    return places.reshape(-1), values.reshape(-1)


def _known_before(
    groups: NDArray[np.integer[Any]], rows: NDArray[np.integer[Any]], relevance: Array, known: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Return what came of links of the same group that were followed before each link.

    That is the sum of their relevance and their number; of links that were not followed, whose row is -1, what is
    ``known`` stays. To leave out only a link's own outcome would not do: where it was good the others are worse on
    average, and a model would learn that good outcomes speak against a link.
    """
    good, count = known
    followed = np.flatnonzero(rows >= 0)
    keys = groups[followed].astype(np.int64) << 32 | rows[followed]  # to sort by both at once is twice as fast
    order = followed[np.argsort(keys, kind="stable")]
    places = np.arange(len(order), dtype=np.int32)
    is_group = begins(groups[order])
    is_page = is_group | begins(rows[order])
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
