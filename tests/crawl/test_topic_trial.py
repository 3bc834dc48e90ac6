"""Other weights for a topic, tried on the pages of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl import Crawl, CrawlGraph, Topic
from semcrawl.crawl.topic_trial import reweighted, try_weights
from semcrawl.demo import demo_web
from semcrawl.errors import TopicError
from semcrawl.topics.sources import concept_iri

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BRONCHITIS = concept_iri("wordnet:bronchitis.n.01")
PNEUMONIA = concept_iri("wordnet:pneumonia.n.01")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> Iterator[CrawlGraph]:
    folder = tmp_path_factory.mktemp("trial") / "lungs"
    with Crawl("wordnet:bronchitis.n.01", demo_web().seeds, folder, replay=[str(recorded)], pages=60) as crawl:
        crawl.run()
    with CrawlGraph.read(folder) as graph:
        yield graph


def test_a_concept_that_is_added_makes_its_pages_relevant(crawled: CrawlGraph) -> None:
    trial = try_weights(crawled, {PNEUMONIA: 1.0})
    assert trial.pages == trial.read == 60
    gained = [page for page in trial.moved if page.after >= 0.5 > page.before]
    assert any("pneumonia" in (page.title or "").lower() for page in gained)
    assert Topic.from_toml(trial.topic).concepts[1].id == "wordnet:pneumonia.n.01"


def test_the_same_weights_change_nothing(crawled: CrawlGraph) -> None:
    assert try_weights(crawled, {BRONCHITIS: 1.0}).moved == []


def test_weights_of_other_things_are_refused() -> None:
    with pytest.raises(TopicError, match="no concept of the topic"):
        reweighted(Topic.parse("wordnet:bronchitis.n.01"), {"urn:nowhere": 1.0})
