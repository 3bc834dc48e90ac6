from __future__ import annotations

import pytest

from semcrawl.page import read_html
from semcrawl.page.html_tree import HostileMarkupError, expand_empty, parse


def seen(markup: str) -> str:
    root = parse(markup)
    assert root is not None
    return "".join(map(str, root.itertext()))


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template><p>x</p></template>",
        "<p hidden>x <b>x</b></p>",
        "<p HIDDEN=''>x</p>",
        "<div style='color: red; DISPLAY : none'><p>x</p></div>",
        "<div style=visibility:hidden>x</div>",
        "<div style='display&colon;none'>x</div>",
        "<div style='display:&#110;one'>x</div>",
        "<div style='VISIBILITY : hid&#100;en'>x</div>",
        "<!-- x -->",
        "<?php x ?>",
        "<select><option>x</select>",
        "<textarea><p>x</textarea>",
        "<video>x</video>",
        "<object><p>x</p></object>",
    ],
)
def test_what_cannot_be_seen_is_taken_out_and_its_neighbours_stay(hidden: str) -> None:
    assert seen(f"<div>before{hidden}after</div>") == "beforeafter"


@pytest.mark.parametrize(
    "markup",
    [
        "<body style='display:none'>seen",
        "<html hidden><body>seen",
        "<noscript>seen</noscript>",
        "<head><noscript><p>x</p></noscript></head><body>seen",
        "<p style='display:block'>seen",
        "<p>seen<script>x",
        "seen<!-- never closed",
        "<p title='hidden display:none'>seen",
    ],
)
def test_what_looks_hidden_but_is_not_stays(markup: str) -> None:
    assert seen(markup) == "seen"


@pytest.mark.parametrize("markup", ["", "  \n", "<!-- only -->", "<!DOCTYPE html>"])
def test_no_element_no_tree(markup: str) -> None:
    assert parse(markup) is None


def test_entities_cannot_be_declared() -> None:
    bomb = (
        '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">'
        '<!ENTITY f SYSTEM "file:///etc/passwd">]><p>&b;&f;&eacute;</p>'
    )
    assert seen(bomb).endswith("&b;&f;é")


def test_the_parser_does_not_mind_what_the_markup_says_of_its_encoding() -> None:
    markup = "<?xml version='1.0' encoding='utf-16'?><meta charset=koi8-r><p>naïve мир</p>"
    assert seen(markup) == "naïve мир"


def test_depth_is_bounded_and_what_lies_above_is_read() -> None:
    root = parse("<p>top</p>" + "<div>" * 100_000 + "deep")
    assert root is not None
    assert next(root.itertext()) == "top"
    assert sum(1 for _ in root.iter("div")) < 2_100


def test_an_element_with_endless_attributes_is_refused() -> None:
    attributes = " ".join(f"a{number}" for number in range(30_000))
    with pytest.raises(HostileMarkupError, match="attributes"):
        parse(f"<p>x<a {attributes}>y</a>")


def test_long_honest_markup_is_read_to_its_end() -> None:
    assert seen("<p class=x>é word</p>" * 10_000 + "<p>end").endswith("end")


@pytest.mark.parametrize(
    ("xhtml", "html"),
    [
        ("<div/>x", "<div></div>x"),
        ("<a name='x' />y", "<a name='x' ></a>y"),
        ("<br/><img src='a/b'/>", "<br/><img src='a/b'/>"),
        ("<title/>", "<title></title>"),
        ("a < b /> c", "a < b /> c"),
    ],
)
def test_empty_elements_of_xhtml_are_closed(xhtml: str, html: str) -> None:
    assert expand_empty(xhtml) == html


@pytest.mark.parametrize(
    "markup",
    [
        "<html><body><p>be</p></body></html><p>hind</p>",
        "<html><body><p>be</body><b>hi</b></html>nd",
        "<body>be</BODY ><body class=x>hi</body></html><html><body>nd",
        "<p>be</body\n>hi</html/>nd</html>",
        "<p>be<!-- </body> -->hind",
    ],
)
def test_what_stands_behind_the_end_of_the_page_counts_as_in_browsers(markup: str) -> None:
    assert seen(markup) == "behind"


def test_links_behind_the_end_of_the_page_count() -> None:
    page = read_html("<p>a</p></body></html><a href='/b'>b</a>", "http://a.test/")
    assert [link.url for link in page.links] == ["http://a.test/b"]


def test_statements_behind_the_end_of_the_page_count() -> None:
    said = '<script type="application/ld+json">{"@type": "https://schema.org/Thing"}</script>'
    page = read_html(f"<p>a</p></body></html>{said}", "http://a.test/")
    assert len(page.statements.triples) == 1


def test_many_attributes_behind_the_end_of_the_page_are_refused_too() -> None:
    attributes = " ".join(f"a{number}=1" for number in range(20_000))
    with pytest.raises(HostileMarkupError):
        parse(f"<p>a</p></html><p {attributes}>b")


@pytest.mark.parametrize("attribute", [" hidden", "/hidden", ' id="x"hidden', "\nHIDDEN=''"])
def test_what_has_the_attribute_hidden_is_not_read_however_it_is_written(attribute: str) -> None:
    assert seen(f"<p>a<i{attribute}>b</i><i aria-hidden=true>c</i>") == "ac"
