from __future__ import annotations

import pytest

from scripts.demo_web.pages import Anchor, Look, Sheet, render
from semcrawl.page import read_page
from semcrawl.web.response import Response

LOOKS: list[Look] = ["site", "homepage", "directory"]


def sheet(look: Look) -> Sheet:
    page = Sheet("http://a.test/x/", "name", 'A <b> & "c"', ["One <i>.", "Two."], look=look)
    page.anchors = [
        Anchor("http://a.test/", "home", place="nav"),
        Anchor("http://b.test/?a=1&b=2", "<here>", "Go ", ".", nofollow=True),
        Anchor("http://a.test/x/y.html", "y", after=" A blurb.", place="list"),
    ]
    return page


@pytest.mark.parametrize("look", LOOKS)
def test_texts_and_links_come_out_as_they_were_planned(look: Look) -> None:
    planned = sheet(look)
    answer = Response(planned.url, 200, {"content-type": "text/html"}, render(planned), 0.0, 0.0)
    page = read_page(answer)
    assert page.title == 'A <b> & "c"'
    assert "One <i>." in page.text
    assert {(link.url, link.anchor, link.nofollow) for link in page.links} == {
        ("http://a.test/", "home", False),
        ("http://b.test/?a=1&b=2", "<here>", True),
        ("http://a.test/x/y.html", "y", False),
    }


def test_links_on_the_same_host_are_written_short() -> None:
    html = render(sheet("site")).decode()
    assert 'href="/x/y.html"' in html
    assert 'href="http://b.test/?a=1&amp;b=2"' in html


def test_what_an_encoding_lacks_is_written_as_a_reference() -> None:
    page = Sheet("http://a.test/", "n", "café 漢", ["x"], charset="iso-8859-1")
    assert b"caf\xe9 &#28450;" in render(page)
