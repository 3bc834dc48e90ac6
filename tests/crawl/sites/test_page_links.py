from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl import Settings
from semcrawl.crawl.sites.internal import LinkSorter
from semcrawl.page import read_page
from semcrawl.web import Response
from semcrawl.web.urls import SiteName

if TYPE_CHECKING:
    from semcrawl.page import Page


def sorter(kind: str = "host", **values: Any) -> LinkSorter:
    return LinkSorter(SiteName.parse(kind), Settings().changed(values))


def read(html: str) -> Page:
    headers = {"content-type": "text/html"}
    return read_page(Response("http://a.test/", 200, headers, html.encode(), 0.0, 0.0))


LINKS = ["http://a.test/1", "http://b.test/z", "http://b.test/a", "http://www.a.test/", "http://a.test/1"]


def test_links_are_inside_or_lead_to_other_sites_once_each() -> None:
    links = sorter().sort("a.test", LINKS)
    assert links.inside == ("http://a.test/1",)
    assert links.others == {"b.test": "http://b.test/a", "www.a.test": "http://www.a.test/"}


@pytest.mark.parametrize(
    ("kind", "site", "inside"),
    [
        ("domain", "example.org", ["http://www.example.org/x", "https://sub.example.org/"]),
        ("path:1", "example.org/ann", ["http://example.org/ann/x.html"]),
    ],
)
def test_what_is_inside_depends_on_what_a_site_is(kind: str, site: str, inside: list[str]) -> None:
    others = ["http://example.com/", "http://example.net/bob/"]
    assert sorter(kind).sort(site, [*inside, *others]).inside == tuple(inside)


@given(st.permutations(LINKS))
def test_other_sites_do_not_depend_on_the_order_of_links(links: list[str]) -> None:
    assert sorter().sort("a.test", links).others == sorter().sort("a.test", LINKS).others


def test_out_of_scope_there_is_no_site() -> None:
    links = sorter(exclude=["http://b.test/*"]).sort("a.test", LINKS)
    assert list(links.others) == ["www.a.test"]


def test_frames_are_links_as_any_other() -> None:
    page = read('<frameset><frame src="/left.html"><frame src="http://b.test/"></frameset>')
    links = sorter().sort("a.test", (link.url for link in page.links))
    assert links.inside == ("http://a.test/left.html",)
    assert list(links.others) == ["b.test"]


HTML = '<a href="/1" rel="nofollow">x</a><a href="/2">y</a><a href="/2" rel="nofollow">y</a>'


@pytest.mark.parametrize(
    ("html", "values", "ignored"),
    [
        (HTML, {}, ("http://a.test/1",)),
        (HTML, {"nofollow": False}, ()),
        (HTML, {"replay": ["web"]}, ()),
        (f'<meta name="robots" content="nofollow">{HTML}', {}, ("http://a.test/1", "http://a.test/2")),
    ],
)
def test_links_not_to_be_followed_are_neither(html: str, values: dict[str, Any], ignored: tuple[str, ...]) -> None:
    made, page = sorter(**values), read(html)
    assert made.ignored(page) == ignored
    links = made.sort("a.test", (link.url for link in page.links), made.ignored(page))
    assert set(links.inside) == {"http://a.test/1", "http://a.test/2"} - set(ignored)
