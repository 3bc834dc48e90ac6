"""Duplicates: by bytes, by sketch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph import Changes
from semcrawl.text.terms import ENGLISH
from semcrawl.text.vectors import bands

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from tests.queries.conftest import Ask


def test_duplicates_have_the_bytes_of_a_page_visited_before(ask: Ask) -> None:
    assert ask("duplicates") == [("c:1", "a:3", 6)]


def test_near_duplicates_share_bands_with_a_page_visited_before(ask: Ask) -> None:
    assert ask("near-duplicates", "page", "first", "bands", "same_bytes") == [
        ("c:1", "a:3", 3, True),
        ("b:1", "a:1", 2, False),
    ]


def test_how_alike_they_must_be_can_be_set(ask: Ask) -> None:
    assert ask("near-duplicates", "page", "first", min_bands=1) == [("c:1", "a:3"), ("b:1", "a:1"), ("b:2", "b:1")]


def test_many_copies_of_a_page_make_as_many_rows_not_their_square(ask: Ask, graph: CrawlGraph) -> None:
    changes = Changes()
    for step in range(100, 300):
        visit(changes, f"http://d.test/{step}", step, "This page was not found, sorry")
    graph.apply(changes)
    rows = ask("near-duplicates", "page", "first", min_bands=8, limit=100_000)
    assert len(rows) == 199
    assert {first for _, first in rows} == {"d:100"}


def test_recorded_texts_are_found_again(ask: Ask, graph: CrawlGraph) -> None:
    text = " ".join(f"word{number}" for number in range(200))
    changes = Changes()
    visit(changes, "http://d.test/first", 20, text + " Monday")
    visit(changes, "http://d.test/second", 21, text + " Tuesday")
    visit(changes, "http://d.test/other", 22, "something else entirely")
    graph.apply(changes)
    found = ask("near-duplicates", "page", "first", min_bands=4)
    assert found == [("d:second", "d:first")]


def visit(changes: Changes, url: str, step: int, text: str) -> None:
    changes.visited(url, step=step, relevance=0.5, bands=bands(ENGLISH.read(text)))
