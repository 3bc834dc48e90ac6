"""The whole crawl on the demo web, whose sites and topics are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.crawl import StopReason
from semcrawl.crawl.sites import SiteClosed, SiteCrawl, SiteStop
from semcrawl.crawl.sites.listing import list_sites
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph
from semcrawl.web import ReplayServer
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WEB = demo_web()
TOPIC = WEB.main_topic


def crawl(web_folder: str, **values: Any) -> SiteCrawl:
    return SiteCrawl(TOPIC.spec, WEB.seeds, replay=[web_folder], **values)


def test_the_sites_about_the_topic_are_found_by_the_concept_alone(whole: Path) -> None:
    with CrawlGraph.read(whole) as graph:
        found = {site.site for site in list_sites(graph).sites}
    assert found == TOPIC.sites


def test_few_pages_of_each_site_are_read_and_no_site_twice(whole: Path) -> None:
    with CrawlGraph.read(whole) as graph:
        rows = list(graph.query("found-sites", min_confidence=0.0, limit=100))
        [effort] = graph.query("site-effort")
    sites = [row["site"] for row in rows]
    assert len(set(sites)) == len(sites) == effort["sites"] == 31
    assert effort["pages"] == sum(row["pages"] for row in rows) < len(WEB.pages) / 2
    assert effort["relevant"] == 3
    assert effort["pprs"] == pytest.approx(effort["pages"] / 3)


def test_a_crawl_is_repeatable_to_the_letter(web_folder: str) -> None:
    def told() -> list[str]:
        with crawl(web_folder, pages=60) as running:
            return [getattr(event, "url", getattr(event, "site", "")) for event in running.visits()]

    assert told() == told()


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"sites": 1}, StopReason.SITES_REACHED),
        ({"pages": 7}, StopReason.PAGES_REACHED),
        ({"seconds": 0.001}, StopReason.TIME_OVER),
        ({"pprs_window": 1, "pprs_rise": 1.01}, StopReason.EFFORT_RISEN),
        ({}, StopReason.FRONTIER_EMPTY),
    ],
)
def test_every_stop_rule_stops_it(web_folder: str, values: dict[str, Any], reason: StopReason) -> None:
    with crawl(web_folder, **values) as running:
        summary = running.run()
        about = running.graph.describe()
    assert summary.reason is reason
    assert about.stopped is not None
    assert about.stopped.endswith(f"#{reason}")
    assert reason.sentence in str(summary)
    if "pages" in values:
        assert summary.progress.pages == 7
    if "sites" in values:
        assert summary.progress.relevant_sites == 1


@pytest.mark.parametrize("weights", ["global", "local", "combined"])
def test_the_weights_of_edges_are_those_that_were_asked_for(web_folder: str, weights: str) -> None:
    with crawl(web_folder, weights=weights, pages=30) as running:
        running.run()
        rows = running.query(
            "SELECT ?c ?w ?s ?t WHERE { ?s sc:siteConfidence ?c ; sc:siteLink ?e . ?e sc:linkWeight ?w ; sc:toSite ?t }"
        )
        edges = list(rows)
        for row in edges:
            local = mean_confidence(running.graph, row["s"], row["t"])
            expected = {"global": row["c"], "local": local, "combined": (row["c"] + local) / 2}
            assert row["w"] == pytest.approx(expected[weights], abs=2e-6)
    assert edges


def mean_confidence(graph: CrawlGraph, source: str, target: str) -> float:
    """The mean over the pages of one site with a link to the other, from the graph itself."""
    rows = graph.query(f"SELECT ?p ?r ?l WHERE {{ ?p sc:site <{source}> ; sc:relevance ?r ; sc:linksTo ?l }}")
    host = target.removeprefix("urn:semcrawl:site:")
    values = {row["p"]: row["r"] for row in rows if host_of(row["l"]) == host}
    return float(sum(values.values()) / len(values))


def test_the_prior_of_a_site_is_the_share_of_relevant_ones_before_it(web_folder: str) -> None:
    priors: list[float] = []
    with crawl(web_folder, pages=60) as running:
        for event in running.visits():
            if isinstance(event, SiteClosed):
                [row] = running.query(f"SELECT ?p WHERE {{ <urn:semcrawl:site:{event.site}> sc:sitePrior ?p }}")
                priors.append(row["p"])
    # One relevant and one other are counted beforehand; it is kept from going below 0.35.
    assert priors[:3] == [0.5, 0.35, 0.35]


@pytest.fixture(scope="module")
def server() -> Iterator[ReplayServer]:
    with ReplayServer(WEB.replay(), answers=WEB.respond) as server:
        yield server


def test_over_real_http_several_sites_are_read_at_once_and_traps_are_bounded(server: ReplayServer) -> None:
    closed: dict[str, SiteClosed] = {}
    most_open = 0
    with SiteCrawl(TOPIC.spec, WEB.seeds, proxy=server.proxy, delay=0, workers=8, pages_per_site=12) as running:
        for event in running.visits():
            most_open = max(most_open, running.progress.open_sites)
            if isinstance(event, SiteClosed):
                closed[event.site] = event
    assert most_open > 1
    assert {site for site, event in closed.items() if event.is_relevant} == TOPIC.sites
    assert max(event.pages for event in closed.values()) <= 12
    # robots.txt keeps robots from the records of the clinic.
    assert not [url for url in server.requests if "breath-clinic.test/records/" in url]
    assert closed["www.gone-with-the-server.test"].reason is SiteStop.UNREACHABLE


def test_a_page_crawl_and_a_crawl_for_websites_do_not_resume_each_other(
    whole: Path, web_folder: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="semcrawl sites --resume"):
        Crawl.resume(whole)
    with Crawl(TOPIC.spec, WEB.seeds, tmp_path / "p", replay=[web_folder], pages=1) as pages:
        pages.run()
    with pytest.raises(ConfigError, match="semcrawl resume"):
        SiteCrawl.resume(tmp_path / "p")


def test_no_seeds_no_crawl(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at least one seed"):
        SiteCrawl(TOPIC.spec, (), tmp_path / "c")
    assert not (tmp_path / "c").exists()
