"""Worked examples of Batsakis 2007, eq. 10."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.strategies import STRATEGIES
from semcrawl.strategies.semantic import SynonymSets
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage
    from semcrawl.text.background import Background

# The topic expanded is asthma and wheeze, of equal idf: a unit vector of 0.707107 twice.
# cos(p, q^) of "asthma car": 0.707107 * 4.605170 / sqrt(4.605170² + 0.693147²)
PAGE = 0.699231


def test_a_link_has_the_mean_of_page_and_expanded_anchor(
    diseases: Topic, collection: Background, sick: JudgedPage
) -> None:
    # "asthma" and "wheeze" become both: cosine 1. "asthma asthma flu" becomes 2 asthma,
    # 2 wheeze, 1 flu: 2 * 2 * 4.605170 * 0.707107 / sqrt(2 * 9.210340² + 2.302585²) = 0.984732
    ranked = SynonymSets(diseases, collection).rank(sick)
    anchors = [1, 1, 0, 0.984732, 0, 0, 0]
    assert ranked == pytest.approx([(PAGE + anchor) / 2 for anchor in anchors], abs=1e-6)


def test_pages_are_not_expanded(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    ranked = SynonymSets(diseases, collection, on="page").rank(sick)
    assert ranked == pytest.approx([PAGE] * 7, abs=1e-6)


def test_keywords_are_expanded_by_wordnet(collection: Background, sick: JudgedPage) -> None:
    topic = Topic.parse("keywords:automobile")
    ranked = SynonymSets(topic, collection, on="anchor").rank(sick)
    assert ranked[5] == pytest.approx(1.0)  # "cars"
    assert ranked[0] == ranked[4] == 0


def test_the_strategy_is_found_by_its_name(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    given = {"topic": diseases, "background": collection, "judge": None, "seeds": []}
    found = STRATEGIES.create("synonym-sets:on=anchor,senses=2", **given)
    assert isinstance(found, SynonymSets)
    assert found.rank(sick)[:2] == pytest.approx([1, 1])
    with pytest.raises(ConfigError, match="senses=0 must be 1 or more"):
        STRATEGIES.create("synonym-sets:senses=0", **given)
