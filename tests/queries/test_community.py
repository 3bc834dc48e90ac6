"""Links: between topics, between sites, to the best pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.queries.conftest import Ask

TOPICS = {"a": "urn:concept:asthma", "b": "urn:concept:vehicle"}


def test_linkage_counts_links_between_two_concepts_and_what_is_narrower(ask: Ask) -> None:
    assert ask("linkage", **TOPICS) == [
        ("a to b", 3, 2, 2),  # a:1 to a:3 and c:1, b:1 to c:1
        ("b to a", 2, 1, 2),  # c:1 to b:1, and to c:2, which is about inhalers
    ]


def test_linkage_of_topics_without_links_is_zero(ask: Ask) -> None:
    assert ask("linkage", a="urn:concept:copd", b="urn:concept:unheard-of") == [
        ("a to b", 0, 0, 0),
        ("b to a", 0, 0, 0),
    ]


def test_the_links_between_two_concepts(ask: Ask) -> None:
    assert ask("links-between", **TOPICS) == [("a:1", "c:1", True), ("b:1", "c:1", True), ("a:1", "a:3", False)]


def test_collaboration_is_the_share_of_links_to_relevant_pages_elsewhere(ask: Ask) -> None:
    assert ask("collaboration") == [
        ("relevant pages", 8, 6, 0.75),  # all but a:1 to c:1 and b:1 to c:1
        ("other pages", 2, 1, 0.5),  # c:1 to b:1, but a:3 to c:1
    ]


def test_reciprocal_sites_link_both_ways(ask: Ask) -> None:
    # c:2 links to a and b, but no relevant page links back.
    assert ask("reciprocal-sites") == [("a", "b", 2, 2)]


def test_time_to_popularity_ends_when_the_kth_other_site_links(ask: Ask) -> None:
    assert ask("time-to-popularity", "page", "steps", "step", "popular_at_step", k=2) == [
        ("b:1", 2, 4, 6),  # a linked at step 1, c at step 6
        ("a:1", 6, 1, 7),  # b linked at step 4, c at step 7
    ]


def test_a_page_may_be_popular_before_it_is_visited(ask: Ask) -> None:
    assert ask("time-to-popularity", "page", "steps", k=1) == [("b:1", -3), ("a:1", 3), ("a:2", 3)]


def test_the_moments_tell_days(ask: Ask) -> None:
    [(fetched, popular)] = ask("time-to-popularity", "fetched_at", "popular_at", k=2, limit=1)
    assert (popular - fetched).total_seconds() == 2


def test_link_lists_point_to_relevant_pages_elsewhere(ask: Ask) -> None:
    assert ask("link-lists", "url", "relevant_targets", limit=2) == [("c:2", 2), ("a:1", 1)]
