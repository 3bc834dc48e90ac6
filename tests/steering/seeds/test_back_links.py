from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError, ReplayError
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.steering.seeds import (
    Hub,
    crawl_back_links,
    file_back_links,
    find_seeds,
    open_back_links,
    replay_back_links,
)
from tests.steering.seeds.conftest import PAGES, SEEDS, A, B, C

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.web import Replay

HUB = "http://hub.test/all"


def crawl(place: Path, settings: dict[str, object]) -> Path:
    """A crawl that has recorded one page, which links to all seeds."""
    changes = Changes()
    changes.found(FoundUrl(HUB, "hub.test", 1.0, 1, 0))
    changes.visited(HUB, step=1, relevance=0.5, links=[A, B, C])
    with CrawlGraph.create(place) as graph:
        graph.begin(
            changes,
            title="asthma",
            topic_file="x",
            topic_turtle="<#topic> a <https://w3id.org/semcrawl/ns#Topic> .",
            settings=json.dumps(settings),
            threshold=0.1,
            started_at=0.0,
        )
    return place


def test_a_recorded_web_is_read_for_links_and_texts(web: Replay) -> None:
    links = replay_back_links(web)
    expected = {(page, seed) for page, html in PAGES.items() for seed in (A, B) if f"'{seed}'" in html}
    assert set(links.pairs([A, B])) == expected
    assert len(expected) == 9
    terms = links.terms(HUB)
    assert terms is not None
    assert terms["asthma"] == 1
    assert links.terms("http://hub.test/picture") is None
    assert links.terms("http://nowhere.test/") is None


def test_a_crawl_has_links_and_takes_texts_from_its_recording(tmp_path: Path, folder: Path) -> None:
    over_network = crawl_back_links(crawl(tmp_path / "network", {}))
    assert set(over_network.pairs(SEEDS)) == {(HUB, seed) for seed in SEEDS}
    assert over_network.terms(HUB) is None
    replayed = crawl_back_links(crawl(tmp_path / "replayed", {"replay": [str(folder)]}))
    assert replayed.terms(HUB)
    gone = crawl_back_links(crawl(tmp_path / "gone", {"replay": [str(tmp_path / "not-there")]}))
    assert gone.terms(HUB) is None
    assert find_seeds(SEEDS, over_network) == [Hub(HUB, 3)]


def test_a_file_has_a_link_a_line(tmp_path: Path, web: Replay) -> None:
    path = tmp_path / "links.tsv"
    path.write_text(f"# page\turl\n{HUB}\t{A}\n\n{HUB}\tHTTP://B.test/x#top\r\n{HUB}\thttp://z.t/\n")
    assert list(file_back_links(path).pairs([A, B])) == [(HUB, A), (HUB, B)]
    assert file_back_links(path).terms(HUB) is None
    assert file_back_links(path, web).terms(HUB)


def test_a_file_of_links_may_be_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "links.tsv.gz"
    path.write_bytes(gzip.compress(f"{HUB}\t{A}\n".encode()) + gzip.compress(f"{HUB}\t{B}".encode()))
    assert list(file_back_links(path).pairs([A, B])) == [(HUB, A), (HUB, B)]
    assert list(open_back_links(path).pairs([A])) == [(HUB, A)]


def test_each_page_of_a_recorded_web_is_told_of(web: Replay) -> None:
    told: list[int] = []
    find_seeds(SEEDS, replay_back_links(web, told.append))
    recorded = len(list(web.urls()))
    assert told == [recorded] * recorded


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(b"http://a.test/\thttp://b.test/", mtime=0)[:-9], "damaged gzip file"),
        (b"\x1f\x8b garbage", "damaged gzip file"),
        (b"http://a.test/\n", "line 1: write a page, a tab"),
        (b"http://a.test/\thttp://b.test/\t3\n", "line 1: write a page, a tab"),
        (b"\nhttp://a.test/\tmailto:x\n", "line 2: not a URL"),
        (b"\xff\xfe\x00", "is no UTF-8 text; give the folder of a crawl"),
    ],
)
def test_what_is_no_file_of_links_is_said(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "links.tsv"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=said):
        file_back_links(path)


def test_a_source_is_told_by_what_it_is(tmp_path: Path, folder: Path) -> None:
    links = tmp_path / "links.tsv"
    links.write_text(f"{HUB}\t{A}\n")
    assert list(open_back_links(links).pairs([A, B])) == [(HUB, A)]
    assert set(open_back_links(folder).pairs([A, B])) > {(HUB, A), (HUB, B)}
    assert list(open_back_links(crawl(tmp_path / "crawl", {})).pairs([B])) == [(HUB, B)]
    with pytest.raises(ConfigError, match="give the folder of a crawl, a recorded web, or a file"):
        open_back_links(tmp_path / "none")
    with pytest.raises(ReplayError):
        open_back_links(tmp_path / "none.warc")
