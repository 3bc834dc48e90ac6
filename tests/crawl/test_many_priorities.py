"""Many new priorities at once: the frontier follows at once, the graph little by little."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl.frontier import Frontier, LeastLoaded
from semcrawl.graph import FoundUrl
from semcrawl.strategies.strategy import Learner
from tests.crawl.conftest import WORDS, html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from semcrawl.strategies import JudgedPage

    MakeWeb = Callable[[dict[str, Any]], Path]

HOME = "http://home.test/"
COUNT = 30


def url(number: int) -> str:
    return f"http://home.test/{number:02}"


WEB = {
    HOME: html("Home", {url(n): str(n) for n in range(COUNT)}, WORDS),
    **{url(n): html(str(n), {}, WORDS) for n in range(COUNT)},
}


class Restates(Learner):
    """After the first page it wants the last links first, and says so again after a resume."""

    restates = True

    def __init__(self) -> None:
        self._says = False

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        self._says = bool(visited)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        self._says = self._says or judged.page.url == HOME
        return [0.5] * len(judged.page.links)

    def revise(self) -> Mapping[str, float]:
        says, self._says = self._says, False
        return {url(n): (n + 1) / 100 for n in range(COUNT)} if says else {}


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty are many."""
    for name in ("_FEW", "_BEST"):
        monkeypatch.setattr(f"semcrawl.crawl.pages.priorities.{name}", 5)


def crawl_it(make_web: MakeWeb, folder: Path | None = None, **values: Any) -> Crawl:
    web = str(make_web(WEB))
    return Crawl("keywords:asthma", [HOME], folder, strategy=Restates(), judge="labels", replay=[web], **values)


def priorities(graph: CrawlGraph) -> dict[str, float]:
    rows = list(graph.query("SELECT ?url ?priority { ?url sc:priority ?priority }"))
    found = {row["url"]: row["priority"] for row in rows}
    assert len(found) == len(rows)
    return found


def learnt(numbers: Sequence[int]) -> dict[str, float]:
    return {url(n): (n + 1) / 100 for n in numbers}


def first_pages(crawl: Crawl, count: int) -> Iterator[Any]:
    visits = crawl.visits()
    for _ in range(count):
        next(visits)
    return visits


def test_the_graph_hears_of_the_best_at_once_and_of_the_others_page_by_page(make_web: MakeWeb) -> None:
    with crawl_it(make_web) as crawl:
        visits = first_pages(crawl, 2)  # the home page, and that the frontier was revised
        now = priorities(crawl.graph)
        assert [n for n in range(COUNT) if now[url(n)] != 0.5] == list(range(25, 30))
        for _ in range(3):
            next(visits)
        # Three pages were visited, and three others were written with them.
        now = priorities(crawl.graph)
        assert len(now) == COUNT - 3
        assert [n for n in range(27) if now[url(n)] != 0.5] == list(range(22, 27))
        list(visits)
        assert priorities(crawl.graph) == {}
        order = [row["url"] for row in crawl.query("harvest")]
        assert order == [HOME, *(url(n) for n in reversed(range(COUNT)))]


@pytest.mark.parametrize("pages", [1, 4])
def test_all_is_written_when_the_crawl_stops(make_web: MakeWeb, tmp_path: Path, pages: int) -> None:
    with crawl_it(make_web, tmp_path / "c", pages=pages) as crawl:
        crawl.run()
    with CrawlGraph.read(tmp_path / "c") as graph:
        assert priorities(graph) == learnt(range(COUNT - pages + 1))


def test_all_is_written_before_a_snapshot(make_web: MakeWeb, tmp_path: Path) -> None:
    with crawl_it(make_web, tmp_path / "c") as crawl:
        visits = first_pages(crawl, 3)
        (tmp_path / "c" / "snapshots").mkdir(exist_ok=True)
        (tmp_path / "c" / "snapshots" / f"0-{32 * '0'}.wanted").touch()
        assert crawl.graph.answer_readers() == 1
        assert priorities(crawl.graph) == learnt(range(COUNT - 1))
        visits.close()  # type: ignore[attr-defined]


