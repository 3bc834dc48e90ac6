"""What is said of a page of a crawl: the words, the concepts, and the way to it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl.explain import explain_page
from semcrawl.errors import ConfigError, FetchError, QueryError, UrlError
from semcrawl.relevance import CosineJudge, Judgement
from semcrawl.resources import ontologies_folder
from semcrawl.strategies.best_first import BreadthFirst
from semcrawl.text import Background
from semcrawl.topics import Topic
from tests.crawl.conftest import html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from semcrawl.page import Page

    Web = Callable[[dict[str, str | tuple[int, str]]], Path]

SEED = "http://a.test/"
LUNGS = "http://a.test/lungs"
MOVED = "http://a.test/moved"
ALLERGY = "http://a.test/allergy"
PAGES: dict[str, str | tuple[int, str]] = {
    SEED: html("Start", {"/lungs": "airway disease", "/gone": "gone"}, body="Bronchial asthma."),
    LUNGS: html("Lungs", {"/moved": "allergic asthma"}, body="Asthma, an airway disease. Cars."),
    MOVED: (301, ALLERGY),
    ALLERGY: html("Allergy", body="Atopic asthma and severe asthma; asthma and steam engines."),
}


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    """A copy of the thesaurus of asthma in a folder of the user's."""
    shutil.copy(ontologies_folder() / "asthma.ttl", tmp_path)
    return tmp_path / "asthma.ttl"


@pytest.fixture
def crawled(make_web: Web, ontology: Path, tmp_path: Path) -> Path:
    """The folder of a finished crawl of PAGES, judged by SSRM."""
    folder = tmp_path / "crawl"
    settings: dict[str, Any] = {"replay": [str(make_web(PAGES))], "strategy": "ssrm", "judge": "ssrm"}
    with Crawl(f"{ontology}#asthma", [SEED], folder, **settings) as crawl:
        crawl.run()
    return folder


@pytest.mark.parametrize("url", [SEED, LUNGS, ALLERGY])
def test_the_recorded_relevance_is_what_is_explained(crawled: Path, url: str) -> None:
    with CrawlGraph.read(crawled) as graph:
        found = explain_page(graph, url)
    assert found.relevance > 0
    assert found.explanation.score == pytest.approx(found.relevance, abs=5e-7)
    assert (found.judge, found.changed) == ("ssrm", False)


def test_words_concepts_and_paths_are_told(crawled: Path) -> None:
    with CrawlGraph.read(crawled) as graph:
        found = explain_page(graph, ALLERGY)
    assert found.title == "Allergy"
    matches = {match.words: match for match in found.explanation.matches}
    assert set(matches) == {("atopic asthma",), ("severe asthma",), ("asthma",)}
    atopic = matches["atopic asthma",]
    assert atopic.path == ("allergic asthma", "asthma")
    assert atopic.concept == "https://w3id.org/semcrawl/asthma#allergic-asthma"
    assert atopic.topic == "https://w3id.org/semcrawl/asthma#asthma"


def test_the_way_from_the_seed_is_told_with_its_priorities(crawled: Path) -> None:
    with CrawlGraph.read(crawled) as graph:
        found = explain_page(graph, LUNGS)
    assert [step.url for step in found.path] == [SEED, LUNGS]
    assert [step.title for step in found.path] == ["Start", "Lungs"]
    # A seed has 1; "airway disease" has the similarity of its concept, e^-0.2 tanh 1.2.
    assert [step.priority for step in found.path] == [1.0, pytest.approx(0.682539, abs=1e-6)]
    assert found.path[-1].relevance == found.relevance


def test_a_redirect_stands_in_its_place_on_the_way(crawled: Path) -> None:
    with CrawlGraph.read(crawled) as graph:
        found = explain_page(graph, ALLERGY)
    assert [step.url for step in found.path] == [SEED, LUNGS, MOVED, ALLERGY]
    assert (found.path[2].priority, found.path[2].relevance) == (None, None)


def test_an_explanation_as_json_has_the_score_and_the_way(crawled: Path) -> None:
    with CrawlGraph.read(crawled) as graph:
        found = explain_page(graph, LUNGS)
    told = json.loads(found.to_json())
    assert told["score"] == pytest.approx(told["relevance"], abs=5e-7)
    assert told["path"][0]["url"] == SEED
    assert told["explanation"]["matches"][0]["words"]


def test_a_url_is_found_however_it_is_written(crawled: Path) -> None:
    with CrawlGraph.read(crawled) as graph:
        assert explain_page(graph, "HTTP://A.test:80/x/../lungs#top").url == LUNGS


