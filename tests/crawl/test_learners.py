"""Strategies that learn: what the crawl tells them, and that nothing they know is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl import FrontierRevised
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError
from semcrawl.strategies.strategy import Learner
from tests.crawl.conftest import WORDS, html

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from semcrawl.strategies import JudgedPage
    from semcrawl.web import ReplayServer

    MakeWeb = Callable[[dict[str, Any]], Path]

HOME = "http://home.test/"
WEB = {
    HOME: html("Home", {"/moved": "old", "/a": "a", "/b": "b"}, WORDS),
    "http://home.test/moved": (301, "http://home.test/c"),
    "http://home.test/a": html("A", {}, WORDS),
    "http://home.test/b": html("B", {}, WORDS),
    "http://home.test/c": html("C", {"/d": "d"}, WORDS),
    "http://home.test/d": html("D", {}, WORDS),
}


class Diary(Learner):
    """Writes down all that it is told, and once asks for another order."""

    batch = 1

    def __init__(self, wish: Mapping[str, float] | None = None) -> None:
        self.begun: tuple[Path | None, dict[str, float]] | None = None
        self.observed: dict[str, JudgedPage] = {}
        self.missed_urls: list[tuple[str, str]] = []
        self.closed = False
        self._wish = dict(wish or {})

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        self.begun = folder, dict(visited)

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        return [0.5] * len(judged.page.links)

    def note(self, judged: JudgedPage) -> str:
        return f"{judged.memo}>{judged.page.title}"

    def observe(self, judged: JudgedPage) -> None:
        self.observed[judged.page.url] = judged

    def missed(self, url: str, reason: str) -> None:
        self.missed_urls.append((url, reason))

    def revise(self) -> Mapping[str, float]:
        if not self.observed:
            return {}
        wish, self._wish = self._wish, {}
        return wish

    def close(self) -> None:
        self.closed = True


def visited(folder: Path) -> list[str]:
    with CrawlGraph.read(folder) as graph:
        return [row["url"] for row in graph.query("harvest")]


def test_a_note_reaches_the_pages_that_are_found_there(make_web: MakeWeb, tmp_path: Path) -> None:
    diary, web = Diary(), str(make_web(WEB))
    with Crawl("keywords:asthma", [HOME], tmp_path / "c", strategy=diary, replay=[web]) as crawl:
        crawl.run()
    assert diary.observed[HOME].memo == ""
    assert diary.observed[HOME].found_on is None
    assert diary.observed["http://home.test/a"].memo == ">Home"
    assert diary.observed["http://home.test/a"].found_on == HOME
    assert diary.observed["http://home.test/a"].fetch_priority == 0.5
    assert diary.observed["http://home.test/d"].memo == ">Home>C"


def test_a_note_passes_through_a_redirect(make_web: MakeWeb) -> None:
    diary = Diary()
    with Crawl("keywords:asthma", [HOME], strategy=diary, replay=[str(make_web(WEB))]) as crawl:
        crawl.run()
    found = diary.observed["http://home.test/c"]
    assert (found.memo, found.found_on) == (">Home", "http://home.test/moved")


def test_what_was_fetched_in_vain_is_told(make_web: MakeWeb, serve: Callable[[Path], ReplayServer]) -> None:
    paths = ("/moved", "/gone", "/picture", "/private", "/busy", "/a")
    pages = {
        HOME: html("Home", dict.fromkeys(paths, "a link"), WORDS),
        "http://home.test/robots.txt": "User-agent: *\nDisallow: /private",
        "http://home.test/moved": (301, "http://home.test/a"),
        "http://home.test/gone": (404, html("Gone")),
        "http://home.test/picture": "",
        "http://home.test/private": html("Private"),
        "http://home.test/busy": (503, html("Busy")),
        "http://home.test/a": html("A", {}, WORDS),
    }
    server, diary = serve(make_web(pages)), Diary()
    with Crawl(
        "keywords:asthma",
        [HOME],
        strategy=diary,
        proxy=server.proxy,
        link_lists="off",
        tries=2,
        retry_delay=0.01,
        max_delay=0.1,
        delay=0.0,
        workers=1,
    ) as crawl:
        crawl.run()
    assert set(diary.observed) == {HOME, "http://home.test/a"}
    assert sorted(diary.missed_urls) == [
        ("http://home.test/busy", "HttpError"),
        ("http://home.test/gone", "HttpError"),
        ("http://home.test/moved", "Redirect"),
        ("http://home.test/picture", "EmptyPage"),
        ("http://home.test/private", "RobotsDisallow"),
    ]


def test_notes_survive_the_end_of_the_process(make_web: MakeWeb, tmp_path: Path) -> None:
    folder, web = tmp_path / "c", str(make_web(WEB))
    for pages in range(1, 6):
        diary = Diary()
        if pages == 1:
            crawl = Crawl("keywords:asthma", [HOME], folder, strategy=diary, replay=[web], pages=1)
        else:
            crawl = Crawl.resume(folder, strategy=diary, pages=pages)
        with crawl:
            crawl.run()
        assert diary.begun is not None
        assert len(diary.begun[1]) == pages - 1
        assert diary.closed
    assert diary.observed["http://home.test/d"].memo == ">Home>C"


def test_the_strategy_has_a_folder_of_its_own(make_web: MakeWeb, tmp_path: Path) -> None:
    diary, web = Diary(), str(make_web(WEB))
    with Crawl("keywords:asthma", [HOME], tmp_path / "c", strategy=diary, replay=[web]):
        pass
    assert diary.begun == (tmp_path / "c" / "strategy" / "Diary", {})
    assert diary.begun[0].is_dir()
    memory = Diary()
    with Crawl("keywords:asthma", [HOME], strategy=memory, replay=[web]):
        assert memory.begun == (None, {})


def test_a_wish_changes_the_order_of_what_waits(make_web: MakeWeb, tmp_path: Path) -> None:
    wish = {"http://home.test/b": 0.9, "http://elsewhere.test/": 1.0, HOME: 1.0}
    diary, web = Diary(wish), str(make_web(WEB))
    with Crawl("keywords:asthma", [HOME], tmp_path / "c", strategy=diary, replay=[web]) as crawl:
        events = list(crawl.visits())
    assert visited(tmp_path / "c")[:2] == [HOME, "http://home.test/b"]
    (revised,) = [event for event in events if isinstance(event, FrontierRevised)]
    assert revised.changed == 1


def test_a_strategy_that_cannot_begin_leaves_nothing_behind(make_web: MakeWeb, tmp_path: Path) -> None:
    class Refuses(Diary):
        def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
            raise ConfigError("this model is for another topic")

    web = str(make_web(WEB))
    with pytest.raises(ConfigError, match="another topic"):
        Crawl("keywords:asthma", [HOME], tmp_path / "c", strategy=Refuses(), replay=[web])
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    "strategy",
    [
        "apprentice:every=20",
        "apprentice:every=20,classes=true,cocitation=true",
        "backlink-count",
        "pagerank",
        "shark-search",
        "fish-search",
        "hub-seeking",
        "dom",
        "ontology-focus",
        "adaptive",
        "adaptive beside the judge adaptive",
    ],
)
def test_a_crawler_that_was_stopped_goes_on_as_if_it_had_not_been(
    web_folder: str, tmp_path: Path, strategy: str
) -> None:
    web = demo_web()
    strategy, _, judge = strategy.partition(" beside the judge ")
    more: dict[str, Any] = {"strategy": strategy, "replay": [web_folder], "pages": 45}
    more["judge"] = judge or "labels"
    with Crawl(web.main_topic.spec, web.seeds, tmp_path / "whole", **more) as crawl:
        crawl.run()
    parts = tmp_path / "parts"
    with Crawl(web.main_topic.spec, web.seeds, parts, **(more | {"pages": 23})) as crawl:
        crawl.run()
    for pages in (24, 41, 45):
        with Crawl.resume(parts, pages=pages) as crawl:
            crawl.run()
    assert visited(parts) == visited(tmp_path / "whole")


@pytest.mark.parametrize("strategy", ["apprentice:every=20", "pagerank:every=20", "adaptive"])
def test_what_was_learnt_just_before_the_end_is_not_lost(
    web_folder: str, tmp_path: Path, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends after the page with which a round was due, before the round is written."""
    web = demo_web()
    more: dict[str, Any] = {"strategy": strategy, "replay": [web_folder], "pages": 60}
    with Crawl(web.main_topic.spec, web.seeds, tmp_path / "whole", **more) as crawl:
        crawl.run()

    class EndOfProcess(BaseException):
        pass

    def end(*_: object, **__: object) -> int:
        raise EndOfProcess

    with monkeypatch.context() as patch:
        patch.setattr("semcrawl.crawl.pages.priorities.Priorities.reprioritise", end)
        crawl = Crawl(web.main_topic.spec, web.seeds, tmp_path / "cut", **more)
        with pytest.raises(EndOfProcess):
            crawl.run()
        crawl.close()
    with Crawl.resume(tmp_path / "cut") as crawl:
        crawl.run()
    assert visited(tmp_path / "cut") == visited(tmp_path / "whole")
