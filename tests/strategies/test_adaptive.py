"""The crawler that teaches itself: it finds more than best-first, and never much less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.demo.web import demo_web
from tests.crawl.conftest import html
from tests.strategies.university import FOOTER, MENU, SEED, university

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeWeb = Callable[[dict[str, Any]], Path]


def found(crawl: Crawl) -> list[str]:
    crawl.run()
    rows = sorted(crawl.query("harvest"), key=lambda row: row["step"])
    return [row["url"] for row in rows]


def crawl_of(topic: str, seed: str, web: Path, pages: int, strategy: str, judge: str) -> list[str]:
    more: dict[str, Any] = {"replay": [str(web)], "pages": pages, "workers": 1}
    with Crawl(topic, [seed], strategy=strategy, judge=judge, **more) as crawl:
        return found(crawl)


@pytest.mark.parametrize("more", [{}, {"general": 300}, {"general": 300, "menu": MENU, "footer": FOOTER}])
@pytest.mark.parametrize(
    ("topic", "kind", "pages"),
    [
        ("keywords:student", "student", 90),
        ("keywords:faculty, professor", "teacher", 70),
        ("keywords:course, lecture", "course", 90),
    ],
)
def test_pages_that_do_not_look_like_their_topic_are_found_as_well_as_by_best_first(
    make_web: MakeWeb, topic: str, kind: str, pages: int, more: dict[str, Any]
) -> None:
    web, kinds = university(**more)
    folder = make_web(web)
    counts = [
        len(kinds[kind] & set(crawl_of(topic, SEED, folder, pages, strategy, judge)))
        for strategy, judge in (("adaptive", "adaptive"), ("best-first-page-anchor", "labels"))
    ]
    assert counts[0] >= counts[1] * 0.95


def test_more_of_the_topic_is_found_than_by_best_first() -> None:
    web = demo_web()
    wanted = web.main_topic.pages
    counts = []
    for strategy, judge in (("adaptive", "adaptive"), ("best-first-page-anchor", "labels")):
        more: dict[str, Any] = {"fetcher": web.replay(), "replay": ["demo"], "pages": 60}
        with Crawl(web.main_topic.spec, web.seeds, strategy=strategy, judge=judge, **more) as crawl:
            counts.append(len(wanted & set(found(crawl))))
    assert counts[0] >= counts[1]


def test_links_with_words_that_led_nowhere_are_left_for_later(make_web: MakeWeb) -> None:
    """Every page has two links that look alike but for a word, which tells good from bad."""
    home = "http://home.test/"
    web = {home: html("Asthma", {f"/{n}": f"asthma part {n}" for n in range(30)}, "asthma " * 9)}
    for n in range(30):
        more = {f"/{n}/print": "print view", f"/{n}/study": "case study"}
        web[f"{home}{n}"] = html(f"Part {n}", more, "asthma lung breath inhaler " * 3)
        web[f"{home}{n}/print"] = html("Print", {}, "page to be printed on paper with ink")
        web[f"{home}{n}/study"] = html("Study", {}, "asthma inhaler lung breath " * 5)
    visited = crawl_of("keywords:asthma", home, make_web(web), 61, "adaptive", "adaptive")
    printed = [url for url in visited if url.endswith("print")]
    studies = [url for url in visited if url.endswith("study")]
    assert len(studies) >= 20
    assert len(printed) <= 8


def test_good_outcomes_of_like_links_never_speak_against_a_link() -> None:
    """On pages with many links of chance, weights stay near those of the start, and of use."""
    web = demo_web()
    wanted = web.main_topic.pages
    more: dict[str, Any] = {"fetcher": web.replay(), "replay": ["demo"], "pages": 110}
    with Crawl(web.main_topic.spec, web.seeds, workers=1, **more) as crawl:
        visited = found(crawl)
    assert len(wanted & set(visited)) >= 0.9 * len(wanted)


@pytest.mark.parametrize("topic", ["keywords:asthma", "wordnet:asthma"])
@pytest.mark.parametrize("said", ["", "asthma lung breath", "cats and dogs and nothing else"])
def test_a_web_of_equal_pages_is_crawled_to_its_end(make_web: MakeWeb, topic: str, said: str) -> None:
    """Nothing on the topic, everything on it, pages without words: nothing can be learnt."""
    home = "http://home.test/"
    web = {home: html("Home", {f"/{n}": "next" for n in range(25)}, said)}
    web |= {f"{home}{n}": html("Page", {"/": "home"}, said) for n in range(25)}
    assert len(crawl_of(topic, home, make_web(web), 0, "adaptive", "adaptive")) == 26


def test_what_the_strategy_would_say_again_is_what_the_frontier_has() -> None:
    # A resume says all priorities again: where they differ, it goes on in another order.
    web = demo_web()
    more: dict[str, Any] = {"fetcher": web.replay(), "replay": ["demo"], "pages": 60, "workers": 1}
    with Crawl(web.main_topic.spec, web.seeds, **more) as crawl:
        kind: Any = crawl._engine.kind
        strategy = kind._ranking._strategy
        for _ in crawl.visits():
            for url, number in strategy._pages.memory.urls.numbers.items():
                if (entry := kind._frontier.get(url)) is not None:
                    said = strategy._said[number]
                    assert entry.priority == pytest.approx(said, rel=0.01, abs=1e-6)


@pytest.mark.parametrize("patience", [60, 0])
def test_many_workers_find_as_much_as_one_if_they_wait_for_hosts_with_good_urls(patience: int) -> None:
    web = demo_web()
    counts = []
    for workers in (1, 16):
        more: dict[str, Any] = {"delay": 0.0, "robots": False, "pages": 120, "workers": workers, "patience": patience}
        with Crawl(web.main_topic.spec, web.seeds, fetcher=web.replay(), **more) as crawl:
            counts.append(len(web.main_topic.pages & set(found(crawl))))
    assert (counts[1] >= 0.8 * counts[0]) == (patience > 0)
