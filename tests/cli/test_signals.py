"""Ctrl-C, kill -9 and readers beside a running crawl: real processes over an endless web."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import pytest

from semcrawl.web import Replay, ReplayServer, Response
from tests.started import COMMAND, Started

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


class Valve:
    """An endless web whose pages can be held back."""

    def __init__(self) -> None:
        self.held = False

    def answer(self, url: str) -> Response | None:
        if url.endswith("/robots.txt"):
            return None
        while self.held:
            time.sleep(0.01)
        number = int(url.rpartition("/")[2] or 0)
        body = f'<title>Page {number}</title><p>asthma <a href="/{number + 1}">asthma</a>'
        headers = {"content-type": "text/html"}
        return Response(url, 200, headers, body.encode(), 0.0, 0.0)


@pytest.fixture
def valve() -> Iterator[tuple[Valve, str]]:
    """The endless web, and the address that it is served at."""
    held = Valve()
    with ReplayServer(Replay({}), answers=held.answer, latency=0.05) as server:
        yield held, server.proxy
        held.held = False


def start(*words: object, out: TextIO) -> Started:
    return Started(COMMAND, *words, stdout=out, stderr=subprocess.PIPE)


def wait_for_page(crawl: Started, out: Path, step: int) -> None:
    """Wait until the JSON events tell of a page of at least this number."""
    while crawl.poll() is None:
        if f'"step": {step},' in out.read_text():
            return
        time.sleep(0.02)
    pytest.fail(f"the crawl ended with {crawl.returncode}")


def pages(run: Run) -> tuple[str, int]:
    figures = json.loads(run("status", "asthma", "--json").out)
    return figures["state"], figures["pages"]


def test_a_crawl_is_read_while_it_runs_and_survives_every_stop(
    run: Run, valve: tuple[Valve, str], tmp_path: Path
) -> None:
    held, proxy = valve
    # A file and no pipe: a crawl whose output nobody reads must not wait for a reader.
    out = tmp_path / "events"
    words = ("--proxy", proxy, "--delay", 0, "--workers", 2, "--pages", 0, "--json")
    seed = ("crawl", "wordnet:asthma", "--seed", "http://a.test/0")
    with out.open("w") as file, start(*seed, *words, out=file) as crawl:
        wait_for_page(crawl, out, 3)
        state, seen = pages(run)
        assert state == "running"
        assert seen >= 3
        assert run("query", "asthma", "best-pages", "limit=1").out.count("\n") == 2
        assert run("export", "asthma", "-o", "a.csv").code == 0
        run("resume", "asthma").fails(1, f"asthma is open in process {crawl.pid}")
        run(*seed).fails(2, "holds a crawl")
        crawl.send_signal(signal.SIGINT)
        _, err = crawl.communicate(timeout=60)
    assert crawl.returncode == 0
    assert json.loads(out.read_text().splitlines()[-1])["reason"] == "Interrupted"
    assert err.strip() == ("semcrawl: stopping after the visits under way; Ctrl-C again stops at once")
    state, stopped_at = pages(run)
    assert state == "stopped because it was told to stop"
    assert stopped_at >= seen

    with out.open("w") as file, start("resume", "asthma", "--json", out=file) as crawl:
        wait_for_page(crawl, out, stopped_at + 3)
        crawl.kill()
    state, killed_at = pages(run)
    assert state == "not finished: go on with 'semcrawl resume'"
    assert killed_at >= stopped_at + 3

    with out.open("w") as file, start("resume", "asthma", "--json", out=file) as crawl:
        wait_for_page(crawl, out, killed_at + 3)
        held.held = True  # the visit under way will not end by itself
        crawl.send_signal(signal.SIGINT)
        assert crawl.stderr is not None
        assert crawl.stderr.readline() == "\n"
        assert "Ctrl-C again" in crawl.stderr.readline()
        crawl.send_signal(signal.SIGINT)
        _, rest = crawl.communicate(timeout=60)
    assert crawl.returncode == 130
    assert "stopped at once; nothing recorded is lost: semcrawl resume asthma" in rest
    state, ended_at = pages(run)
    assert state == "stopped because it was told to stop"

    steps = run("query", "asthma", "SELECT ?s { ?u sc:step ?s } ORDER BY ?s", "--format", "csv")
    assert steps.out.split()[1:] == [str(n) for n in range(1, ended_at + 1)]


def test_a_served_crawl_is_stopped_cleanly_as_soon_as_its_link_is_told(
    valve: tuple[Valve, str], tmp_path: Path
) -> None:
    _, proxy = valve
    words = ("--proxy", proxy, "--delay", 0, "--pages", 0, "--seed", "http://a.test/0", "--serve=127.0.0.1:0")
    folder = tmp_path / "asthma"
    with (
        (tmp_path / "out").open("w") as out,
        start("crawl", "wordnet:asthma", "--folder", folder, *words, out=out) as crawl,
    ):
        assert crawl.stderr is not None
        while "shown at" not in (line := crawl.stderr.readline()):
            assert line, "the crawl ended"
        crawl.send_signal(signal.SIGINT)
        _, err = crawl.communicate(timeout=300)
    assert crawl.returncode == 0, err
    assert "stopping after the visits under way" in err


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_an_interrupted_query_ends_at_once(crawled: Path) -> None:
    product = " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(6))
    words = ["query", str(crawled), f"SELECT (COUNT(*) AS ?n) {{ {product} }}"]
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", COMMAND, *words], stdout=pipe, stderr=pipe, text=True) as query:
        # Wherever this finds it after its first steps, importing or asking: no traceback, no wait.
        while "pyoxigraph" not in Path(f"/proc/{query.pid}/maps").read_text(encoding="utf-8"):
            assert query.poll() is None
            time.sleep(0.01)
        query.send_signal(signal.SIGINT)
        out, err = query.communicate(timeout=60)
    assert query.returncode in (130, -signal.SIGINT)
    assert (out, err.strip()) == ("", "")
