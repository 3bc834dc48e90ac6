"""Sites: rating, purity."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.queries.conftest import Ask


def test_sites_are_rated_by_their_relevant_pages(ask: Ask) -> None:
    assert ask("sites") == [
        # site, pages, relevant, share, mean, best
        ("b", 2, 2, 1.0, 0.65, 0.8),
        ("a", 3, 2, 0.667, 0.5, 0.9),
        ("c", 2, 1, 0.5, 0.155, 0.3),
    ]


def test_sites_with_few_pages_can_be_left_out(ask: Ask) -> None:
    assert ask("sites", "site", min_pages=3) == [("a",)]


def test_what_counts_as_relevant_can_be_set(ask: Ask) -> None:
    assert ask("sites", "site", "relevant", min_relevance=0.7) == [("b", 1), ("a", 1), ("c", 0)]


def test_the_purest_sites_have_nearly_relevant_pages_only(ask: Ask) -> None:
    assert ask("purest-sites", min_pages=2) == [("b", 2, 2, 1.0)]
    assert ask("purest-sites", "site", min_pages=2, min_share=0.6) == [("b",), ("a",)]
    assert ask("purest-sites") == []  # none has five pages


def test_sites_of_one_concept(ask: Ask) -> None:
    assert ask("one-concept-sites", min_pages=2) == [("b", "asthma", "asthma", 2, 2, 1.0)]
    assert ask("one-concept-sites", "site", "concept", min_pages=2, min_share=0.5) == [
        ("b", "asthma"),
        ("c", "car"),
        ("c", "inhaler"),
    ]
