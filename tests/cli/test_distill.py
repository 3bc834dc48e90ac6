from __future__ import annotations

import csv
import io
import json
import shutil
import threading
from typing import TYPE_CHECKING

import pytest

from semcrawl.graph import CrawlGraph
from tests.cli.conftest import SEED, Ran

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Run = Callable[..., Ran]

ELSEWHERE = "http://b.test/"
ASTHMA = "http://a.test/asthma"
# Three of the six pages can be authorities: those about asthma.
HALF = ("--share", "0.5")
# Across pages the seed is a hub as well, which fades beside a stronger one.
EARLY = (*HALF, "--across", "pages", "--rounds", "1")


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    """A crawl that may be written to."""
    return shutil.copytree(crawled, tmp_path / "crawl")


@pytest.fixture
def running(folder: Path) -> Iterator[Path]:
    """A crawl that another process has open and hands out snapshots of."""
    over = threading.Event()
    with CrawlGraph.open(folder) as graph:

        def answer() -> None:
            while not over.wait(0.02):
                graph.answer_readers()

        thread = threading.Thread(target=answer)
        thread.start()
        yield folder
        over.set()
        thread.join()


def hub_scores(folder: Path) -> dict[str, float]:
    with CrawlGraph.read(folder) as graph:
        return {row["url"]: row["score"] for row in graph.query("best-hubs")}


def test_hubs_and_authorities_are_shown_and_written(run: Run, folder: Path) -> None:
    # Only one page links to a page about asthma on another host.
    done = run("distill", folder, *HALF)
    assert done.code == 0
    assert done.out.splitlines() == [
        "hubs (the best 1 of 1)",
        f"         1  Asthma [bold]\ufffd[31m  {ASTHMA}",
        "",
        "authorities (the best 1 of 1)",
        f"         1  Asthma, elsewhere  {ELSEWHERE}",
    ]
    assert done.err == f"2 scores written into the graph of {folder}\n"
    assert hub_scores(folder) == {ASTHMA: 1.0}


def test_on_one_host_all_links_can_count(run: Run, folder: Path) -> None:
    done = run("distill", folder, *EARLY, "--format", "json")
    found = json.loads(done.out)
    assert found["pages"] == 6
    assert found["edges"] == 3
    assert {hub["url"] for hub in found["hubs"]} >= {ASTHMA, SEED}
    assert hub_scores(folder).keys() == {hub["url"] for hub in found["hubs"]}


def test_a_hub_that_has_faded_is_neither_shown_nor_kept(run: Run, folder: Path) -> None:
    done = run("distill", folder, *HALF, "--across", "pages", "--best", 0)
    assert done.out.splitlines()[0] == "hubs (the best 1 of 1)"
    assert list(hub_scores(folder)) == [ASTHMA]


def test_a_dry_run_writes_nothing(run: Run, folder: Path) -> None:
    done = run("distill", folder, *HALF, "--dry-run")
    assert ASTHMA in done.out
    assert done.err == ""
    assert hub_scores(folder) == {}


def test_a_running_crawl_is_shown_but_not_written_to(run: Run, running: Path) -> None:
    done = run("distill", running, *HALF)
    assert done.code == 0
    assert ASTHMA in done.out
    assert done.err == f"the crawl in {running} is running: nothing is written into its graph\n"
    assert hub_scores(running) == {}


def test_a_crawl_that_is_being_read_is_shown_but_not_written_to(run: Run, folder: Path) -> None:
    with CrawlGraph.read(folder):
        done = run("distill", folder, *HALF)
    assert ASTHMA in done.out
    assert "is being read by another process: nothing is written" in done.err


@pytest.mark.parametrize(("method", "best"), [("pagerank", "http://a.test/"), ("in-degree", "http://a.test/")])
def test_other_methods_to_compare_with(run: Run, folder: Path, method: str, best: str) -> None:
    done = run("distill", folder, "--method", method, "--limit", 3, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["kind"] for row in rows] == [method] * 3
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert best in {row["url"] for row in rows}
    assert hub_scores(folder) == {}


def test_csv_keeps_what_was_read(run: Run, folder: Path) -> None:
    done = run("distill", folder, *HALF, "--dry-run", "--format", "csv")
    assert done.out.splitlines()[0] == "kind,score,url,title"
    assert done.out.splitlines()[1] == f"hubs,1.0,{ASTHMA},Asthma [bold]\x1b[31m"


def test_how_many_are_shown_and_kept(run: Run, folder: Path) -> None:
    done = run("distill", folder, *EARLY, "--format", "json", "--limit", 1, "--best", 2)
    assert len(json.loads(done.out)["hubs"]) == 1
    assert len(hub_scores(folder)) == 2


def test_where_nothing_is_found_it_is_said_why(run: Run, tmp_path: Path) -> None:
    with CrawlGraph.create(tmp_path / "empty"):
        pass
    done = run("distill", "empty")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("nothing to distill: the crawl has visited no page yet\n")


def test_one_host_has_no_links_between_hosts(run: Run, folder: Path) -> None:
    with CrawlGraph.open(folder) as graph:
        graph.store.update(f"DELETE WHERE {{ <{ASTHMA}> sc:linksTo ?x }}")
    done = run("distill", folder)
    assert done.out == ""
    assert "use --across pages" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--share", "0"], "'--share': 0.0 is not in the range"),
        (["--rounds", "0"], "'--rounds': 0 is not in the range"),
        (["--method", "salsa"], "'salsa' is not one of"),
        (["--method", "pagerank", "--share", "0.2"], "--share has no effect with --method pagerank"),
        (["--method", "in-degree", "--rounds", "5"], "--rounds has no effect"),
    ],
)
def test_misuse_is_one_line(run: Run, crawled: Path, words: list[str], message: str) -> None:
    run("distill", crawled, *words).fails(2, message)


def test_what_is_no_crawl_is_misuse(run: Run) -> None:
    run("distill", "gone").fails(2, "there is no folder gone: give the folder of a crawl")