def test_a_page_that_changed_since_is_said_to_have_changed(crawled: Path, tmp_path: Path) -> None:
    page = tmp_path / "web" / "1.html"
    page.write_text(page.read_text().replace("Cars", "Vans and lorries"))
    with CrawlGraph.read(crawled) as graph:
        found = explain_page(graph, LUNGS)
        assert not explain_page(graph, SEED).changed
    assert found.changed
    assert found.explanation.score != pytest.approx(found.relevance, abs=1e-4)


def test_a_page_that_is_gone_cannot_be_explained(crawled: Path, tmp_path: Path) -> None:
    listed = tmp_path / "web" / "urls.tsv"
    lines = [line for line in listed.read_text().splitlines() if not line.startswith(LUNGS)]
    listed.write_text("\n".join(lines) + "\n")
    with CrawlGraph.read(crawled) as graph, pytest.raises(FetchError, match="cannot be read again"):
        explain_page(graph, LUNGS)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://a.test/never", "has not visited http://a.test/never; look at the URL"),
        ("http://a.test/gone", "has not visited http://a.test/gone; it was dropped because of N"),
    ],
)
def test_a_url_that_was_not_visited_is_said(crawled: Path, url: str, message: str) -> None:
    with CrawlGraph.read(crawled) as graph, pytest.raises(QueryError, match=message):
        explain_page(graph, url)


def test_what_is_no_url_is_said(crawled: Path) -> None:
    with CrawlGraph.read(crawled) as graph, pytest.raises(UrlError):
        explain_page(graph, "no url")


class Silent:
    """A judge that has nothing to say for itself."""

    threshold = 0.5

    def judge(self, page: Page) -> Judgement:
        return Judgement(1.0 if page.text else 0.0)


@pytest.mark.filterwarnings("error")
def test_a_judge_that_cannot_explain_is_said(make_web: Web) -> None:
    web = str(make_web(PAGES))
    with Crawl("keywords:asthma", [SEED], judge="cosine", replay=[web]) as crawl:
        crawl.run()
        with pytest.raises(ConfigError, match="cannot explain its scores"):
            explain_page(crawl.graph, SEED, judge=Silent())
    with Crawl("keywords:asthma", [SEED], judge=Silent(), replay=[web]) as crawl:
        crawl.run()
        with pytest.raises(ConfigError, match="'Silent' cannot explain its scores"):
            explain_page(crawl.graph, SEED)  # a crawl in memory has its judge
        with pytest.raises(ConfigError, match="'Silent' cannot explain its scores"):
            explain_page(crawl.graph, SEED, judge=Silent())


class MyOwn(BreadthFirst):
    """A strategy that only its user has."""


def test_parts_that_were_objects_do_not_stand_in_the_way(make_web: Web) -> None:
    web = str(make_web(PAGES))
    judge = CosineJudge(Topic.parse("keywords:asthma"), Background.default())
    with Crawl("keywords:asthma", [SEED], judge=judge, strategy=MyOwn(), replay=[web]) as crawl:
        crawl.run()
        found = explain_page(crawl.graph, SEED, judge=judge)
    assert found.explanation.score == pytest.approx(found.relevance, abs=5e-7)


@pytest.mark.parametrize("judge", ["cosine", "ehrig", "synonym-sets", "ssrm:min_weight=0"])
def test_every_explaining_judge_can_be_recomputed(make_web: Web, ontology: Path, judge: str) -> None:
    with Crawl(f"{ontology}#asthma", [SEED], judge=judge, replay=[str(make_web(PAGES))]) as crawl:
        crawl.run()
        for row in crawl.query("harvest"):
            found = explain_page(crawl.graph, row["url"])
            assert found.explanation.score == pytest.approx(row["relevance"], abs=5e-7)
            assert found.judge == judge


def test_a_crawl_with_an_ontology_goes_on_from_another_folder(
    make_web: Web, ontology: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web, elsewhere = str(make_web(PAGES)), tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    settings: dict[str, Any] = {"judge": "ssrm", "replay": [web], "pages": 1}
    with Crawl(f"{ontology.name}#asthma", [SEED], "crawl", **settings) as crawl:
        crawl.run()
    monkeypatch.chdir(elsewhere)
    with Crawl.resume(tmp_path / "crawl", pages=10) as crawl:
        crawl.run()
        assert crawl.progress.pages == 3
        found = explain_page(crawl.graph, ALLERGY)
    assert found.explanation.score == pytest.approx(found.relevance, abs=5e-7)
