"""Titles and URLs as long as strangers like: cut to a few lines, and never wider than a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from semcrawl import Crawl
from semcrawl.graph import CrawlGraph
from tests.cli.conftest import write_web
from tests.serve.browser.test_appearance import SIDEWAYS
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

PHONE = 390
LONG = "x" * 800  # a crawl gives longer URLs up
HOST = f"{'h' * 60}.{'h' * 60}.test"
PAGE = f"http://{HOST}/{LONG}"
WEB = {
    "http://a.test/": f"<title>{'Asthma' * 500}</title><p>Asthma <a href='{PAGE}'>asthma</a>"
    f"<a href='http://a.test/{LONG}'>asthma {LONG}</a>",
    PAGE: f"<title>{LONG}</title><meta name='description' content='{LONG}'><p>Asthma {LONG}",
}
# A view, what is cut there, and the lines that this may have.
VIEWS = {
    "pages": (".cell-title, .cell-url", 2),
    f"pages?site={HOST}": (".cell-title, .cell-url", 2),
    "hubs": (".cell-title, .cell-url", 2),
    "sites": ("", 0),
    "waiting": ("tbody .column-url > *, tbody .column-found_on > a", 2),
    "dropped": ("tbody .column-url > *", 2),
    f"page?url={quote(PAGE, safe='')}": (".page-head h1", 3),
    "monitor?step=2": (".details-title", 3),
    "picture": ("", 0),
}
# How many lines the highest of the elements has; and boxes that are wider inside than outside.
LINES = """
return Math.max(0, ...[...document.querySelectorAll(arguments[0])].map((node) =>
  node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight)));
"""
WIDE = """
return [...document.querySelectorAll(".table-box, .panel, .data-table, .table-mark")]
  .filter((node) => node.scrollWidth > node.clientWidth + 1)
  .map((node) => `${node.className} ${node.scrollWidth} > ${node.clientWidth}`);
"""
READY = ".data-table tbody th, .found-path, .details-title, .picture-legend"


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A crawl in which nothing is short."""
    place = tmp_path_factory.mktemp("endless")
    web = str(write_web(place / "web", WEB))
    with Crawl("wordnet:asthma", ["http://a.test/"], place / "crawl", replay=(web,)) as crawl:
        crawl.run()
    with CrawlGraph.open(place / "crawl") as graph:
        graph.store.update(
            f"INSERT DATA {{ <{PAGE}> sc:hubScore 0.5 . <{PAGE}?waits> sc:priority 0.5 ; "
            f"sc:order 100 ; sc:depth 1 ; sc:foundOn <{PAGE}> ; "
            f"sc:site <urn:semcrawl:site:{HOST}> . "
            f'<{PAGE}?dropped> sc:droppedBecause sc:HttpError ; sc:note "{LONG}" }}'
        )
    with running_server(place / "crawl") as served:
        yield served


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view[:12])
def test_long_texts_are_cut_and_do_not_widen_a_phone(reader: Reader, endless: Served, view: str) -> None:
    css, most = VIEWS[view]
    reader.be_as_wide_as(PHONE)
    reader.visit(endless.url, view)
    reader.see(READY)
    assert reader.run(SIDEWAYS) <= 0
    assert reader.run(WIDE) == []
    if css:
        assert 0 < reader.run(LINES, css) < most + 0.5
