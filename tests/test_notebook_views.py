"""How topics, crawls, answers and pages look in Python and in a notebook."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph, Topic, distill, explain, export, list_sites, try_policy, write_crate
from semcrawl.crawl.explain import PageExplanation, explain_page
from semcrawl.crawl.sites.progress import SiteProgress
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError
from semcrawl.notebook import LiveProgress, bars, table
from semcrawl.page import read_html
from semcrawl.relevance.lens import Lens
from tests.lab.made_up import made_up

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(scope="module")
def folder(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("views")
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds[0], str(place / "crawl"), replay=recorded, pages=30) as crawl:
        assert repr(crawl.run()).endswith("; stopped because the wanted number of pages is visited")
        assert repr(crawl).startswith("<Crawl for respiratory disease: 30 pages, ")
        assert "respiratory disease" in crawl._repr_html_()
    return place / "crawl"


def test_a_graph_is_read_from_a_folder_given_as_text(folder: Path) -> None:
    with CrawlGraph.read(str(folder)) as graph:
        assert repr(graph) == f"<CrawlGraph on respiratory disease: {folder}>"
        assert "pages 30" in graph._repr_html_()


def test_a_closed_graph_says_that_it_is_closed(folder: Path) -> None:
    with CrawlGraph.read(folder) as graph:
        pass
    assert repr(graph) == f"<CrawlGraph {folder}: the crawl graph is closed: open the crawl again>"
    assert "the crawl graph is closed" in graph._repr_html_()


def test_events_and_progress_are_short(recorded: Path) -> None:
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds[0], replay=recorded, pages=3) as crawl:
        events = list(crawl.visits())
    assert repr(events[-1].progress).startswith("<Progress: 3 pages, ")
    assert all(len(repr(event)) < 500 for event in events)
    assert repr(SiteProgress(waiting=2)) == "<Progress: 0 relevant of 0 sites, 0 pages, 2 waiting>"


def test_an_explanation_is_told_in_a_line(folder: Path) -> None:
    with CrawlGraph.read(folder) as graph:
        told = repr(explain(graph, graph.query("best-pages").value()))
    assert told.startswith("<http://")
    assert "by adaptive; <Explanation by adaptive: " in told
    assert len(told) < 500


def test_results_of_the_lab_show_the_headline() -> None:
    shown = made_up()
    assert repr(shown).startswith(f"<Results of {shown.title}: {shown.contenders[0]}, ")
    measure, pages = shown.headline
    assert f"<th>{measure} after {pages:,} pages</th>" in shown._repr_html_()
    assert f"<td>{shown.contenders[0]}</td>" in shown._repr_html_()


def test_an_answer_without_rows_says_so(folder: Path) -> None:
    with CrawlGraph.read(folder) as graph:
        answer = graph.query("best-pages", min_relevance=2.0)
        assert str(answer) == "url  title  relevance\n(no rows)\n"
        assert answer._repr_html_().endswith("<p>no rows</p>")
        assert str(graph.query("ASK { ?s a sc:Nothing }")) == "no\n"


@pytest.mark.parametrize(
    "ask",
    [
        lambda given: explain(given, "http://a.test/"),
        lambda given: export(given, "pages.ttl"),
        lambda given: write_crate(given, "crate", licence="CC0-1.0"),
        lambda given: try_policy(given, "backlinks"),
        distill,
        list_sites,
    ],
)
def test_a_folder_is_no_graph(folder: Path, ask: Callable[[Any], object]) -> None:
    for given in (str(folder), folder):
        with pytest.raises(ConfigError, match=r"crawl'\)? is no crawl graph: give crawl.graph, or open one by"):
            ask(given)


def test_the_clock_of_a_crawl_stands_when_it_has_stopped(recorded: Path) -> None:
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds[0], replay=recorded, pages=3) as crawl:
        progress = crawl.run().progress
        took = progress.seconds
        time.sleep(0.01)
        assert progress.seconds == took


def test_a_crawl_without_a_page_says_why(recorded: Path) -> None:
    with Crawl("keywords:lung", "http://nowhere.test/", replay=[recorded]) as crawl:
        assert repr(crawl.run()) == (
            "0 pages, 0 relevant (harvest rate 0.0%); no URL gave a page (NotInReplay); "
            "stopped because no URL is left to visit"
        )


def test_answers_say_how_many_rows_they_have(folder: Path) -> None:
    with CrawlGraph.read(folder) as graph:
        answer = graph.query("best-pages", limit=3)
        assert repr(answer) == "<Answer: 3 rows>"
        assert str(answer).startswith("url ")
        assert answer._repr_html_().count("<tr>") == 4
        triples = graph.query("CONSTRUCT { ?s a sc:Seed } WHERE { ?s a sc:Seed }")
        assert "<th>predicate</th>" in triples._repr_html_()
        assert repr(graph.query("ASK { ?s a sc:Seed }")) == "<Answer: yes>"


def test_an_explanation_shows_its_parts_as_bars(folder: Path) -> None:
    with CrawlGraph.read(folder) as graph:
        best = next(iter(graph.query("best-pages", limit=1)))
        shown = explain_page(graph, best["url"])._repr_html_()
    assert "<div style=" in shown


def test_a_crawl_in_memory_is_explained_with_what_its_judge_has_learnt(recorded: Path) -> None:
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds[0], replay=recorded, pages=60) as crawl:
        crawl.run()
        said = explain(crawl.graph, crawl.query("best-pages").value())
        assert isinstance(said, PageExplanation)
        assert said.explanation.score == pytest.approx(said.relevance, abs=1e-4)
        assert f"relevance {said.relevance:.4g}" in said._repr_html_()


def test_a_topic_shows_its_concepts_with_what_is_narrower() -> None:
    topic = Topic.parse("wordnet:asthma")
    assert repr(topic) == "<Topic asthma: wordnet:asthma.n.01>"
    assert "status asthmaticus" in topic._repr_html_()
    assert "keyword" in Topic.parse("keywords:java, linux")._repr_html_()


def test_a_lens_shows_its_strongest_labels_as_bars() -> None:
    shown = Lens.compile(Topic.parse("wordnet:asthma"))._repr_html_()
    assert "bronchial asthma" in shown


def test_a_page_shows_its_title_and_beginning_and_nothing_that_runs() -> None:
    page = read_html("<title>&lt;script&gt;</title><p>Some &lt;b&gt; text", "http://a.test/")
    shown = page._repr_html_()
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "<b>" not in shown.replace("<p><b>", "")


def test_long_tables_are_cut_and_say_so() -> None:
    shown = table(["n"], ([str(number)] for number in range(250)))
    assert shown.count("<td>") == 100
    assert "150 more rows" in shown


def test_bars_of_nothing_are_an_empty_table() -> None:
    assert "<tbody></tbody>" in bars("none", {})


def test_live_progress_follows_a_crawl(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    display = pytest.importorskip("IPython.display")
    shown: list[str] = []

    class Cell:
        def update(self, content: object) -> None:
            shown.append(str(getattr(content, "data", "")))

    monkeypatch.setattr(display, "display", lambda *_, **__: Cell())
    with Crawl.resume(folder, pages=40) as crawl:
        crawl.run(LiveProgress())
    assert "stopped: the wanted number of pages is visited" in shown[-1]
    assert "pages 40" in shown[-1]
