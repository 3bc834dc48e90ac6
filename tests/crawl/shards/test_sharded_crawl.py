"""A crawl in shards finds what one crawl finds; limits hold for the whole; it can be resumed."""

from __future__ import annotations

import json
import math
import shutil
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from semcrawl.crawl import AlarmRaised, Crawl, CrawlStopped, Event, PageVisited, StopReason
from semcrawl.crawl.explain import explain_page
from semcrawl.crawl.shards import shard as shard_module
from semcrawl.crawl.shards.beginning import BegunShards, begin_shards, reopen_shards
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.layout import STATUS, ShardedFolder, place_of
from semcrawl.crawl.shards.shard import LinkedPage, Links, ShardCrawl
from semcrawl.errors import ConfigError, CrawlLockedError, FolderTakenError, NotACrawlError, StoreError
from semcrawl.graph import CrawlGraph
from semcrawl.models.crawl_memory import added_sums, unpack_sums
from semcrawl.models.link_evidence import START
from semcrawl.strategies.adaptive import Adaptive
from tests.crawl.shards.hosts import in_threads
from tests.crawl.shards.webs import PAGES, TOPIC, outboxes, recorded, settled, url, write_web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("shards") / "web")


@pytest.fixture(scope="module")
def unsharded(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one") / "crawl"
    with Crawl(TOPIC, [url(0)], folder, replay=[str(web)], pages=0) as crawl:
        crawl.run()
    return folder


@dataclass
class Crawled:
    """A crawl of the whole web in three shards, which has ended; not to be written to."""

    begun: BegunShards
    events: list[Event]

    @property
    def folder(self) -> Path:
        return self.begun.folder.folder


@pytest.fixture(scope="module")
def crawled(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    begun = begin(web, tmp_path_factory.mktemp("three") / "crawl")
    return Crawled(begun, run(in_threads(begun)))


def begin(web: Path, folder: Path, shards: int = 3, **values: Any) -> BegunShards:
    settings = {"replay": [str(web)], "pages": 0, **values}
    return begin_shards(TOPIC, [url(0)], folder, shards, **settings)


def run(crawl: ShardedCrawl) -> list[Event]:
    return list(crawl.visits())


def pages(events: list[Event]) -> list[PageVisited]:
    return [event for event in events if isinstance(event, PageVisited)]


def test_all_shards_together_find_what_one_crawl_finds(crawled: Crawled, unsharded: Path) -> None:
    require_whole(crawled.folder, crawled.events, unsharded)


@pytest.mark.parametrize("strategy", ["breadth-first", "shark-search"])
def test_shards_with_other_strategies_find_what_one_crawl_finds(
    web: Path, unsharded: Path, tmp_path: Path, strategy: str
) -> None:
    events = run(in_threads(begin(web, tmp_path / "crawl", strategy=strategy)))
    require_whole(tmp_path / "crawl", events, unsharded)


def require_whole(folder: Path, events: list[Event], unsharded: Path) -> None:
    """All that one crawl finds must be in the shards, once."""
    with Crawl.resume(unsharded) as crawl:
        expected = {row["url"] for row in crawl.query("SELECT ?url WHERE { ?url a sc:Page }")}
        lost = "SELECT ?url ?why WHERE { ?url sc:droppedBecause|sc:redirectsTo ?why }"
        dropped = {row["url"]: row["why"] for row in crawl.query(lost)}
    assert len(expected) == PAGES
    assert recorded(folder).keys() == expected
    assert settled(folder) == dropped
    assert events[-1] == CrawlStopped(StopReason.FRONTIER_EMPTY, progress=events[-1].progress)
    assert [event.step for event in pages(events)] == list(range(1, PAGES + 1))


def test_a_shard_visits_only_its_own_hosts(crawled: Crawled) -> None:
    whole = crawled.begun.folder
    for page, shard in recorded(crawled.folder).items():
        assert whole.shard(whole.owner(page)).name == shard


def test_outboxes_are_empty_when_all_is_recorded(crawled: Crawled) -> None:
    assert outboxes(crawled.folder) == 0


def test_the_limit_of_pages_holds_for_the_whole_crawl(web: Path, tmp_path: Path) -> None:
    events = run(in_threads(begin(web, tmp_path / "crawl", pages=20)))
    assert len(recorded(tmp_path / "crawl")) == 20
    assert len(pages(events)) == 20
    assert events[-1].progress.pages == 20
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.PAGES_REACHED


def test_pages_of_a_shard_that_opens_late_count_from_the_beginning(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    run(in_threads(begin(web, folder, pages=20)))
    most = Counter(recorded(folder).values()).most_common(1)[0][0]
    begun = reopen_shards(folder, pages=25)
    with CrawlGraph.open(folder / most):
        found = run(in_threads(begun))
    assert [event.step for event in pages(found)] == [21, 22, 23, 24, 25]
    assert len(recorded(folder)) == found[-1].progress.pages == 25


def test_the_limit_of_relevant_pages_holds_for_the_whole_crawl(web: Path, tmp_path: Path) -> None:
    events = run(in_threads(begin(web, tmp_path / "crawl", relevant=5, judge="cosine")))
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.RELEVANT_REACHED
    assert 5 <= events[-1].progress.relevant < PAGES


def test_time_is_over_for_all_shards(web: Path, tmp_path: Path) -> None:
    events = run(in_threads(begin(web, tmp_path / "crawl", seconds=1e-6)))
    assert isinstance(events[-1], CrawlStopped)
    assert events[-1].reason is StopReason.TIME_OVER


def test_a_crawl_that_was_stopped_goes_on(web: Path, tmp_path: Path) -> None:
    run(in_threads(begin(web, tmp_path / "crawl", pages=20)))
    before = recorded(tmp_path / "crawl")
    events = run(in_threads(reopen_shards(tmp_path / "crawl", pages=0)))
    after = recorded(tmp_path / "crawl")
    assert len(before) == 20
    assert before.items() <= after.items()
    assert len(after) == PAGES
    assert not {event.url for event in pages(events)} & before.keys()
    assert events[-1].progress.pages == PAGES


def test_it_stops_when_told(web: Path, tmp_path: Path) -> None:
    crawl = in_threads(begin(web, tmp_path / "crawl"))
    told: list[Event] = []
    for event in crawl.visits():
        told.append(event)
        if len(pages(told)) == 5:
            crawl.stop()
    assert isinstance(told[-1], CrawlStopped)
    assert told[-1].reason is StopReason.INTERRUPTED
    assert 5 <= len(recorded(tmp_path / "crawl")) < PAGES


def test_a_paused_crawl_visits_nothing(web: Path, tmp_path: Path) -> None:
    crawl = in_threads(begin(web, tmp_path / "crawl"))
    crawl.pause()
    told: list[Event] = []
    thread = threading.Thread(target=lambda: told.extend(crawl.visits()))
    thread.start()
    while crawl.turns < 20:
        time.sleep(0.01)
    assert crawl.progress.pages == 0
    crawl.unpause()
    thread.join()
    assert len(pages(told)) == PAGES


def test_each_shard_is_an_ordinary_crawl(web: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl", pages=20)
    run(in_threads(begun))
    number = begun.folder.owner(url(0))
    with Crawl.resume(begun.folder.shard(number), pages=21) as shard:
        known = len(list(shard.query("SELECT ?url WHERE { ?url a sc:Page }")))
        assert known == shard.progress.pages


def test_a_shard_that_is_crawled_alone_keeps_links_for_the_others(web: Path, unsharded: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl")
    with Crawl.resume(begun.folder.shard(begun.folder.owner(url(0)))) as shard:
        shard.run()
    assert outboxes(tmp_path / "crawl") > 0
    run(in_threads(reopen_shards(tmp_path / "crawl")))
    assert len(recorded(tmp_path / "crawl")) == PAGES


def test_the_place_of_a_shard_is_known_from_its_folder(tmp_path: Path) -> None:
    whole = ShardedFolder.create(tmp_path / "crawl", 3).seal()
    place = place_of(whole.shard(2))
    assert place is not None
    assert (place.number, place.count) == (2, 3)
    for folder in (None, tmp_path / "crawl", whole.folder / "2", whole.folder / "gathered", tmp_path / "02"):
        assert place_of(folder) is None


def test_two_drivers_never_run_one_crawl(web: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl")
    with begun.folder.driven(), pytest.raises(CrawlLockedError):
        run(in_threads(begun))


@pytest.mark.parametrize("evil", ["http://a.test/> a <urn:b> } ; LOAD <http://a.test/", "http://a.test/\n"])
def test_what_a_forged_inbox_names_must_be_an_iri(web: Path, tmp_path: Path, evil: str) -> None:
    whole = begin(web, tmp_path / "crawl", 1).folder
    with CrawlGraph.open(whole.shard(0)) as graph:
        links = Links(graph, whole, 0)
        for page in (LinkedPage(evil, {}, "memo"), LinkedPage(url(0), {evil: (1.0, 0, 0)})):
            path = whole.shard(0) / "inbox" / "0.links"
            path.write_bytes(msgspec.msgpack.encode([page]))
            with pytest.raises(StoreError, match="no links of a shard"):
                list(links.arrived())


@pytest.mark.parametrize(
    "page",
    [
        ["http://a.test/", {}, "", [math.nan, 0.0, 1, []]],
        ["http://a.test/", {}, "", [0.5, 1e300, 1, []]],
        ["http://a.test/", {}, "", [0.5, 0.0, 1, [[-2, url(0), "lung"]]]],
        ["http://a.test/", {url(0): [math.nan, 1, 0]}],
        ["http://a.test/", {url(0): [0.5, -1, 0]}],
        ["http://a.test/", {url(0): [0.5, 1, 1 << 62]}],
    ],
)
def test_numbers_in_a_forged_inbox_must_be_possible(web: Path, tmp_path: Path, page: list[Any]) -> None:
    whole = begin(web, tmp_path / "crawl", 1).folder
    with CrawlGraph.open(whole.shard(0)) as graph:
        links = Links(graph, whole, 0)
        (whole.shard(0) / "inbox" / "0.links").write_bytes(msgspec.msgpack.encode([page]))
        with pytest.raises(StoreError, match="no links of a shard"):
            list(links.arrived())


def test_a_file_that_no_shard_would_write_is_not_read_from_the_inbox(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_module, "_LARGEST", 100)
    whole = begin(web, tmp_path / "crawl", 1).folder
    with CrawlGraph.open(whole.shard(0)) as graph:
        links = Links(graph, whole, 0)
        (whole.shard(0) / "inbox" / "0.links").write_bytes(msgspec.msgpack.encode([LinkedPage(url(0), {}, "m" * 100)]))
        with pytest.raises(StoreError, match="too large"):
            list(links.arrived())


def test_many_pages_are_sent_in_several_files_and_taken_by_and_by(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, pages = begin(web, tmp_path / "crawl", 1).folder, [LinkedPage(url(number), {}) for number in range(40)]
    shard_module._send(whole, 1, 0, pages)
    with CrawlGraph.open(whole.shard(0)) as graph:
        links = Links(graph, whole, 0)
        arrived = list(links.arrived())
        assert [page for _, some in arrived for page in some] == pages
        assert max(len(some) for _, some in arrived) < 20
        monkeypatch.setattr(shard_module, "_MOST_BYTES", 1)
        assert len(list(links.arrived())) == 1


def test_what_a_shard_says_to_have_learnt_has_few_parts() -> None:
    zeros = {str(number): (1 << 18, b"", b"") for number in range(21)}
    with pytest.raises(StoreError, match="length"):
        added_sums([msgspec.msgpack.encode(zeros)])


def learnt(**others: Any) -> dict[str, Any]:
    """What a shard says to have learnt, all zeros but for some parts."""
    sizes = {"inside": 1 << 18, "outside": 1 << 18, "masses": 2}
    parts = {f"{by} {name}": (size, b"", b"") for by in ("links", "judge") for name, size in sizes.items()}
    return {"pages": (2, b"", b""), **parts, **others}


@pytest.mark.parametrize(
    "said",
    [
        {"pages": (2, b"", b"")},
        learnt(pages=(3, b"", b"")),
        learnt(pages=(2, bytes(4), np.float32("nan").tobytes())),
        learnt(**{"link curves": (15, b"", b"")}),
        learnt(other=(2, b"", b"")),
    ],
)
def test_what_a_shard_says_to_have_learnt_must_be_possible(said: dict[str, Any]) -> None:
    assert unpack_sums(msgspec.msgpack.encode(learnt())).keys() == learnt().keys()
    with pytest.raises(StoreError, match="cannot be read"):
        unpack_sums(msgspec.msgpack.encode(said))


def test_a_missing_shard_is_told(web: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl")
    begun.folder.shard(1).rename(tmp_path / "elsewhere")
    with pytest.raises(NotACrawlError, match="01 is missing"):
        reopen_shards(tmp_path / "crawl")


def test_another_judge_is_refused(web: Path, tmp_path: Path) -> None:
    begin(web, tmp_path / "crawl")
    with pytest.raises(ConfigError, match="began with judge"):
        reopen_shards(tmp_path / "crawl", judge="cosine")


def test_bad_input_makes_no_folder(web: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        begin(web, tmp_path / "crawl", strategy="none-such")
    with pytest.raises(ConfigError):
        begin_shards(TOPIC, [], tmp_path / "crawl", 3)
    assert not (tmp_path / "crawl").exists()
    begin(web, tmp_path / "crawl")
    with pytest.raises(FolderTakenError):
        begin(web, tmp_path / "crawl")


def test_a_page_of_a_shard_is_explained_by_what_all_shards_have_learnt(crawled: Crawled) -> None:
    for place in crawled.begun.folder.begun:
        with CrawlGraph.read(place) as graph:
            page = next(iter(graph.query("best-pages", limit=1)))
            told = explain_page(graph, page["url"])
            odds = sum(part.value for part in told.explanation.parts)
            assert told.relevance == pytest.approx(1.0 / (1.0 + math.exp(-odds)), abs=1e-4)


def test_alarms_are_those_of_the_whole_crawl(web: Path, tmp_path: Path) -> None:
    begun = begin(web, tmp_path / "crawl", alarm_window=30, stagnation=0.5, threshold=1.0)
    events = run(in_threads(begun))
    alarms = [event for event in events if isinstance(event, AlarmRaised)]
    assert alarms
    assert alarms[0].alarm.step >= 30


def test_what_was_learnt_is_the_same_in_all_shards(crawled: Crawled, tmp_path: Path) -> None:
    shutil.copytree(crawled.folder, tmp_path / "crawl")
    weights = []
    for place in ShardedFolder.open(tmp_path / "crawl").begun:
        with ShardCrawl.resume(place, trust=True) as shard:
            judge = shard._engine.kind._sharing._pages  # type: ignore[attr-defined]
            assert judge.learnt is not None
            weights.append(judge.learnt.link_words.weights)
    for other in weights[1:]:
        likeness = float(weights[0] @ other) / float(np.linalg.norm(weights[0]) * np.linalg.norm(other))
        assert likeness > 0.9


def test_one_shard_alone_tells_nobody_what_it_learns(
    web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    monkeypatch.setattr(Adaptive, "evidence", lambda _, page: asked.append(page.url))
    monkeypatch.setattr(Adaptive, "sums", lambda _: asked.append("sums"))
    crawl = in_threads(begin(web, tmp_path / "crawl", 1))
    deque(crawl.visits(), maxlen=0)
    assert (crawl.progress.pages, asked) == (PAGES, [])


def test_links_that_other_shards_followed_count_like_own(unsharded: Path) -> None:
    with Crawl.resume(unsharded) as crawl:
        strategy = crawl._engine.kind._ranking._strategy  # type: ignore[attr-defined]
        judge, evidence, start = strategy._pages, strategy._evidence, np.array(list(START.values()))
        alone = evidence.weights
        judge.others = unpack_sums(judge.sums())
        evidence.gather(judge.learnt.pages)
        assert np.linalg.norm(evidence.weights - start) > 1.2 * np.linalg.norm(alone - start) > 0


def test_what_shards_do_is_noted_for_those_who_look(crawled: Crawled) -> None:
    rows = json.loads((crawled.folder / STATUS).read_text())
    assert [row["shard"] for row in rows] == [0, 1, 2]
    assert sum(row["pages"] for row in rows) == PAGES
    assert {row["waiting"] for row in rows} == {0}
