"""A SPARQL server that follows a crawl in shards: in the end it has what the gathered graph has."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
from contextlib import closing
from pathlib import Path

import pytest

from semcrawl.crawl import CrawlStopped, CrawlWarned, Event, StopReason
from semcrawl.crawl.shards.beginning import reopen_shards
from semcrawl.crawl.shards.gathering import gather, mirrored_shards
from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph
from semcrawl.graph import mirror as mirroring
from semcrawl.graph.mirror import Mirror
from tests.crawl.shards.hosts import in_processes, in_threads
from tests.crawl.shards.test_sharded_crawl import begin, run
from tests.crawl.shards.webs import PAGES, recorded, write_web
from tests.crawl.test_mirror import Oxigraph, of_graph, of_server, update
from tests.started import Started


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirroring, "_TICK", 0.02)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("mirrored") / "web")


def notes(events: list[Event]) -> list[str]:
    return [event.note for event in events if isinstance(event, CrawlWarned)]


def require_equal(server: str, folder: Path) -> None:
    gather(folder)
    assert of_server(server) == of_graph(folder / "gathered")
    counted = mirrored_shards(ShardedFolder.open(folder)).count()
    with CrawlGraph.read(folder / "gathered") as graph:
        assert counted == len(graph.store.raw)


def test_the_server_has_what_is_gathered(sparql_server: str, web: Path, tmp_path: Path) -> None:
    address = f"{sparql_server}/update"
    assert not notes(run(in_threads(begin(web, tmp_path / "crawl", pages=30, mirror=address))))
    require_equal(sparql_server, tmp_path / "crawl")
    events = run(in_threads(reopen_shards(tmp_path / "crawl", pages=0)))
    assert not notes(events)
    assert len(recorded(tmp_path / "crawl")) == PAGES
    require_equal(sparql_server, tmp_path / "crawl")


def test_a_server_that_others_changed_is_told_and_then_sent_all_shards(
    sparql_server: str, web: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    run(in_threads(begin(web, folder, pages=20, mirror=f"{sparql_server}/update")))
    update(sparql_server, "DELETE WHERE { ?s sc:step ?n } ; INSERT DATA { <a:a> <b:b> <c:c> }")
    told = notes(run(in_threads(reopen_shards(folder, pages=25))))[0]
    assert "was it changed by others" in told
    with closing(Mirror(mirrored_shards(ShardedFolder.open(folder)), f"{sparql_server}/update")) as mirror:
        assert mirror.catch_up()
    require_equal(sparql_server, folder)


def test_a_shard_that_was_brought_back_without_its_log_has_the_server_sent_all(
    sparql_server: str, web: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    run(in_threads(begin(web, folder, pages=20, mirror=f"{sparql_server}/update")))
    shutil.rmtree(folder / "01" / "mirror")
    assert not notes(run(in_threads(reopen_shards(folder, pages=30))))
    require_equal(sparql_server, folder)


def test_a_server_that_is_away_is_told_once_and_catches_up_at_the_next_run(web: Path, tmp_path: Path) -> None:
    folder, server = tmp_path / "crawl", Oxigraph(tmp_path / "server", free_port())
    told = notes(run(in_threads(begin(web, folder, pages=20, mirror=server.address))))
    assert "cannot be reached" in told[0]
    assert f"'semcrawl mirror {folder}'" in told[-1]
    with server:
        assert not notes(run(in_threads(reopen_shards(folder, pages=21))))
        require_equal(server.address.removesuffix("/update"), folder)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


DRIVER = """
import sys
from semcrawl.crawl.events import PageVisited
from semcrawl.crawl.shards.beginning import reopen_shards
from semcrawl.graph import mirror
from tests.crawl.shards.hosts import in_processes
mirror._TICK = 0.02
crawl = in_processes(reopen_shards(sys.argv[1]))
for event in crawl.visits():
    if isinstance(event, PageVisited):
        print(*(host.link.process_id for host in crawl._hosts), flush=True)
"""


def test_after_kills_of_workers_drivers_and_the_server_it_has_what_is_gathered(web: Path, tmp_path: Path) -> None:
    folder, server, chance = tmp_path / "crawl", Oxigraph(tmp_path / "server", free_port()), random.Random(5)
    begin(web, folder, mirror=server.address)
    for after in (3, 9, 14):
        with server, Started(DRIVER, folder) as driver:
            for number, line in enumerate(driver.stdout or ()):
                if number == after:
                    os.kill(int(chance.choice(line.split())), signal.SIGKILL)
                elif number == after + 6:
                    os.kill(driver.pid, signal.SIGKILL)
    with server:
        events = run(in_processes(reopen_shards(folder)))
        assert not notes(events)
        assert isinstance(events[-1], CrawlStopped)
        assert events[-1].reason is StopReason.FRONTIER_EMPTY
        assert len(recorded(folder)) == PAGES
        require_equal(server.address.removesuffix("/update"), folder)


def test_an_address_that_is_none_makes_no_folder(web: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no address of a SPARQL server"):
        begin(web, tmp_path / "crawl", mirror="ftp://a.test")
    assert not (tmp_path / "crawl").exists()
