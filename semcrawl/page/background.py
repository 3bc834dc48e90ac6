"""The background of a crawl: document frequencies, shipped or from a table or a recorded web."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from semcrawl.errors import FetchError, PageError
from semcrawl.page.read import read_page
from semcrawl.text.background import Background
from semcrawl.web import Replay, open_replay


class _Topic(Protocol):
    @property
    def languages(self) -> tuple[str, ...]: ...

    def background(self) -> Background: ...


def find_background(source: str, topic: _Topic | None = None) -> Background:
    """Return the background that a setting names; "" is the topic's own, or the shipped one."""
    if not source:
        return topic.background() if topic else Background.default()
    path = Path(source)
    if path.is_dir() or path.name.endswith((".warc", ".warc.gz")):
        with open_replay(path) as replay:
            return background_of_replay(replay, topic.languages if topic else ("en",))
    return Background.load(path)


def background_of_replay(replay: Replay, languages: tuple[str, ...] = ("en",)) -> Background:
    """Return the document frequencies of all readable pages of a recorded web."""
    return Background.from_terms(_terms(replay, languages))


def _terms(replay: Replay, languages: tuple[str, ...]) -> Iterator[Mapping[str, int]]:
    for url in replay.urls():
        with suppress(FetchError, PageError):
            yield read_page(replay.fetch(url), languages=languages).terms
