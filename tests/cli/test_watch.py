from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import time
from typing import TYPE_CHECKING, TextIO

import pytest

from semcrawl.graph import Changes, CrawlGraph
from semcrawl.steering.alarms import Alarm, AlarmKind
from semcrawl.web import Replay, ReplayServer, Response
from tests.started import COMMAND, Started

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

ESCAPE = "\x1b"


# A crawl that has ended


def test_a_finished_crawl_is_shown_once_and_said_to_have_ended(run: Run, crawled: Path) -> None:
    lines = run("watch", crawled).out.splitlines()
    assert lines[0] == "asthma  stopped because no URL is left to visit"
    assert lines[1] == "6 pages, 4 relevant (67%), 0 waiting, 2 hosts"
    assert lines[3].startswith("relevance of pages 1-6  • relevant  · not  ⠒⠒ mean of 100: 0.")
    assert lines[-1] == "The crawl does not run: stopped because no URL is left to visit."


def test_once_prints_a_frame_and_no_last_words(run: Run, crawled: Path) -> None:
    ran = run("watch", crawled, "--once")
    assert ran.code == 0
    assert "does not run" not in ran.out


def test_the_latest_pages_come_newest_first(run: Run, crawled: Path) -> None:
    lines = run("watch", crawled, "--once", "--width", 120).out.splitlines()
    listed = lines[lines.index("latest pages") + 1 :][:5]
    with CrawlGraph.read(crawled) as graph:
        urls = [row["url"] for row in graph.query("analyse/harvest")]
    assert [line.split()[-1] for line in listed] == urls[:-6:-1]
    assert {line[0] for line in listed} == {"●", "○"}


def test_a_page_can_neither_steer_the_terminal_nor_the_markup(run: Run, crawled: Path) -> None:
    out = run("watch", crawled, "--once").out
    assert "Asthma [bold]\ufffd[31m" in out
    assert ESCAPE not in out


@pytest.mark.parametrize("width", [40, 77, 200])
def test_no_line_is_wider_than_asked_for(run: Run, crawled: Path, width: int) -> None:
    lines = run("watch", crawled, "--once", "--width", width).out.splitlines()
    assert max(map(len, lines)) <= width
    assert max(map(len, lines)) == width or width == 200


def test_the_window_is_that_of_the_moving_average(run: Run, crawled: Path) -> None:
    with CrawlGraph.read(crawled) as graph:
        relevances = [row["relevance"] for row in graph.query("analyse/harvest")]
    mean = sum(relevances[-2:]) / 2
    out = run("watch", crawled, "--once", "--window", 2).out
    assert f"⠒⠒ mean of 2: {mean:.3f}" in out
    assert "pages 1-6" in out
    assert "pages 4-6" in run("watch", crawled, "--once", "--window", 1).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gone"], "there is no folder gone"),
        (["gone", "--interval", "0"], "--interval"),
        (["gone", "--window", "0"], "--window"),
        (["gone", "--width", "3"], "--width"),
        ([], "FOLDER"),
    ],
)
def test_misuse_is_told_in_one_line(run: Run, words: list[str], said: str) -> None:
    run("watch", *words).fails(2, said)


@pytest.fixture
def written(crawled: Path, tmp_path: Path) -> Path:
    """The finished crawl with alarms and hubs, and other concepts than its judge gives."""
    folder = tmp_path / "asthma"
    shutil.copytree(crawled, folder)
    with CrawlGraph.open(folder) as graph:
        changes, crawl = Changes(), graph.describe().id
        for number, kind in enumerate([AlarmKind.DIFFUSION, AlarmKind.STAGNATION], 1):
            note = f"the web\x1b[2J is {number} small " + "so it is " * 20
            Alarm(kind, number, 3, 0.0, 0.1, note).record(changes, crawl, 0.0)
        Alarm(AlarmKind.DIFFUSION, 1, 3, 0.2, 0.1, "", ended=5).record(changes, crawl, 0.0)
        graph.apply(changes)
        graph.store.update("DELETE WHERE { ?page sc:bestConcept ?concept }")
        graph.store.update(
            "INSERT DATA { <http://a.test/> sc:bestConcept <urn:c/asthma> ; sc:hubScore 0.75 ."
            "<http://a.test/asthma> sc:bestConcept <urn:c/asthma> ; sc:hubScore 0.25 ."
            "<http://b.test/> sc:bestConcept <urn:c#lung> ."
            '<urn:c#lung> skos:prefLabel "\x1blung" }'
        )
    return folder


def test_alarms_that_last_are_told_in_full_and_those_over_in_short(run: Run, written: Path) -> None:
    lines = run("watch", written, "--once", "--width", 80).out.splitlines()
    assert lines[2].startswith("! stagnation since page 3: the web\ufffd[2J is 2 small so it is")
    assert all(line.startswith("  ") for line in lines[3:5])
    assert " ".join(" ".join(lines[2:5]).split()).count("so it is") == 20
    assert lines[5] == "  diffusion from page 3 to 5, over"


