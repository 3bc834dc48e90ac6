"""The monitor: figures, history and the live stream, of finished and of running crawls."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl import Crawl, Settings
from semcrawl.demo import demo_web
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.relevance import BaseJudge, Judgement
from semcrawl.serve import monitor_routes
from semcrawl.serve.monitor import CrawlCounts, History, NewPages
from semcrawl.steering.alarms import Alarm, AlarmKind
from tests.serve.conftest import PAGES, running_server, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

    from semcrawl.page import Page
    from tests.serve.conftest import Served


def recorded_relevances(folder: Path) -> list[float]:
    with CrawlGraph.read(folder) as graph:
        return [round(row["relevance"], 4) for row in graph.query("analyse/harvest")]


class Events:
    """The events of a stream, one after the other."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.iter_lines()

    def next(self) -> tuple[str, Any]:
        """The next event: its name and its data."""
        name = ""
        for line in self._lines:
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                return name, json.loads(line.removeprefix("data: "))
        raise AssertionError("the stream has ended")

    def wait_for(self, wanted: str) -> Any:
        """The data of the next event of a name."""
        while True:
            name, data = self.next()
            if name == wanted:
                return data


@contextmanager
def events_of(served: Served, query: str = "") -> Iterator[Events]:
    with served.client.stream("GET", f"/api/events{query}") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Events(response)


# A finished crawl


def test_the_crawl_is_told_in_full(served: Served) -> None:
    told = served.client.get("/api/crawl").json()
    assert told["name"] == "respiratory disease"
    assert told["folder"] == "lungs"
    assert (told["state"], told["kind"]) == ("stopped", "pages")
    assert told["reason"] == "the wanted number of pages is visited"
    assert told["settings"]["pages"] == PAGES
    assert told["started"] < told["ended"]
    assert told["can"] == {
        "control": False,
        "explain": "replay",
        "taxonomy": False,
        "mark": False,
        "mark_pages": False,
        "shards": False,
    }
    assert told["snapshot"]["is_live"] is False


def test_the_figures_are_those_of_the_named_query(served: Served) -> None:
    told = served.client.get("/api/crawl").json()
    with CrawlGraph.read(served.folder) as graph:
        query = graph.query("monitor/progress", threshold=told["threshold"])
        figures = next(iter(query))
    progress = told["progress"]
    assert {name: progress[name] for name in figures} == figures
    assert progress["harvest_rate"] == round(figures["relevant"] / figures["pages"], 4)
    assert progress["pages_per_second"] > 0


def test_the_history_has_every_page_in_order(served: Served) -> None:
    told = served.client.get("/api/monitor").json()
    assert told["first"] == 1
    assert told["relevances"] == recorded_relevances(served.folder)
    assert [page["step"] for page in told["latest"]] == list(range(PAGES, PAGES - 20, -1))
    assert told["times"] == []  # a recorded page has the time of its recording
    assert sum(row["pages"] for row in told["census"]) > 0
    assert all(row["label"] for row in told["census"])


def test_the_history_can_be_had_from_a_step_on(served: Served) -> None:
    told = served.client.get("/api/monitor?after=35").json()
    assert told["first"] == 36
    assert told["relevances"] == recorded_relevances(served.folder)[35:]


@pytest.mark.parametrize("after", ["-1", "x", "1.5"])
def test_a_step_is_a_number(served: Served, after: str) -> None:
    answer = served.client.get(f"/api/monitor?after={after}")
    assert answer.status_code == 400
    assert "is no step" in answer.json()["error"]


def test_the_stream_of_a_finished_crawl_tells_all_and_its_end(served: Served) -> None:
    with events_of(served, "?after=38") as events:
        found = dict(events.next() for _ in range(4))
    assert found["pages"]["first"] == 39
    assert [page["step"] for page in found["pages"]["latest"]] == [40, 39]
    assert found["progress"]["pages"] == PAGES
    assert found["end"] == {"reason": "the wanted number of pages is visited"}
    assert set(found["alarms"]) == {"alarms", "errors", "census"}


def test_many_readers_cost_no_query_each(served: Served) -> None:
    served.client.get("/api/monitor")
    before = answered(served)
    for _ in range(30):
        served.client.get("/api/monitor")
        served.client.get("/api/crawl")
    assert answered(served) - before <= 3


