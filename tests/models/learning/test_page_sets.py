from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError, NotACrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.models.training_pages import read_page_set

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_has_a_url_a_line(tmp_path: Path) -> None:
    text = "﻿# pages\nHTTP://A.test/x#part\n\nhttp://b.test\tits title\r\n  http://a.test/x \n"
    (tmp_path / "pages.tsv").write_text(text, encoding="utf-8")
    assert read_page_set(tmp_path / "pages.tsv") == {"http://a.test/x", "http://b.test/"}


def test_a_crawl_has_the_pages_it_visited_and_what_redirected(tmp_path: Path) -> None:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        graph.store.update(
            "PREFIX sc: <https://w3id.org/semcrawl/ns#> INSERT DATA {"
            " <http://a.test/v> a sc:Page ; sc:relevance 0.5 ."
            " <http://a.test/old> sc:redirectsTo <http://a.test/v> ."
            " <http://a.test/waits> sc:priority 0.5 }"
        )
    assert read_page_set(tmp_path / "crawl") == {"http://a.test/v", "http://a.test/old"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"http://a.test/\nnowhere\n", "line 2 of .*nowhere"),
        (b"", "names no page"),
        (b"# http://a.test/\n", "names no page"),
        (b"\xff\xfe\x00", "is no UTF-8 text; give a file of URLs"),
    ],
)
def test_a_file_that_is_no_list(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "pages").write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        read_page_set(tmp_path / "pages")


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*No such file"):
        read_page_set(tmp_path / "gone")
    with pytest.raises(NotACrawlError):
        read_page_set(tmp_path)


def test_a_crawl_without_pages(tmp_path: Path) -> None:
    CrawlGraph.create(tmp_path / "crawl").close()
    with pytest.raises(ConfigError, match="names no page"):
        read_page_set(tmp_path / "crawl")
