"""Sitemaps and feeds."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import PageError
from semcrawl.page.link_lists import MAX_TAGS, LinkList, begins_as_list, read_link_list
from semcrawl.web.response import Response

SITEMAP = (
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>http://a.test/lung-disease/asthma.html</loc><lastmod>2026-01-01</lastmod></url>"
    "<url><loc> /cooking </loc></url><url><loc>ftp://a.test/x</loc></url></urlset>"
)
RSS = (
    "<rss version='2.0'><channel><title>News</title><item><title>On &amp; off asthma</title>"
    "<link>http://a.test/1</link></item><item><guid>http://a.test/2</guid></item></channel></rss>"
)
ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>Asthma</title>"
    "<link rel='edit' href='/edit'/><link href='/asthma'/></entry></feed>"
)


def read(body: str | bytes, kind: str = "application/xml") -> LinkList | None:
    content = body.encode() if isinstance(body, str) else body
    response = Response("http://a.test/list", 200, {"content-type": kind}, content, 0, 0)
    return read_link_list(response)


def links(body: str | bytes) -> list[tuple[str, str]]:
    found = read(body)
    assert found is not None
    return [(link.url, link.anchor) for link in found.page.links]


def test_a_sitemap_lists_urls_whose_words_are_their_anchors() -> None:
    expected = [("http://a.test/lung-disease/asthma.html", "asthma html"), ("http://a.test/cooking", "cooking")]
    assert links(SITEMAP) == expected
    assert links(gzip.compress(SITEMAP.encode())) == expected


def test_a_sitemap_index_names_further_lists() -> None:
    text = "<sitemapindex><sitemap><loc>/a.xml.gz</loc></sitemap></sitemapindex>"
    found = read(text)
    assert found is not None
    assert (found.lists, list(found.page.links)) == (("http://a.test/a.xml.gz",), [])


def test_feeds_list_urls_with_titles() -> None:
    assert links(RSS) == [("http://a.test/1", "On & off asthma"), ("http://a.test/2", "2")]
    assert links(ATOM) == [("http://a.test/asthma", "Asthma")]


def test_the_links_of_an_entry_are_not_those_of_what_is_inside_it() -> None:
    feed = "<feed><entry><source><link href='/feed'/></source><link href='/a'/></entry></feed>"
    assert [url for url, _ in links(feed)] == ["http://a.test/a"]


def test_a_list_that_is_cut_gives_what_is_before_the_cut() -> None:
    assert links(SITEMAP[:150]) == links(SITEMAP)[:1]


def test_of_a_list_with_very_many_tags_the_beginning_is_read() -> None:
    first, last = ("<item><link>/" + name + "</link></item>" for name in ("first", "last"))
    assert [url for url, _ in links(f"<rss>{first}{'<a/>' * MAX_TAGS}{last}</rss>")] == ["http://a.test/first"]


def test_the_urls_of_a_list_are_bounded_however_long_its_own_makes_them() -> None:
    items = "".join(f"<item><link>{number}</link></item>" for number in range(5_000))
    response = Response(f"http://a.test/{'x' * 2_000}/", 200, {}, f"<rss>{items}</rss>".encode(), 0, 0)
    found = read_link_list(response)
    assert found is not None
    assert 500 < len(found.page.links) < 1_000


def test_half_a_character_ends_a_list() -> None:
    item = "<item><title>&#xD800;</title><link>/x</link></item></channel>"
    assert links(RSS.replace("</channel>", item)) == links(RSS)


def test_a_list_that_lists_itself_leads_nowhere() -> None:
    found = read("<urlset><url><loc>/list</loc></url></urlset>")
    assert found is not None
    assert not found.page.links


def test_what_a_body_begins_as_is_told_in_time_whatever_stands_before_it() -> None:
    odd = (b"<!---->", b"<?xml ?>", b"<!DOCTYPE a []>", b" <!-- -->\n")
    for before in odd:
        assert not begins_as_list(before * 200 + b"x")
        assert begins_as_list(before * 200 + b"<urlset>")


@pytest.mark.parametrize("body", ["<html><body>urlset", "<rdf:RDF/>", "", b"%PDF-1.7", "{}"])
def test_anything_else_is_no_list(body: str | bytes) -> None:
    assert read(body) is None


@pytest.mark.parametrize(
    "body",
    [
        '<!DOCTYPE urlset [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><urlset>&c;</urlset>',
        "<urlset>" + "<url>" * 2_000,
        "<urlset></urlset>",
        "<urlset><url><loc>",
    ],
)
def test_bombs_and_empty_lists_are_refused_with_a_reason(body: str) -> None:
    with pytest.raises(PageError, match="cannot be read") as refused:
        read(body)
    assert refused.value.reason == "Unreadable"


@given(st.binary(max_size=200))
def test_any_bytes_are_a_list_or_none_or_a_page_error(data: bytes) -> None:
    for body in (data, b"<urlset>" + data, b"<rss>" + data, b"\x1f\x8b" + data):
        try:
            found = read(body)
        except PageError:
            continue
        assert found is None or begins_as_list(body)
