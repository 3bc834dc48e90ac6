"""Worked examples of the relevance sets of Batsakis 2007, section 2.4."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.page import read_html
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.semantic import OntologyFocus

if TYPE_CHECKING:
    from semcrawl.topics import Topic

# Largest frequency 2; asthma once, disease twice, flu once.
PAGE = read_html("asthma, flu, diseases and a disease <a href=/1>car</a> <a href=/2>", "http://a.t/")


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("related-1", 1 / 2 + 2 / 2),  # asthma itself, and disease at distance 1
        ("is-a-2", 1 / 2 + 2 / 2 + 1 / 2),  # the flu is two is-a steps away
        ("ehrig", 1 / 2 + 2 / 2 * 0.5 + 1 / 2 * 0.25),  # 0.5 to the distance
    ],
)
def test_all_links_have_the_sum_over_the_relevant_terms_of_the_page(
    diseases: Topic, measure: str, expected: float
) -> None:
    ranked = OntologyFocus(diseases, measure).rank(JudgedPage(PAGE, 0.0, 0))
    assert ranked == pytest.approx([expected] * 2)


def test_an_unknown_relevance_set_is_said(diseases: Topic) -> None:
    with pytest.raises(ConfigError, match="no measure 'nope'"):
        OntologyFocus(diseases, "nope")
