"""A background that grows with the pages of a crawl, in a language that has no table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph, Topic
from semcrawl.crawl.explain import explain_page
from semcrawl.crawl.page_counts import PageCounts, background_of_crawl
from semcrawl.demo.web import demo_web
from semcrawl.page import read_html
from semcrawl.page.background import find_background
from semcrawl.text import Background
from tests.crawl.conftest import html
from tests.crawl.kills import recorded_until_killed
from tests.started import Started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# The words of the demo are English; what counts is that this language has no table.
TOPIC = "keywords:asthma, bronchitis"
PAGES = 40
# The default crawler has tests of its own below.
BY: dict[str, Any] = {"strategy": "best-first-page-anchor", "judge": "labels"}


def french() -> Topic:
    return Topic.parse(TOPIC, language="fr")


def judgements(folder: Path) -> list[tuple[str, float]]:
    with CrawlGraph.read(folder) as graph:
        return [(row["url"], row["relevance"]) for row in graph.query("harvest")]


@pytest.fixture(scope="module")
def undisturbed(web_folder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawls") / "whole"
    with Crawl(french(), demo_web().seeds, folder, replay=[web_folder], pages=PAGES, **BY) as crawl:
        crawl.run()
    return folder


def test_idf_is_counted_from_the_pages_of_the_crawl(undisturbed: Path) -> None:
    with CrawlGraph.read(undisturbed) as graph:
        grown = background_of_crawl(graph, french(), "")
    assert grown.version > 3
    assert 8 <= grown.documents <= PAGES
    assert len(grown) > 100
    assert len({round(grown.idf(term), 3) for term in list(grown._df)[:200]}) > 3
    # Pages on the topic are counted only among others.
    assert grown.df("asthma") < grown.documents / 2


@pytest.mark.parametrize("stops", [[1], [3, 4, 21]])
def test_a_resumed_crawl_judges_as_an_undisturbed_one(
    web_folder: str, undisturbed: Path, tmp_path: Path, stops: list[int]
) -> None:
    folder = tmp_path / "crawl"
    with Crawl(french(), demo_web().seeds, folder, replay=[web_folder], pages=stops[0], **BY) as crawl:
        crawl.run()
    for pages in [*stops[1:], PAGES]:
        with Crawl.resume(folder, pages=pages) as crawl:
            assert crawl.topic.languages == ("fr",)
            crawl.run()
    assert judgements(folder) == judgements(undisturbed)
    assert (folder / "page-counts").read_bytes() == (undisturbed / "page-counts").read_bytes()


def test_the_default_crawler_goes_on_in_the_same_order(web_folder: str, tmp_path: Path) -> None:
    with Crawl(french(), demo_web().seeds, tmp_path / "a", replay=[web_folder], pages=PAGES) as crawl:
        crawl.run()
    for pages in (3, 4, 21):
        with (
            Crawl.resume(tmp_path / "b", pages=pages)
            if (tmp_path / "b").exists()
            else Crawl(french(), demo_web().seeds, tmp_path / "b", replay=[web_folder], pages=pages)
        ) as crawl:
            crawl.run()
    with Crawl.resume(tmp_path / "b", pages=PAGES) as crawl:
        crawl.run()
    assert judgements(tmp_path / "b") == judgements(tmp_path / "a")


def test_what_the_default_judge_says_is_explained_exactly(web_folder: str, tmp_path: Path) -> None:
    with Crawl(french(), demo_web().seeds, tmp_path / "c", replay=[web_folder], pages=PAGES) as crawl:
        crawl.run()
    with CrawlGraph.read(tmp_path / "c") as graph:
        for url, relevance in judgements(tmp_path / "c"):
            score = explain_page(graph, url).explanation.score
            assert score == pytest.approx(relevance, abs=1e-6), url


KILLED = """
import sys
from semcrawl import Crawl, Topic
from semcrawl.cli.crawl_run import JsonLines
folder, web, spec, *seeds = sys.argv[1:]
try:
    crawl = Crawl.resume(folder)
