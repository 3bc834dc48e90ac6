"""Topics that are given by pages alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph, Topic
from semcrawl.crawl import CrawlWarned, PageVisited
from semcrawl.crawl.explain import explain_page
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError, TopicError
from semcrawl.web import ReplayServer
from tests.crawl.conftest import html
from tests.crawl.kills import recorded_until_killed
from tests.started import Started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeWeb = Callable[[dict[str, Any]], Path]


@pytest.fixture(scope="module")
def examples() -> list[str]:
    """Three pages of the demo web that are on its topic."""
    clinic = "http://www.breath-clinic.test"
    pages = ["/", "/pneumoconiosis/respiratory-distress-syndrome.html", "/cold/"]
    return [clinic + page for page in pages]


def harvest(folder: Path) -> list[tuple[str, float]]:
    with CrawlGraph.read(folder) as graph:
        return [(row["url"], row["relevance"]) for row in graph.query("harvest")]


def test_pages_alone_are_a_topic_and_its_seeds(recorded: Path, examples: list[str]) -> None:
    with Crawl("examples:" + ",".join(examples), replay=[str(recorded)], pages=60) as crawl:
        visited = [one.url for one in crawl.visits() if isinstance(one, PageVisited)]
        found = {row["url"]: row["relevance"] for row in crawl.query("harvest")}
        relevant = {url for url, relevance in found.items() if relevance >= 0.5}
    assert visited[0] == examples[0]
    assert set(examples) <= set(visited)
    assert all(found[url] == 1.0 for url in examples)
    right = len(relevant & demo_web().main_topic.pages)
    assert right > 30
    assert right > 0.8 * len(relevant)


def test_its_words_are_those_of_the_pages(recorded: Path, examples: list[str]) -> None:
    with Crawl("examples:" + ",".join(examples), replay=[str(recorded)], pages=1) as crawl:
        words = [keyword.text for keyword in crawl.topic.keywords]
        stored = Topic.from_toml(crawl.graph.describe().topic)
    assert len(words) == 20
    assert {"lung", "lungs", "respiratory", "breathing", "asthma"} & set(words)
    assert stored.examples == tuple(examples)
    assert [keyword.text for keyword in stored.keywords] == words


def test_a_file_lists_urls_and_local_pages(recorded: Path, tmp_path: Path) -> None:
    words = "Asthma inflames the airways of the lungs; inhalers open the bronchial tubes."
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "own.html").write_text(html("Asthma", {}, words))
    (tmp_path / "list.txt").write_text("# mine\npages/own.html\n\nhttp://nowhere.test/\n")
    topic = f"examples:{tmp_path / 'list.txt'}"
    with Crawl(topic, demo_web().seeds, replay=[str(recorded)], pages=3) as crawl:
        warned = [one.note for one in crawl.visits() if isinstance(one, CrawlWarned)]
    assert any("left out" in text and "nowhere.test" in text for text in warned)
    assert crawl.topic.examples == (str(tmp_path / "pages" / "own.html"),)
    assert "inhalers" in [keyword.text for keyword in crawl.topic.keywords]
    with pytest.raises(ConfigError, match="at least one seed"):
        Crawl(f"examples:{tmp_path / 'pages' / 'own.html'}", replay=[str(recorded)])


def test_examples_beside_a_concept_are_sure_and_leave_its_labels(
    recorded: Path, examples: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "topic.toml"
    file.write_text(f'examples = ["{examples[0]}"]\nconcepts = ["wordnet:asthma.n.01"]\n')
    with Crawl(Topic.parse(str(file)), replay=[str(recorded)], pages=8) as crawl:
        crawl.run()
        found = {row["url"]: row["relevance"] for row in crawl.query("harvest")}
    assert not crawl.topic.keywords
    assert found[examples[0]] == 1.0


def test_what_was_learnt_survives_stops_and_is_explained(recorded: Path, examples: list[str], tmp_path: Path) -> None:
    (tmp_path / "own.html").write_text(html("Lungs", {}, "bronchial tubes, lungs and airways"))
    spec = f"examples:{tmp_path / 'own.html'},{examples[0]}"
    seeds = demo_web().seeds
    with Crawl(spec, seeds, tmp_path / "whole", replay=[str(recorded)], pages=40) as crawl:
        crawl.run()
    with Crawl(spec, seeds, tmp_path / "parts", replay=[str(recorded)], pages=13) as crawl:
        crawl.run()
    (tmp_path / "own.html").unlink()  # it is not read again
    with Crawl.resume(tmp_path / "parts", pages=40) as crawl:
        crawl.run()
    assert harvest(tmp_path / "parts") == harvest(tmp_path / "whole")
    with CrawlGraph.read(tmp_path / "whole") as graph:
        for url, relevance in harvest(tmp_path / "whole")[::8]:
            score = explain_page(graph, url).explanation.score
            assert score == pytest.approx(relevance, abs=1e-6)


KILLED = """
import sys
from semcrawl import Crawl
from semcrawl.cli.crawl_run import JsonLines
folder, proxy, *examples = sys.argv[1:]
try:
    crawl = Crawl.resume(folder)
except Exception:
    crawl = Crawl("examples:" + ",".join(examples), folder=folder, proxy=proxy, delay=0, workers=1,
                  pages=25)
with crawl:
    crawl.run(JsonLines())
"""


def test_after_a_kill_the_examples_are_not_fetched_again(examples: list[str], tmp_path: Path) -> None:
    web = demo_web()
    with ReplayServer(web.replay(), answers=web.respond, latency=0.002) as server:
        arguments = [str(tmp_path / "c"), server.proxy, *examples]
        recorded_until_killed(Started(KILLED, *arguments), 8)
        asked = {url: server.requests[url] for url in examples}
        assert set(asked.values()) == {2}  # as an example, and as a seed
        assert any(url.endswith("/robots.txt") for url in server.requests)
        recorded_until_killed(Started(KILLED, *arguments), 1000)
        assert {url: server.requests[url] for url in examples} == asked
    assert len(harvest(tmp_path / "c")) == 25


def test_what_cannot_be_learnt_from_is_told(make_web: MakeWeb, tmp_path: Path) -> None:
    home = "http://home.test/"
    french = "Les maladies des poumons et les voies respiratoires sont traitées par les médecins."
    web = [str(make_web({home: html("Poumons", {}, french * 3)}))]
    with pytest.raises(TopicError, match=r"none of the 1 examples .* can be read"):
        Crawl("examples:http://home.test/nothing", folder=tmp_path / "c", replay=web)
    with pytest.raises(TopicError, match="are in fr, and the topic is in en: give --language fr"):
        Crawl(f"examples:{home}", folder=tmp_path / "c", replay=web)
    with pytest.raises(ConfigError, match="'labels' learns nothing: choose the judge adaptive"):
        Crawl(f"examples:{home}", folder=tmp_path / "c", replay=web, judge="labels")
    assert not (tmp_path / "c").exists()
    with Crawl(Topic.parse(f"examples:{home}", language="fr"), replay=web) as crawl:
        assert crawl.run().progress.relevant == 1


@pytest.mark.parametrize("spec", ["examples:", "examples: , "])
def test_examples_need_a_page(spec: str) -> None:
    with pytest.raises(TopicError, match="names no page"):
        Topic.parse(spec)
