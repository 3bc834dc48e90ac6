"""The apprentice's memory: the pages it has seen, and the features of their links.

A link waits for the judgement of its target, or its target waits for a new
priority: for both the features are needed long after the page has gone. A
frame holds one page. URLs are numbered as they appear; a frame brings those
that are new with it, so that frames read in order know all numbers.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import StoreError
from semcrawl.learning.cocitation import LinkPlaces
from semcrawl.learning.features import LinkFeatures
from semcrawl.learning.frames import FrameFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from semcrawl.learning.features import FeatureKinds

__all__ = ["LinkMemory", "RememberedPage"]

_FORMAT = "semcrawl apprentice memory 1"
_HEAD = struct.Struct("<dIIII")


@dataclass(frozen=True, slots=True, eq=False)
class RememberedPage:
    """The links of a page: the number of each target, its features, its place."""

    targets: NDArray[np.uint32]
    features: LinkFeatures
    places: LinkPlaces


@dataclass(frozen=True, slots=True)
class _Seen:
    """A page with its frame and relevance, and the URL that redirected to it, or itself."""

    frame: int
    relevance: float
    via: int


class LinkMemory:
    """What is remembered of pages, in a file or in memory.

    A page that is remembered again replaces what was known of it.

    Args:
        path: the file, None for a memory that ends with the process.
        kinds: the features that links are remembered with.
        visited: the relevance of the pages that count as visited, by URL. What the
            file says of others was written just before the crawl was killed:
            they will be fetched again.

    Raises:
        ConfigError: the file was made with other kinds of features.
        StoreError: it cannot be read or written, or is damaged.
    """

    def __init__(
        self, path: Path | None, kinds: FeatureKinds, visited: Mapping[str, float]
    ) -> None:
        title = f"{_FORMAT} {json.dumps(kinds.as_dict(), sort_keys=True)}"
        self._frames = FrameFile(path, title)
        self._urls: list[str] = []
        self._numbers: dict[str, int] = {}
        self._pages: dict[int, _Seen] = {}
        self._elsewhere: dict[int, float] = {}
        self._known = np.full(1024, np.nan)
        for number in range(len(self._frames)):
            self._take_in(number, self._frames.read(number), path)
        self._pages = {
            page: seen for page, seen in self._pages.items() if self._urls[page] in visited
        }
        for url, relevance in visited.items():
            page = self._numbers.get(url)
            if page is not None and page not in self._pages:
                self._elsewhere[page] = relevance
        self._known = self.relevances(len(self._pages))

    def __len__(self) -> int:
        """How many pages are remembered."""
        return len(self._pages)

    def url(self, number: int) -> str:
        """The URL of a number."""
        return self._urls[number]

    def numbers(self, urls: Sequence[str]) -> NDArray[np.uint32]:
        """The numbers of URLs; one that is not known has the number after the last."""
        unknown = len(self._urls)
        found = [self._numbers.get(url, unknown) for url in urls]
        return np.array(found, np.uint32)

    def remember(
        self,
        url: str,
        relevance: float,
        targets: Sequence[str],
        features: LinkFeatures,
        places: LinkPlaces,
        found_on: str | None = None,
    ) -> None:
        """Keep a judged page and its links.

        ``found_on`` is what led to the page; if that is no page, it redirected here.
        """
        known = len(self._urls)
        page = self._number(url)
        via = self._redirecting(found_on, page)
        numbers = np.array([self._number(target) for target in targets], np.uint32)
        text = "\n".join(self._urls[known:]).encode("utf-8", "surrogatepass")
        head = _HEAD.pack(relevance, page, via, len(numbers), len(features.slots))
        sizes = features.sizes.astype(np.uint32)
        arrays = (numbers, sizes, places.first, places.last, features.slots)
        frame = self._frames.append(head + b"".join(map(np.ndarray.tobytes, arrays)) + text)
        self._see(page, _Seen(frame, relevance, via))

    def relevances(self, pages: int | None = None) -> NDArray[np.float64]:
        """The relevance by number of URL, NaN where it is not known; as of the first ``pages``."""
        if pages is None:
            return self._known[: len(self._urls) + 1]
        # One more than there are URLs, for those that are not known.
        known = np.full(len(self._urls) + 1, np.nan)
        for page, relevance in self._elsewhere.items():
            known[page] = relevance
        for page, seen in islice(self._pages.items(), pages):
            known[page] = known[seen.via] = seen.relevance
        return known

    def pages(self, pages: int | None = None) -> Iterator[RememberedPage]:
        """The first ``pages`` remembered pages, or all, in the order in which they came."""
        for seen in islice(self._pages.values(), pages):
            yield self._remembered(self._frames.read(seen.frame))

    def close(self) -> None:
        """Let go of the file."""
        self._frames.close()

    def _number(self, url: str) -> int:
        number = self._numbers.setdefault(url, len(self._urls))
        if number == len(self._urls):
            self._urls.append(url)
        return number

    def _redirecting(self, found_on: str | None, page: int) -> int:
        via = self._numbers.get(found_on or "", page)
        return page if via in self._pages or via in self._elsewhere else via

    def _see(self, page: int, seen: _Seen) -> None:
        self._pages.pop(page, None)  # what is seen again comes last
        self._pages[page] = seen
        if len(self._known) <= len(self._urls):
            more = np.full(2 * len(self._urls) + 1, np.nan)
            more[: len(self._known)] = self._known
            self._known = more
        self._known[page] = self._known[seen.via] = seen.relevance

    def _take_in(self, frame: int, data: bytes, path: Path | None) -> None:
        try:
            relevance, page, via, links, slots = _HEAD.unpack_from(data)
            urls = data[_HEAD.size + 4 * (4 * links + slots) :].decode("utf-8", "surrogatepass")
        except (struct.error, UnicodeDecodeError) as error:
            # Zeros, which some disks leave after a power cut, pass for an empty frame.
            self._frames.close()
            raise StoreError(
                f"{path} is damaged, its page {frame + 1:,} is none ({error}): bring the file back "
                "from a copy, or remove it to forget what was learned"
            ) from error
        for url in urls.split("\n") if urls else ():
            self._number(url)
        self._see(page, _Seen(frame, relevance, via))

    @staticmethod
    def _remembered(data: bytes) -> RememberedPage:
        _, _, _, links, slots = _HEAD.unpack_from(data)
        columns = np.frombuffer(data, np.uint32, 4 * links, _HEAD.size).reshape(4, links)
        flat = np.frombuffer(data, np.uint32, slots, _HEAD.size + 16 * links)
        return RememberedPage(
            columns[0],
            LinkFeatures(columns[1].astype(np.int64), flat),
            LinkPlaces(columns[2].view(np.int32), columns[3].view(np.int32)),
        )
