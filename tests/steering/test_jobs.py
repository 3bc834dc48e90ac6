"""The process beside a crawl: jobs within a time limit, and a new start after the worst."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshots import open_snapshot, remove_snapshot
from semcrawl.steering import PolicyRow
from semcrawl.steering.jobs import DistillJob, PolicyJob, SideProcess, View, do

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VIEW = View(topic='name = "asthma"\n[keywords]\nasthma = 1.0\n', judge="cosine")
ROWS = "SELECT ?url ?priority WHERE { ?url sc:priority ?priority } ORDER BY ?url"


@pytest.fixture(params=["disk", "memory"])
def snapshot(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A snapshot of a graph on disk, and of one in memory."""
    graph = CrawlGraph.create(tmp_path / "crawl" if request.param == "disk" else None)
    urls = " ".join(f"<http://a/{n}> sc:priority 0.{n} ." for n in range(1, 4))
    graph.store.update(f"INSERT DATA {{ {urls} }}")
    place = graph.snapshot()
    yield str(place)
    remove_snapshot(place)
    assert not place.exists()
    graph.close()


@pytest.fixture(scope="module")
def side() -> Iterator[SideProcess]:
    """One process for all tests: after the worst there is a new one."""
    made = SideProcess(seconds=120)
    yield made
    made.close()


def job(snapshot: str, text: str = ROWS, limit: int = 10) -> PolicyJob:
    return PolicyJob(snapshot, text, "PRIORITY", limit, VIEW)


def test_rows_come_back(side: SideProcess, snapshot: str) -> None:
    side.start(job(snapshot))
    reply = side.wait()
    assert reply.rows == [PolicyRow(f"http://a/{n}", n / 10) for n in range(1, 4)]
    assert reply.cpu > 0
    assert not side.is_busy


def test_one_process_does_many_jobs(side: SideProcess, snapshot: str) -> None:
    processes = set()
    for limit in (1, 2):
        side.start(job(snapshot, limit=limit))
        processes.add(side.process_id)
        reply = side.wait()
        assert (len(reply.rows), reply.left_out) == (limit, 3 - limit)
    assert len(processes) == 1


def test_the_process_stands_back_within_the_session_of_the_crawl(side: SideProcess, snapshot: str) -> None:
    # Priorities count within a session only.
    side.start(job(snapshot))
    process = side.process_id
    assert process is not None
    side.wait()
    assert os.getsid(process) == os.getsid(0)
    assert os.getpgid(process) == process
    here = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process) > min(here, 18)


def test_an_error_is_a_reply(side: SideProcess, snapshot: str) -> None:
    side.start(job(snapshot, "SELECT ?url WHERE {"))
    reply = side.wait()
    assert "syntax error" in reply.error


def test_polling_does_not_wait(side: SideProcess, snapshot: str) -> None:
    side.start(job(snapshot))
    assert side.is_busy
    while (reply := side.poll()) is None:
        time.sleep(0.01)
    assert reply.rows


def test_a_job_that_takes_too_long_is_given_up_and_the_next_one_works(side: SideProcess, snapshot: str) -> None:
    side.seconds = 0.5
    triples = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(20))
    side.start(job(snapshot, f"SELECT (COUNT(*) AS ?priority) WHERE {{ {triples} }}"))
    reply = side.wait()
    assert "took more than 0.5 s" in reply.error
    side.seconds = 120
    side.start(job(snapshot))
    reply = side.wait()
    assert len(reply.rows) == 3


def test_a_process_that_dies_is_reported_and_replaced(side: SideProcess, snapshot: str) -> None:
    side.start(job(snapshot))
    side.wait()
    assert side.process_id is not None
    os.kill(side.process_id, signal.SIGKILL)
    side.start(job(snapshot))
    reply = side.wait()
    assert "process ended" in reply.error
    side.start(job(snapshot))
    reply = side.wait()
    assert not reply.error


def test_a_distillation_comes_back(side: SideProcess, snapshot: str) -> None:
    side.start(DistillJob(snapshot, "hosts", 0.15, 10))
    reply = side.wait()
    assert reply.distillation is not None
    assert reply.distillation.hubs == {}


def test_a_lens_is_there_for_queries(snapshot: str) -> None:
    text = 'SELECT (<http://a/1> AS ?url) (sc:similarity("asthma") AS ?priority) WHERE { }'
    assert do(job(snapshot, text)).rows == [PolicyRow("http://a/1", 1.0)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('sc:similarity("asthma", "nobody")', "there is no judge 'nobody'"),
        ('sc:similarity("a", "b", "c")', "takes a text"),
        ("sc:similarity()", "takes a text"),
        ('sc:similarty("a")', "sc:similarty, which is no function; there is: sc:similarity"),
    ],
)
def test_a_wrong_call_is_an_error(snapshot: str, call: str, message: str) -> None:
    text = f"SELECT (<http://a/1> AS ?url) ({call} AS ?priority) WHERE {{ }}"
    assert message in do(job(snapshot, text)).error


def test_a_snapshot_holds_what_was_written(snapshot: str) -> None:
    from pathlib import Path

    store = open_snapshot(Path(snapshot))
    assert store.query("SELECT (COUNT(*) AS ?n) { ?url sc:priority ?p }").value() == 3
    store.close()
