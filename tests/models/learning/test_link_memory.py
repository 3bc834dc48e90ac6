from __future__ import annotations

import struct
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
import pytest

from semcrawl.errors import ConfigError, StoreError
from semcrawl.models.link_features import FeatureKinds, link_features, link_places
from semcrawl.models.link_memory import LinkMemory
from semcrawl.page import Page, read_html

if TYPE_CHECKING:
    from pathlib import Path

KINDS = FeatureKinds()
LIST = "<a href=/v>asthma</a> and <a href=/w>cars</a>"


def page(name: str, html: str = LIST) -> Page:
    return read_html(html, f"http://a.test/{name}")


def put(memory: LinkMemory, seen: Page, relevance: float, found_on: str | None = None) -> None:
    targets = [link.url for link in seen.links]
    features, places = link_features(seen, 5), link_places(seen)
    memory.remember(seen.url, relevance, targets, features, places, found_on)


def known(memory: LinkMemory, pages: int | None = None) -> dict[str, float]:
    relevance = memory.relevances(pages)
    found = np.flatnonzero(~np.isnan(relevance)).tolist()
    return {memory.url(number).rpartition("/")[2]: float(relevance[number]) for number in found}


def urls(*names: str) -> dict[str, float]:
    return {f"http://a.test/{name}": 0.25 for name in names}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "links.bin"


def test_a_page_comes_back_as_it_was(path: Path) -> None:
    seen = page("u", f"{LIST}<link rel=next href=/n>")
    memory = LinkMemory(path, KINDS, {})
    put(memory, seen, 0.75)
    memory.close()
    again = LinkMemory(path, KINDS, urls("u"))
    [found] = again.pages()
    assert [again.url(number) for number in found.targets.tolist()] == [x.url for x in seen.links]
    features = link_features(seen, 5)
    assert found.features.sizes.tolist() == features.sizes.tolist()
    assert found.features.slots.tolist() == features.slots.tolist()
    assert found.places[0].tolist() == [link.first_leaf for link in seen.links]
    assert found.places[1].tolist() == [link.last_leaf for link in seen.links]
    assert known(again) == {"u": 0.75}
    again.close()


def test_relevances_as_of_an_earlier_page() -> None:
    memory = LinkMemory(None, KINDS, {})
    for number, name in enumerate(("u", "v", "w")):
        put(memory, page(name), number / 4)
    assert known(memory) == known(memory, 3) == {"u": 0, "v": 0.25, "w": 0.5}
    assert known(memory, 1) == {"u": 0}
    assert len(list(memory.pages(2))) == 2


def test_many_urls_have_room() -> None:
    memory = LinkMemory(None, KINDS, {})
    for number in range(30):
        links = "".join(f"<a href=/{number}-{other}>x</a>" for other in range(100))
        put(memory, page(f"p{number}", links), 0.5)
    assert len(known(memory)) == len(memory) == 30
    assert memory.numbers(["http://a.test/29-99", "http://a.test/gone"]).tolist() == [3029, 3030]
    assert np.isnan(memory.relevances()[3030])


def test_a_page_that_is_seen_again_replaces_what_was_known(path: Path) -> None:
    memory = LinkMemory(path, KINDS, {})
    put(memory, page("u"), 0.25)
    put(memory, page("x"), 0.5)
    put(memory, page("u", "<a href=/new>new</a>"), 1.0)
    memory.close()
    for found in (memory, again := LinkMemory(path, KINDS, urls("u", "x"))):
        assert len(found) == 2
        assert known(found) == {"u": 1.0, "x": 0.5}
    assert [len(seen.targets) for seen in again.pages()] == [2, 1]
    again.close()


def test_a_page_that_the_graph_does_not_know_was_never_seen(path: Path) -> None:
    memory = LinkMemory(path, KINDS, {})
    put(memory, page("u"), 0.25)
    put(memory, page("killed"), 0.5)
    memory.close()
    again = LinkMemory(path, KINDS, urls("u"))
    assert known(again) == {"u": 0.25}
    put(again, page("killed"), 0.5)
    again.close()
    once_more = LinkMemory(path, KINDS, urls("u", "killed"))
    assert len(once_more) == 2
    once_more.close()


def test_a_page_that_the_memory_lost_still_has_its_relevance(path: Path) -> None:
    memory = LinkMemory(path, KINDS, {})
    put(memory, page("u"), 0.75)
    memory.close()
    again = LinkMemory(path, KINDS, urls("u", "v"))
    assert known(again) == known(again, 1) == {"u": 0.75, "v": 0.25}
    again.close()


def test_a_torn_end_is_forgotten_and_the_numbers_go_on(path: Path) -> None:
    memory = LinkMemory(path, KINDS, {})
    put(memory, page("u"), 0.75)
    whole = path.stat().st_size
    put(memory, page("v", "<a href=/x>x</a><a href=/y>y</a>"), 0.5)
    memory.close()
    torn = path.read_bytes()[: (whole + path.stat().st_size) // 2]
    path.write_bytes(torn)
    again = LinkMemory(path, KINDS, urls("u", "v"))
    assert len(again) == 1
    put(again, page("w", "<a href=/z>z</a>"), 0.5)
    [_, found] = again.pages()
    assert again.url(int(found.targets[0])) == "http://a.test/z"
    again.close()


def test_what_redirected_has_the_relevance_of_where_it_led() -> None:
    memory = LinkMemory(None, KINDS, {})
    put(memory, page("u"), 0.5)
    put(memory, page("moved"), 0.75, found_on="http://a.test/v")  # u links to v, v leads here
    put(memory, page("x"), 1.0, found_on="http://a.test/u")  # found on u: nothing redirected
    assert known(memory) == {"u": 0.5, "v": 0.75, "moved": 0.75, "x": 1.0}
    assert known(memory, 2) == {"u": 0.5, "v": 0.75, "moved": 0.75}


def test_a_memory_of_other_features_is_refused(path: Path) -> None:
    LinkMemory(path, KINDS, {}).close()
    with pytest.raises(ConfigError, match="take the options of the crawl's beginning"):
        LinkMemory(path, FeatureKinds(d_max=4), {})


def test_zeros_that_a_loss_of_power_leaves_at_the_end_are_cut_off(path: Path) -> None:
    memory = LinkMemory(path, KINDS, {})
    put(memory, page("u"), 0.75)
    memory.close()
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(8))
    LinkMemory(path, KINDS, {"u": 0.75}).close()
    assert path.read_bytes() == whole


def test_a_frame_that_is_no_page_is_said(path: Path) -> None:
    memory = LinkMemory(path, KINDS, {})
    put(memory, page("u"), 0.75)
    memory.close()
    with path.open("ab") as file:
        file.write(struct.pack("<II", 3, crc32(b"abc")) + b"abc")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"links\.bin is damaged, its page 2 is none .* remove it"):
        LinkMemory(path, KINDS, {})
    assert path.read_bytes() == before
