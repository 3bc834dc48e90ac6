"""Measures with nltk's formula give nltk's figures; skipped where nltk has no WordNet to read."""

from __future__ import annotations

import random
from typing import Any

import pytest

from semcrawl.relevance.measures import BaseMeasure, LeacockChodorow, Path, WuPalmer
from semcrawl.topics import wordnet


def noun_pairs(count: int) -> list[tuple[str, str]]:
    """Pairs of nouns, half of them near one another."""
    chance = random.Random(7)
    graph = wordnet().graph
    nouns = [concept for concept in graph if ".n." in concept]
    pairs = [(chance.choice(nouns), chance.choice(nouns)) for _ in range(count // 2)]
    for start in chance.sample(nouns, count // 2):
        near = start
        for _ in range(2):
            near = chance.choice(graph.broader(near) or [near])
        for _ in range(2):
            near = chance.choice(graph.narrower(near) or [near])
        pairs.append((start, near))
    return pairs


def synsets(reader: Any, pair: tuple[str, str]) -> list[Any]:
    return [reader.synset(concept.removeprefix("wordnet:")) for concept in pair]


@pytest.mark.parametrize(
    ("measure", "method"), [(Path(), "path_similarity"), (LeacockChodorow(normalised=False), "lch_similarity")]
)
def test_path_and_leacock_chodorow_are_the_same(reader: Any, measure: BaseMeasure, method: str) -> None:
    # nltk would walk over all nouns for a minute to find that they are 19 deep
    reader._max_depth["n", False] = 19
    for pair in noun_pairs(300):
        one, other = synsets(reader, pair)
        expected = getattr(one, method)(other)
        assert measure.similarity(wordnet().graph, *pair) == pytest.approx(expected), pair


def test_wu_palmer_is_the_same_but_for_ties_where_ours_is_higher(reader: Any) -> None:
    same = 0
    for pair in noun_pairs(100):
        one, other = synsets(reader, pair)
        ours = WuPalmer().similarity(wordnet().graph, *pair)
        theirs = one.wup_similarity(other)
        if len(one.lowest_common_hypernyms(other, use_min_depth=True)) == 1:
            assert ours == pytest.approx(theirs), pair
            same += 1
        assert ours >= theirs - 1e-12, pair
    assert same > 80


def test_verbs_with_a_virtual_root_have_nltks_paths(reader: Any) -> None:
    words = wordnet()
    pairs = [("run.v.01", "walk.v.01"), ("eat.v.01", "think.v.03"), ("buy.v.01", "sell.v.01")]
    for names in pairs:
        one, other = (reader.synset(name) for name in names)
        a, b = (words.sense(name) or "" for name in names)
        ours = Path(virtual_root=True).similarity(words.graph, a, b)
        assert ours == pytest.approx(one.path_similarity(other)), names
