"""The background of a crawl: document frequencies, shipped or from a table or a recorded web."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import FetchError, PageError
from semcrawl.page.read import read_page
from semcrawl.text.background import Background
from semcrawl.web import Replay, open_replay

if TYPE_CHECKING:
    from collections.abc import Iterator


def find_background(source: str) -> Background:
    """Return the background that a setting names; "" is the shipped one."""
    if not source:
        return Background.default()
    path = Path(source)
    if path.is_dir() or path.name.endswith((".warc", ".warc.gz")):
        with open_replay(path) as replay:
            return background_of_replay(replay)
    return Background.load(path)


def background_of_replay(replay: Replay) -> Background:
    """Return the document frequencies of all readable pages of a recorded web."""
    return Background.from_texts(_texts(replay))


def _texts(replay: Replay) -> Iterator[str]:
    for url in replay.urls():
        try:
            yield read_page(replay.fetch(url)).text
        except (FetchError, PageError):
            continue
