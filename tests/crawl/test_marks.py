"""Marks by hand: sure examples for a judge that learns, kept in the graph."""

from __future__ import annotations

import os
import shutil
import threading
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl import PagesRejudged, PageVisited
from semcrawl.crawl.mark_notes import MarkNotes, recorded_marks
from semcrawl.crawl.marks import Review, judge_learns, mark_pages
from semcrawl.demo import demo_web
from semcrawl.errors import ConfigError, QueryError

if TYPE_CHECKING:
    from pathlib import Path

PAGES = 60


def demo_crawl(recorded: Path, folder: Path, **settings: Any) -> Crawl:
    web = demo_web()
    values: dict[str, Any] = {"pages": PAGES, "workers": 1} | settings
    return Crawl(web.main_topic.spec, web.seeds, folder, replay=[str(recorded)], **values)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "lungs"
    with demo_crawl(recorded, folder) as crawl:
        crawl.run()
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A finished crawl of its own for each test."""
    return shutil.copytree(finished, tmp_path / "lungs")


def relevances(folder: Path) -> dict[str, float]:
    with CrawlGraph.read(folder) as graph:
        return {row["url"]: row["relevance"] for row in graph.query("harvest")}


def in_doubt(folder: Path) -> str:
    return min(relevances(folder).items(), key=lambda page: abs(page[1] - 0.5))[0]


def test_marks_are_said_in_the_words_of_the_command_line(folder: Path) -> None:
    wrong, right, *_ = relevances(folder)
    mark_pages(folder, {wrong: "no", right: "yes"})
    with CrawlGraph.read(folder) as graph:
        assert recorded_marks(graph) == {wrong: False, right: True}


@pytest.mark.parametrize("mark", ["maybe", "", 0, 1, 0.5, []])
def test_a_mark_of_another_kind_is_refused_before_anything_is_recorded(folder: Path, mark: Any) -> None:
    first, second, *_ = relevances(folder)
    with pytest.raises(ConfigError, match="is unknown: give True or 'yes', False or 'no', or None"):
        mark_pages(folder, {first: True, second: mark})
    with CrawlGraph.read(folder) as graph:
        assert recorded_marks(graph) == {}


def test_a_list_of_pages_is_no_marks(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"marks are a dict of URLs, .*: list is none"):
        mark_pages(folder, [in_doubt(folder)])  # type: ignore[arg-type]


def test_a_marked_page_is_sure_and_others_are_judged_anew(folder: Path) -> None:
    url, before = in_doubt(folder), relevances(folder)
    found = mark_pages(folder, {url: False})
    after = relevances(folder)
    assert after[url] == 0.0
    moved = [one for one in before if one != url and abs(after[one] - before[one]) > 0.001]
    assert moved
    assert found.gained == sum(before[one] < 0.5 <= after[one] for one in before)
    assert found.lost == sum(after[one] < 0.5 <= before[one] for one in before)
    mark_pages(folder, {url: True})
    assert relevances(folder)[url] == 1.0


def test_without_its_mark_a_page_is_judged_as_before(folder: Path) -> None:
    url, before = in_doubt(folder), relevances(folder)
    mark_pages(folder, {url: True})
    mark_pages(folder, {url: None})
    assert relevances(folder) == pytest.approx(before, abs=1e-6)
    with CrawlGraph.read(folder) as graph:
        assert recorded_marks(graph) == {}
        assert not graph.query("ASK { ?url sc:markedAt ?when }").value()


def test_a_mark_that_is_not_there_cannot_be_taken_away(folder: Path) -> None:
    marked, other, *_ = relevances(folder)
    mark_pages(folder, {marked: True})
    with pytest.raises(QueryError, match=f"{other} is not marked"):
        mark_pages(folder, {marked: None, other: None})
    # The crawl has ended before it took up the note that asked for the same.
    MarkNotes(folder).leave({marked: None})
    mark_pages(folder, {marked: None})
    with CrawlGraph.read(folder) as graph:
        assert recorded_marks(graph) == {}


def test_a_resumed_crawl_keeps_to_the_marks(folder: Path, recorded: Path) -> None:
    url = in_doubt(folder)
    mark_pages(folder, {url: True})
    with Crawl.resume(folder, pages=PAGES + 20, replay=[str(recorded)]) as crawl:
        crawl.run()
    assert len(relevances(folder)) == PAGES + 20
    assert relevances(folder)[url] == 1.0


def test_a_note_is_taken_up_between_two_visits_of_a_running_crawl(recorded: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lungs"
    with demo_crawl(recorded, folder) as crawl:
        events, marked = [], ""
        for event in crawl.visits():
            events.append(event)
            if isinstance(event, PageVisited) and crawl.progress.pages == 20:
                marked = event.url
                mark = event.relevance < 0.5
                MarkNotes(folder).leave({marked: mark, "http://nowhere.test/": True})
        assert recorded_marks(crawl.graph) == {marked: mark}
    at = next(n for n, event in enumerate(events) if getattr(event, "url", "") == marked)
    # Before the next page: what is learnt belongs to the order of what comes.
    following = [type(event) for event in events[at + 1 :]]
    assert PagesRejudged in following[: following.index(PageVisited)]
    assert relevances(folder)[marked] == float(mark)
    assert list((folder / "marks").iterdir()) == []


def test_a_note_that_is_gone_when_it_is_looked_at_does_no_harm(tmp_path: Path) -> None:
    notes, others, is_over = MarkNotes(tmp_path), MarkNotes(tmp_path), threading.Event()

    def come_and_go() -> None:
        while not is_over.is_set():
            for path in [others.leave({"http://a.test/": True}) for _ in range(5)]:
                path.unlink(missing_ok=True)

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        for _ in range(300):
            assert set(notes.read()) <= {"http://a.test/"}
            notes.remove_read()
    finally:
        is_over.set()
        thread.join()


def test_notes_that_are_none_do_no_harm(finished: Path, tmp_path: Path) -> None:
    notes = MarkNotes(tmp_path)
    assert notes.read() == {}
    place = tmp_path / "marks"
    place.mkdir()
    name = "1-" + "0" * 32 + ".json"
    (place / "other.json").write_text('{"http://a.test/": true}')
    (place / name).write_text('{"http://a.test/": "perhaps"}')
    (place / ("5-" + "0" * 32 + ".json")).write_bytes(b'{"\xff": true}')
    secret = tmp_path / "secret"
    secret.write_text('{"http://b.test/": true}')
    link = place / ("2-" + "0" * 32 + ".json")
    link.symlink_to(secret)
    os.mkfifo(place / ("3-" + "0" * 32 + ".json"))  # reading it would never end
    (place / ("4-" + "0" * 32 + ".json")).symlink_to("/dev/zero")
    assert notes.read() == {}
    assert secret.exists()
    assert not (place / name).exists()


def test_only_visited_pages_are_marked_all_or_none(folder: Path) -> None:
    url = in_doubt(folder)
    with pytest.raises(QueryError, match="has not visited"):
        mark_pages(folder, {url: True, "http://nowhere.test/": True})
    with CrawlGraph.read(folder) as graph:
        assert recorded_marks(graph) == {}


def test_a_judge_that_does_not_learn_takes_no_marks(recorded: Path, tmp_path: Path) -> None:
    with demo_crawl(recorded, tmp_path / "lungs", judge="labels", pages=3) as crawl:
        crawl.run()
    with pytest.raises(ConfigError, match="'labels' does not learn"):
        mark_pages(tmp_path / "lungs", {demo_web().seeds[0]: True})


def test_questions_are_about_pages_in_doubt_each_once(folder: Path) -> None:
    """Answers are right, as wrong ones bring pages in doubt that were not; every third is none."""
    known, on_topic = relevances(folder), demo_web().main_topic.pages
    with CrawlGraph.read(folder, trust=True) as graph:
        review, asked = Review(graph), []
        for number in range(6):
            (question,) = review.questions(1)
            assert question.title
            assert question.lead
            asked.append(question.url)
            review.answer(question.url, question.url in on_topic if number % 3 < 2 else None)
    assert len(set(asked)) == 6
    answered = [url for number, url in enumerate(asked) if number % 3 < 2]
    assert review.answers == {url: url in on_topic for url in answered}

    def doubt(urls: list[str]) -> float:
        return sum(known[url] * (1 - known[url]) for url in urls) / len(urls)

    assert doubt(asked) > 2 * doubt(list(known))


OWN = """
from semcrawl.models.adaptive_judge import AdaptiveJudge
class Mine(AdaptiveJudge):
    pass
