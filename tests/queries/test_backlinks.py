"""Which pages link to a URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.queries.conftest import Ask


def test_back_links_come_with_the_most_relevant_page_first(ask: Ask) -> None:
    assert ask("backlinks-of", "page", "relevance", url="http://b.test/1") == [
        ("a:1", 0.9),
        ("a:2", 0.6),
        ("c:2", 0.3),
        ("c:1", 0.01),
    ]


def test_a_url_that_was_not_visited_has_back_links_too(ask: Ask) -> None:
    assert ask("backlinks-of", "page", url="http://c.test/waiting") == [("c:1",)]
    assert ask("backlinks-of", url="http://nowhere.test/") == []
