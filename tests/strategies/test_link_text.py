from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import Link, Page, read_html
from semcrawl.relevance.similarities import CosineSimilarity
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.link_text import LinkText, TopicSimilarity
from semcrawl.text.background import Background

if TYPE_CHECKING:
    from collections.abc import Callable

EVEN = Background.from_counts({"asthma": 1, "car": 1, "lung": 1}, documents=10)
ASTHMA = CosineSimilarity({"asthma": 1.0}, EVEN)

# Two blocks: in the first, asthma stands beside both links; in the second there is none.
PAGE = read_html(
    "<p>asthma <a href=/1>lung</a> <a href=/2>car</a></p><p><a href=/3>asthma</a></p><p>lung <a href=/4></a></p>",
    "http://a.test/",
)
# All idfs are equal, so a cosine is asthma's count over the length of the counts.
WHOLE = 2 / 3  # page: 2 asthma, 2 lung, 1 car: 2 / sqrt(4 + 4 + 1)
BLOCK = 0.577350  # asthma, lung, car: 1 / sqrt(3)


def similarities(on: str, page: Page, of_anchor: Callable[[str], float] | None = None) -> list[float]:
    text = LinkText(on, TopicSimilarity(ASTHMA, of_anchor=of_anchor))
    return text.similarities(JudgedPage(page, 0.0, 0))


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ("page", [WHOLE] * 4),
        ("anchor", [0, 0, 1, 0]),
        ("context", [BLOCK, BLOCK, 1, 0]),
        ("page-anchor", [WHOLE / 2, WHOLE / 2, (WHOLE + 1) / 2, WHOLE / 2]),
        ("anchor-page", [WHOLE / 2, WHOLE / 2, (WHOLE + 1) / 2, WHOLE / 2]),
        ("page-anchor-context", [(WHOLE + BLOCK) / 3, (WHOLE + BLOCK) / 3, (WHOLE + 2) / 3, WHOLE / 3]),
    ],
)
def test_several_texts_of_a_link_count_the_same(on: str, expected: list[float]) -> None:
    assert similarities(on, PAGE) == pytest.approx(expected, abs=1e-6)


def test_anchors_may_be_compared_in_a_way_of_their_own() -> None:
    found = similarities("page-anchor", PAGE, lambda anchor: float(len(anchor)))
    # lung 4, car 3, asthma 6; a link without words is not asked for.
    assert found == pytest.approx([(WHOLE + n) / 2 for n in (4, 3, 6, 0)])


@pytest.mark.parametrize("on", ["", "-", "title", "Page", "page-", "page--anchor", "page-page"])
def test_what_is_no_text_of_a_link_is_said(on: str) -> None:
    with pytest.raises(ConfigError, match=r"join some of page, anchor, context with hyphens"):
        similarities(on, PAGE)


@given(anchors=st.lists(st.text(), max_size=5), on=st.permutations(["page", "anchor", "context"]).map("-".join))
def test_every_link_has_a_similarity(anchors: list[str], on: str) -> None:
    links = tuple(Link(f"http://b.test/{n}", text) for n, text in enumerate(anchors))
    page = Page(url="http://a.test/", pieces=("asthma",), links=links)
    found = similarities(on, page)
    assert len(found) == len(links)
    assert all(0 <= value <= 1 for value in found)
