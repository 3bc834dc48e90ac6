from __future__ import annotations

import heapq
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.demo import DemoWeb, demo_web
from semcrawl.errors import ConfigError, FetchError, PageError
from semcrawl.models.apprentice import load_apprentice
from semcrawl.page import Page, read_html, read_page
from semcrawl.relevance import CosineJudge
from semcrawl.strategies.apprentice import Apprentice
from semcrawl.strategies.best_first import SoftFocus
from semcrawl.strategies.strategy import JudgedPage
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from semcrawl.web import Replay


@dataclass
class SmallCrawl:
    """A best-first loop: what a crawl does with a strategy that learns, and no more."""

    replay: Replay
    judge: CosineJudge
    waiting: dict[str, float]
    visited: dict[str, float] = field(default_factory=dict)
    revised: int = 0

    def run(self, strategy: Apprentice, pages: int) -> None:
        gone: set[str] = set()
        self._revise(strategy)  # what it had just learnt when its process ended
        while len(self.visited) < pages:
            [url] = heapq.nsmallest(1, self.waiting, key=lambda url: (-self.waiting[url], url))
            del self.waiting[url]
            page = self._fetched(url)
            if page is None:
                gone.add(url)
                continue
            judged = JudgedPage(page, round(self.judge.judge(page).relevance, 6), 0)
            ranked = strategy.rank(judged)
            self.visited[url] = judged.relevance
            for link, priority in zip(page.links, ranked, strict=True):
                if priority is not None and link.url not in self.visited and link.url not in gone:
                    best = max(round(priority, 6), self.waiting.get(link.url, 0.0))
                    self.waiting[link.url] = best
            strategy.observe(judged)
            self._revise(strategy)

    def _revise(self, strategy: Apprentice) -> None:
        new = strategy.revise()
        self.revised += bool(new)
        self.waiting |= {u: round(p, 6) for u, p in new.items() if u in self.waiting}

    def _fetched(self, url: str) -> Page | None:
        try:
            return read_page(self.replay.fetch(url))
        except (FetchError, PageError):
            return None


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return demo_web()


@pytest.fixture(scope="module")
def topic(web: DemoWeb) -> Topic:
    return Topic.parse(web.main_topic.spec)


@pytest.fixture(scope="module")
def judge(topic: Topic) -> CosineJudge:
    return CosineJudge(topic, Background.default())


@pytest.fixture
def crawl(web: DemoWeb, judge: CosineJudge) -> SmallCrawl:
    return SmallCrawl(web.replay(), judge, dict.fromkeys(web.seeds, 1.0))


def has_learned(apprentice: Apprentice) -> bool:
    return apprentice._model is not None


def again(crawl: SmallCrawl, web: DemoWeb) -> SmallCrawl:
    return SmallCrawl(crawl.replay, crawl.judge, dict.fromkeys(web.seeds, 1.0))


def test_before_it_has_learned_a_link_is_as_good_as_its_page(topic: Topic) -> None:
    page = read_html("<a href=/v>asthma</a> <a href=/w>cars</a>", "http://a.test/")
    apprentice = Apprentice(topic)
    assert apprentice.rank(JudgedPage(page, 0.3, 0)) == [0.3, 0.3]
    assert not has_learned(apprentice)
    assert apprentice.revise() == {}


def test_2002_section_2_1_untrained_it_is_the_baseline(topic: Topic) -> None:
    """Chakrabarti et al. 2002, section 2.1: without training it goes by ln R."""
    page = read_html("<a href=/v>asthma</a> <a href=/w>cars</a>", "http://a.test/")
    for log_relevance in (-0.5, -200.0, -300.0):
        judged = JudgedPage(page, math.exp(log_relevance), 0, log_relevance=log_relevance)
        assert Apprentice(topic).rank(judged) == SoftFocus().rank(judged)


def test_it_learns_with_every_batch_and_ranks_what_waits_anew(
    crawl: SmallCrawl, topic: Topic, judge: CosineJudge
) -> None:
    apprentice = Apprentice(topic, judge, every=40)
    apprentice.begin(None, {})
    crawl.run(apprentice, 39)
    assert not has_learned(apprentice)
    crawl.run(apprentice, 40)
    assert has_learned(apprentice)
    assert crawl.revised == 1
    assert apprentice.revise() == {}  # told once
    crawl.run(apprentice, 100)
    assert crawl.revised == 2


