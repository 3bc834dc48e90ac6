"""Worked examples of Batsakis 2007, eq. 4 and 9.

Asthma is one edge below its root, so Li's depths are counted up to 3 there and
2 at the disease: sim(asthma, asthma) = tanh(1.8) = 0.946806; sim(disease, asthma) =
e^-0.2 tanh(1.2) = 0.682539; sim(flu, asthma) = e^-0.4 tanh(1.2) = 0.558816.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.relevance.similarities import SsrmSimilarity
from semcrawl.strategies import STRATEGIES
from semcrawl.strategies.semantic import SsrmStrategy

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

SAME, DISEASE, FLU = 0.946806, 0.682539, 0.558816
# The topic's own length cancels out against its one weight. Flu and car:
# 0.558816 * 2.302585 / sqrt(2.302585² + 0.693147²) = 1.286721 / 2.404650
FLU_CAR = 0.535097
# 2 asthma and a flu: (0.946806 * 9.210340 + 0.558816 * 2.302585) / sqrt(9.210340² + 2.302585²)
# = (8.720405 + 1.286721) / 9.493813
TWO_AND_FLU = 1.054068
# The page, asthma and car: 0.946806 * 4.605170 / sqrt(4.605170² + 0.693147²) = 4.360203 / 4.657042
PAGE = 0.936260


def test_a_link_has_the_double_sum_over_the_lengths(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    ranked = SsrmStrategy(diseases, collection).rank(sick)
    assert ranked == pytest.approx([SAME, SAME, FLU_CAR, TWO_AND_FLU, DISEASE, 0, 0], abs=1e-5)


def test_page_and_anchor_count_by_half(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    ranked = SsrmStrategy(diseases, collection, on="page-anchor").rank(sick)
    anchors = [SAME, SAME, FLU_CAR, TWO_AND_FLU, DISEASE, 0, 0]
    assert ranked == pytest.approx([(PAGE + anchor) / 2 for anchor in anchors], abs=1e-5)


def test_a_least_weight_leaves_far_concepts_out(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    ranked = SsrmStrategy(diseases, collection, min_weight=0.6).rank(sick)
    assert (ranked[2], ranked[4]) == pytest.approx((0, DISEASE), abs=1e-5)


def test_another_measure_may_say_what_is_near(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    ranked = SsrmStrategy(diseases, collection, measure="ehrig").rank(sick)
    # 0.25 * 2.302585 / 2.404650
    assert ranked[:3] == pytest.approx([1, 1, 0.239389], abs=1e-5)


def test_the_strategy_is_found_by_its_name(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    given = {"topic": diseases, "background": collection, "judge": None, "seeds": []}
    found = STRATEGIES.create("ssrm", **given)
    assert isinstance(found, SsrmStrategy)
    assert found.rank(sick)[0] == pytest.approx(SAME, abs=1e-5)
    with pytest.raises(ConfigError, match="min_weight=nan"):
        STRATEGIES.create("ssrm:min_weight=nan", **given)


def test_a_min_weight_below_0_is_the_cut_off_of_the_measure_as_for_judges(
    diseases: Topic, collection: Background, sick: JudgedPage
) -> None:
    near = SsrmSimilarity.of_topic(diseases, collection)
    expected = [near.of_text(link.anchor) for link in sick.page.links]
    assert SsrmStrategy(diseases, collection, min_weight=-1).rank(sick) == expected
    assert SsrmStrategy(diseases, collection).rank(sick) != expected


def test_a_longest_path_leaves_out_what_is_farther(diseases: Topic, collection: Background, sick: JudgedPage) -> None:
    # Flu is two edges away; of "2 asthma and a flu" 8.720405 / 9.493813 remains.
    ranked = SsrmStrategy(diseases, collection, max_distance=1).rank(sick)
    assert ranked == pytest.approx([SAME, SAME, 0, 0.918536, DISEASE, 0, 0], abs=1e-5)
