"""How topics, crawls, answers and pages look in Python and in a notebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from semcrawl import Crawl, CrawlGraph, Topic
from semcrawl.crawl.explain import explain_page
from semcrawl.demo.web import demo_web
from semcrawl.notebook import LiveProgress, bars, table
from semcrawl.page import read_html
from semcrawl.relevance.lens import Lens


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
