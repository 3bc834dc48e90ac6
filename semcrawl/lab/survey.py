"""A recorded web looked through once: which URLs are pages, and which of them link to which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import FetchError, PageError
from semcrawl.lab.page_store import page_key
from semcrawl.web.reasons import DropReason

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.lab.page_store import PageStore
    from semcrawl.web import Replay

__all__ = ["NO_PAGE", "Survey", "look_through"]

_DAMAGED = {DropReason.BAD_RESPONSE, DropReason.UNREADABLE}

NO_PAGE = b""
"""Stands where a URL gave no page."""


class Survey(msgspec.Struct, array_like=True):
    """What a recorded web holds. URLs are named by their numbers.

    Attributes:
        urls: the recorded URLs, in the order of the recording.
        keys: for each the key of its page in the page store, or `NO_PAGE`.
        links: for each the recorded URLs that its page links to, each once, in their order.
        redirects: where a redirect leads to, for those that lead to a recorded URL.
        failed: how many recorded answers are damaged.
    """

    urls: list[str]
    keys: list[bytes]
    links: list[list[int]]
    redirects: dict[int, int]
    failed: int = 0


def look_through(
    replay: Replay, pages: PageStore, each: Callable[[int, int], None] | None = None
) -> Survey:
    """Read every page of a recorded web; ``each`` is told how many of how many are read."""
    urls = list(replay.urls())
    numbers = {url: number for number, url in enumerate(urls)}
    survey = Survey(urls, [], [], {})
    for number, url in enumerate(urls):
        key, links = NO_PAGE, list[int]()
        try:
            response = replay.fetch(url)
            if response.redirect is None:
                found = dict.fromkeys(link.url for link in pages.read(response).links)
                links = _recorded(found, numbers, replay)
                key = page_key(response)
            elif target := _recorded({response.redirect: None}, numbers, replay):
                survey.redirects[number] = target[0]
        except (FetchError, PageError) as error:
            # A recorded 404, or a file that is no page, is part of a web.
            survey.failed += error.reason in _DAMAGED
        survey.keys.append(key)
        survey.links.append(links)
        if each is not None:
            each(number + 1, len(urls))
    return survey


def _recorded(links: dict[str, None], numbers: dict[str, int], replay: Replay) -> list[int]:
    found: dict[int, None] = {}
    for url in links:
        number = numbers.get(url)
        # A folder is answered without its slash as well.
        if (
            number is None
            and (slashed := numbers.get(f"{url}/")) is not None
            and _leads(replay, url)
        ):
            number = slashed
        if number is not None:
            found[number] = None
    return list(found)


def _leads(replay: Replay, url: str) -> bool:
    try:
        return replay.answer(url) is not None
    except FetchError:
        return False
