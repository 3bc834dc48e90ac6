"""What the crawler for websites is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.crawl.sites import SiteSettings
from semcrawl.crawl.sites.rivals import MeanConfidence, classify_homepage, classify_site, crawl_pages_for_sites
from semcrawl.crawl.sites.settings import find_classifier
from semcrawl.demo.web import demo_web
from semcrawl.page import read_html
from semcrawl.strategies import JudgedPage
from semcrawl.topics import Topic
from semcrawl.web import open_replay
from tests.crawl.sites.conftest import WordClassifier, page, write_web

if TYPE_CHECKING:
    from pathlib import Path

WEB = demo_web()
MISLEADING: dict[str, str | tuple[int, str]] = {
    "http://a.test/": page("Welcome to the car park", "/1", "/2", "http://b.test/"),
    "http://a.test/1": page("Asthma and asthma", "/3"),
    "http://a.test/2": page("Asthma"),
    "http://a.test/3": page("Asthma"),
    "http://a.test/4": page("Asthma"),
    "http://old.test/": (301, "http://a.test/"),
}


def test_the_internal_crawler_sees_through_a_homepage_that_misleads(tmp_path: Path) -> None:
    web = open_replay(write_web(tmp_path / "web", MISLEADING))
    inside = classify_site("http://a.test/", web, WordClassifier(), p_threshold=0.8)
    home = classify_homepage("http://a.test/", web, WordClassifier())
    assert (inside.is_relevant, inside.pages) == (True, 3)
    assert (home.is_relevant, home.pages) == (False, 1)
    # 0.8 · 0.9 + 0.2 · 0.05 = 0.73 for cars, 0.1 · 0.9 + 0.9 · 0.05 = 0.135 for both others;
    # the prior of lungs is 0.5, that of each of the others 0.25.
    expected = 0.5 * 0.135 / (0.5 * 0.135 + 0.25 * 0.73 + 0.25 * 0.135)
    assert home.probability == pytest.approx(expected, abs=1e-6)


def test_a_site_that_gives_no_page_is_not_relevant(tmp_path: Path) -> None:
    web = open_replay(write_web(tmp_path / "web", MISLEADING))
    assert classify_site("http://gone.test/", web, WordClassifier()).pages == 0
    assert not classify_site("http://gone.test/", web, WordClassifier(), prior=0.9).is_relevant


def test_a_homepage_elsewhere_is_read_there(tmp_path: Path) -> None:
    web = open_replay(write_web(tmp_path / "web", MISLEADING))
    assert classify_homepage("http://old.test/", web, WordClassifier()).pages == 1
    moved = classify_site("http://old.test/", web, WordClassifier(), p_threshold=0.8)
    assert moved == classify_site("http://a.test/", web, WordClassifier(), p_threshold=0.8)
    assert (moved.site, moved.pages) == ("a.test", 3)


def test_a_redirect_of_another_page_that_leaves_the_site_is_passed_over(tmp_path: Path) -> None:
    pages: dict[str, str | tuple[int, str]] = {
        "http://a.test/": (302, "http://a.test/home"),
        "http://a.test/home": page("Asthma", "/away", "/here"),
        "http://a.test/away": (302, "http://b.test/"),
        "http://a.test/here": (302, "http://a.test/there"),
        "http://a.test/there": page("Asthma"),
        "http://b.test/": page("Car", "/more"),
    }
    web = open_replay(write_web(tmp_path / "web", pages))
    found = classify_site("http://a.test/", web, WordClassifier(), p_threshold=0.999)
    assert (found.site, found.pages, found.is_relevant) == ("a.test", 2, True)


def test_homepages_that_redirect_in_a_circle_give_no_page(tmp_path: Path) -> None:
    circle: dict[str, str | tuple[int, str]] = {
        "http://a.test/": (301, "http://b.test/"),
        "http://b.test/": (301, "http://a.test/"),
    }
    web = open_replay(write_web(tmp_path / "web", circle))
    assert classify_site("http://a.test/", web, WordClassifier()).pages == 0


def test_the_page_crawler_classifies_each_site_by_what_it_happened_to_get(web_folder: str) -> None:
    topic = Topic.parse(WEB.main_topic.spec)
    classifier = find_classifier(topic, SiteSettings(), "")
    result = crawl_pages_for_sites(topic, WEB.seeds, classifier, replay=[web_folder], pages=80, pages_per_host=20)
    assert result.pages == 80 == sum(verdict.pages for verdict in result.verdicts)
    found = {verdict.site for verdict in result.verdicts if verdict.is_relevant}
    assert found >= {"www.breath-clinic.test", "www.chest-and-lung.test"}


def test_the_page_crawler_ranks_by_the_mean_of_in_links_as_in_section_5_1(tmp_path: Path) -> None:
    """Ester 2004, section 5.1: the average confidence of the pages linking to a page.

    The page on the left is linked from confidences 0.8 and 0.1, that on the right from 0.8 alone:
    by the best link the left one, found first, would be read before it.
    """
    pages: dict[str, str | tuple[int, str]] = {
        "http://a.test/": page("Asthma", "http://b.test/", "/left", "/right"),
        "http://b.test/": page("Car", "http://a.test/left"),
        "http://a.test/left": page("Nothing"),
        "http://a.test/right": page("Nothing"),
    }
    read = []
    crawl_pages_for_sites(
        "keywords:asthma",
        ["http://a.test/"],
        WordClassifier(),
        replay=[str(write_web(tmp_path / "web", pages))],
        listener=lambda event: read.append(getattr(event, "url", "")),
        workers=1,
    )
    order = [url for url in read if url.endswith(("left", "right"))]
    assert order == ["http://a.test/right", "http://a.test/left"]


def test_both_crawlers_rank_by_the_mean_of_section_5_1() -> None:
    """Ester 2004, sections 4.3.2 and 5.1: the same ranking, the weights apart."""
    strategy = MeanConfidence(["http://seed.test/"])
    for number, relevance in enumerate((0.9, 0.5)):
        html = page("x", "http://u.test/", "http://seed.test/", "http://u.test/")
        judged = JudgedPage(read_html(html, f"http://{number}.test/"), relevance, 0)
        ranks = strategy.rank(judged)
        strategy.observe(judged)
    assert ranks == pytest.approx([0.7, 0.7, 0.7])
    assert strategy.revise() == pytest.approx({"http://u.test/": 0.7})


def test_a_page_crawl_says_when_the_verdict_of_a_site_turned(tmp_path: Path) -> None:
    pages: dict[str, str | tuple[int, str]] = {
        "http://a.test/": page("Car", "/1", "http://b.test/"),
        "http://a.test/1": page("Asthma", "/2"),
        "http://a.test/2": page("Asthma"),
        "http://b.test/": page("Asthma"),
    }
    web = [str(write_web(tmp_path / "web", pages))]
    result = crawl_pages_for_sites("keywords:asthma", ["http://a.test/"], WordClassifier(), replay=web, workers=1)
    told = {(one.site, one.is_relevant): (after, one.pages) for after, one in result.changes}
    assert told["a.test", False] == (1, 1)
    assert told["a.test", True][1] == 2  # 0.5 · 0.135 · 0.73 against half of it and a little
    assert {one.site: one.pages for one in result.verdicts} == {"a.test": 3, "b.test": 1}
