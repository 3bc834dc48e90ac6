"""Counting the terms of a crawl's pages, for languages that have no table of frequencies.

What was counted lies in the crawl's folder, one frame for each page: its URL, whether it was relevant, and its terms. A
frame is written before the transaction that records its page; one whose page is not in the graph does not count, as
that page is visited again. So a killed crawl goes on as if it had not been killed.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec

from semcrawl.errors import ConfigError, StoreError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.crawl_folder import PAGE_COUNTS
from semcrawl.models.link_memory import FrameFile, open_frames, require_harmless
from semcrawl.page import Page
from semcrawl.page.background import find_background
from semcrawl.text.background import Background, GrowingBackground, grows
from semcrawl.text.terms import LONGEST_TERM
from semcrawl.topics import Topic

_TITLE = "semcrawl page counts 2"
_MOST_TERMS = 2_000  # of a page
_LARGEST_FILE = 1 << 28
_Frame = tuple[str, bool, str, Annotated[list[str], msgspec.Meta(max_length=_MOST_TERMS)]]
_LOSS = "document frequencies are counted anew: relevance may differ from that of an undisturbed crawl"
_OTHERS = 4  # so many other pages are counted for each relevant one


class PageCounts:
    """Adds pages to the backgrounds that grow; one for a crawl.

    Most pages of a good crawl are about its topic, in whose words a background must not be
    drowned: a relevant page counts only where four others were counted since the last.
    """

    def __init__(self, graph: CrawlGraph, background: Background, *, is_resumed: bool) -> None:
        """Take up what was counted before; a damaged file is put aside, with a warning."""
        self._background = background
        self._relevant = 0
        self._others = 0
        self._frames = open_frames(_place(graph), _TITLE, _LOSS, _LARGEST_FILE)
        if is_resumed:
            for relevant, language, terms in _recorded(graph, self._frames):
                self._add(relevant, language, terms)

    def count(self, url: str, page: Page, *, relevant: bool) -> None:
        """Count a page that is about to be recorded."""
        language = page.reading_language
        background = self._background.of(language)
        if not isinstance(background, GrowingBackground) or background.is_full:
            return
        if relevant and self._relevant * _OTHERS > self._others:
            return
        terms = list(islice(page.terms, _MOST_TERMS))
        self._frames.append(msgspec.msgpack.encode((url, relevant, language, terms)))
        self._add(relevant, language, terms)

    def close(self) -> None:
        """Close the file."""
        self._frames.close()

    def _add(self, relevant: bool, language: str, terms: Iterable[str]) -> None:
        background = self._background.of(language)
        if isinstance(background, GrowingBackground):
            background.add(terms)
            self._relevant += relevant
            self._others += not relevant


def background_of_crawl(graph: CrawlGraph, topic: Topic, source: str) -> Background:
    """Return the background of a crawl as it is now; nothing is written."""
    background = find_background(source, topic)
    path = _place(graph)
    if path is None or not path.is_file() or not grows(background, topic.languages):
        return background
    with suppress(ConfigError, StoreError):
        require_harmless(path, _LARGEST_FILE)
        with closing(FrameFile(path, _TITLE, read_only=True)) as frames:
            for _, language, terms in _recorded(graph, frames):
                if isinstance(one := background.of(language), GrowingBackground):
                    one.add(terms)
    return background


def _place(graph: CrawlGraph) -> Path | None:
    return None if graph.folder is None else graph.folder / PAGE_COUNTS


def _recorded(graph: CrawlGraph, frames: FrameFile) -> Iterator[tuple[bool, str, list[str]]]:
    """Yield what was counted of the pages that are in the graph, in the order of recording."""
    visited = graph.relevances()
    last: dict[str, int] = {}
    for number in range(len(frames)):
        if (url := _read(frames, number)[0]) in visited:
            last.pop(url, None)  # of a visit that was not recorded; the page came again later
            last[url] = number
    for number in last.values():
        _, relevant, language, terms = _read(frames, number)
        yield relevant, language, [term for term in terms if 0 < len(term) <= LONGEST_TERM]


def _read(frames: FrameFile, number: int) -> _Frame:
    """Return URL, relevance, language and terms of a frame; of a bad one nothing."""
    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
        frame: _Frame = msgspec.msgpack.decode(frames.read(number), type=_Frame)
        return frame
    return "", False, "", []
