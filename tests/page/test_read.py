from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import PageError
from semcrawl.page import Page, read_html, read_page
from semcrawl.web.response import Response

URL = "http://a.test/dir/page.html"


def respond(
    body: bytes | str,
    content_type: str = "text/html",
    *,
    truncated: bool = False,
    headers: dict[str, str] | None = None,
) -> Response:
    return Response(
        url=URL,
        status=200,
        headers={"content-type": content_type} | (headers or {}),
        body=body.encode() if isinstance(body, str) else body,
        fetched_at=0.0,
        elapsed=0.0,
        truncated=truncated,
    )


def urls(page: Page) -> list[str]:
    return [link.url for link in page.links]


def test_a_page_is_read_whole() -> None:
    page = read_page(
        respond(
            "<html lang=en-GB><head><title> About\n lungs </title>"
            "<meta name=description content=' Breath  of life '>"
            "<link rel=canonical href=/lungs></head>"
            "<body><h1>Lungs</h1><p>See <a href='asthma.html#top' rel='NoFollow external'>"
            "<b>Asthma</b> &amp; more</a>.</p></body></html>"
        )
    )
    assert (page.url, page.title, page.description) == (URL, "About lungs", "Breath of life")
    assert (page.language, page.charset, page.truncated) == ("en", "utf-8", False)
    assert (page.base, page.canonical) == (URL, "http://a.test/lungs")
    assert page.text == "Lungs See Asthma & more."
    (link,) = page.links
    assert (link.url, link.anchor) == ("http://a.test/dir/asthma.html", "Asthma & more")
    assert (link.rel, link.nofollow, link.tag) == (("nofollow", "external"), True, "a")
    assert page.leaves[link.first_leaf : link.last_leaf + 1] == ("Asthma", "& more")
    assert page.nodes[link.node].tag == "p"


@pytest.mark.parametrize(
    ("base", "href", "target"),
    [
        ("/x/", "a", "http://a.test/x/a"),
        ("http://b.test/", "a", "http://b.test/a"),
        ("sub/", "../a", "http://a.test/dir/a"),
        ("javascript:void(0)", "a", "http://a.test/dir/a"),
        ("http://[bad", "a", "http://a.test/dir/a"),
        ("", "a", "http://a.test/dir/a"),
        ("http://b.test/", "#top", "http://b.test/"),
    ],
)
def test_links_start_from_the_base(base: str, href: str, target: str) -> None:
    page = read_html(f"<base href='{base}'><base href='/no/'><a href='{href}'>x</a>", URL)
    assert urls(page) == [target]


@pytest.mark.parametrize(
    "href", ["#x", "page.html#x", "", "mailto:x@a.test", "javascript:x('#')", "ftp://a.test/", "http://["]
)
def test_links_to_itself_and_to_no_page_are_left_out(href: str) -> None:
    assert urls(read_html(f'<p>x<a href="{href}">y</a>', URL)) == []


def test_repeated_links_stay_and_are_numbered() -> None:
    page = read_html("<a href=b>one</a><a href=#x>no</a><a href=b#y>two</a>", URL)
    assert [(link.anchor, link.position) for link in page.links] == [("one", 0), ("two", 1)]
    assert len(set(urls(page))) == 1


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ("<a href=x> a\n b </a>", "a b"),
        ("<a href=x><img alt='a b'></a>", "a b"),
        ("<a href=x>a<img alt=b>c</a>", "a b c"),
        ("<a href=x><img></a>", ""),
        ("<a href=x></a>", ""),
        ("<a href=x>a<p>b</p>c</a>", "a b c"),
        ("<a href=x>a<script>b</script></a>", "a"),
        ("<a href=x>never closed", "never closed"),
        ("<area href=x alt=' a '>", "a"),
        ("<iframe src=x title=a></iframe>", "a"),
        ("<meta http-equiv=refresh content='1;x'>", ""),
    ],
)
def test_anchor_is_what_people_see_of_a_link(markup: str, anchor: str) -> None:
    assert [link.anchor for link in read_html(f"<p>.{markup}", URL).links] == [anchor]