def answered(served: Served) -> float:
    text = served.client.get("/metrics").text
    name = 'semcrawl_server_jobs_answered_total{pool="page"} '
    return float(next(line for line in text.splitlines() if line.startswith(name)).split()[1])


# A running crawl


def test_a_running_crawl_is_followed_page_by_page(tmp_path: Path, recorded: Path) -> None:
    web, folder = demo_web(), tmp_path / "running"
    # A judge that learns has pages told again, from the first that it judges anew.
    settings = Settings(replay=(str(recorded),), pages=30, judge="labels", strategy="breadth-first")
    with Crawl(web.main_topic.spec, web.seeds, folder, settings=settings) as crawl:
        crawl.pause()

        def run() -> None:
            crawl.run()
            crawl.close()  # from now on its own graph can be read

        thread = threading.Thread(target=run)
        thread.start()
        try:
            with running_server(folder) as served, events_of(served) as events:
                assert events.wait_for("progress")["state"] == "running"
                crawl.unpause()
                steps: list[float] = []
                while len(steps) < 30:
                    told = events.wait_for("pages")
                    assert told["first"] == len(steps) + 1
                    steps += told["relevances"]
                assert events.wait_for("end")["reason"] == "the wanted number of pages is visited"
        finally:
            crawl.stop()
            thread.join()
    assert steps == recorded_relevances(folder)


class LastWord(BaseJudge):
    """Learns at the very end that all pages were relevant."""

    threshold = 0.5
    learns = True

    def __init__(self) -> None:
        self.seen: list[str] = []

    def judge(self, page: Page) -> Judgement:
        return Judgement(0.25)

    def observe(self, page: Page, judgement: Judgement) -> None:
        self.seen.append(page.url)

    def finish(self) -> dict[str, float]:
        return dict.fromkeys(self.seen, 0.75)


def test_pages_that_were_judged_anew_are_told_again(tmp_path: Path, recorded: Path) -> None:
    web, folder = demo_web(), tmp_path / "learning"
    more: dict[str, Any] = {"replay": (str(recorded),), "pages": 8, "judge": LastWord()}
    more["strategy"] = "best-first-page-anchor"  # whose first eight events are eight pages
    with Crawl(web.main_topic.spec, web.seeds, folder, **more) as crawl:
        visits = crawl.visits()

        def end() -> None:
            list(visits)
            crawl.close()

        thread = threading.Thread(target=end)
        for _ in range(8):
            next(visits)
        answering = threading.Event()

        def answer() -> None:
            while not answering.wait(0.02):
                crawl.graph.answer_readers()

        reader = threading.Thread(target=answer)
        reader.start()
        try:
            with running_server(folder) as served, events_of(served) as events:
                assert events.wait_for("pages")["relevances"] == [0.25] * 8
                answering.set()
                reader.join()
                thread.start()
                told = events.wait_for("pages")
                assert (told["first"], told["relevances"]) == (1, [0.75] * 8)
                assert served.client.get("/api/crawl").json()["progress"]["relevant"] == 8
        finally:
            answering.set()
            thread.join()


def test_the_census_counts_the_pages_that_are_relevant_now(tmp_path: Path, recorded: Path) -> None:
    web, folder = demo_web(), tmp_path / "lungs"
    with Crawl(web.main_topic.spec, web.seeds, folder, replay=(str(recorded),), pages=100) as crawl:
        crawl.run()  # its judge learns, and judges pages anew
        counted = {row["concept"]: row["relevant"] for row in crawl.query("census", limit=50)}
        lenient = {row["concept"]: row["relevant"] for row in crawl.query("census", limit=50, min_relevance=0.05)}
    assert counted != lenient
    with running_server(folder) as served:
        until(lambda: bool(served.client.get("/api/monitor").json()["census"]))  # it is counted beside
        census = served.client.get("/api/monitor").json()["census"]
        assert {row["concept"]: row["relevant"] for row in census} == counted


