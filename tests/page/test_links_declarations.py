from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.links import header_directives, meta_directives, refresh_target


@pytest.mark.parametrize(
    ("content", "directives"),
    [
        ("noindex", {"noindex"}),
        (" NoIndex ,NOFOLLOW", {"noindex", "nofollow"}),
        ("noindex;nofollow", {"noindex", "nofollow"}),
        ("none", {"none", "noindex", "nofollow"}),
        ("all", {"all"}),
        ("", set()),
    ],
)
def test_directives_of_meta_elements(content: str, directives: set[str]) -> None:
    assert meta_directives(content) == directives


@pytest.mark.parametrize(
    ("value", "directives"),
    [
        ("noindex, nofollow", {"noindex", "nofollow"}),
        ("googlebot: noindex, nofollow", set()),
        ("semcrawl: none", {"none", "noindex", "nofollow"}),
        ("googlebot: noindex, Semcrawl: nofollow", {"nofollow"}),
        ("*: noindex", {"noindex"}),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", {"unavailable_after", "noindex"}),
        ("", set()),
    ],
)
def test_directives_of_the_header_go_by_robot(value: str, directives: set[str]) -> None:
    assert header_directives(value) == directives


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=a.html", "a.html"),
        ("0; URL = 'a b.html' ", "a b.html"),
        ('5 , url="a.html" x', "a.html"),
        ("3; a.html", "a.html"),
        ("0.5;url=/", "/"),
        ("0;url=", None),
        ("300", None),
        ("soon; url=a.html", None),
        ("", None),
    ],
)
def test_refresh_leads_where_browsers_go(content: str, target: str | None) -> None:
    assert refresh_target(content) == target


@given(st.text())
def test_any_text_can_stand_in_a_declaration(text: str) -> None:
    assert "" not in meta_directives(text) | header_directives(text)
    assert refresh_target(text) != ""