@pytest.mark.parametrize(
    ("meta", "header", "noindex", "nofollow"),
    [
        ("<meta name=robots content=noindex>", "", True, False),
        ("<META NAME=ROBOTS CONTENT='NOFOLLOW'>", "", False, True),
        ("<meta name=semcrawl content=none>", "", True, True),
        ("<meta name=otherbot content=none>", "", False, False),
        ("", "nofollow", False, True),
        ("<meta name=robots content=noindex>", "nofollow", True, True),
        ("", "otherbot: none", False, False),
        ("", "", False, False),
    ],
)
def test_what_robots_are_asked(meta: str, header: str, noindex: bool, nofollow: bool) -> None:
    page = read_page(respond(meta + "<p>x", headers={"x-robots-tag": header}))
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


@pytest.mark.parametrize(
    ("markup", "header", "language"),
    [
        ("<html lang=de><meta http-equiv=content-language content=fr>", "it", "de"),
        ("<html xml:lang=de>", "it", "de"),
        ("<html lang=''><meta http-equiv=Content-Language content=fr>", "it", "fr"),
        ("<html>", "it-CH", "it"),
        ("<html>", "it, fr", None),
    ],
)
def test_language_is_declared_by_element_then_meta_then_header(markup: str, header: str, language: str | None) -> None:
    page = read_page(respond(markup + "<p>x", headers={"content-language": header}))
    assert page.declared_language == language


@pytest.mark.parametrize(
    ("body", "content_type", "reason"),
    [
        (b"<p>x", "text/plain", "NotHtml"),
        (b"%PDF-1.7", "text/html", "NotHtml"),
        (b"\x89PNG\r\n", "text/html; charset=utf-8", "NotHtml"),
        (b"just words", "", "NotHtml"),
        (b"\x01\x02\x03" * 99, "text/html", "Unreadable"),
        (b"<a " + b" ".join(b"a%d" % n for n in range(30_000)) + b">x", "text/html", "Unreadable"),
        (b"", "text/html", "EmptyPage"),
        (b" \n ", "text/html", "EmptyPage"),
        (b"<!-- x -->", "text/html", "EmptyPage"),
        (b"<html><body><div><br></div><script>x</script></body>", "text/html", "EmptyPage"),
    ],
)
def test_no_page_is_an_error_that_says_why(body: bytes, content_type: str, reason: str) -> None:
    with pytest.raises(PageError, match=r"^http://a\.test/dir/page\.html .+") as caught:
        read_page(respond(body, content_type))
    assert caught.value.reason == reason


@pytest.mark.parametrize("body", ["<title>x</title>", "x", "<a href=y></a>"])
def test_a_title_a_word_or_a_link_makes_a_page(body: str) -> None:
    assert read_page(respond(body)).url == URL


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("<p>naïve".encode("cp1252"), "text/html; charset=utf-8", "naïve"),
        ("<p>naïve".encode("utf-16"), "text/html", "naïve"),
        ("<p>naïve".encode("utf-16-be"), "text/html", "naïve"),
        ("<meta charset=gb2312><p>汉语".encode("gbk"), "text/html", "汉语"),
        (b"<?xml version='1.0' encoding='utf-16'?><p>x", "text/html", "x"),
        (b"<p>a\0b</p>\0c", "text/html", "ab c"),
        (b"<script src=x/><title/><p>x</p>", "application/xhtml+xml", "x"),
        (b"<table><form><tr><td>a<table><form>b</table></form>c", "text/html", "a b c"),
        (b"<a href=1>a<a href=2>b</a>c</a>", "text/html", "abc"),
    ],
)
def test_ugly_pages_are_read(body: bytes, content_type: str, text: str) -> None:
    assert read_page(respond(body, content_type)).text == text


def test_the_text_of_a_link_that_was_never_closed_is_cut() -> None:
    page = read_html("<a href=x>" + "<p>word</p>" * 1_000, URL)
    assert page.links[0].anchor == ("word " * 200).strip()


def test_frames_are_links() -> None:
    page = read_html("<frameset><frame src=a title=Menu><frame src=b><noframes>old</noframes></frameset>", URL)
    assert [(link.tag, link.anchor) for link in page.links] == [("frame", "Menu"), ("frame", "")]
    assert page.text == "Menu"


