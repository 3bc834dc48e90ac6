"""Backlink-count and PageRank ordering: URLs by the links of the pages seen so far.

The links are kept in memory and in a file of frames, one for a page: the URLs that are new, which
get the next numbers, and the numbers of the page and of what it links to. The last page may be
missing, or be there before the crawl has recorded it. A page that comes twice counts once.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from semcrawl.arrays import Floats, Ints
from semcrawl.errors import ConfigError
from semcrawl.models.link_memory import FrameFile, NumberedTexts
from semcrawl.strategies.strategy import JudgedPage, Learner

_TITLE = "semcrawl links 2"
_Row = Annotated[list[Annotated[int, Meta(ge=0)]], Meta(min_length=1)]
_frames = msgspec.msgpack.Decoder(tuple[list[str], _Row])


class SeenLinks:
    """Which page links to which URL, each URL by its number in ``urls``.

    ``sources`` and ``targets`` are the numbers of linking page and linked URL of each link.

    >>> seen = SeenLinks()
    >>> seen.add("http://a.test/", ["http://b.test/", "http://c.test/"])
    True
    >>> seen.add("http://b.test/", ["http://c.test/", "http://c.test/"])
    True
    >>> seen.in_links("http://c.test/"), seen.in_links("http://a.test/")
    (2, 0)
    """

    def __init__(self) -> None:
        self._known = NumberedTexts()
        self.urls = self._known.texts
        self.sources = array("q")
        self.targets = array("q")
        self._in_links: Counter[int] = Counter()
        self._pages: dict[int, int] = {}  # in the order seen: how many links each has
        self._file: FrameFile | None = None

    def open(self, folder: Path) -> None:
        """Take up what the file of a folder holds, and write to it from now on.

        Raises ConfigError: the file is of another kind or version; StoreError: it cannot be read or
        written, or is damaged.
        """
        self._file = FrameFile(folder / "links.bin", _TITLE)
        self._file.take_in(self._take_in, "the links seen so far", msgspec.MsgspecError, ValueError)

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def add(self, page: str, targets: Iterable[str]) -> bool:
        """Note a page with its links; return False if it was seen. StoreError: a full disk."""
        if page in self:
            return False
        before = len(self.urls)
        number, *links = self._known.add_all([page, *targets])
        row = [number, *dict.fromkeys(links)]
        self._link(row)
        if self._file is not None:
            self._file.append(msgspec.msgpack.encode((self.urls[before:], row)))
        return True

    def __contains__(self, page: object) -> bool:
        return isinstance(page, str) and self.number(page) in self._pages

    def __len__(self) -> int:
        return len(self._pages)

    def pages(self) -> Iterator[tuple[str, list[str]]]:
        """Yield every page with the URLs that it links to, in the order in which they were seen."""
        start = 0
        for page, links in self._pages.items():
            yield self.urls[page], [self.urls[n] for n in self.targets[start : start + links]]
            start += links

    def number(self, url: str) -> int | None:
        """Return the number of a URL, None for one never seen."""
        return self._known.numbers.get(url)

    def in_links(self, url: str) -> int:
        """Return how many pages with a link to the URL were seen."""
        number = self.number(url)
        return 0 if number is None else self._in_links[number]

    def _take_in(self, _: int, frame: bytes) -> None:
        new, row = _frames.decode(frame)
        self._known.add_all(new)
        if max(row) >= len(self.urls):
            raise ValueError(f"there is no URL {max(row):,}")
        if row[0] not in self._pages:
            self._link(row)

    def _link(self, row: list[int]) -> None:
        self._pages[row[0]] = len(row) - 1
        self.sources.extend([row[0]] * (len(row) - 1))
        self.targets.extend(row[1:])
        self._in_links.update(row[1:])


class BacklinkCount(Learner):
    """Links by the number of pages seen so far that link to their target (Cho et al. 1998, IB').

    A count only grows, and a URL's best priority counts: nothing need be revised.
    """

    def __init__(self) -> None:
        self._seen = SeenLinks()

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:  # noqa: ARG002
        """Take up the counts of earlier runs."""
        if folder is not None:
            self._seen.open(folder)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return how many pages link to each link's target, this page included."""
        page = judged.page
        this = 0 if page.url in self._seen else 1
        return [float(self._seen.in_links(link.url) + this) for link in page.links]

    def observe(self, judged: JudgedPage) -> None:
        """Count the page's links."""
        self._seen.add(judged.page.url, (link.url for link in judged.page.links))

    def close(self) -> None:
        """Close the file."""
        self._seen.close()


_ROUNDS = 100
_CLOSE = 1e-5
_NOTICEABLE = 0.01  # a smaller change is not worth telling the frontier


def page_ranks(sources: Ints, targets: Ints, size: int, *, damping: float = 0.9, start: Floats | None = None) -> Floats:
    """Return PageRanks of ``size`` pages: (1 - d) + d · sum of rank / links (Cho et al. 1998, IR).

    The mean rank is 1. A page without links shares its rank among all pages.

    >>> a, b, c = 0, 1, 2
    >>> ranks = page_ranks(np.array([a, a, b, c]), np.array([b, c, c, a]), 3, damping=0.5)
    >>> (ranks * 13).round(3).tolist()
    [14.0, 10.0, 15.0]
    """
    links = np.bincount(sources, minlength=size)
    ends = links == 0
    share = 1.0 / np.maximum(links, 1)[sources]
    ranks = np.ones(size) if start is None else start * (size / start.sum())
    for _ in range(_ROUNDS):
        flow = np.bincount(targets, weights=ranks[sources] * share, minlength=size)
        new = (1.0 - damping) + damping * (flow + ranks[ends].sum() / size)
        moved = float(np.abs(new - ranks).max(initial=0.0))
        ranks = new
        if moved < _CLOSE:
            break
    return ranks


class PageRank(Learner):
    """Links by their target's PageRank over the links seen so far (Cho et al. 1998, IR').

    The ranks are worked out anew after ``every`` pages, later with every tenth more. In between,
    a link adds its share of its page's rank. ``damping``: how likely a surfer follows a link.
    """

    def __init__(self, every: int = 100, damping: float = 0.9) -> None:
        if every < 1 or not 0.0 <= damping < 1.0:
            raise ConfigError(
                f"pagerank: every={every}, damping={damping:g}: every must be 1 or more, damping from 0 to below 1"
            )
        self._every = every
        self._damping = damping
        self._seen = SeenLinks()
        self._visited: set[str] = set()
        self._ranks: Floats = np.empty(0)
        # What has been said of each URL since its rank was worked out, by number.
        self._given: dict[int, float] = {}
        self._due = every

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Take up the links of earlier runs."""
        if folder is None:
            return
        stored = SeenLinks()
        stored.open(folder)
        # Page by page, with the ranks worked out when they were: what waits was told so.
        for url, targets in stored.pages():
            if self._due <= 0:
                self._due = self._pause()
                self._work_out()
            self._see(url, targets)
        # A round that was due with the last page is told once more: it may have been lost.
        self._seen = stored
        self._visited.update(visited)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return for each link what its target has already, and the share that this page adds."""
        scores = self._scores(judged.page.url, [link.url for link in judged.page.links])
        return [scores[link.url] for link in judged.page.links]

    def observe(self, judged: JudgedPage) -> None:
        """Remember the page's links, with what :meth:`rank` has said of them."""
        self._see(judged.page.url, [link.url for link in judged.page.links])

    def _scores(self, page: str, targets: Sequence[str]) -> dict[str, float]:
        urls = dict.fromkeys(targets)
        known = page in self._seen
        added = 0.0 if known else self._damping * self._rank_of(page) / max(len(urls), 1)
        return {url: self._rank_of(url) + added for url in urls}

    def _see(self, page: str, targets: Sequence[str]) -> None:
        scores = self._scores(page, targets)
        self._visited.add(page)
        if self._seen.add(page, scores):
            self._due -= 1
            for url, score in scores.items():
                number = self._seen.number(url)
                assert number is not None
                self._given[number] = score

    def revise(self) -> Mapping[str, float]:
        """Return the ranks of waiting URLs that have noticeably changed, when worked out."""
        if self._due > 0:
            return {}
        self._due = self._pause()
        before = self._said()
        self._work_out()
        waiting = np.zeros(len(self._ranks), np.bool_)
        waiting[np.array(self._seen.targets, np.int64)] = True
        # Not so for what was never said: NaN is near to nothing.
        near = np.abs(self._ranks - before) < _NOTICEABLE * before
        urls = self._seen.urls
        changed = np.flatnonzero(waiting & ~near).tolist()
        return {urls[n]: float(self._ranks[n]) for n in changed if urls[n] not in self._visited}

    def close(self) -> None:
        """Close the file."""
        self._seen.close()

    def _pause(self) -> int:
        return max(self._every, len(self._seen) // 10)

    def _said(self) -> Floats:
        """Return the priority that each URL has, by number; NaN where that is not known."""
        said = np.full(len(self._seen.urls), np.nan)
        said[: len(self._ranks)] = self._ranks
        said[list(self._given)] = list(self._given.values())
        return said

    def _work_out(self) -> None:
        size = len(self._seen.urls)
        start = np.ones(size)
        start[: len(self._ranks)] = self._ranks
        sources, targets = (np.array(ends, np.int64) for ends in (self._seen.sources, self._seen.targets))
        self._ranks = page_ranks(sources, targets, size, damping=self._damping, start=start)
        self._given.clear()

    def _rank_of(self, url: str) -> float:
        """Return what was said of a URL since, else its last rank, else what every page has."""
        number = self._seen.number(url)
        if number is None:
            return 1.0 - self._damping
        if number in self._given:
            return self._given[number]
        return float(self._ranks[number]) if number < len(self._ranks) else 1.0 - self._damping
