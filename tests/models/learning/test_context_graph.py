"""Worked examples of the classifier of Diligenti et al. 2000."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.models.context_graph import ContextGraph, Layer, features_of, train_context_graph
from semcrawl.models.training_options import ContextGraphOptions
from semcrawl.text.background import Background

EVEN = Background.from_counts({}, documents=10)

# Two layers over the terms asthma, lung, link: 3 terms.
SMALL = ContextGraph(
    [Layer(2, {"asthma": 3.0, "lung": 1.0}, floor=-1.5), Layer(2, {"link": 3.0, "lung": 1.0}, floor=-1.5)]
)


def pages(*texts: str) -> dict[str, dict[str, int]]:
    return {
        f"http://a.test/{n}": {word: text.split().count(word) for word in text.split()} for n, text in enumerate(texts)
    }


def test_the_likelihood_is_a_product_of_smoothed_shares() -> None:
    # Pr(asthma | 0) = (1 + 3) / (3 + 4) = 4/7, Pr(lung | 0) = 2/7, Pr(asthma | 1) = 1/7.
    found = SMALL.log_likelihoods({"asthma": 1.0, "lung": 1.0})
    assert found == pytest.approx([log(4 / 7) + log(2 / 7), log(1 / 7) + log(2 / 7)])
    assert [exp(value) for value in found] == pytest.approx([8 / 49, 2 / 49])


def test_the_likelier_layer_wins_with_its_share_of_the_likelihoods() -> None:
    guess = SMALL.guess({"asthma": 1, "lung": 1}, EVEN)
    # 8 against 2 of 49: 0.8; the mean log-likelihood of a term is ln(8/49) / 2 = -0.906.
    assert guess.layer == 0
    assert guess.probability == pytest.approx(0.8)
    assert SMALL.guess({"link": 5, "lung": 5}, EVEN).layer == 1


def test_a_page_that_fits_the_best_layer_badly_belongs_to_none() -> None:
    # A word that no layer knows: ln(1/7) = -1.946, below the floor.
    assert SMALL.guess({"car": 1}, EVEN).layer is None
    assert SMALL.guess({}, EVEN).layer is None


def test_a_page_stands_for_its_heaviest_terms() -> None:
    rare = Background.from_counts({"the": 10, "asthma": 1, "lung": 5}, documents=10)
    # idf: the 0, asthma ln 10 = 2.302585, lung ln 2 = 0.693147; tf asthma 1/2, lung 1, the 1.
    found = features_of({"the": 4, "asthma": 2, "lung": 4}, rare)
    total = 2.302585 / 2 + 0.693147
    assert found == pytest.approx({"asthma": 2 * 1.151293 / total, "lung": 2 * 0.693147 / total}, abs=1e-5)


def test_training_sums_the_terms_of_each_layer() -> None:
    texts = pages(*["asthma lung"] * 3, *["link lung"] * 3)
    distances = {url: 0 if n < 3 else 1 for n, url in enumerate(texts)}
    graph = train_context_graph(distances, texts.get, EVEN, topic="asthma")
    assert graph.topic == "asthma"
    assert [layer.pages for layer in graph.layers] == [3, 3]
    assert graph.layers[0].weights == {"asthma": 3.0, "lung": 3.0}
    assert sum(graph.layers[1].weights.values()) == 6.0
    # Without itself, a page sees asthma twice and lung twice among 4: both (1 + 2) / (3 + 4).
    assert graph.layers[0].floor == pytest.approx(log(3 / 7), abs=1e-6)
    assert graph.guess({"asthma": 1}, EVEN).layer == 0
    assert graph.guess({"link": 1}, EVEN).layer == 1
    assert graph.guess({"car": 1, "bus": 1}, EVEN).layer is None


def test_the_floor_lets_a_share_of_the_layer_in() -> None:
    odd = "rare words alone"
    texts = pages(*["asthma lung"] * 4, odd, *["link lung"] * 3)
    distances = {url: 0 if n < 5 else 1 for n, url in enumerate(texts)}
    strict, lax = (
        train_context_graph(distances, texts.get, EVEN, options=ContextGraphOptions(share=share))
        for share in (0.8, 1.0)
    )
    assert lax.layers[0].floor < strict.layers[0].floor
    assert strict.guess({"asthma": 1, "lung": 1}, EVEN).layer == 0


def test_layers_behind_a_gap_are_left_out() -> None:
    texts = pages(*["asthma"] * 3, *["lung"] * 3, "gap", *["far"] * 3)
    distances = {url: (0, 0, 0, 1, 1, 1, 2, 3, 3, 3)[n] for n, url in enumerate(texts)}
    assert len(train_context_graph(distances, texts.get, EVEN).layers) == 2


def test_a_layer_is_drawn_from_where_it_has_too_many_pages() -> None:
    texts = pages(*(f"asthma word{n}" for n in range(20)), *["lung"] * 3)
    distances = {url: 0 if n < 20 else 1 for n, url in enumerate(texts)}
    options = ContextGraphOptions(most=5)
    first, again = (train_context_graph(distances, texts.get, EVEN, options=options) for _ in range(2))
    assert first.layers[0].pages == 5
    assert first == again


@pytest.mark.parametrize(
    ("distances", "said"),
    [
        ({}, "there is none among 0 pages"),
        ({f"http://a.test/{n}": 0 for n in range(5)}, "there is one among 5 pages"),
        ({f"http://gone.test/{n}": n % 2 for n in range(9)}, "none is in the recording"),
        ({f"http://a.test/{n}": min(n, 1) for n in range(5)}, "there is none"),
    ],
)
def test_too_few_examples_are_said(distances: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        train_context_graph(distances, pages(*["asthma"] * 5).get, EVEN)


@pytest.mark.parametrize(
    "options", [{"depth": 0}, {"features": 0}, {"most": 2}, {"share": 0.0}, {"share": float("nan")}]
)
def test_options_out_of_bounds_are_said(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        ContextGraphOptions(**options)  # type: ignore[arg-type]


@given(st.dictionaries(st.sampled_from(["asthma", "lung", "link", "car"]), st.integers(1, 1000)))
def test_every_page_has_a_guess_with_a_probability(counts: dict[str, int]) -> None:
    guess = SMALL.guess(counts, EVEN)
    assert guess.layer in {None, 0, 1}
    assert 0 <= guess.probability <= 1
    if guess.layer is not None:
        assert guess.probability >= 0.5
