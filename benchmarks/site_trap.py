"""A site without end, and how many pages of it a crawl for websites asks for.

Its pages tell the classifier nothing, so that the class is never sure: the rare
case in which only the limit ends it (Ester 2004, section 4.3.4).
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from benchmarks.checks import Check
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.web import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.page import Page

__all__ = ["trap_pages"]

LIMIT = 50


class _Trap:
    """Answers every URL with a page that leads to three new ones and says nothing."""

    def __init__(self) -> None:
        self.asked = 0
        self._numbers = count()

    def fetch(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,  # noqa: ARG002
        want_any: bool = False,  # noqa: ARG002
    ) -> Response:
        self.asked += 1
        links = "".join(f'<a href="/{next(self._numbers)}/">next</a> ' for _ in range(3))
        body = f"<html><title>Page {self.asked}</title><p>{links}</p></html>".encode()
        return Response(url, 200, {"content-type": "text/html; charset=utf-8"}, body, 0.0, 0.0)

    def close(self) -> None:
        pass


class _Undecided:
    """A page classifier that cannot tell."""

    classes = ("target", "other")
    error = 0.1

    def confidences(
        self,
        terms: Mapping[str, int],  # noqa: ARG002
        page: Page | None = None,  # noqa: ARG002
    ) -> tuple[float, ...]:
        return (0.5, 0.5)


def trap_pages() -> list[Check]:
    """Crawl the trap; compare the requests with the limit of pages per site."""
    trap = _Trap()
    with SiteCrawl(
        "keywords:asthma",
        ["http://trap.test/"],
        classifier=_Undecided(),
        fetcher=trap,
        pages_per_site=LIMIT,
        robots=False,
        delay=0,
    ) as crawl:
        summary = crawl.run()
    print(f"a site of unlimited pages: {summary}")
    return [Check("requests to a site without end", trap.asked, "at most", float(LIMIT))]
