"""Li orders pairs as people do; the whole tables are in benchmarks/agreement.py."""

from __future__ import annotations

from semcrawl.relevance.measures import Li, word_similarity
from semcrawl.topics import wordnet


def test_li_orders_pairs_as_people_do() -> None:
    words = wordnet()

    def similarity(a: str, b: str) -> float:
        return word_similarity(Li(), words.graph, words.senses(a, "n"), words.senses(b, "n"))

    assert similarity("midday", "noon") > similarity("bird", "crane") > similarity("coast", "hill")
    assert similarity("coast", "hill") > similarity("rooster", "voyage") == 0
