"""Several sites open at once: whenever a crawl is cut off, it goes on as if it had not been."""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from semcrawl.crawl.events import CrawlStopped
from semcrawl.crawl.sites import SiteClosed, SiteCrawl, SiteStop
from semcrawl.errors import FetchError
from semcrawl.graph import CrawlGraph
from semcrawl.web import Response
from semcrawl.web.response import DropReason
from tests.crawl.sites.conftest import TOPIC, WordClassifier, page, write_web

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Web = dict[str, str | tuple[int, str]]

TEXTS = ("Asthma", "A car", "Hello")
URLS = [f"http://{host}.test/{path}" for host in "abcde" for path in ("", "1", "2", "3")]


@st.composite
def webs(draw: st.DrawFn) -> Web:
    """Five hosts of four URLs, which are pages with links, or redirects, or missing."""
    web: Web = {}
    for url in URLS:
        kind = draw(st.sampled_from("ppprm"))
        if kind == "p":
            links = draw(st.lists(st.sampled_from(URLS), max_size=6))
            web[url] = page(draw(st.sampled_from(TEXTS)), *links)
        elif kind == "r":
            web[url] = 302, draw(st.sampled_from(URLS))
    return web


def crawl(folder: Path, web: Path, values: Mapping[str, Any], cuts: set[int], seeds: Sequence[str]) -> None:
    """Crawl to the end, cut off after so many events in all."""
    judge = WordClassifier()
    running = SiteCrawl(TOPIC, seeds, folder, classifier=judge, replay=[str(web)], **values)
    events = 0
    while True:
        with running:
            for event in running.visits():
                if isinstance(event, CrawlStopped):
                    return
                events += 1
                if events in cuts:
                    break
        running = SiteCrawl.resume(folder, classifier=judge)


def facts(folder: Path) -> set[tuple[str, ...]]:
    """All that the graph says of URLs, sites and edges, but when pages were fetched."""
    with CrawlGraph.read(folder) as graph:
        rows = graph.query(
            "SELECT ?s ?p ?o { ?s ?p ?o FILTER(?p != sc:fetchedAt) "
            "FILTER EXISTS { { ?s sc:order ?n } UNION { ?s a sc:Site } UNION { ?s a sc:SiteLink } "
            "UNION { ?s sc:droppedBecause ?why } } }"
        )
        return {(row["s"], row["p"], str(row["o"])) for row in rows}


# Without making an example smaller, which takes minutes with crawls.
@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    web=webs(),
    at_once=st.integers(1, 4),
    weights=st.sampled_from(["combined", "local"]),
    cuts=st.sets(st.integers(1, 30), max_size=4),
)
def test_a_crawl_that_is_cut_off_anywhere_goes_on_as_if_it_had_not_been(
    web: Web, at_once: int, weights: str, cuts: set[int]
) -> None:
    values = {"sites_at_once": at_once, "weights": weights, "pages_per_site": 3}
    with tempfile.TemporaryDirectory() as name:
        recorded, whole, parts = (Path(name) / part for part in ("web", "whole", "parts"))
        write_web(recorded, web)
        seeds = ["http://a.test/", "http://b.test/2", "http://c.test/"]
        crawl(whole, recorded, values, set(), seeds)
        crawl(parts, recorded, values, cuts, seeds)
        assert facts(parts) == facts(whole)


# c.test is found before x.test, but ranks lower, 0.1 to 0.45, and is opened after it, with the
# same rank by then.
SAME_RANK: Web = {
    "http://a.test/": page("Asthma", "/1", "http://b.test/", "http://x.test/"),
    "http://a.test/1": page("A car", "http://c.test/", "http://x.test/"),
    "http://b.test/": page("Asthma", "http://c.test/"),
    "http://c.test/": page("Hello", "/1"),
    "http://c.test/1": page("Hello"),
    "http://x.test/": page("Hello", "/1"),
    "http://x.test/1": page("Hello"),
}