def test_what_it_learned_tells_the_links_of_one_page_apart(topic: Topic) -> None:
    apprentice = Apprentice(topic, every=61)
    apart = "<hr>" * 6
    for number in range(61):
        # By turns a good page and a bad one, announced by the page before.
        word, relevance = [("roads", 0.1), ("inhalers", 0.8)][number % 2]
        following = ["inhalers", "roads"][number % 2]
        html = f"{word}{apart}<a href=/p{number + 1}>{following}</a>{apart}<a href=/q>q</a>"
        judged = JudgedPage(read_html(html, f"http://a.test/p{number}"), relevance, 0)
        assert set(apprentice.rank(judged)) == {relevance}
        apprentice.observe(judged)
    revised = apprentice.revise()
    assert revised.keys() == {"http://a.test/p61", "http://a.test/q"}
    assert revised["http://a.test/p61"] > 0.5  # announced by "inhalers"
    page = read_html(f"<a href=/v>roads</a>{apart}<a href=/w>inhalers</a>", "http://b.test/")
    road, inhaler = apprentice.rank(JudgedPage(page, 0.9, 0))
    assert road is not None
    assert inhaler is not None
    assert road < 0.5 < inhaler


@pytest.mark.parametrize("options", [{}, {"classes": True, "cocitation": True, "d_max": 2}])
def test_a_killed_crawl_goes_on_as_if_nothing_had_been(
    crawl: SmallCrawl, web: DemoWeb, topic: Topic, judge: CosineJudge, tmp_path: Path, options: dict[str, Any]
) -> None:
    whole = again(crawl, web)
    apprentice = Apprentice(topic, judge, every=20, **options)
    apprentice.begin(tmp_path / "whole", {})
    whole.run(apprentice, 90)
    apprentice.close()

    for stop in (30, 60):  # no close: the process is gone, the file as it was flushed
        killed = Apprentice(topic, judge, every=20, **options)
        killed.begin(tmp_path / "killed", dict(crawl.visited))
        crawl.run(killed, stop)
        killed._memory.close()
    with (tmp_path / "killed" / "links.bin").open("ab") as file:
        file.write(b"\x40\x00\x00\x00torn")
    resumed = Apprentice(topic, judge, every=20, **options)
    resumed.begin(tmp_path / "killed", dict(crawl.visited))
    assert has_learned(resumed)
    crawl.run(resumed, 90)
    resumed.close()
    assert list(crawl.visited) == list(whole.visited)
    assert crawl.waiting == whole.waiting


def test_a_page_that_was_remembered_but_not_recorded_counts_once(
    crawl: SmallCrawl, topic: Topic, judge: CosineJudge, tmp_path: Path
) -> None:
    apprentice = Apprentice(topic, judge, every=40)
    apprentice.begin(tmp_path, {})
    crawl.run(apprentice, 39)
    apprentice._memory.close()
    last, relevance = crawl.visited.popitem()  # killed before its transaction
    crawl.waiting[last] = 2.0
    apprentice = Apprentice(topic, judge, every=40)
    apprentice.begin(tmp_path, dict(crawl.visited))
    crawl.run(apprentice, 39)
    assert not has_learned(apprentice)
    crawl.run(apprentice, 40)
    assert has_learned(apprentice)
    assert crawl.visited[last] == relevance
    apprentice.close()


def test_with_one_class_only_it_waits_and_stays_with_the_page(topic: Topic) -> None:
    apprentice = Apprentice(topic, every=1)
    links = "".join(f"<a href=/p{number}>x</a>" for number in range(60))
    for number in range(8):
        page = read_html(links, f"http://a.test/p{number}")
        judged = JudgedPage(page, 0.4, 0)
        assert set(apprentice.rank(judged)) == {0.4}
        apprentice.observe(judged)
        assert apprentice.revise() == {}
    judged = JudgedPage(read_html(links, "http://a.test/p9"), 0.9, 0)
    apprentice.observe(judged)
    assert has_learned(apprentice)
    assert len(apprentice.revise()) == 51


