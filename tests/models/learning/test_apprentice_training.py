from __future__ import annotations

import numpy as np
import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.apprentice import MIN_LINKS, rescored, train
from semcrawl.models.learning_rounds import Rounds
from semcrawl.models.link_features import FeatureKinds, link_features, link_places
from semcrawl.models.link_memory import LinkMemory
from semcrawl.page import read_html

KINDS = FeatureKinds()
WAITING = "<a href=/asthma>asthma</a><hr><hr><hr><hr><hr><hr><a href=/cars>cars</a>"


def web(pages: int = MIN_LINKS, kinds: FeatureKinds = KINDS, good: float = 0.9) -> LinkMemory:
    """Pages in a row: each links to the next by what that is about, asthma or cars by turns."""
    memory = LinkMemory(None, kinds, {})
    for number in range(pages + 1):
        word, relevance = [("cars", 0.1), ("asthma", good)][number % 2]
        following = ["asthma", "cars"][number % 2]
        remember(memory, f"p{number}", relevance, f"{word}, <a href=/p{number + 1}>{following}</a>")
    return memory


def remember(memory: LinkMemory, name: str, relevance: float, html: str) -> None:
    page = read_html(html, f"http://a.test/{name}")
    targets = [link.url for link in page.links]
    features = link_features(page, 5)
    memory.remember(page.url, relevance, targets, features, link_places(page))


def test_it_learns_which_words_lead_to_relevant_pages() -> None:
    memory = web()
    model = train(memory, KINDS)
    assert model.links.tolist() == [25, 25]
    assert model.boundary == 0.9
    remember(memory, "new", 0.5, WAITING)
    priorities = rescored(memory, model, KINDS)
    last = f"http://a.test/p{MIN_LINKS + 1}"
    assert priorities.keys() == {last, "http://a.test/asthma", "http://a.test/cars"}
    assert priorities["http://a.test/asthma"] > 0.5 > priorities["http://a.test/cars"]


def test_only_links_with_both_ends_fetched_teach() -> None:
    memory = web()
    remember(memory, "new", 0.5, WAITING)
    assert train(memory, KINDS).links.sum() == MIN_LINKS


def test_of_several_links_to_one_page_the_best_counts() -> None:
    memory = web()
    model = train(memory, KINDS)
    remember(memory, "x", 0.5, "<a href=/t>cars</a>")
    low = rescored(memory, model, KINDS)["http://a.test/t"]
    remember(memory, "y", 0.5, "<a href=/t>asthma</a>")
    high = rescored(memory, model, KINDS)["http://a.test/t"]
    remember(memory, "z", 0.5, "<a href=/t>cars</a>")
    assert low < 0.5 < high == rescored(memory, model, KINDS)["http://a.test/t"]


def test_the_first_pages_teach_the_same_whatever_came_later() -> None:
    memory = web(2 * MIN_LINKS)
    early = train(memory, KINDS, MIN_LINKS + 1)
    assert (early.counts == train(web(), KINDS).counts).all()


def test_with_cocitation_the_neighbours_teach_too() -> None:
    kinds = FeatureKinds(cocitation=True)
    memory = web(kinds=kinds)
    for number in range(0, 40, 2):
        # Pages in twos: a low one beside a low one, a high one beside a high one.
        pair = f"<a href=/p{number}>a</a><a href=/p{number + 2}>b</a><hr><hr><hr><hr><hr><hr>"
        pair += f"<a href=/p{number + 1}>c</a><a href=/p{number + 3}>d</a>"
        remember(memory, f"list{number}", 0.5, pair)
    model = train(memory, kinds)
    remember(memory, "n1", 0.5, "<a href=/p1>x</a><a href=/n2>y</a>")
    remember(memory, "n3", 0.5, "<a href=/p2>x</a><a href=/n4>y</a>")
    priorities = rescored(memory, model, kinds)
    assert priorities["http://a.test/n2"] > priorities["http://a.test/n4"]


def test_a_model_to_begin_with_is_added_to_and_stays_as_it_was() -> None:
    start = train(web(), KINDS)
    counts = start.counts.copy()
    remembered = web(2)
    more = train(remembered, KINDS, start=start)
    assert more.links.sum() == MIN_LINKS + 2
    assert (start.counts == counts).all()
    assert more.boundary == start.boundary


def test_too_few_links_teach_nothing() -> None:
    with pytest.raises(ConfigError, match=f"there are 49 links .* needs {MIN_LINKS}; fetch more"):
        train(web(MIN_LINKS - 1), KINDS)
    with pytest.raises(ConfigError, match="there are 0 links"):
        train(LinkMemory(None, KINDS, {}), KINDS)


def test_one_class_only_teaches_nothing() -> None:
    with pytest.raises(ConfigError, match=r"lead to pages of the same relevance, 0\.1"):
        train(web(good=0.1), KINDS)
    with pytest.raises(ConfigError, match=r"all 50 links are low with the boundary 0\.95"):
        train(web(), KINDS, boundary=0.95)


def test_what_is_nan_counts_as_not_judged() -> None:
    memory = web()
    remember(memory, "broken", float("nan"), "<a href=/p1>x</a>")
    assert np.isfinite(list(rescored(memory, train(memory, KINDS), KINDS).values())).all()


def test_rounds_come_with_every_batch_and_later_with_every_tenth_more() -> None:
    assert [Rounds(200).after(pages) for pages in (0, 200, 2000, 2200, 100_000)] == [
        200, 400, 2200, 2420, 110_000,
    ]  # fmt: skip
    assert [Rounds(10).last(pages) for pages in (0, 9, 10, 19, 101, 111, 120)] == [
        0, 0, 10, 10, 100, 110, 110,
    ]  # fmt: skip
