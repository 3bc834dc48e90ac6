"""Worked examples of Pant, Menczer 2003, section 4.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import read_html
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.dom import Dom, HubSeeking, hub_score

if TYPE_CHECKING:
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

SEEDS = ("http://a.test/x/1", "http://b.test/y/1", "http://c.test:81/", "http://a.test/z/1")


def page_with(*urls: str) -> JudgedPage:
    links = "".join(f"<p>car <a href='{url}'>lung</a></p>" for url in urls)
    return JudgedPage(read_html(f"<body>{links}<p><a href=/own>asthma</a>", "http://h.test/"), 0, 0)


def test_hub_scores_by_the_number_of_seeds() -> None:
    # n(n - 1) / (1 + n²): 0, 0 / 2, 2 / 5, 6 / 10, 12 / 17, 20 / 26
    expected = [0, 0, 0.4, 0.6, 0.705882, 0.769231]
    assert [hub_score(n) for n in range(6)] == pytest.approx(expected, abs=1e-6)


@given(st.integers(1, 10**6))
def test_hub_scores_grow_and_stay_below_one(n: int) -> None:
    assert hub_score(n) < hub_score(n + 1) < 1


@pytest.mark.parametrize(
    ("urls", "hub"),
    [
        (("http://z.test/",), 0.0),
        (("http://a.test/any", "http://a.test/other"), 0.0),  # one host
        (("http://a.test/any", "http://b.test/"), 0.4),
        (("http://a.test/any", "http://b.test/", "http://c.test/"), 0.6),
        (("http://www.a.test/", "http://b.test/"), 0.0),  # another host than a.test
    ],
)
def test_links_of_a_page_that_points_to_seed_hosts_have_its_hub_score_at_least(
    urls: tuple[str, ...], hub: float, topic: Topic, background: Background
) -> None:
    judged = page_with(*urls)
    strategy = HubSeeking(topic, background, seeds=SEEDS)
    dom = Dom(topic, background).rank(judged)
    # The last link's context is "asthma": its DOM score is above 0.75, and stays.
    assert dom[-1] > 0.75
    assert dom[0] < 0.4
    assert strategy.rank(judged) == pytest.approx([max(hub, score) for score in dom])


def test_seed_pages_are_counted_on_a_single_host(topic: Topic, background: Background) -> None:
    seeds = ("http://a.test/1", "http://a.test/2", "http://a.test/3")
    strategy = HubSeeking(topic, background, seeds=seeds, seeds_by="pages")
    judged = page_with("http://a.test/1", "http://a.test/2", "http://a.test/4")
    assert strategy.seeds_pointed_to(judged.page) == 2
    assert strategy.rank(judged)[0] == pytest.approx(0.4)


def test_site_sections_are_the_folders_of_the_seeds(topic: Topic, background: Background) -> None:
    seeds = ("http://a.test/health/asthma", "http://a.test/it/linux", "http://a.test/it/java")
    strategy = HubSeeking(topic, background, seeds=seeds, seeds_by="sections")
    judged = page_with("http://a.test/health/flu/1", "http://a.test/it/", "http://a.test/items")
    assert strategy.seeds_pointed_to(judged.page) == 2
    assert strategy.seeds_pointed_to(page_with("http://a.test/it", "http://b.test/it/").page) == 0


def test_several_seeds_that_count_as_one_are_said(topic: Topic, background: Background) -> None:
    seeds = ["http://a.test/1", "http://a.test/2"]
    with pytest.raises(ConfigError, match=r"all 2 seeds are in one .* seeds_by=sections or pages"):
        HubSeeking(topic, background, seeds=seeds)
    with pytest.raises(ConfigError, match="seeds_by=pages"):
        HubSeeking(topic, background, seeds=seeds, seeds_by="sections")
    with pytest.raises(ConfigError, match="seeds_by=sites is none of hosts, pages, sections"):
        HubSeeking(topic, background, seeds=seeds, seeds_by="sites")


def test_with_one_seed_it_is_the_dom_crawler(topic: Topic, background: Background) -> None:
    judged = page_with("http://a.test/1")
    hub = HubSeeking(topic, background, seeds=["http://a.test/1"], level=2)
    assert hub.rank(judged) == Dom(topic, background, level=2).rank(judged)
