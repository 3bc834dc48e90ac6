"""Judges that learn: what they are told, and what becomes of what they say of earlier pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl import CrawlStopped, PagesRejudged, PageVisited
from semcrawl.errors import ConfigError
from semcrawl.relevance import BaseJudge, Judgement
from semcrawl.strategies.strategy import Learner
from tests.crawl.conftest import html

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from semcrawl.page import Page
    from semcrawl.strategies import JudgedPage

    MakeWeb = Callable[[dict[str, Any]], Path]

HOME = "http://home.test/"
A, B, C = (f"http://home.test/{name}" for name in "abc")
WEB = {
    HOME: html("Home", {"/a": "a", "/b": "b", "/c": "c"}, "words"),
    **{url: html(url[-1].upper(), {}, "words") for url in (A, B, C)},
}


class Pupil(BaseJudge):
    """Gives every page 0.4; says of earlier pages what it is told to say."""

    threshold = 0.5
    learns = True

    def __init__(
        self, says: Mapping[int, Mapping[str, float]] | None = None, last: Mapping[str, float] | None = None
    ) -> None:
        self.says, self.last = dict(says or {}), dict(last or {})
        self.begun: tuple[Path | None, dict[str, float]] | None = None
        self.observed: list[str] = []
        self.finished = self.closed = 0

    def judge(self, page: Page) -> Judgement:
        return Judgement(0.4)

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        self.begun = folder, dict(visited)

    def observe(self, page: Page, judgement: Judgement) -> None:
        self.observed.append(page.url)

    def revise(self) -> Mapping[str, float]:
        return self.says.pop(len(self.observed), {})

    def finish(self) -> Mapping[str, float]:
        self.finished += 1
        return self.last

    def close(self) -> None:
        self.closed += 1


def crawl_with(judge: BaseJudge, web: Path, folder: Path | None = None, **values: Any) -> Crawl:
    topic = "keywords:asthma"
    chosen = {"strategy": "best-first-page-anchor", **values}
    return Crawl(topic, [HOME], folder, judge=judge, replay=[str(web)], **chosen)


def relevances(crawl: Crawl) -> dict[str, float]:
    return {row["url"]: row["relevance"] for row in crawl.query("harvest")}


def test_what_a_judge_says_of_earlier_pages_replaces_their_relevance(make_web: MakeWeb) -> None:
    pupil = Pupil({3: {HOME: 0.9, A: 0.2, "http://nowhere.test/": 1.0}})
    with crawl_with(pupil, make_web(WEB)) as crawl:
        events = list(crawl.visits())
        assert relevances(crawl) == {HOME: 0.9, A: 0.2, B: 0.4, C: 0.4}
        first = {row["url"]: row["first"] for row in crawl.query(
            "SELECT ?url ?first { ?url sc:firstRelevance ?first }")}  # fmt: skip
        assert first == dict.fromkeys(WEB, 0.4)
    (told,) = [event for event in events if isinstance(event, PagesRejudged)]
    assert (told.count, told.relevant_gained, told.relevant_lost) == (2, 1, 0)
    assert crawl.progress.relevant == 1
    # It is told right after the page with which it was learnt.
    assert isinstance(events[events.index(told) - 1], PageVisited)
    assert events.index(told) == 3


def test_a_judge_that_does_not_learn_leaves_no_first_relevance(make_web: MakeWeb) -> None:
    with crawl_with("labels", make_web(WEB)) as crawl:  # type: ignore[arg-type]
        crawl.run()
        assert not crawl.query("ASK { ?url sc:firstRelevance ?first }").value()


def test_the_last_word_is_recorded_when_a_crawl_stops(make_web: MakeWeb) -> None:
    pupil = Pupil(last={HOME: 0.8, A: 0.8})
    with crawl_with(pupil, make_web(WEB), pages=2) as crawl:
        *_, told, stopped = crawl.visits()
        assert isinstance(told, PagesRejudged)
        assert isinstance(stopped, CrawlStopped)
        assert stopped.progress.relevant == 2
    assert (pupil.finished, pupil.closed) == (1, 1)


def test_the_last_word_is_recorded_when_nobody_listens_any_more(make_web: MakeWeb) -> None:
    with crawl_with(Pupil(last={HOME: 0.8}), make_web(WEB)) as crawl:
        visits = crawl.visits()
        next(visits)
        visits.close()  # type: ignore[attr-defined]
        assert relevances(crawl) == {HOME: 0.8}


def test_a_resumed_judge_gets_its_folder_and_the_relevances_of_now(make_web: MakeWeb, tmp_path: Path) -> None:
    web, folder = make_web(WEB), tmp_path / "c"
    pupil = Pupil({2: {HOME: 0.7}})
    with crawl_with(pupil, web, folder, pages=2) as crawl:
        crawl.run()
    assert pupil.begun == (folder / "judge", {})
    again = Pupil({0: {A: 0.6}, 1: {HOME: 0.1}})
    with Crawl.resume(folder, judge=again, pages=3) as crawl:
        assert crawl.progress.relevant == 1
        crawl.run()
        assert relevances(crawl) == {HOME: 0.1, A: 0.6, B: 0.4}
        assert crawl.progress.relevant == 1
    assert again.begun == (folder / "judge", {HOME: 0.7, A: 0.4})
    assert again.observed == [B]
    with CrawlGraph.read(folder) as graph:
        assert graph.query("SELECT ?n { ?crawl sc:rejudgements ?n }").value() == 3


def test_a_page_is_told_before_it_is_recorded(make_web: MakeWeb) -> None:
    class Looks(Pupil):
        def observe(self, page: Page, judgement: Judgement) -> None:
            assert page.url not in relevances(crawl)
            super().observe(page, judgement)

    looks = Looks()
    with crawl_with(looks, make_web(WEB)) as crawl:
        crawl.run()
    assert looks.observed == [HOME, A, B, C]


def test_a_strategy_hears_of_new_relevances_before_it_revises(make_web: MakeWeb) -> None:
    class Listens(Learner):
        heard: dict[str, float]

        def rank(self, judged: JudgedPage) -> Sequence[float]:
            self.heard = {}
            return [0.5] * len(judged.page.links)

        def rejudged(self, relevances: Mapping[str, float]) -> None:
            self.heard = dict(relevances)

        def revise(self) -> Mapping[str, float]:
            return {C: 0.9} if getattr(self, "heard", None) else {}

    pupil = Pupil({1: {HOME: 0.9}})
    with crawl_with(pupil, make_web(WEB), strategy=Listens()) as crawl:
        crawl.run()
        assert list(relevances(crawl)) == [HOME, C, A, B]


def test_enough_relevant_pages_end_a_crawl_also_when_earlier_ones_become_so(make_web: MakeWeb) -> None:
    with crawl_with(Pupil({2: {HOME: 0.9, A: 0.9}}), make_web(WEB), relevant=2) as crawl:
        assert crawl.run().reason == "RelevantReached"
        assert crawl.progress.pages == 2


def test_alarms_go_by_the_relevances_of_now(make_web: MakeWeb) -> None:
    shares: dict[str, Any] = {"alarm_window": 2, "stagnation": 0.2, "diffusion": 0.0}
    with crawl_with(Pupil({2: {A: 0.9}}), make_web(WEB), pages=3, **shares) as crawl:
        crawl.run()
        (alarm,) = crawl.query("monitor/alarms")
        # Two pages were not relevant; then the second of them is after all.
        assert (alarm["raised"], alarm["ended"]) == (2, 3)


@pytest.mark.parametrize("wrong", [1.5, -0.1, float("nan")])
def test_what_is_no_relevance_is_refused(make_web: MakeWeb, wrong: float) -> None:
    with (
        crawl_with(Pupil({1: {HOME: wrong}}), make_web(WEB)) as crawl,
        pytest.raises(ConfigError, match="a number from 0 to 1"),
    ):
        crawl.run()


def test_a_revisit_counts_from_the_relevance_of_now(make_web: MakeWeb, tmp_path: Path) -> None:
    web, folder = make_web(WEB), tmp_path / "c"
    with crawl_with(Pupil({4: {HOME: 0.9}}), web, folder) as crawl:
        crawl.run()
        assert crawl.progress.relevant == 1
    (web / "0.html").write_text(html("Other", {}, "other words"), encoding="utf-8")
    pupil = Pupil()
    with Crawl.revisit(folder, hours=0, judge=pupil) as crawl:
        crawl.run()
        assert crawl.progress.relevant == 0
        assert relevances(crawl)[HOME] == 0.4
    assert pupil.observed == [HOME]
