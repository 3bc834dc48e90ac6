"""A crawl of a web whose every host means harm, by the real command line and with its defaults.

The hosts are in ``answers.py``, ``sites.py`` and ``pages.py``, each with what must become of it.
"""

from __future__ import annotations

import csv
import ipaddress
import json
import os
import pickle
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import pyoxigraph as ox
import pytest
from lxml import etree

from semcrawl.cli.main import main
from semcrawl.crawl.pages.steering import give_functions
from semcrawl.graph import CrawlGraph, export, named_queries
from semcrawl.graph.result_formats import RDF_FORMATS
from tests.between_workers import shared_folder
from tests.hostile.behaviours import BEHAVIOURS, START
from tests.hostile.server import HostileServer

HERE = Path(__file__).parent
SECONDS = 300  # after which the crawl is given up; alone on a machine it takes a tenth
LIMITS = (
    *("--connect-timeout", 6, "--read-timeout", 6, "--total-timeout", 8, "--max-bytes", 300_000),
    *("--delay", 0, "--max-delay", 1, "--retry-delay", 0.1, "--tries", 2, "--workers", 64),
    *("--pages-per-host", 20, "--depth", 12, "--pages", 0),
)
SC = "https://w3id.org/semcrawl/ns#"

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")


@dataclass
class Crawled:
    """What the crawl left."""

    folder: Path
    ran: subprocess.CompletedProcess[str]
    connected: list[str]  # addresses that a connection was tried to
    peak: int  # of memory, in MB
    asked: Counter[str]
    pages: dict[str, str]  # titles by URL
    dropped: dict[str, str]  # reasons by URL
    redirected: set[str]
    waiting: set[str]  # for hosts that asked to come back much later

    def outcome(self, url: str) -> str:
        """What became of a URL."""
        if url in self.pages:
            return "page"
        if url in self.redirected:
            return "redirect"
        return "waiting" if url in self.waiting else self.dropped.get(url, "nothing")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """The crawl, made once for all processes that the tests run in."""
    with shared_folder(tmp_path_factory, "hostile") as shared:
        kept = shared / "crawled.pickle"
        if not kept.exists():
            kept.write_bytes(pickle.dumps(crawl_it(shared / "web")))
        found: Crawled = pickle.loads(kept.read_bytes())
        return found