def test_a_model_is_left_for_other_crawls(
    crawl: SmallCrawl, web: DemoWeb, topic: Topic, judge: CosineJudge, tmp_path: Path
) -> None:
    apprentice = Apprentice(topic, judge, every=40)
    apprentice.begin(tmp_path, {})
    crawl.run(apprentice, 80)
    apprentice.close()
    model = str(tmp_path / "apprentice.model")
    assert load_apprentice(model).topic == topic.name
    offline = Apprentice(topic, judge, model=model, online=False)
    offline.begin(None, {})
    assert has_learned(offline)
    guided = again(crawl, web)
    guided.run(offline, 60)
    assert guided.revised == 0
    both = Apprentice(topic, judge, model=model, every=10)
    learning = again(crawl, web)
    learning.run(both, 60)
    assert learning.revised == 6


def test_a_model_of_another_topic_is_refused_unless_any_will_do(
    crawl: SmallCrawl, topic: Topic, judge: CosineJudge, tmp_path: Path
) -> None:
    apprentice = Apprentice(topic, judge, every=40)
    apprentice.begin(tmp_path, {})
    crawl.run(apprentice, 40)
    apprentice.close()
    model, cars = str(tmp_path / "apprentice.model"), Topic.parse("keywords:cars")
    with pytest.raises(ConfigError, match=f"topic '{topic.name}', this crawl has 'cars'"):
        Apprentice(cars, judge, model=model)
    assert has_learned(Apprentice(cars, model=model, any_topic=True))
    with pytest.raises(ConfigError, match="the crawl asks for d_max=4"):
        Apprentice(topic, judge, model=model, d_max=4)


def test_the_recall_crawler_stays_within_a_set_of_pages(
    crawl: SmallCrawl, web: DemoWeb, topic: Topic, judge: CosineJudge, tmp_path: Path
) -> None:
    crawl.run(Apprentice(topic, judge, every=10_000), 60)  # the baseline crawl
    listed = tmp_path / "pages.txt"
    listed.write_text("\n".join(crawl.visited))
    recall = again(crawl, web)
    apprentice = Apprentice(topic, judge, every=20, within=str(listed))
    recall.run(apprentice, 55)
    assert recall.revised
    assert recall.visited.keys() <= crawl.visited.keys()
    assert list(recall.visited) != list(crawl.visited)[:55]


def test_outside_the_set_nothing_is_followed(topic: Topic, tmp_path: Path) -> None:
    (tmp_path / "pages").write_text("http://a.test/w\n")
    apprentice = Apprentice(topic, within=str(tmp_path / "pages"))
    page = read_html("<a href=/v>asthma</a> <a href=/w>cars</a>", "http://a.test/")
    assert apprentice.rank(JudgedPage(page, 0.3, 0)) == [None, 0.3]
    empty = read_html("<p>no link", "http://a.test/x")
    assert apprentice.rank(JudgedPage(empty, 0.3, 0)) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every": 0}, "every=0 is no number of pages"),
        ({"d_max": -1}, "d_max=-1 is no DOM offset"),
        ({"boundary": 1.5}, "boundary=1.5 is no relevance"),
        ({"boundary": float("nan")}, "boundary=nan is no relevance"),
        ({"online": False}, "online=false leaves the apprentice nothing to go by"),
        ({"model": "gone.model"}, "cannot read the model gone.model"),
        ({"model": "gone.model", "boundary": 0.5}, "brings its own boundary"),
        ({"within": "gone.txt"}, "cannot read gone.txt"),
    ],
)
def test_options_that_cannot_be_are_refused_before_the_crawl(
    topic: Topic, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        Apprentice(topic, **options)


def test_a_resume_with_other_features_is_refused(topic: Topic, tmp_path: Path) -> None:
    apprentice = Apprentice(topic)
    apprentice.begin(tmp_path, {})
    apprentice.close()
    with pytest.raises(ConfigError, match="take the options of the crawl's beginning"):
        Apprentice(topic, d_max=3).begin(tmp_path, {})


@pytest.mark.data
def test_on_a_real_web_it_finds_more_than_its_baseline() -> None:
    folder = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / "schools-wikipedia"
    if not folder.is_dir():
        pytest.skip(f"there is no recorded web in {folder}; set SEMCRAWL_DATA")
    topic = Topic.parse("keywords:health medicine disease")
    judge = CosineJudge(topic, Background.default())
    seed = {"http://schools-wikipedia.test/wp/a/Asthma.htm": 1.0}
    replay, found = open_replay(folder / "pages.warc.gz"), {}
    for every in (50, 10_000):
        crawl = SmallCrawl(replay, judge, dict(seed))
        crawl.run(Apprentice(topic, judge, every=every), 200)
        found[every] = sum(crawl.visited.values())
    assert found[50] > 1.1 * found[10_000]
