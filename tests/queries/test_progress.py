"""How a crawl is doing, and where its best pages lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.queries.conftest import Ask


def test_counts_by_tries(ask: Ask) -> None:
    assert ask("tries") == [
        ("waiting", 0, 2),
        ("waiting", 2, 1),
        ("visited", 1, 3),  # a:3, b:2, c:1
        ("visited", 2, 2),  # a:2 was looked at again, c:2 failed once
        ("visited", 3, 1),
        ("visited", 5, 1),
        ("dropped", 0, 1),
        ("dropped", 1, 1),
    ]


def test_the_latest_pages_come_first(ask: Ask) -> None:
    assert ask("latest", "step", "url", "relevance", "concept", limit=2) == [
        (7, "c:2", 0.3, "inhaler"),
        (6, "c:1", 0.01, "car"),
    ]


def test_the_latest_pages_after_a_step(ask: Ask) -> None:
    assert ask("latest", "step", "title", "label", after=6) == [(7, None, "inhaler")]
    assert ask("latest", "step", after=7) == []


def test_1999_section_5_5_distance_of_the_most_popular_sites_from_the_seeds(ask: Ask) -> None:
    """Chakrabarti et al. 1999, section 5.5 and figure 11: servers by their radius."""
    assert ask("distance") == [(0, 1), (1, 1), (2, 1)]  # a; b; c, whose first page is off topic
    assert ask("distance", limit=2) == [(0, 1), (1, 1)]  # nobody relevant links to c
    assert ask("distance", min_relevance=0.95) == []


def test_progress(ask: Ask) -> None:
    assert ask("progress") == [(7, 5, 3, 2, 3)]


def test_dropped_urls_by_reason(ask: Ask) -> None:
    assert ask("errors") == [("sc:RobotsDisallow", 1), ("sc:TimedOut", 1)]


def test_why_a_url_was_dropped(ask: Ask) -> None:
    assert ask("why-dropped", url="http://c.test/late") == [("sc:TimedOut", "30 s", "c:1")]


def test_the_path_from_the_seed(ask: Ask) -> None:
    assert ask("path-from-seed", "page", url="http://b.test/2") == [("b:2",), ("b:1",), ("a:1",)]


def test_the_best_pages(ask: Ask) -> None:
    assert ask("best-pages", limit=2) == [("a:1", "Asthma", 0.9), ("b:1", None, 0.8)]


def test_the_harvest_goes_by_steps(ask: Ask) -> None:
    assert [step for step, *_ in ask("harvest")] == [1, 2, 3, 4, 5, 6, 7]
