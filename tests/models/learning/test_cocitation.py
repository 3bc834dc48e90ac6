from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from semcrawl.models.link_features import cocitation_features, link_places
from semcrawl.page import read_html

if TYPE_CHECKING:
    from semcrawl.models.link_features import LinkFeatures

NAN = float("nan")


def features(html: str, relevance: list[float], d_max: int = 5) -> LinkFeatures:
    page = read_html(html, "http://a.test/")
    urls = list(dict.fromkeys(link.url for link in page.links))
    targets = np.array([urls.index(link.url) for link in page.links], np.uint32)
    known = np.array(relevance)[targets]
    return cocitation_features(link_places(page), targets, known, 0.5, d_max)


def says(html: str, relevance: list[float], link: int = 0, d_max: int = 5) -> Counter[int]:
    found = features(html, relevance, d_max)
    return Counter(found.slots[found.owners() == link].tolist())


def test_a_neighbour_that_is_fetched_says_high_or_low_at_its_offset() -> None:
    # Leaves: 0 v, 1 the comma, 2 w; w is two to the right of v.
    page = "<a href=v>v</a>, <a href=w>w</a>"
    high, low = says(page, [NAN, 0.9]), says(page, [NAN, 0.1])
    assert high.total() == low.total() == 1
    assert high != low
    # The same at the same offset, elsewhere on a page; not the same at another one.
    assert says("<b>x</b><a href=v>v</a>, <a href=w>w</a>", [NAN, 0.5]) == high
    assert says("<a href=v>v</a><a href=w>w</a>", [NAN, 0.9]) != high
    assert says(page, [0.9, NAN], link=1) != high


def test_what_is_not_fetched_says_nothing() -> None:
    assert features("<a href=v>v</a>, <a href=w>w</a>", [NAN, NAN]).sizes.tolist() == [0, 0]


@pytest.mark.parametrize(("d_max", "count"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)])
def test_neighbours_count_up_to_d_max(d_max: int, count: int) -> None:
    page = "<a href=v>v</a>, <a href=w>w</a>, <a href=x>x</a>"
    assert says(page, [NAN, 0.9, 0.9], d_max=d_max).total() == count


def test_another_link_to_the_same_page_says_nothing() -> None:
    # It would tell, while learning, what is to be foretold.
    assert says("<a href=v>one</a> <a href=v>two</a>", [0.9]).total() == 0


def test_a_link_without_a_place_has_no_neighbours() -> None:
    page = "<link rel=next href=n><a href=v>v</a> <a href=w>w</a>"
    assert features(page, [0.9, NAN, 0.9]).sizes.tolist() == [0, 1, 0]


def test_no_links_at_all() -> None:
    none = np.zeros((2, 0), np.int32)
    found = cocitation_features(none, np.zeros(0, np.uint32), np.zeros(0), 0.5, 5)
    assert len(found.sizes) == len(found.slots) == 0
