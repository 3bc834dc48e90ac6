"""Lifetime: how often pages, sites and concepts change."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.queries.conftest import Ask


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text + "+00:00")


def test_pages_by_how_often_a_revisit_found_a_change(ask: Ask) -> None:
    assert ask("changing-pages", "page", "checks", "changes", "share") == [
        ("a:2", 1, 1, 1.0),
        ("a:1", 4, 2, 0.5),
        ("b:1", 2, 0, 0.0),
    ]
    assert ask("changing-pages", "page", min_checks=2) == [("a:1",), ("b:1",)]


def test_a_page_is_unchanged_since_its_last_change_or_its_first_visit(ask: Ask) -> None:
    assert ask("changing-pages", "page", "unchanged_since", "gone_at") == [
        ("a:2", moment("2026-01-08T00:00:00"), moment("2026-01-10T00:00:00")),
        ("a:1", moment("2026-01-09T00:00:00"), None),
        ("b:1", moment("2026-01-01T00:00:04"), None),
    ]


def test_sites_by_how_often_a_revisit_found_a_change(ask: Ask) -> None:
    assert ask("changing-sites") == [
        ("a", 2, 5, 3, 0.6, moment("2026-01-09T00:00:00")),
        ("b", 1, 2, 0, 0.0, moment("2026-01-01T00:00:04")),
    ]


def test_concepts_by_how_often_a_revisit_found_a_change(ask: Ask) -> None:
    assert ask("changing-concepts") == [("inhaler", "inhaler", 1, 1, 1, 1.0), ("asthma", "asthma", 2, 6, 2, 0.333)]
