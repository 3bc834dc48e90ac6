from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl.sites.belief import EDGE_WEIGHTS, LinkRank, MeanOfWeights, edge_weight, internal_weight
from semcrawl.errors import ConfigError


def test_the_edge_weights_of_figure_3() -> None:
    """A site of 0.6 with two pages that link to the other, of 0.9 and of 0.5."""
    found = {kind: edge_weight(kind, 0.6, (0.9 + 0.5) / 2) for kind in EDGE_WEIGHTS}
    assert found == pytest.approx({"global": 0.6, "local": 0.7, "combined": 0.65})


def test_an_unknown_kind_of_weight_is_an_error() -> None:
    with pytest.raises(ConfigError, match="use combined, global, local"):
        edge_weight("median", 0.6, 0.7)


@pytest.mark.parametrize(
    ("confidences", "weight"),
    [
        ((0.5, 0.5), 0.0),
        ((0.9, 0.1), 0.16),  # ((0.9 - 0.5)² + (0.1 - 0.5)²) / 2
        ((0.1, 0.9), 0.16),  # a page clearly of the other class leads on as well
        ((0.6, 0.3, 0.1), 0.38 / 9),  # (0.8² + 0.1² + 0.7²) / 27
        ((), 0.0),
    ],
)
def test_the_weight_of_a_link_inside_is_the_variance(confidences: tuple[float, ...], weight: float) -> None:
    assert internal_weight(confidences) == pytest.approx(weight)


def test_the_rank_is_the_mean_of_the_links_known_so_far() -> None:
    rank = MeanOfWeights()
    assert rank.value == 0
    for weight in (0.16, 0.04, 0.01):
        rank.add(weight)
    assert rank.value == pytest.approx(0.07)
    assert rank.count == 3


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_the_rank_lies_between_its_weights(weights: list[float]) -> None:
    rank = MeanOfWeights()
    for weight in weights:
        rank.add(weight)
    assert min(weights) - 1e-9 <= rank.value <= max(weights) + 1e-9


def test_link_rank_by_hand() -> None:
    """(0.9 · 4 + 1) + (0.2 · 10 + 1) = 7.6, over the site's 0.95."""
    rank = LinkRank(0.95)
    rank.add(0.9, 4)
    rank.add(0.2, 10)
    assert rank.value == pytest.approx(8.0)


def test_link_rank_grows_faster_in_a_site_that_is_not_relevant() -> None:
    relevant, other = LinkRank(0.9), LinkRank(0.1)
    for rank in (relevant, other):
        rank.add(0.5, 2)
    assert other.value == pytest.approx(9 * relevant.value)


def test_link_rank_follows_the_probability_and_grows_without_links() -> None:
    rank = LinkRank()
    rank.add(0.9, 0, c=2.0)
    rank.probability = 0.8
    assert rank.value == pytest.approx(2.5)
    rank.probability = 0.0
    assert rank.value == pytest.approx(2_000_000)
