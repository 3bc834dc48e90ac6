"""What is said of a page of a crawl for websites: who judged it, and what its site gained."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl.explain import explain_page, explain_site_page
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError, FetchError, QueryError
from semcrawl.graph import CrawlGraph
from semcrawl.models.site_classifiers import relevance_confidence
from tests.crawl.sites.conftest import TOPIC, WordClassifier, page, write_web
from tests.crawl.sites.test_classifying import train

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://a.test/"
WEB: dict[str, str | tuple[int, str]] = {
    HOME: page("Asthma", "/frames", "/two"),
    HOME + "frames": "<title>x</title><iframe src=/two></iframe>",
    HOME + "two": page("A car", "/", "/gone"),
}


@pytest.fixture
def web(tmp_path: Path) -> Path:
    return write_web(tmp_path / "web", WEB)


def crawled(folder: Path, web: Path, **values: Any) -> Path:
    """The folder of a crawl that has read every page."""
    with SiteCrawl(TOPIC, [HOME], folder, l_threshold=1e9, replay=[str(web)], **values) as crawl:
        crawl.run()
    return folder


def test_a_model_is_named_with_its_confidences(tmp_path: Path, web: Path) -> None:
    model = train(tmp_path / "lungs.sites")
    folder = crawled(tmp_path / "c", web, model=str(model))
    model.unlink()  # What was judged is in the graph.
    with CrawlGraph.read(folder) as graph:
        found = explain_site_page(graph, HOME + "two")
    assert found.judge == f"the model {model} (naive-bayes)"
    assert list(found.confidences) == ["lungs", "cars"]
    assert found.confidences["lungs"] == found.relevance < 0.5
    assert found.lens is None
    assert [step.url for step in found.path] == [HOME, HOME + "two"]


def test_the_belief_moves_from_the_prior_to_what_was_recorded(tmp_path: Path, web: Path) -> None:
    folder = crawled(tmp_path / "c", web, classifier=WordClassifier())
    with CrawlGraph.read(folder) as graph:
        pages = [row["url"] for row in graph.query("harvest")]
        steps = [explain_site_page(graph, url).standing for url in pages]
    assert [step.number for step in steps] == [1, 2, 3]
    assert steps[0].before == steps[0].prior == 0.5
    # Confidences 0.8, 0.1, 0.1 with p_err 0.1 are 0.73, 0.135, 0.135 when corrected.
    assert steps[0].after == pytest.approx(0.73 * 0.5 / (0.73 * 0.5 + 0.135 * 0.5))
    assert [step.before for step in steps[1:]] == [step.after for step in steps[:-1]]
    assert steps[-1].after == steps[-1].confidence


def test_a_page_without_words_is_said_to_tell_nothing(tmp_path: Path, web: Path) -> None:
    blank = write_web(tmp_path / "blank", {HOME: "<a href=/two></a>", HOME + "two": page("Asthma")})
    folder = crawled(tmp_path / "c", blank)
    with CrawlGraph.read(folder) as graph:
        found = explain_site_page(graph, HOME)
    assert (found.confidences, found.lens) == ({}, None)
    assert found.standing.before == found.standing.after


def test_the_words_of_a_lens_make_the_recorded_confidence(whole: Path) -> None:
    with CrawlGraph.read(whole) as graph:
        url = next(row["url"] for row in graph.query("best-pages"))
        found = explain_site_page(graph, url)
    lens = found.lens
    assert found.judge == "the lens labels"
    assert lens is not None
    assert lens.explanation is not None
    assert not lens.changed
    score = lens.explanation.score
    assert relevance_confidence(score, lens.threshold, lens.words) == pytest.approx(found.relevance, abs=5e-7)
    told = json.loads(found.to_json())
    assert told["lens"]["explanation"]["matches"][0]["words"]
    assert told["standing"]["site"] in demo_web().main_topic.sites


def test_what_cannot_be_explained_is_said(tmp_path: Path, web: Path, whole: Path) -> None:
    folder = crawled(tmp_path / "c", web)
    (web / "urls.tsv").write_text(f"{HOME}two\t2.html\t200\ttext/html\n")
    with CrawlGraph.read(folder) as graph:
        with pytest.raises(QueryError, match="it was dropped because of NotInReplay"):
            explain_site_page(graph, HOME + "gone")
        with pytest.raises(QueryError, match="has not visited"):
            explain_site_page(graph, "http://z.test/")
        with pytest.raises(FetchError, match="cannot be read again"):
            explain_site_page(graph, HOME)
        with pytest.raises(ConfigError, match=r"a crawl for websites.*explain_site_page"):
            explain_page(graph, HOME)