# c.test is opened with the rank 0.333; it is open when a link of b.test is learnt by which it
# would come before x.test, which ranks 0.489.
LEARNT_LATER: Web = {
    "http://a.test/": page("Asthma", "/1", "http://b.test/"),
    "http://a.test/1": page("Hello", "http://c.test/"),
    "http://b.test/": page("Asthma", "/1", "/2", "http://c.test/", "http://x.test/"),
    "http://b.test/1": page("Hello", "http://x.test/"),
    "http://b.test/2": page("Hello", "http://x.test/"),
    "http://c.test/": page("Hello", "/1"),
    "http://c.test/1": page("Hello"),
    "http://x.test/": page("Hello", "/1"),
    "http://x.test/1": page("Hello"),
}


@pytest.mark.parametrize("pages", [SAME_RANK, LEARNT_LATER])
def test_sites_open_side_by_side_are_gone_on_with_in_the_same_order(tmp_path: Path, pages: Web) -> None:
    web = write_web(tmp_path / "web", pages)
    values = {"sites_at_once": 2, "weights": "local"}
    crawl(tmp_path / "whole", web, values, set(), seeds=["http://a.test/"])
    crawl(tmp_path / "parts", web, values, set(range(50)), seeds=["http://a.test/"])
    with CrawlGraph.read(tmp_path / "whole") as graph:
        visits = [row["url"] for row in graph.query("harvest")]
    assert [url for url in visits if url in ("http://c.test/", "http://x.test/")] == [
        "http://x.test/",
        "http://c.test/",
    ]
    assert facts(tmp_path / "parts") == facts(tmp_path / "whole")


def test_what_went_wrong_first_is_told_after_a_resume(tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", {"http://a.test/": (500, "no")})
    folder, judge = tmp_path / "crawl", WordClassifier()
    seeds = ["http://a.test/", "http://a.test/1", "http://a.test/2"]
    with SiteCrawl(TOPIC, seeds, folder, classifier=judge, replay=[str(web)], tries=1) as running:
        next(running.visits())
    with SiteCrawl.resume(folder, classifier=judge) as running:
        [closed] = [event for event in running.visits() if isinstance(event, SiteClosed)]
    assert closed.reason is SiteStop.UNREACHABLE
    assert "500" in closed.note
    with CrawlGraph.read(folder) as graph:
        [row] = graph.query("site-failures")
    assert row["note"] == closed.note


class Unreliable:
    """A host of pages without words, where connections for some paths fail."""

    def __init__(self, down: set[str], *links: str) -> None:
        self.down, self.links = down, links

    def fetch(self, url: str, **_: object) -> Response:
        if url in self.down:
            raise FetchError(f"{url}: no connection", reason=DropReason.CONNECT_FAILED)
        html = page("Hello", *self.links).encode()
        return Response(url, 200, {"content-type": "text/html"}, html, 0.0, 0.0)

    def close(self) -> None:
        """Nothing to let go of."""


QUICK: dict[str, Any] = {"tries": 1, "delay": 0, "max_delay": 0, "robots": False, "workers": 1}


def test_failures_in_a_row_are_counted_on_after_a_resume(tmp_path: Path) -> None:
    urls = [f"http://a.test/{n}" for n in range(20)]
    web, folder = Unreliable({"http://a.test/", *urls}), tmp_path / "crawl"
    judge = WordClassifier()
    with SiteCrawl(TOPIC, urls, folder, classifier=judge, fetcher=web, **QUICK) as running:
        list(islice(running.visits(), 3))
    with SiteCrawl.resume(folder, classifier=judge, fetcher=web) as running:
        *failed, closed, _ = running.visits()
    assert len(failed) == 2  # five in all
    assert isinstance(closed, SiteClosed)
    assert closed.reason is SiteStop.UNREACHABLE


def test_an_answer_ends_the_failures_in_a_row() -> None:
    web = Unreliable({"http://a.test/1", "http://a.test/2"}, "/1", "/2", "/3")
    with SiteCrawl(TOPIC, ["http://a.test/"], classifier=WordClassifier(), fetcher=web, **QUICK) as running:
        counts = [
            [row["n"] for row in running.query("SELECT ?n { ?site sc:failuresInARow ?n }")] for _ in running.visits()
        ]
    assert counts[:4] == [[], [1], [2], []]
