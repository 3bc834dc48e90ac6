"""A topic, a collection to weigh terms by, and a page with links."""

from __future__ import annotations

import pytest

from semcrawl.page import Link, Page
from semcrawl.strategies import JudgedPage
from semcrawl.text.background import Background
from semcrawl.topics import Topic


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
    page = Page(
        url="http://a.test/", pieces=("asthma asthma inhaler car car car car",), links=links
    )
    return JudgedPage(page, relevance=0.9, depth=1)
