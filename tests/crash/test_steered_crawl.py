"""A crawl that policies and the distiller steer, killed at any page, goes on as if it was not."""

from __future__ import annotations

from pathlib import Path

from semcrawl import CrawlGraph
from semcrawl.demo.web import demo_web
from tests.crawl.kills import recorded_until_killed
from tests.started import COMMAND, Started

STEERED = ("--policy", "tunnel", "--policy", "hub-neighbours", "--distill-every", "15")


def start(*words: object) -> Started:
    return Started(COMMAND, *words)


def recorded(folder: Path) -> tuple[list[str], list[str]]:
    """The pages in the order of their visits, and the scores of the distiller."""
    scores = "SELECT ?u ?p ?s { ?u ?p ?s FILTER(?p IN (sc:hubScore, sc:authorityScore)) }"
    with CrawlGraph.read(folder) as graph:
        visits = [row["url"] for row in graph.query("harvest")]
        return visits, sorted(map(str, graph.query(scores)))


def test_a_steered_crawl_that_is_killed_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    web = demo_web()
    web.write(tmp_path / "web")
    words = ["crawl", web.main_topic.spec, "--seed", web.seeds[0], "--replay", str(tmp_path / "web")]
    words += [*STEERED, "--pages", "60", "--json", "--folder"]
    recorded_until_killed(start(*words, tmp_path / "whole"), 1000)
    folder = tmp_path / "crawl"
    recorded_until_killed(start(*words, folder), 14)
    for moment in (17, 1000):
        recorded_until_killed(start("resume", folder, "--json"), moment)
    assert len(recorded(folder)[0]) == 60
    assert recorded(folder) == recorded(tmp_path / "whole")