def test_only_so_much_markup_is_read() -> None:
    page = read_page(respond("<p>one</p><p>two</p>"), max_chars=10)
    assert (page.text, page.truncated) == ("one", True)
    assert read_page(respond("<p>one</p>"), max_chars=10).truncated is False
    assert read_page(respond("<p>é", truncated=True)).truncated is True


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"<p>x</p>" + b"<div>" * 100_000, id="deep"),
        pytest.param(b"<p>x<a href='" + b"y" * 5_000_000 + b"'>", id="huge attribute"),
        pytest.param(b"<p>x" + b"word " * 1_000_000, id="five megabytes of text"),
        pytest.param(b"<p>x" + b"<a href=y>" * 100_000, id="endless links"),
        pytest.param(b"<p>x" + b"<" * 100_000 + b"&" * 100_000, id="signs"),
        pytest.param(b"<p>x<!--" * 50_000, id="unclosed comments"),
        pytest.param(b"<p>x" + b"<a href=y><div>z" * 60_000, id="links in links"),
        pytest.param(b"<p>x<table><tr><td>" * 10_000, id="nested tables"),
    ],
)
def test_monstrous_pages_are_read_in_part(body: bytes) -> None:
    page = read_page(respond(body))
    assert "x" in page.text
    assert len(page.links) <= 10_000


# fmt: off
FRAGMENTS = st.sampled_from([
    "<p>", "</p>", "<a href=x>", "<a href='//'>", "</a>", "<div hidden>", "</div>", "<table>",
    "<td>", "<li>", "<br>", "<img alt=y>", "<svg>", "<title>", "</title>", "<base href=z>",
    "<script>", "</script>", "<!--", "-->", "<!DOCTYPE>", "<?xml ", "<![CDATA[", "&", "&#0;",
    "&#xD800;", "&amp", "<", ">", '"', "'", "=", "\0", "\ufeff", "é", "汉", " ", "word", "</html>",
    "</body>", "<frameset>", "<frame src=x>", "<iframe src=y>", "<select>", "<template>",
    "<meta http-equiv=refresh content='0;url=q'>", "<link rel=next href=n>", "<area href=e alt=f>",
])
# fmt: on


def read_or_reason(response: Response) -> Page | str:
    try:
        return read_page(response)
    except PageError as error:
        return error.reason


def check(page: Page | str) -> None:
    if isinstance(page, str):
        assert page in {"EmptyPage", "NotHtml", "Unreadable"}
        return
    assert page.text == " ".join(page.text.split())
    assert len(page.leaves) == len(page.pieces)
    for number, link in enumerate(page.links):
        assert link.position == number
        assert link.url.startswith(("http://", "https://"))
        assert 0 <= link.first_leaf <= link.last_leaf + 1 <= len(page.pieces)
        assert link.node < len(page.nodes)
        assert link.anchor in page.context(link, max_chars=1_000_000) or link.node < 0
        assert all(abs(offset) <= 2 for _, offset in page.offsets(link, d_max=2))
    for node in page.nodes:
        assert 0 <= node.first_leaf <= node.last_leaf + 1 <= len(page.pieces)


@given(st.lists(FRAGMENTS, max_size=40))
def test_mutilated_html_gives_a_sound_page_or_a_page_error(parts: list[str]) -> None:
    check(read_or_reason(respond("".join(parts))))


@given(st.binary(max_size=400), st.sampled_from(["", "utf-8", "utf-16", "gbk", "utf-7", "x"]))
def test_random_bytes_give_a_sound_page_or_a_page_error(body: bytes, charset: str) -> None:
    check(read_or_reason(respond(b"<p>" + body, f"text/html; charset={charset}")))


def test_a_title_or_description_without_end_is_cut() -> None:
    page = read_html(
        f"<title>{'long ' * 200_000}</title><meta name=description content='{'long ' * 20_000}'><p>text",
        "http://a.test/",
    )
    assert (len(page.title), len(page.description)) == (1_000, 5_000)


def test_what_is_no_page_is_named_by_its_type_and_by_how_it_begins_where_that_tells_more() -> None:
    with pytest.raises(PageError, match=r"page.html is not an HTML page \(text/plain\)$"):
        read_page(respond("week 1: 400", "text/plain"))
    with pytest.raises(PageError, match=r"is not an HTML page \(text/html, begins '%PDF-1.4'\)$"):
        read_page(respond("%PDF-1.4 and more", "text/html"))
