"""Worked examples of the queues of Diligenti et al. 2000."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.context_graph import ContextGraph, Layer, LayerGuess, load_context_graph, save_context_graph
from semcrawl.models.training_pages import topic_digest
from semcrawl.page import Link, Page
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.context_graph import ContextGraphStrategy, layer_priority
from semcrawl.text.background import Background
from semcrawl.topics.topic import Keyword

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.topics import Topic

EVEN = Background.from_counts({}, documents=10)


@pytest.fixture
def model(tmp_path: Path) -> str:
    layers = [Layer(2, {"asthma": 3.0, "lung": 1.0}, floor=-1.5), Layer(2, {"link": 3.0, "lung": 1.0}, floor=-1.5)]
    save_context_graph(ContextGraph(layers, topic="asthma"), tmp_path / "asthma.model")
    return str(tmp_path / "asthma.model")


def page(text: str) -> JudgedPage:
    return JudgedPage(Page(url="http://a.t/", pieces=(text,), links=[Link("b"), Link("c")]), 0.0, 0)


def test_nearer_layers_come_first_and_likelier_pages_within() -> None:
    guesses = [(0, 1.0), (0, 0.5), (1, 1.0), (1, 0.5), (2, 0.4), (None, 0.9)]
    found = [layer_priority(LayerGuess(*guess), layers=3) for guess in guesses]
    assert found == pytest.approx([1, 2.5 / 3, 2 / 3, 1.5 / 3, 0.4 / 3, 0])
    assert found == sorted(found, reverse=True)


def test_all_links_of_a_page_have_the_priority_of_its_layer(model: str, topic: Topic) -> None:
    strategy = ContextGraphStrategy(topic, EVEN, model)
    # The layers of "asthma lung" are 8 : 2 likely, those of "link lung" 2 : 8.
    assert strategy.rank(page("asthma lung")) == pytest.approx([(1 + 0.8) / 2] * 2)
    assert strategy.rank(page("links lung")) == pytest.approx([0.8 / 2] * 2)
    assert strategy.rank(page("cars")) == [0.0, 0.0]


def test_without_a_model_there_is_no_crawl(topic: Topic) -> None:
    with pytest.raises(ConfigError, match="semcrawl train context-graph"):
        ContextGraphStrategy(topic, EVEN)


def test_a_model_of_another_topic_is_said(model: str, diseases: Topic) -> None:
    other = type(diseases).parse("keywords:linux")
    with pytest.raises(ConfigError, match="for the topic 'asthma', this crawl has 'linux'"):
        ContextGraphStrategy(other, EVEN, model)
    assert ContextGraphStrategy(other, EVEN, model, any_topic=True).rank(page("lung"))


def test_a_model_of_another_topic_of_the_same_name_is_said(model: str, topic: Topic) -> None:
    told = replace(load_context_graph(model), topic_digest=topic_digest(topic))
    save_context_graph(told, model)
    assert ContextGraphStrategy(topic, EVEN, model).batch == 1
    other = replace(topic, keywords=(Keyword("wheezing"),))
    said = f"digest {told.topic_digest}, this crawl has another .* {topic_digest(other)}"
    with pytest.raises(ConfigError, match=said):
        ContextGraphStrategy(other, EVEN, model)
