"""The archive of a crawl: the graph names only records that are there, whatever ends the crawl."""

from __future__ import annotations

import gzip
import subprocess
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.errors import ConfigError, StoreError
from semcrawl.graph import SC
from semcrawl.web import open_replay
from semcrawl.web.http import HttpFetcher
from semcrawl.web.warc import record_fields
from tests.crawl.conftest import WORDS, html
from tests.crawl.kills import recorded_until_killed
from tests.crawl.test_revisits import SETTINGS, Site
from tests.started import COMMAND, Started
from tests.web.test_warc_writer import indexed, is_sound, kinds, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOPIC = "keywords:asthma"


@pytest.fixture
def site() -> Iterator[Site]:
    """Thirty pages in a row, and one that is not there."""
    made = Site()
    made.pages = {
        f"/{n or ''}": html(f"Page {n}", {f"/{n + 1}": "asthma", "/gone": "asthma"}, WORDS * 50) for n in range(30)
    }
    yield made
    made.server.shutdown()
    made.server.server_close()


def crawled(site: Site, folder: Path, **more: Any) -> Path:
    with Crawl(TOPIC, [site.home], folder, **{**SETTINGS, "warc": True, **more}) as crawl:
        crawl.run()
    return folder


def named(folder: Path) -> dict[str, tuple[str, int]]:
    """Where the graph says that the answers of pages are."""
    asked = f"SELECT ?url ?file ?at {{ ?url <{SC}warcFile> ?file ; <{SC}warcOffset> ?at }}"
    with CrawlGraph.read(folder) as graph:
        return {row["url"]: (row["file"], row["at"]) for row in graph.query(asked)}


def pages(folder: Path) -> set[str]:
    with CrawlGraph.read(folder) as graph:
        return set(graph.relevances())


def assert_all_there(folder: Path) -> None:
    found = named(folder)
    assert found.keys() == pages(folder)
    for url, (file, offset) in found.items():
        fields = record_fields(folder / "warc" / file, offset)
        assert (fields["warc-type"], fields["warc-target-uri"]) == ("response", url)


