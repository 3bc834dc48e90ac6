"""The recorded web of an experiment."""

from __future__ import annotations

import gzip
import os
import shutil
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from semcrawl.errors import LabError, PageError, ReplayError
from semcrawl.lab.experiment import WebSource
from semcrawl.lab.web import open_web
from semcrawl.page import read_page
from semcrawl.text.background import Background
from tests.lab.small_web import at, write_small_web

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def web(tmp_path: Path) -> Path:
    return write_small_web(tmp_path / "web")


def source(web: Path, **values: Any) -> WebSource:
    return WebSource(replay=(str(web),), **values)


def test_the_urls_are_the_pages_within_the_bounds(web: Path, tmp_path: Path) -> None:
    with open_web(source(web, exclude=("*/index/*",)), tmp_path / "cache") as lab_web:
        paths = ("/", "/lungs", "/asthma", "/cars", "/wheels", "/bronchitis")
        assert lab_web.urls == {at(path) for path in paths}


def test_links_lead_to_pages_that_can_be_crawled_redirects_followed(web: Path, tmp_path: Path) -> None:
    with open_web(source(web, exclude=("*/index/*",)), tmp_path / "cache") as lab_web:
        assert lab_web.links(at("/")) == (at("/lungs"), at("/cars"))
        assert lab_web.links(at("/lungs")) == (at("/asthma"), at("/bronchitis"))
        assert lab_web.links(at("/asthma")) == (at("/cars"),)
        assert lab_web.links("http://elsewhere.test/") == ()
        assert lab_web.landing(at("/old")) == at("/bronchitis")


def test_what_can_be_reached_is_where_links_lead_from_the_page_of_a_seed(web: Path, tmp_path: Path) -> None:
    wanted = [at("/asthma"), at("/bronchitis"), at("/lungs")]
    with open_web(WebSource(replay=(str(web),)), tmp_path / "cache") as opened:
        assert opened.first_page(at("/old")) == at("/bronchitis")
        assert opened.first_page(at("/paper")) is None
        assert opened.reachable([at("/old"), at("/paper")], wanted) == 1
        assert opened.reachable([at("/cars")], wanted) == 2
        assert opened.reachable([at("/")], wanted) == 3


def test_pages_and_terms_are_those_of_the_recording(web: Path, tmp_path: Path) -> None:
    with open_web(source(web), tmp_path / "cache") as lab_web:
        page = lab_web.page(at("/asthma"))
        assert page is not None
        assert page.text == read_page(lab_web.replay.fetch(at("/asthma"))).text
        assert lab_web.terms(at("/asthma")) == page.terms
        for nothing in ("/old", "/paper", "/gone"):
            assert lab_web.page(at(nothing)) is None
            assert lab_web.terms(at(nothing)) == {}
        with pytest.raises(PageError):
            lab_web.pages.read(lab_web.replay.fetch(at("/paper")))


def test_a_web_is_looked_through_once(web: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with open_web(source(web), tmp_path / "cache", lambda *how: told.append(how)) as first:
        assert told[-1] == (9, 9)
        terms = first.terms(at("/cars"))
    with (
        patch("semcrawl.lab.web.read_page", side_effect=AssertionError("read again")),
        open_web(source(web), tmp_path / "cache", lambda *how: told.append(how)) as second,
    ):
        assert len(told) == 9
        assert second.terms(at("/cars")) == terms
        assert second.page(at("/cars")) is not None


def test_the_background_of_the_web_counts_the_pages_within_the_bounds(web: Path, tmp_path: Path) -> None:
    bounded = source(web, exclude=("*/index/*",), background="web")
    with open_web(bounded, tmp_path / "cache") as lab_web:
        assert lab_web.background.documents == 6
        assert lab_web.background.df("lung") == 4
        again = Background.load(lab_web.settings()["background"])
        assert again.df("lung") == 4
    with open_web(source(web, background="web"), tmp_path / "cache") as lab_web:
        assert lab_web.background.documents == 7


def test_the_settings_make_a_crawl_one_of_this_web(web: Path, tmp_path: Path) -> None:
    with open_web(source(web, exclude=("*/index/*",)), tmp_path / "cache") as lab_web:
        assert lab_web.settings() == {"replay": (str(web),), "include": (), "exclude": ("*/index/*",), "background": ""}


def test_the_digest_is_of_the_content_wherever_it_lies(web: Path, tmp_path: Path) -> None:
    def digest(place: Path, **values: Any) -> str:
        with open_web(source(place, **values), tmp_path / "cache") as lab_web:
            return lab_web.digest

    first = digest(web)
    assert digest(web, exclude=("*/cars",)) == first
    moved = shutil.copytree(web, tmp_path / "moved")
    assert digest(moved) == first
    page = moved / "3.html"
    page.write_text(page.read_text().replace("Cars", "Cats"))
    assert digest(moved) != first


def test_a_file_that_was_changed_is_digested_again(web: Path, tmp_path: Path) -> None:
    with open_web(source(web), tmp_path / "cache") as before:
        pass
    page = web / "3.html"
    page.write_text(page.read_text().replace("Cars", "Cats"))
    os.utime(page, ns=(1, 1))
    with open_web(source(web), tmp_path / "cache") as after:
        assert after.digest != before.digest
        assert "cat" in after.terms(at("/cars"))


def test_a_recording_that_breaks_off_is_used_as_far_as_it_goes(tmp_path: Path) -> None:
    records = []
    for name in ("one", "two"):
        body = f"<title>{name}</title>".encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {at('/' + name)}\r\n"
        records.append(f"{head}Content-Length: {len(http)}\r\n\r\n".encode() + http + b"\r\n\r\n")
    warc = tmp_path / "cut.warc.gz"
    warc.write_bytes(b"".join(gzip.compress(record) for record in records)[:-20])
    with open_web(source(warc), tmp_path / "cache") as lab_web:
        assert lab_web.urls == {at("/one")}
        (problem,) = lab_web.problems
        assert "breaks off" in problem


def test_the_demo_web_needs_no_files(tmp_path: Path) -> None:
    with open_web(WebSource(demo=True), tmp_path / "cache") as lab_web:
        assert len(lab_web.urls) > 400
        assert lab_web.problems == ()
        folder = lab_web.settings()["replay"][0]
    with open_web(WebSource(demo=True), tmp_path / "cache") as again:
        assert again.settings()["replay"][0] == folder


def test_bad_sources_are_told(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="demo = true"):
        open_web(WebSource(), tmp_path / "cache")
    with pytest.raises(ReplayError, match="no recorded web"):
        open_web(WebSource(replay=(str(tmp_path / "none"),)), tmp_path / "cache")
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="cannot make the folder"):
        open_web(WebSource(demo=True), tmp_path / "file" / "cache")
