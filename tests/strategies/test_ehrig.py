"""Worked examples of Batsakis 2007, eq. 3 and 8."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.strategies import STRATEGIES
from semcrawl.strategies.semantic import EhrigStrategy

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic


def test_a_link_has_the_sum_over_the_concepts_of_its_anchor(diseases: Topic, sick: JudgedPage) -> None:
    # asthma and its synonym: 0.5^0; flu, two edges off: 0.5^2 = 0.25; disease: 0.5^1.
    # "asthma asthma flu" has tf 2/2 and 1/2: 1 + 0.25 / 2 = 1.125.
    ranked = EhrigStrategy(diseases).rank(sick)
    assert ranked == pytest.approx([1, 1, 0.25, 1.125, 0.5, 0, 0])


def test_pages_and_anchors_count_by_half(diseases: Topic, sick: JudgedPage) -> None:
    # The page is "asthma car": 1.
    ranked = EhrigStrategy(diseases, on="page-anchor").rank(sick)
    assert ranked == pytest.approx([1, 1, 0.625, 1.0625, 0.75, 0.5, 0.5])


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        # One relation away: the disease. Two is-a edges away: the flu as well.
        ("related-1", [1, 1, 0, 1, 1, 0, 0]),
        ("is-a-2", [1, 1, 1, 1.5, 1, 0, 0]),
    ],
)
def test_the_simpler_relevance_sets_count_all_their_concepts_alike(
    diseases: Topic, sick: JudgedPage, measure: str, expected: list[float]
) -> None:
    assert EhrigStrategy(diseases, measure=measure).rank(sick) == pytest.approx(expected)


def test_a_least_weight_leaves_far_concepts_out(diseases: Topic, sick: JudgedPage) -> None:
    ranked = EhrigStrategy(diseases, min_weight=0.5).rank(sick)
    assert ranked == pytest.approx([1, 1, 0, 1, 0.5, 0, 0])


def test_the_strategy_is_found_by_its_name_and_options(
    diseases: Topic, collection: Background, sick: JudgedPage
) -> None:
    given = {"topic": diseases, "background": collection, "judge": None, "seeds": []}
    found = STRATEGIES.create("ehrig:on=page-anchor,min_weight=0.5", **given)
    assert isinstance(found, EhrigStrategy)
    assert found.rank(sick)[2] == pytest.approx(0.5)
    with pytest.raises(ConfigError, match="no measure 'nope'"):
        STRATEGIES.create("ehrig:measure=nope", **given)
    with pytest.raises(ConfigError, match="on=title is no text of a link"):
        STRATEGIES.create("ehrig:on=title", **given)