def test_the_graph_names_the_record_of_every_page(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl", workers=4)
    assert len(pages(folder)) == 30
    assert_all_there(folder)
    assert is_sound(folder / "warc")
    assert len(indexed(folder / "warc")) == 30


def test_a_crawl_is_replayed_from_its_archive(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl")
    with Crawl(TOPIC, [site.home], replay=[str(folder / "warc")]) as crawl:
        crawl.run()
        with CrawlGraph.read(folder) as graph:
            assert crawl.graph.relevances() == graph.relevances()


def test_robots_and_failures_are_kept_if_asked(site: Site, tmp_path: Path) -> None:
    site.pages["/robots.txt"] = "User-agent: *\nDisallow:"
    crawled(site, tmp_path / "some", robots=True, pages=3)
    crawled(site, tmp_path / "all", robots=True, pages=3, warc_all=True, tries=1)
    some, every = (
        {one["url"].rpartition("/")[2]: one["status"] for one in indexed(tmp_path / name / "warc")}
        for name in ("some", "all")
    )
    assert some == {"": "200", "1": "200", "2": "200"}
    assert some.items() < every.items()
    assert {"robots.txt", "gone"} <= every.keys()
    assert every["gone"] == "404"
    assert is_sound(tmp_path / "all" / "warc")


def test_a_host_that_does_not_answer_is_noted_if_asked(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = html("Start", {"http://127.0.0.1:2/": "asthma"}, WORDS)
    folder = crawled(site, tmp_path / "crawl", warc_all=True, tries=1)
    said = [text for record, text in records(folder / "warc") if record.rec_type == "metadata"]
    assert b"failure: ConnectFailed\r\n" in said[-1]


def test_what_a_revisit_finds_unchanged_refers_to_what_is_kept(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl", pages=3)
    before = named(folder)
    site.pages["/1"] = html("Other", {}, WORDS)
    with Crawl.revisit(folder, hours=0) as crawl:
        crawl.run()
    found = [kind for kind in kinds(folder / "warc") if kind in ("response", "revisit")]
    assert found == ["response"] * 3 + ["revisit", "response", "revisit"]
    assert is_sound(folder / "warc")
    assert_all_there(folder)
    changed = {url for url, place in named(folder).items() if place != before[url]}
    assert changed == {f"{site.home}1"}


def test_nothing_is_told_of_a_proxy(site: Site, tmp_path: Path) -> None:
    folder, proxy = tmp_path / "crawl", site.home.removesuffix("/")
    site.pages = {f"http://a.test{path}": page for path, page in site.pages.items()}
    more = {**SETTINGS, "warc": True, "warc_all": True, "pages": 2, "proxy": proxy}
    with Crawl(TOPIC, ["http://a.test/"], folder, **more) as crawl:
        crawl.run()
    [file] = (folder / "warc").glob("*.warc.gz")
    plain = gzip.decompress(file.read_bytes())
    assert b"\r\n\r\nGET /1 HTTP/1.1\r\nHost: a.test\r\n" in plain
    assert b"roxy" not in plain
    assert proxy.encode() not in plain


@pytest.mark.parametrize("after", [1, 9])
def test_after_a_kill_the_graph_names_only_what_is_there(site: Site, tmp_path: Path, after: int) -> None:
    folder = tmp_path / "crawl"
    words = ["crawl", TOPIC, "--seed", site.home, "--folder", str(folder), "--json", "--warc"]
    words += ["--allow-private", "--delay", "0", "--no-robots", "--workers", "4"]
    recorded_until_killed(Started(COMMAND, *words), after)
    assert_all_there(folder)
    [cut] = (folder / "warc").glob("*.warc.gz")
    with cut.open("ab") as file:  # as if the kill had come within a record
        file.write(cut.read_bytes()[:700])
    with Crawl.resume(folder) as crawl:
        crawl.run()
    assert len(pages(folder)) == 30
    assert_all_there(folder)
    assert is_sound(folder / "warc")


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
from semcrawl.cli.main import main
main()
"""


def test_a_full_disk_is_told_and_loses_nothing(site: Site, tmp_path: Path) -> None:
    site.pages = {path: f"{page}<!--{token_hex(40_000)}-->" for path, page in site.pages.items()}
    folder = crawled(site, tmp_path / "crawl", pages=2)
    words = ["resume", str(folder), "--quiet", "--pages", "30"]
    resumed = Started(FULL, *words, stderr=subprocess.PIPE)
    _, told = resumed.communicate()
    assert resumed.wait() == 1
    assert told.startswith(f"semcrawl: error: cannot write the archive {folder}")
    assert told.count("\n") == 1
    with Crawl.resume(folder, pages=30) as crawl:
        crawl.run()
    assert len(pages(folder)) == 30
    assert_all_there(folder)
    assert is_sound(folder / "warc")


def test_an_archive_that_is_a_link_is_refused(site: Site, tmp_path: Path) -> None:
    folder = crawled(site, tmp_path / "crawl", pages=2)
    (folder / "warc").rename(tmp_path / "elsewhere")
    (folder / "warc").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="warc is a link"):
        Crawl.resume(folder, pages=5)
    (folder / "warc").unlink()
    (folder / "warc").mkdir()
    (folder / "warc" / "semcrawl-20260101000000-00001.warc.gz").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="is a link"):
        Crawl.resume(folder, pages=5)


@pytest.mark.parametrize("kind", [Crawl, SiteCrawl])
def test_only_what_the_crawl_fetches_into_a_folder_can_be_kept(site: Site, tmp_path: Path, kind: Any) -> None:
    with pytest.raises(ConfigError, match="WARC files need a folder"):
        kind(TOPIC, [site.home], warc=True, **SETTINGS)
    (tmp_path / "web" / "a.test").mkdir(parents=True)
    (tmp_path / "web" / "a.test" / "index.html").write_text(html("A"))
    with pytest.raises(ConfigError, match="leave out warc"):
        kind(TOPIC, [site.home], tmp_path / "a", warc=True, replay=[str(tmp_path / "web")])
    with pytest.raises(ConfigError, match="leave out warc"):
        kind(TOPIC, [site.home], tmp_path / "a", warc=True, fetcher=HttpFetcher("x"))
    assert not (tmp_path / "a").exists()


def test_a_crawl_for_websites_keeps_its_pages(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with SiteCrawl(TOPIC, [site.home], folder, warc=True, pages=5, **SETTINGS) as crawl:
        crawl.run()
    assert len(pages(folder)) == 5
    assert_all_there(folder)
    assert len(open_replay(folder / "warc")) >= 5