def crawl_it(place: Path) -> Crawled:
    place.mkdir()
    server = HostileServer({**BEHAVIOURS, START.name: START}, str(HERE / "self-signed.pem"))
    names = {f"{one.name}.test": one.lookups for one in BEHAVIOURS.values()}
    plan, log, folder = place / "plan", place / "log", place / "crawl"
    plan.write_text(json.dumps({"names": names, "ports": server.ports}))
    words = ("crawl", "wordnet:asthma", "--seed", START.root, "--folder", folder, *LIMITS)
    command = [sys.executable, HERE / "network.py", plan, log, *words]
    try:
        ran = subprocess.run(
            [*map(str, command)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            env=os.environ | {"TERM": "dumb", "COLUMNS": "100"},
        )
    finally:
        server.close()
    lines = [line.split() for line in log.read_text().splitlines()]
    peak = next(int(line[1]) // 1024 for line in lines if line[0] == "peak")
    connected = [line[0] for line in lines if line[0] != "peak"]
    with CrawlGraph.read(folder) as graph:
        pages = rows(graph, "SELECT ?u ?v { ?u a sc:Page OPTIONAL { ?u dcterms:title ?v } }")
        dropped = rows(graph, "SELECT ?u ?v { ?u sc:droppedBecause ?v }")
        redirected = rows(graph, "SELECT ?u ?v { ?u sc:redirectsTo ?v }")
        waiting = rows(graph, "SELECT ?u ?v { ?u sc:priority ?v }")
    reasons = {url: reason.removeprefix(SC) for url, reason in dropped.items()}
    ends = {*redirected}, {*waiting}
    return Crawled(folder, ran, connected, peak, server.asked, pages, reasons, *ends)


def rows(graph: CrawlGraph, query: str) -> dict[str, str]:
    return {row["u"]: row["v"] or "" for row in graph.query(query)}


def test_the_crawl_ends_by_itself_and_says_so_in_plain_text(crawled: Crawled) -> None:
    assert crawled.ran.returncode == 0, crawled.ran.stderr[-2000:]
    assert "Stopped because" in crawled.ran.stdout
    assert "Traceback" not in crawled.ran.stderr
    assert not any(mark in crawled.ran.stdout + crawled.ran.stderr for mark in "\x1b\x9b\x07\b")


def test_memory_stays_small(crawled: Crawled) -> None:
    assert crawled.peak < 300


def test_every_behaviour_has_the_outcome_that_the_table_says(crawled: Crawled) -> None:
    wrong = []
    for one in BEHAVIOURS.values():
        expected = {one.root: one.expected, **({one.root + "good": "page"} if one.good else {})}
        expected |= {urljoin(one.root, path): reason for path, reason in one.also.items()}
        for url, reasons in expected.items():
            if (outcome := crawled.outcome(url)) not in reasons.split("|"):
                wrong.append(f"{url} gave {outcome}, not {reasons}")
    assert not wrong, "\n".join(wrong)


def test_nothing_was_asked_of_a_private_address(crawled: Crawled) -> None:
    assert len(crawled.connected) > len(BEHAVIOURS)
    assert all(ipaddress.ip_address(one).is_global for one in crawled.connected)


def test_no_answer_was_taken_for_that_of_another_request(crawled: Crawled) -> None:
    assert not [url for url, title in crawled.pages.items() if "poison" in title]


def test_no_host_is_asked_without_end(crawled: Crawled) -> None:
    hosts = Counter({url.split("/")[2]: 0 for url in crawled.asked})
    for url, times in crawled.asked.items():
        hosts[url.split("/")[2]] += times
    assert max(hosts.values()) < 150, hosts.most_common(3)


def test_every_known_url_has_a_page_or_a_reason(crawled: Crawled) -> None:
    known = """SELECT DISTINCT ?u WHERE {
      { ?u sc:order ?order } UNION { ?page sc:linksTo ?u } UNION { ?from sc:redirectsTo ?u }
    }"""
    with CrawlGraph.read(crawled.folder) as graph:
        urls = [row["u"] for row in graph.query(known)]
    assert len(urls) > 1000
    assert [url for url in urls if crawled.outcome(url) == "nothing"] == []
    assert crawled.waiting == {"http://try-tomorrow.test/"}


def test_the_exports_parse_and_hold_the_same_pages(crawled: Crawled, tmp_path: Path) -> None:
    with CrawlGraph.read(crawled.folder) as graph:
        relevant = export(graph, tmp_path / "a.csv")
        assert relevant > 400
        with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
            assert len(list(csv.DictReader(file))) == relevant
        export(graph, tmp_path / "a.graphml")
        assert len(etree.parse(tmp_path / "a.graphml").findall(".//{*}node")) == relevant
        for form in RDF_FORMATS:
            export(graph, tmp_path / form, form)
            assert pages_of(tmp_path / form, form) == relevant, form
            export(graph, tmp_path / form, form, whole=True)
            assert pages_of(tmp_path / form, form) == len(crawled.pages), form


def pages_of(path: Path, form: str) -> int:
    """How many pages an RDF file tells the relevance of."""
    quads = ox.parse(path=str(path), format=RDF_FORMATS[form])
    return len({one.subject for one in quads if one.predicate.value == SC + "relevance"})


def test_every_named_query_works_and_its_answer_can_be_written(crawled: Crawled) -> None:
    with CrawlGraph.read(crawled.folder) as graph:
        give_functions(graph)
        for name, query in named_queries().items():
            needed = {one.name: START.root for one in query.parameters if one.default is None}
            answer = graph.query(name, **needed)
            if answer.kind == "construct":
                [*ox.parse(answer.serialize("turtle"), format=ox.RdfFormat.TURTLE)]
            else:
                json.loads(answer.serialize("json"))
                etree.fromstring(answer.serialize("xml").encode())


def test_titles_reach_the_graph_whole_and_a_terminal_harmless(
    crawled: Crawled, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawled.pages["http://title-sparql.test/"].startswith('"} ; DROP ALL ; INSERT DATA {')
    assert crawled.pages["http://title-terminal.test/"].count("\x1b") == 3
    asked = "SELECT ?u ?t { ?u dcterms:title ?t FILTER(STRLEN(?t) < 200) }"
    monkeypatch.setattr(sys, "argv", ["semcrawl", "query", str(crawled.folder), asked])
    with pytest.raises(SystemExit):
        main()
    shown = capsys.readouterr().out
    assert "DROP ALL" in shown
    assert not set(shown) & {*map(chr, range(10)), *map(chr, range(11, 32)), "\x7f", "\x9b", "\x9d"}