def test_concepts_and_hubs_are_shown_where_there_are_any(run: Run, written: Path) -> None:
    lines = run("watch", written, "--once").out.splitlines()
    assert lines[lines.index("best concepts") + 1] == "  asthma 2, \ufffdlung 1"
    hubs = lines[lines.index("best hubs") + 1 :]
    assert [line.split()[0] for line in hubs] == ["0.7500", "0.2500"]
    assert hubs[0].split()[-1] == "http://a.test/"


def test_a_crawl_without_a_page_is_shown(run: Run, tmp_path: Path) -> None:
    with CrawlGraph.create(tmp_path / "new") as graph:
        graph.begin(
            Changes(), title="empty", topic_file="", topic_turtle="", settings="{}", threshold=0.1, started_at=0.0
        )
    lines = run("watch", "new", "--once").out.splitlines()
    assert lines == ["empty  not finished: go on with 'semcrawl resume'", "0 pages, 0 relevant, 0 waiting, 0 hosts"]


# A crawl that runs


def endless(url: str) -> Response | None:
    """A web without an end, in which every page is about the topic."""
    if url.endswith("/robots.txt"):
        return None
    number = int(url.rpartition("/")[2] or 0)
    body = f'<title>Page {number}</title><p>asthma <a href="/{number + 1}">asthma</a>'
    return Response(url, 200, {"content-type": "text/html"}, body.encode(), 0.0, 0.0)


def start(*words: object, out: TextIO | int = subprocess.PIPE) -> Started:
    return Started(COMMAND, *words, stdout=out)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[tuple[Started, Path]]:
    """A crawl in a process of its own that has visited some pages, and its folder."""
    folder, events = tmp_path / "crawl", tmp_path / "events"
    words = ("--delay", 0, "--workers", 1, "--pages", 0, "--seconds", 300, "--json")
    with (
        ReplayServer(Replay({}), answers=endless, latency=0.05) as server,
        events.open("w") as out,
        start(
            *("crawl", "wordnet:asthma", "--seed", "http://a.test/0", "--proxy", server.proxy),
            *(*words, "--folder", folder),
            out=out,
        ) as crawl,
    ):
        while '"step": 3,' not in events.read_text():
            assert crawl.poll() is None
            time.sleep(0.02)
        yield crawl, folder
        crawl.kill()


def test_a_running_crawl_is_followed_until_it_ends(running: tuple[Started, Path]) -> None:
    crawl, folder = running
    with start("watch", folder, "--interval", 0.1) as watch:
        assert watch.stdout is not None
        out = ""
        while len(re.findall(r"pages/s", out)) < 3:
            line = watch.stdout.readline()
            assert line, out
            out += line
        crawl.send_signal(signal.SIGINT)
        out += watch.stdout.read()
    assert watch.returncode == 0
    pages = [int(number) for number in re.findall(r"^(\d+) pages, ", out, re.MULTILINE)]
    assert pages == sorted(pages)
    assert pages[-1] > pages[0]
    assert "asthma  running" in out
    assert out.endswith("The crawl does not run: stopped because it was told to stop.\n")
    assert ESCAPE not in out
    assert not list((folder / "snapshots").iterdir())


def test_in_a_terminal_ctrl_c_leaves_the_screen_as_it_was(running: tuple[Started, Path]) -> None:
    crawl, folder = running
    ours, theirs = pty.openpty()
    words = ("watch", folder, "--interval", 0.1)
    with Started(COMMAND, *words, stdin=theirs, stdout=theirs, stderr=theirs) as watch:
        os.close(theirs)
        seen = b""
        while seen.count(b"pages/s") < 2:
            seen += os.read(ours, 65536)
        watch.send_signal(signal.SIGINT)
        try:
            while more := os.read(ours, 65536):
                seen += more
        except OSError:  # how a pseudo-terminal tells that the other end is closed
            pass
    os.close(ours)
    assert watch.returncode == 0
    assert crawl.poll() is None, "the crawl goes on"
    picture, _, left = seen.decode().partition("\x1b[?1049l")
    assert "\x1b[?1049h" in picture
    assert "relevance of pages" in left
    assert "Traceback" not in left
    assert not list((folder / "snapshots").iterdir())


@pytest.mark.parametrize("value", ['"high"', '"NaN"^^xsd:double'])
def test_a_value_that_no_crawl_writes_is_told_in_a_line(run: Run, crawled: Path, tmp_path: Path, value: str) -> None:
    folder = tmp_path / "forged"
    shutil.copytree(crawled, folder)
    with CrawlGraph.open(folder) as graph:
        change = f"DELETE {{ ?p sc:relevance ?o }} INSERT {{ ?p sc:relevance {value} }}"
        graph.store.update(f"{change} WHERE {{ ?p sc:relevance ?o }}")
    run("watch", folder, "--once").fails(1, str(folder), "sc:relevance")
