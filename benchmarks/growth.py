"""What a page costs late in a long crawl beside early, on a web that never ends.

Best-first crawls a web that is made up in the process: a host has forty pages, and pages link to their own host and
to others, of which there are so many that new hosts and URLs come until the end. Nothing is fetched. What making a
page takes is taken off and is the yardstick too: a page costs so many times as much, which does not change with the
load of the machine as seconds of CPU do.

``python -m benchmarks.growth PAGES`` runs it at another size.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from dataclasses import dataclass

from benchmarks.checks import Check
from benchmarks.default_cost import _resident
from benchmarks.generated_web import HEADERS, TOPIC, GeneratedWeb, InProcessFetcher
from semcrawl import Crawl
from semcrawl.crawl import PageVisited
from semcrawl.web.response import Response

__all__ = ["run"]

PAGES, QUICK = 200_000, 20_000
EARLY = 10_000  # around which the first window lies
MOST = 1.3
HOSTS, PER_HOST = 1_000_000, 40
OWN, OTHER = 8, 6  # links to the host and to others, beside that to its front page


class EndlessWeb(GeneratedWeb):
    """Far more hosts than a crawl can visit."""

    def url(self, number: int) -> str:
        """The URL of a page; the first of each host is its front page."""
        host, place = divmod(number, PER_HOST)
        path = f"{self._words[number % 997]}/page-{number}.html" if place else ""
        return f"http://www.site{host}.test/{path}"

    def targets(self, number: int) -> list[int]:
        """Pages of the same host, and of any."""
        rng = random.Random(number)
        first = number - number % PER_HOST
        own = (first + rng.randrange(PER_HOST) for _ in range(OWN))
        return list(dict.fromkeys([first, *own, *(rng.randrange(self.pages) for _ in range(OTHER))]))

    def respond(self, url: str) -> Response:
        """The answer to a URL of this web."""
        _, _, host, path = url.split("/", 3)
        words = path.rpartition("-")[2].removesuffix(".html")
        number = int(words) if path else int(host.removeprefix("www.site").removesuffix(".test")) * PER_HOST
        return Response(url, 200, HEADERS, self.html(number).encode(), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Look:
    """The process after so many pages: seconds of CPU of the crawl and of making pages, KB held."""

    pages: int
    crawl: float
    web: float
    held: float


def run(*, quick: bool) -> list[Check]:
    """Crawl; compare the pages around the ten thousandth with the last."""
    return measure(QUICK if quick else PAGES)


def measure(pages: int) -> list[Check]:
    """The same at any size."""
    window = EARLY // 2
    looks = {look.pages: look for look in _crawl(pages, window)}
    early, late = (_cost(looks[end - EARLY], looks[end]) for end in (EARLY + window, pages))
    print(f"  beside making the page: {early:.2f} times around page {EARLY:,}, {late:.2f} at the end")
    return [Check(f"CPU of a page at {pages:,} pages, to that at {EARLY:,}", late / early, "at most", MOST)]


def _cost(start: _Look, end: _Look) -> float:
    """The CPU of the crawl between two looks, as a multiple of making its pages."""
    return (end.crawl - start.crawl) / (end.web - start.web)


def _crawl(pages: int, window: int) -> list[_Look]:
    web = EndlessWeb(HOSTS * PER_HOST, size=8_000, links=1 + OWN + OTHER, hosts=HOSTS)
    fetcher = InProcessFetcher(web)
    fetcher.fetch(web.seed)  # the words of all pages
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(
            TOPIC,
            [web.seed],
            f"{folder}/crawl",
            fetcher=fetcher,
            strategy="best-first-page-anchor",
            judge="labels",
            robots=False,
            delay=0,
            workers=1,
            pages=pages,
        )
        with crawl:
            fetcher.cpu, before, visited = 0.0, time.process_time(), 0
            looks = [_Look(0, 0.0, 0.0, _resident())]
            for event in crawl.visits():
                if not isinstance(event, PageVisited):
                    continue
                visited += 1
                if visited % window == 0:
                    cpu = time.process_time() - before - fetcher.cpu
                    looks.append(_Look(visited, cpu, fetcher.cpu, _resident()))
                    _tell(looks[-2], looks[-1], crawl.progress.waiting)
    if visited != pages:
        raise SystemExit(f"stopped after {visited} of {pages} pages: no figure")
    return looks


def _tell(start: _Look, end: _Look, waiting: int) -> None:
    each = (end.crawl - start.crawl) / (end.pages - start.pages) * 1e3
    print(
        f"  up to page {end.pages:,}: {each:.2f} ms of CPU a page, {_cost(start, end):.2f} times making it; "
        f"{waiting:,} URLs wait; {end.held / 1024:,.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    print(*measure(int(sys.argv[1])), sep="\n")
