"""Worked examples of Corley and Mihalcea 2005, eq. 5 and 6, with Ehrig's 0.5^distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.strategies import STRATEGIES
from semcrawl.strategies.semantic import MihalceaStrategy

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

# "flu car": from the text 0.25 * 2.302585 / (2.302585 + 0.693147) = 0.192155, from the
# topic 0.25; their mean.
FLU_CAR = 0.221078
# "asthma asthma flu": (4.605170 + 0.25 * 2.302585) / (4.605170 + 2.302585) = 0.75 and 1.
TWO_AND_FLU = 0.875
# The page, "asthma car": 4.605170 / (4.605170 + 0.693147) = 0.869176 and 1.
PAGE = 0.934588


def test_a_link_has_the_mean_of_both_directions(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    ranked = MihalceaStrategy(diseases, collection, measure="ehrig").rank(sick)
    assert ranked == pytest.approx([1, 1, FLU_CAR, TWO_AND_FLU, 0.5, 0, 0], abs=1e-6)


def test_page_and_anchor_count_by_half(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    strategy = MihalceaStrategy(diseases, collection, on="page-anchor", measure="ehrig")
    anchors = [1, 1, FLU_CAR, TWO_AND_FLU, 0.5, 0, 0]
    expected = [(PAGE + anchor) / 2 for anchor in anchors]
    assert strategy.rank(sick) == pytest.approx(expected, abs=1e-6)


def test_the_strategy_is_found_by_its_name(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    given = {"topic": diseases, "background": collection, "judge": None, "seeds": []}
    found = STRATEGIES.create("mihalcea", **given)
    assert isinstance(found, MihalceaStrategy)
    ranked = found.rank(sick)
    assert ranked[0] == 1
    assert 0 < ranked[2] < ranked[3] < 1
    assert ranked[5] == 0
