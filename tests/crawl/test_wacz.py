"""A WACZ file holds what was kept, with an index, a list of pages and the hashes of all parts."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_STORED, ZipFile

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl.deposit import write_wacz
from semcrawl.errors import ConfigError, StoreError
from semcrawl.web import open_replay
from tests.crawl.test_archive import TOPIC, crawled, site
from tests.crawl.test_revisits import SETTINGS
from tests.web.test_warc_writer import is_sound

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.test_revisits import Site

__all__ = ["site"]


def written(folder: Path, path: Path, **about: Any) -> ZipFile:
    with CrawlGraph.read(folder) as graph:
        write_wacz(graph, path, **about)
    return ZipFile(path)


def test_all_parts_are_there_with_true_hashes(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl", pages=20, warc_size=1_000_000)
    about = {"title": "Lungs", "creator": "Ann Lee", "licence": "CC0-1.0"}
    with written(folder, tmp_path / "a.wacz", **about) as opened:
        package = json.loads(opened.read("datapackage.json"))
        for part in package["resources"]:
            data = opened.read(part["path"])
            assert part["bytes"] == len(data)
            assert part["hash"] == f"sha256:{sha256(data).hexdigest()}"
        names = {part["path"] for part in package["resources"]}
        assert names | {"datapackage.json", "datapackage-digest.json"} == set(opened.namelist())
        digest = json.loads(opened.read("datapackage-digest.json"))["hash"]
        assert digest == f"sha256:{sha256(opened.read('datapackage.json')).hexdigest()}"
        assert {one.compress_type for one in opened.infolist()} == {ZIP_STORED}
        assert (package["title"], package["wacz_version"]) == ("Lungs", "1.1.1")
        assert package["contributors"][0]["title"] == "Ann Lee"


def test_index_and_pages_lead_to_records(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl", pages=20, judge="labels")  # by which all pages are on the topic
    with Crawl.resume(folder, pages=25) as crawl:  # another file
        crawl.run()
    with written(folder, tmp_path / "a.wacz") as opened:
        opened.extractall(tmp_path / "out")
        lines = opened.read("indexes/index.cdx").decode().splitlines()
        pages = [json.loads(line) for line in opened.read("pages/pages.jsonl").splitlines()]
    assert lines == sorted(lines)
    assert len(lines) == 25
    files = {json.loads(line.split(" ", 2)[2])["filename"] for line in lines}
    assert files == {path.name for path in (tmp_path / "out" / "archive").iterdir()}
    assert len(files) == 2
    assert pages[0]["format"] == "json-pages-1.0"
    replay = open_replay(tmp_path / "out" / "archive")
    assert len(pages) == 26
    assert all(page["url"] in replay and page["ts"].endswith("Z") for page in pages[1:])


def test_a_crawl_that_was_killed_gives_its_whole_records(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl", pages=5)
    [kept] = (folder / "warc").glob("*.warc.gz")
    [index] = (folder / "warc").glob("*.cdxj")
    index.unlink()
    with kept.open("ab") as file:
        file.write(kept.read_bytes()[:700])
    before = kept.read_bytes()
    with written(folder, tmp_path / "a.wacz") as opened:
        opened.extractall(tmp_path / "out")
        assert len(opened.read("indexes/index.cdx").splitlines()) == 5
    assert is_sound(tmp_path / "out" / "archive")
    assert kept.read_bytes() == before
    assert not index.exists()


def test_a_crawl_that_has_kept_nothing_says_so(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl", pages=2, warc=False)
    with pytest.raises(ConfigError, match="crawl with --warc"):
        written(folder, tmp_path / "a.wacz")
    with Crawl(TOPIC, [site.home], **SETTINGS) as crawl, pytest.raises(ConfigError):
        write_wacz(crawl.graph, tmp_path / "a.wacz")
    folder = crawled(site, tmp_path / "other", pages=2)
    with pytest.raises(StoreError, match="cannot write"):
        written(folder, tmp_path / "gone" / "a.wacz")
    assert not (tmp_path / "a.wacz").exists()