except Exception:
    by = {"strategy": "best-first-page-anchor", "judge": "labels"}
    crawl = Crawl(Topic.parse(spec, language="fr"), seeds, folder, replay=[web], pages=40, **by)
with crawl:
    crawl.run(JsonLines())
"""


def test_after_kills_pages_are_judged_as_if_there_had_been_none(
    web_folder: str, undisturbed: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    arguments = [str(folder), web_folder, TOPIC, *demo_web().seeds]
    for after in (2, 9, 1000):
        recorded_until_killed(Started(KILLED, *arguments), after)
    assert judgements(folder) == judgements(undisturbed)


def test_a_page_that_was_counted_and_not_recorded_does_not_count(tmp_path: Path) -> None:
    graph = CrawlGraph.create(tmp_path / "c")
    counts = PageCounts(graph, french().background(), is_resumed=False)
    counts.count("http://a.test/", read_html("<p>le chat noir", "http://a.test/"), relevant=False)
    counts.close()
    background = french().background()
    PageCounts(graph, background, is_resumed=True).close()
    graph.close()
    assert background.documents == 0


@pytest.mark.parametrize("damage", ["cut", "other", "middle"])
def test_a_damaged_file_is_put_aside_with_a_warning(web_folder: str, tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "crawl"
    with Crawl(french(), demo_web().seeds, folder, replay=[web_folder], pages=8) as crawl:
        crawl.run()
    path = folder / "page-counts"
    whole = path.read_bytes()
    if damage == "cut":  # as a killed process leaves it: nothing to warn of
        path.write_bytes(whole[:-3])
    elif damage == "other":
        path.write_bytes(b"what is this" * 100)
    else:
        path.write_bytes(whole[:200] + b"\xff\xff" + whole[202:])
    if damage == "cut":
        crawl = Crawl.resume(folder, pages=12)
    else:
        with pytest.warns(UserWarning, match="counted anew"):
            crawl = Crawl.resume(folder, pages=12)
    with crawl:
        assert crawl.run().progress.pages == 12
    assert (folder / "page-counts.damaged").exists() == (damage != "cut")


def test_of_several_languages_each_has_its_own_background(
    make_web: Callable[[dict[str, str | tuple[int, str]]], Path], tmp_path: Path
) -> None:
    home = "http://home.test/"
    russian = "Музыка и музыканты играют на скрипке в большом оркестре города"
    spanish = "La música clásica y los músicos que tocan el violín en la orquesta"
    web = make_web(
        {
            home: html("Música", {"/ru": "музыка", "/es": "música"}, spanish),
            home + "ru": html("Музыка", body=russian),
            home + "es": html("Orquesta", body=spanish + " de la ciudad"),
        }
    )
    topic = Topic.parse("keywords:música, музыка", language="es,ru")
    with Crawl(topic, [home], tmp_path / "c", replay=[str(web)]) as crawl:
        crawl.run()
        found = {row["url"]: row["relevance"] for row in crawl.query("harvest")}
    assert all(found[home + path] > 0.1 for path in ("", "ru", "es"))
    with CrawlGraph.read(tmp_path / "c") as graph:
        background = background_of_crawl(graph, topic, "")
        assert explain_page(graph, home + "ru").explanation.score > 0
    assert background.of("ru").df("скрипк") <= 1
    assert background.of("ru") is not background.of("es")
    assert "скрипк" not in background.of("es")


def test_english_and_a_table_of_ones_own_do_not_grow(tmp_path: Path) -> None:
    assert Topic.parse(TOPIC).background() is Background.default()
    table = tmp_path / "table.tsv.gz"
    Background.from_counts({"chat": 2}, documents=9).save(table)
    own = find_background(str(table), french())
    assert (own.documents, own.version, own.of("fr") is own) == (9, 0, True)


def test_labels_of_the_topics_source_are_the_first_documents() -> None:
    asthma = Topic.parse("ontologies/asthma.ttl#asthma", language="de")
    background = asthma.background()
    assert background.documents == 0
    assert 0 < background.idf("asthma") < background.idf("qqqq")
