from __future__ import annotations

import pytest

from semcrawl.demo import DemoWeb, demo_web
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph
from semcrawl.models.apprentice import ExamplePage, pages_of_crawl, pages_of_replay, train_offline
from semcrawl.models.training_options import ApprenticeOptions
from semcrawl.page import read_html
from semcrawl.relevance import CosineJudge
from semcrawl.text.background import Background
from semcrawl.topics import Topic

PLAIN = ApprenticeOptions()


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return demo_web()


@pytest.fixture(scope="module")
def topic(web: DemoWeb) -> Topic:
    return Topic.parse(web.main_topic.spec)


@pytest.fixture(scope="module")
def pages(web: DemoWeb, topic: Topic) -> list[ExamplePage]:
    return list(pages_of_replay(web.replay(), CosineJudge(topic, Background.default())))


def test_all_readable_pages_of_a_recorded_web_are_judged(web: DemoWeb, pages: list[ExamplePage]) -> None:
    judged = {example.page.url: example.relevance for example in pages}
    assert judged.keys() <= web.pages.keys()
    assert judged.keys() >= web.main_topic.pages
    assert all(0 <= relevance <= 1 for relevance in judged.values())


def test_links_are_high_that_lead_to_the_better_half(topic: Topic, pages: list[ExamplePage]) -> None:
    judged = {example.page.url: example.relevance for example in pages}
    targets = [judged[x.url] for e in pages for x in e.page.links if x.url in judged]
    model = train_offline(pages, topic, PLAIN).model
    # Two in three links of this web lead to pages of no relevance at all.
    assert sum(relevance == 0 for relevance in targets) > len(targets) / 2
    assert model.links.tolist() == [targets.count(0.0), len(targets) - targets.count(0.0)]


def test_training_is_repeatable(topic: Topic, pages: list[ExamplePage]) -> None:
    options = ApprenticeOptions(d_max=3, classes=True, cocitation=True)
    one, two = (train_offline(pages[:300], topic, options).model for _ in range(2))
    assert (one.counts == two.counts).all()


def test_the_pages_of_a_crawl_are_read_again_with_its_relevances(web: DemoWeb) -> None:
    first, second, *_ = web.pages
    with CrawlGraph.create() as graph:
        graph.store.update(
            "PREFIX sc: <https://w3id.org/semcrawl/ns#> INSERT DATA {"
            f" <{second}> sc:relevance 0.25 ; sc:step 2 ; sc:foundOn <{first}> ."
            f" <{first}> sc:relevance 0.75 ; sc:step 1 ; sc:bestConcept <http://c.test/lung> ."
            " <http://gone.test/> sc:relevance 0.5 ; sc:step 3 }"
        )
        found = list(pages_of_crawl(graph, web.replay()))
    assert [(x.page.url, x.relevance, x.concept, x.found_on) for x in found] == [
        (first, 0.75, "http://c.test/lung", None),
        (second, 0.25, None, first),
    ]


def test_a_crawl_of_another_web(web: DemoWeb) -> None:
    with CrawlGraph.create() as graph, pytest.raises(ConfigError, match=r"of the 0 pages .* none"):
        list(pages_of_crawl(graph, web.replay()))


def test_too_few_pages(topic: Topic, pages: list[ExamplePage]) -> None:
    with pytest.raises(ConfigError, match="too few"):
        train_offline(pages[:2], topic, PLAIN)
    with pytest.raises(ConfigError, match="too few"):
        train_offline([ExamplePage(read_html("<p>x", "http://a.test/"), 0.5)], topic, PLAIN)
