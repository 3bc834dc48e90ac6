"""Which pages of a recorded web link to a URL, for augmented seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from semcrawl.lab.lab_web import LabWeb

__all__ = ["WebBackLinks"]


class WebBackLinks:
    """The links among the pages that an experiment may crawl; a ``BackLinks``."""

    def __init__(self, web: LabWeb) -> None:
        self._web = web

    def pairs(self, urls: Sequence[str]) -> Iterable[tuple[str, str]]:
        """The links to some URLs: page and URL."""
        wanted = frozenset(urls)
        for page in sorted(self._web.urls()):
            yield from ((page, url) for url in self._web.links(page) if url in wanted)

    def terms(self, page: str) -> Mapping[str, int] | None:
        """The term counts of a page."""
        return self._web.terms(page) or None