def test_alarms_are_told(tmp_path: Path, recorded: Path) -> None:
    web, folder = demo_web(), tmp_path / "alarmed"
    with Crawl(web.main_topic.spec, web.seeds, folder, replay=(str(recorded),), pages=5) as crawl:
        crawl.run()
        changes = Changes()
        about = crawl.graph.describe()
        Alarm(AlarmKind.STAGNATION, 1, 5, 0.0, 0.1, "few are relevant").record(changes, about.id, 0.0)
        crawl.graph.apply(changes)
    with running_server(folder) as served:
        told = served.client.get("/api/monitor").json()
        assert told["alarms"] == [{"kind": "stagnation", "raised": 5, "ended": None, "note": "few are relevant"}]
        assert 'semcrawl_crawl_alarm{kind="stagnation"} 1' in served.client.get("/metrics").text


# The history itself

PAGE = st.none() | st.floats(0, 1).map(lambda number: round(number, 6))


@given(st.lists(st.lists(PAGE, max_size=8), max_size=8), st.integers(0, 70))
def test_a_history_does_not_depend_on_how_it_came(parts: list[list[float | None]], after: int) -> None:
    whole, pieces = History(0.5), History(0.5)
    for part in parts:
        pieces.extend(part, [1.0 if page is not None else None for page in part])
    flat = [page for part in parts for page in part]
    whole.extend(flat, [1.0 if page is not None else None for page in flat])
    assert whole.relevances(after) == pieces.relevances(after)
    assert len(whole.relevances(after)) == max(len(flat) - after, 0)
    seen = [page for page in flat if page is not None]
    assert (pieces.pages, pieces.relevant) == (len(seen), sum(page >= 0.5 for page in seen))


def test_the_times_of_a_long_history_are_thinned_to_some_hundred() -> None:
    history = History()
    history.extend([0.5] * 50_000, [float(step) for step in range(50_000)])
    times = history.times(started=0.0)
    assert len(times) <= 501
    assert (times[0], times[-1]) == ([1, 0.0], [50_000, 49_999.0])


def test_a_long_break_does_not_count_for_the_speed() -> None:
    history = History()
    history.extend([0.5] * 4, [0.0, 1.0, 9000.0, 9001.0])
    assert history.pages_per_second() == 1.5


def test_what_comes_after_a_step_that_is_not_there_yet_is_nothing(served: Served) -> None:
    told = served.client.get(f"/api/monitor?after={10**12}").json()
    assert (told["first"], told["relevances"]) == (PAGES + 1, [])


def test_clients_cannot_fill_the_memory_with_steps() -> None:
    class Context:
        monitor = SimpleNamespace(version=1, history=History(), latest=[])
        control = SimpleNamespace(state="running")

    context = Context()

    def pages(after: int) -> bytes:
        return monitor_routes.once(context, monitor_routes._pages, after)  # type: ignore[arg-type]

    first = pages(0)
    for after in range(1000):
        pages(after)
    assert monitor_routes._encoded.cache_info().currsize == 16
    assert pages(0) == first


def test_the_census_names_concepts_as_people_do() -> None:
    concepts = {
        "https://w3id.org/semcrawl/wordnet/respiratory_disease.n.01": "respiratory disease",
        "https://w3id.org/semcrawl/wordnet/st._vitus_dance.n.12": "st. vitus dance",
        "http://a.test/ontology#C0004096": "C0004096",
        "http://a.test/thesaurus/asthma/": "asthma",
        "http://a.test/labelled": "a label",
    }
    with CrawlGraph.create() as graph:
        for number, concept in enumerate(concepts):
            page = f"<urn:page:{number}> sc:bestConcept <{concept}> ; sc:relevance 0.5"
            graph.store.update(f"INSERT DATA {{ {page} }}")
        graph.store.update('INSERT DATA { <http://a.test/labelled> skos:prefLabel "a label" }')
        census = CrawlCounts(0.1).do(graph)["census"]
    assert {row.concept: row.label for row in census} == concepts


def test_pages_that_are_gone_leave_gaps_in_the_history() -> None:
    with CrawlGraph.create() as graph:
        for step in (1, 2, 5, 19):
            graph.store.update(
                f"INSERT DATA {{ <urn:page:{step}> sc:step {step} ; sc:relevance 0.{step} ; "
                f'sc:fetchedAt "2026-11-16T09:00:{step:02}Z"^^xsd:dateTime }}'
            )
        whole, later = (NewPages(after).do(graph) for after in (0, 2))
    assert [at for at, one in enumerate(whole["relevances"], 1) if one is not None] == [1, 2, 5, 19]
    assert later["relevances"] == whole["relevances"][2:]
    assert later["times"] == whole["times"][2:]
