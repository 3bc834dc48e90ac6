"""The quick look at which syntaxes a page's markup may hold."""

from __future__ import annotations

import pytest

from semcrawl.page import read_html
from semcrawl.page.embedded.statements import syntaxes_in


@pytest.mark.parametrize(
    "markup",
    [
        '<meta property="og:title" content="x">',
        "<DIV TYPEOF = 'foaf:Person'>",
        '<a rel="dc:creator" href="/x">',
        "<a rev=foaf:made href=/x>",
        '<a href="/x"rel="license">',
        '<body vocab="http://schema.org/">',
    ],
)
def test_markup_that_may_hold_rdfa(markup: str) -> None:
    assert syntaxes_in(markup) == (False, False, True)


@pytest.mark.parametrize(
    ("markup", "held"),
    [
        ("<SCRIPT TYPE='application/LD+JSON'>{}</SCRIPT>", (True, False, False)),
        ("<p ITEMSCOPE>", (False, True, False)),
        ('<p itemscope typeof="x">', (False, True, True)),
    ],
)
def test_case_does_not_matter(markup: str, held: tuple[bool, bool, bool]) -> None:
    assert syntaxes_in(markup) == held


@pytest.mark.parametrize(
    "markup",
    [
        "",
        '<a rel="nofollow" href="http://a.test/">property</a>',
        '<link rel="stylesheet" href="/s.css">',
        "<script>if (typeof x == 'function') {}</script>",
    ],
)
def test_markup_that_holds_none(markup: str) -> None:
    assert not any(syntaxes_in(markup))


def test_a_page_keeps_its_markup_only_where_it_may_speak() -> None:
    assert read_html("<p>Lungs", "http://a.test/").markup == ""
    spoken = read_html("<p itemscope>Lungs", "http://a.test/")
    assert spoken.markup == "<p itemscope>Lungs"
