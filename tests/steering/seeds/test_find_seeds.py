"""Worked examples of Pant, Menczer 2003, section 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, UrlError
from semcrawl.steering.seeds import Hub, find_seeds, is_mirror_of, replay_back_links
from tests.steering.seeds.conftest import SEEDS, A, B, C

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from semcrawl.web import Replay


class Links:
    """Back-links without texts."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self._pairs = pairs

    def pairs(self, urls: Sequence[str]) -> Iterable[tuple[str, str]]:
        return [pair for pair in self._pairs if pair[1] in urls]

    def terms(self, page: str) -> Mapping[str, int] | None:
        return None


def test_pages_that_link_to_two_seeds_or_more_the_best_first(web: Replay) -> None:
    # The copy is a mirror of the page with all three, and the first seed is no hub.
    assert find_seeds(SEEDS, replay_back_links(web)) == [
        Hub("http://hub.test/all", 3),
        Hub("http://hub.test/two", 2),
        Hub("http://list.test/", 2),
    ]


def test_with_a_mirror_limit_of_one_all_pages_stay(web: Replay) -> None:
    found = find_seeds(SEEDS, replay_back_links(web), mirrors=1.0)
    assert [hub.url for hub in found][:2] == ["http://hub.test/all", "http://hub.test/copy"]


def test_at_most_so_many_and_at_least_so_many_seeds(web: Replay) -> None:
    links = replay_back_links(web)
    assert find_seeds(SEEDS, links, best=1) == [Hub("http://hub.test/all", 3)]
    assert find_seeds(SEEDS, links, least=3) == [Hub("http://hub.test/all", 3)]
    assert find_seeds([A], links, least=1)[-1] == Hub("http://hub.test/two", 1)


def test_a_page_that_holds_the_list_the_seeds_came_from_is_left_out(web: Replay) -> None:
    # What else the page says, adverts here, does not count.
    unlike = ["Directory of breathing help"]
    found = find_seeds(SEEDS, replay_back_links(web), unlike=unlike)
    assert [hub.url for hub in found] == ["http://hub.test/all", "http://hub.test/two"]


def test_links_count_once_and_seeds_are_canonical() -> None:
    links = Links(("p", A), ("p", A), ("q", A), ("q", B), (A, B), (A, C))
    assert find_seeds(["HTTP://A.test", B, C], links) == [Hub("q", 2)]


@pytest.mark.parametrize("options", [{"least": 0}, {"best": 0}, {"mirrors": 1.5}])
def test_options_out_of_bounds_are_said(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        find_seeds(SEEDS, Links(), **options)  # type: ignore[arg-type]


def test_too_few_seeds_are_said() -> None:
    with pytest.raises(ConfigError, match=r"1 seed.* must link to 2: give more seeds"):
        find_seeds([A, A], Links())
    with pytest.raises(UrlError):
        find_seeds([A, "mailto:x"], Links())


def test_the_projection_ignores_what_the_text_does_not_say() -> None:
    text = {"asthma": 3, "lung": 4}
    assert is_mirror_of({"asthma": 3, "lung": 4, "car": 99}, text, 0.9)
    # (3, 0) against (3, 4): 9 / (3 · 5) = 0.6
    assert not is_mirror_of({"asthma": 3}, text, 0.6)
    assert is_mirror_of({"asthma": 3}, text, 0.59)


URLS = [f"http://{host}.test/" for host in "pqrs"]


@given(st.lists(st.tuples(st.sampled_from(URLS), st.sampled_from(SEEDS))), st.integers(1, 3))
def test_every_hub_links_to_as_many_seeds_as_it_says(pairs: list[tuple[str, str]], least: int) -> None:
    found = find_seeds(SEEDS, Links(*pairs), least=least)
    for hub in found:
        assert hub.seeds == len({target for page, target in pairs if page == hub.url}) >= least
    assert found == sorted(found, key=lambda hub: (-hub.seeds, hub.url))
