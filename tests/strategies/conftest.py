"""A topic, a collection to weigh terms by, and a page with links."""

from __future__ import annotations

import pytest

from semcrawl.page import Link, Page
from semcrawl.strategies import JudgedPage
from semcrawl.text.background import Background
from semcrawl.topics import ConceptGraphBuilder, Topic
from semcrawl.topics.topic import TopicConcept
from tests.crawl.conftest import make_web

__all__ = ["make_web"]


@pytest.fixture(scope="session")
def background() -> Background:
    """A thousand documents; idf: asthma ln 100, inhaler ln 10, car ln 2."""
    return Background.from_counts({"asthma": 10, "inhal": 100, "car": 500}, documents=1000)


@pytest.fixture(scope="session")
def topic() -> Topic:
    """One keyword, so that the topic's vector has one component."""
    return Topic.parse("keywords:asthma")


@pytest.fixture
def judged() -> JudgedPage:
    """A page of 2 asthma, 1 inhaler, 4 cars, with links of four kinds of anchor."""
    anchors = ("asthma car", "inhaler car", "", "Asthma!")
    links = tuple(Link(f"http://b.test/{n}", text, position=n) for n, text in enumerate(anchors))
    page = Page(url="http://a.test/", pieces=("asthma asthma inhaler car car car car",), links=links)
    return JudgedPage(page, relevance=0.9, depth=1)


@pytest.fixture(scope="session")
def diseases() -> Topic:
    """Asthma, also called wheeze, which is a disease, as is the flu: one edge each."""
    builder = ConceptGraphBuilder("diseases")
    builder.add("x:disease", "disease")
    builder.add("x:asthma", "asthma", "wheeze", broader=["x:disease"])
    builder.add("x:flu", "flu", broader=["x:disease"])
    return Topic("asthma", (TopicConcept("x:asthma", 1.0, builder.build()),))


@pytest.fixture(scope="session")
def collection() -> Background:
    """Idf: asthma and wheeze ln 100 = 4.605170, disease and flu ln 10 = 2.302585, car ln 2."""
    counts = {"asthma": 10, "wheez": 10, "diseas": 100, "flu": 100, "car": 500}
    return Background.from_counts(counts, documents=1000)


@pytest.fixture(scope="session")
def sick() -> JudgedPage:
    """The page "asthma car", with links of several anchors."""
    anchors = ("asthma", "wheeze", "flu car", "asthma asthma flu", "Diseases", "cars", "")
    links = tuple(Link(f"http://b.test/{n}", text, position=n) for n, text in enumerate(anchors))
    return JudgedPage(Page(url="http://a.test/", pieces=("asthma car",), links=links), 0.5, 0)