def test_what_a_kill_leaves_behind_is_said_again(make_web: MakeWeb, tmp_path: Path) -> None:
    """A second Ctrl-C ends the crawl at once: nothing that was put off is written."""

    class Killed(KeyboardInterrupt):
        pass

    with crawl_it(make_web, tmp_path / "c") as crawl:
        visits = first_pages(crawl, 4)
        with pytest.raises(Killed):
            visits.throw(Killed)  # type: ignore[attr-defined]
        assert 0.5 in priorities(crawl.graph).values()
    with Crawl.resume(tmp_path / "c", strategy=Restates()) as crawl:
        crawl.run()
        order = [row["url"] for row in crawl.query("harvest")]
        assert order == [HOME, *(url(n) for n in reversed(range(COUNT)))]


def test_a_strategy_that_does_not_restate_has_all_written_at_once(
    make_web: MakeWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Restates, "restates", False)
    with crawl_it(make_web) as crawl:
        visits = first_pages(crawl, 2)
        assert priorities(crawl.graph) == learnt(range(COUNT))
        visits.close()  # type: ignore[attr-defined]


def test_policies_multiply_what_was_learnt_and_not_yet_written(make_web: MakeWeb, tmp_path: Path) -> None:
    policy = tmp_path / "double.rq"
    wanted = f"VALUES ?url {{ <{url(3)}> <{url(7)}> }}"
    policy.write_text(f"# @every 2\nSELECT ?url (2 AS ?factor) WHERE {{ {wanted} }}")
    with crawl_it(make_web, tmp_path / "c", pages=5, policy=[str(policy)]) as crawl:
        crawl.run()
        now = priorities(crawl.graph)
        expected = learnt(range(COUNT - 4)) | {url(3): 0.08, url(7): 0.16}
        assert now == expected


def test_a_url_that_is_dropped_leaves_no_priority_behind(make_web: MakeWeb, tmp_path: Path) -> None:
    policy = tmp_path / "drop.rq"
    policy.write_text(f"# @every 2\nSELECT ?url (true AS ?drop) WHERE {{ VALUES ?url {{ <{url(3)}> }} }}")
    with crawl_it(make_web, tmp_path / "c", pages=5, policy=[str(policy)]) as crawl:
        crawl.run()
        left = set(range(COUNT - 4)) - {3}
        assert priorities(crawl.graph) == learnt(sorted(left))


# The frontier alone

PRIORITIES = st.dictionaries(st.integers(0, 19), st.integers(0, 9).map(lambda n: n / 10), max_size=20)


@given(rounds=st.lists(st.tuples(PRIORITIES, st.integers(0, 3)), max_size=6), loaded=st.booleans())
def test_all_at_once_gives_the_order_of_one_by_one(rounds: list[tuple[dict[int, float], int]], loaded: bool) -> None:
    one, many = (Frontier(15, 2, LeastLoaded() if loaded else None) for _ in range(2))
    for frontier in (one, many):
        for n in range(20):
            host = f"h{n % 3}.test"
            frontier.push(FoundUrl(f"http://{host}/{n}", host, 0.5, n, 1))
    for given_priorities, pops in rounds:
        new = {f"http://h{n % 3}.test/{n}": p for n, p in given_priorities.items()}
        waiting = {address: p for address, p in new.items() if address in one}
        for address, priority in waiting.items():
            one.prioritise(address, priority)
        many.prioritise_all(waiting)
        for _ in range(pops):
            popped = [frontier.pop(0.0) for frontier in (one, many)]
            assert popped[0] == popped[1]
            for frontier, entry in zip((one, many), popped, strict=True):
                if entry is not None:
                    frontier.release(entry.host, 0.0)


def test_items_that_no_longer_hold_do_not_pile_up() -> None:
    frontier = Frontier()
    for n in range(50):
        frontier.push(FoundUrl(f"http://h.test/{n}", "h.test", 0.5, n, 1))
    for turn in range(400):
        for n in range(50):
            frontier.prioritise(f"http://h.test/{n}", (turn * 7 + n) % 100 / 100)
    assert sum(map(len, frontier._queues.values())) < 1200