"""


@pytest.mark.parametrize("judge", ["adaptive", "adaptive:related=0.5", "own"])
def test_whichever_judge_learns_takes_marks(recorded: Path, tmp_path: Path, judge: str) -> None:
    if judge == "own":
        (tmp_path / "mine.py").write_text(OWN)
        judge = f"{tmp_path / 'mine.py'}:Mine"
    with demo_crawl(recorded, tmp_path / "lungs", judge=judge, pages=6) as crawl:
        crawl.run()
        assert judge_learns(crawl.graph)
    assert mark_pages(tmp_path / "lungs", {demo_web().seeds[0]: True}).is_taken_up


def crawl_with_marks(crawl: Crawl, marks: dict[int, int]) -> None:
    """Run, and leave notes: after so many pages that page is marked, counted from the last."""
    folder = crawl.graph.folder
    assert folder is not None
    visited = [row["url"] for row in crawl.query("harvest")]
    for event in crawl.visits():
        if isinstance(event, PageVisited):
            visited.append(event.url)
            if (back := marks.get(len(visited))) is not None:
                MarkNotes(folder).leave({visited[back]: event.relevance < 0.5})


@pytest.mark.parametrize(
    "marks",
    [{23: -1}, {23: 2}, {22: -8, 24: 0}, {8: 1, 47: -1}],
    ids=["the last page", "an early page", "two between two rounds", "two rounds"],
)
def test_after_marks_a_resumed_crawl_goes_on_in_the_same_order(
    recorded: Path, tmp_path: Path, marks: dict[int, int]
) -> None:
    with demo_crawl(recorded, tmp_path / "whole", pages=75) as crawl:
        crawl_with_marks(crawl, marks)
    with demo_crawl(recorded, tmp_path / "parts", pages=24) as crawl:
        crawl_with_marks(crawl, marks)
    for pages in (48, 75):
        with Crawl.resume(tmp_path / "parts", pages=pages, replay=[str(recorded)]) as crawl:
            crawl_with_marks(crawl, marks)
    order, in_parts = (list(relevances(tmp_path / name).items()) for name in ("whole", "parts"))
    assert [url for url, _ in in_parts] == [url for url, _ in order]
    assert in_parts == order
