"""A crawl that is killed under the hands of who controls it from the page keeps what was said."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl.mark_notes import recorded_marks
from tests.cli.test_serve import endless, get, link_in, post, start, words  # noqa: F401
from tests.serve.conftest import until

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")


def test_a_paused_crawl_that_is_killed_goes_on_with_the_mark_it_was_given(
    endless: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    folder, marked = tmp_path / "asthma", "http://a.test/0"
    with start(*words(endless, folder), "--serve", "0") as crawl:
        url, token = link_in(crawl.stderr)
        until(lambda: bool(get(f"{url}api/crawl")["progress"]["pages"] > 2))
        post(f"{url}api/control", token, {"action": "pause"})

        def mark() -> None:
            with suppress(OSError):  # the answer comes when the crawl goes on, which it does not
                post(f"{url}api/mark", token, {"url": marked, "mark": True})

        asking = threading.Thread(target=mark)
        asking.start()
        until(lambda: any((folder / "marks").glob("*")))
        told = get(f"{url}api/crawl")["progress"]["pages"]
        beside = descendants(crawl.pid)
        crawl.kill()
        crawl.wait(60)
        asking.join(60)
    until(lambda: not any(map(is_alive, beside)))  # the server may be writing the mark itself
    with CrawlGraph.read(folder) as graph:
        recorded = len(graph.query("harvest"))
    assert recorded >= told
    with Crawl.resume(folder, pages=recorded + 3) as going_on:
        going_on.run()
        visits = [row["url"] for row in going_on.graph.query("harvest")]
        assert recorded_marks(going_on.graph) == {marked: True}
    assert visits == [f"http://a.test/{number}" for number in range(recorded + 3)]
    assert not [*(folder / "marks").iterdir(), *(folder / "snapshots").iterdir()]


def test_a_crawl_whose_server_is_killed_goes_on(
    endless: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    with start(*words(endless, tmp_path / "asthma"), "--serve", "0") as crawl:
        url, token = link_in(crawl.stderr)
        post(f"{url}api/control", token, {"action": "pause"})
        os.kill(descendants(crawl.pid)[0], signal.SIGKILL)
        assert crawl.stderr is not None
        assert any("server" in line for line in crawl.stderr)
        crawl.send_signal(signal.SIGINT)
        assert crawl.wait(60) == 0


def descendants(process: int) -> list[int]:
    """The processes that a process has started, nearest first: a crawl starts its server first."""
    with suppress(OSError):
        tasks = sorted(Path(f"/proc/{process}/task").iterdir())
        found = [int(one) for task in tasks for one in (task / "children").read_text().split()]
        return [*found, *(one for child in found for one in descendants(child))]
    return []


def is_alive(process: int) -> bool:
    """Whether a process runs: not one that has ended and that nobody has asked about."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
