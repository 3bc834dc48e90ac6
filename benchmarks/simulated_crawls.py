"""Crawls by the default crawler over pages that are read once, without graph and frontier.

Judge and strategy are those of a crawl, and visit the same pages in the same order. What a page
says by itself, its words, its links and its labels, is worked out when the first crawl comes
there, and can be kept in a file: a crawl of 500 pages then takes two seconds.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from semcrawl.models.adaptive_judge import AdaptiveJudge
from semcrawl.models.crawl_memory import vector_of_text
from semcrawl.page import Page, read_page
from semcrawl.relevance.judges import Judgement
from semcrawl.strategies.adaptive import Adaptive
from semcrawl.strategies.strategy import JudgedPage
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from benchmarks.schools_wikipedia import RecordedSchools
    from semcrawl.models.learnt_words import Vector
    from semcrawl.models.site_labels import LabelTexts
    from semcrawl.relevance.label_similarity import LabelsFound

__all__ = ["KnownPages", "SimulatedJudge", "simulated_crawl"]


class KnownLink(NamedTuple):
    """What is asked of a link."""

    url: str
    anchor: str
    tag: str = "a"


class KnownWords(NamedTuple):
    """What is asked of a page's words: how many different ones."""

    terms: range


class KnownPage(NamedTuple):
    """What is asked of a page beside its labels."""

    url: str
    links: list[KnownLink]
    words: KnownWords
    vector: Vector


class KnownPages:
    """The articles of the recorded web as far as crawls have come.

    ``kept``: a file, of which one trusts that it was written here. What readers, vectors or labels
    changed since is not noticed: delete it then.
    """

    def __init__(self, schools: RecordedSchools, kept: Path | None = None) -> None:
        self._schools = schools
        self._kept = kept
        self._background = Topic.parse("keywords:page").background()
        self.pages: dict[str, KnownPage] = {}
        self.labels: dict[str, dict[str, tuple[float, float, LabelTexts]]] = {}  # by topic and URL
        self.in_anchors: dict[str, dict[str, LabelsFound]] = {}  # by topic and anchor
        self.read = lru_cache(maxsize=700)(self._read)  # what two crawls for a topic visit
        if kept is not None and kept.is_file():
            self.pages, self.labels, self.in_anchors = pickle.loads(kept.read_bytes())  # noqa: S301

    def __contains__(self, url: str) -> bool:
        return url in self._schools.categories

    def keep(self) -> None:
        """Write what is known to the file."""
        if self._kept is not None:
            self._kept.write_bytes(pickle.dumps((self.pages, self.labels, self.in_anchors), 5))

    def page(self, url: str) -> KnownPage:
        """Return a page."""
        if url not in self.pages:
            page = self.read(url)
            links = [KnownLink(link.url, link.anchor) for link in page.links]
            vector = vector_of_text(page.words, self._background.of(page.reading_language))
            self.pages[url] = KnownPage(url, links, KnownWords(range(len(page.words.terms))), vector)
        return self.pages[url]

    def articles_from(self, url: str) -> list[str]:
        """Return the articles that an article links to, in order."""
        return [target for target in dict.fromkeys(link.url for link in self.page(url).links) if target in self]

    def _read(self, url: str) -> Page:
        return read_page(self._schools.replay.fetch(url))


class _KnownLabels:
    """The judge by labels, which is asked once for each page."""

    def __init__(self, judge: AdaptiveJudge, pages: KnownPages, topic: str) -> None:
        self._judge, self._pages = judge, pages
        self._known = pages.labels.setdefault(topic, {})

    def of(self, url: str) -> tuple[float, float, LabelTexts]:
        """Return the relevance of a page by labels, how far it is a list, and what stands around its labels."""
        if url not in self._known:
            page = self._pages.read(url)
            is_list = AdaptiveJudge._is_list(self._judge, page)
            judgement, texts = AdaptiveJudge.look(self._judge, page)
            self._known[url] = judgement.relevance, is_list, texts
        return self._known[url]


class SimulatedJudge(AdaptiveJudge):
    """The judge ``adaptive``, for pages that are known."""

    def __init__(self, topic: str, pages: KnownPages) -> None:
        self.topic = Topic.parse(topic)
        super().__init__(self.topic)
        self._known_labels = _KnownLabels(self, pages, topic)
        self._in_anchors = pages.in_anchors.setdefault(topic, {})

    def look(self, page: Any) -> tuple[Judgement, LabelTexts]:
        """Return what labels say of a page, worked out once."""
        relevance, _, texts = self._known_labels.of(page.url)
        return Judgement(relevance), texts

    def vector(self, page: Any) -> Vector:
        """Return what was worked out before."""
        vector: Vector = page.vector
        return vector

    def in_short_text(self, text: str, words: Sequence[str] | None = None) -> LabelsFound:
        """Return the labels in a text, worked out once."""
        found = self._in_anchors.get(text)
        if found is None:
            found = self._in_anchors[text] = super().in_short_text(text, words)
        return found

    def _anchors(self, page: Any) -> Iterator[tuple[str, str]]:
        return ((link.url, link.anchor) for link in page.links)

    def _is_list(self, page: Any) -> float:
        return self._known_labels.of(page.url)[1]


def simulated_crawl(judge: SimulatedJudge, pages: KnownPages, seeds: Sequence[str], count: int) -> list[str]:
    """Crawl from the start; return the pages visited, in order. The judge has learnt from them then."""
    judge.mark({})
    judge.begin(None, {})
    strategy = Adaptive(judge.topic, judge.fixed_background, judge)
    waiting, done = _Waiting(seeds), list[str]()
    while len(done) < count and (url := waiting.next()) is not None:
        if url not in pages:
            strategy.missed(url, "")
            continue
        page: Any = pages.page(url)
        judgement = judge.judge(page)
        judge.observe(page, judgement)
        done.append(url)
        for link, priority in zip(page.links, strategy.rank(JudgedPage(page, judgement.relevance, 0)), strict=True):
            waiting.find(link.url, priority or 0.0)
        judge.revise()
        for changed, priority in strategy.revise().items():
            waiting.put(changed, priority)
    judge.finish()
    return done


class _Waiting:
    """URLs that wait: seeds first, then the best, of equals the first found."""

    def __init__(self, seeds: Sequence[str]) -> None:
        self._seeds = deque(seeds)
        self._taken = set(seeds)
        self._priorities: dict[str, float] = {}
        self._heap: list[tuple[float, int, str]] = []
        self._count = 0

    def next(self) -> str | None:
        if self._seeds:
            return self._seeds.popleft()
        while self._heap:
            priority, _, url = heappop(self._heap)
            if url not in self._taken and self._priorities[url] == -priority:
                self._taken.add(url)
                return url
        return None

    def find(self, url: str, priority: float) -> None:
        """Take in a link: it raises the priority of a URL, or leaves it."""
        if priority > self._priorities.get(url, -1.0):
            self.put(url, priority)

    def put(self, url: str, priority: float) -> None:
        if url not in self._taken and self._priorities.get(url) != priority:
            self._priorities[url] = priority
            self._count += 1
            heappush(self._heap, (-priority, self._count, url))
