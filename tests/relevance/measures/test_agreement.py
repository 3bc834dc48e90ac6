"""Li orders pairs as people do; the whole tables are in benchmarks/agreement.py."""

from __future__ import annotations

from benchmarks.agreement import ours
from semcrawl.relevance.measures import Li


def test_li_orders_pairs_as_people_do() -> None:
    similarity = ours(Li())
    assert similarity("midday", "noon") > similarity("bird", "crane") > similarity("coast", "hill")
    assert similarity("coast", "hill") > similarity("rooster", "voyage") == 0


def test_a_word_without_senses_is_near_to_nothing() -> None:
    assert ours(Li())("coast", "qwzx") == 0
