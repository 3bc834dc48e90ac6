"""A package's documents become a site: homepage, reachable pages, links to other sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.debian_pages import SiteFiles, Upstreams, address_key, read_site, rewritten

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 10


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package whose pages are in two folders, one of them not linked from the other."""
    pages = {
        "usr/share/doc/tool/html/index.html": '<a href="guide.html#top">g</a> <a href=sub/>s</a>',
        "usr/share/doc/tool/html/guide.html": '<a href="lost.html">l</a> <a href="./">home</a>',
        "usr/share/doc/tool/html/sub/index.html": '<a href="../guide.html">g</a>',
        "usr/share/doc/tool/html/alone.html": "nobody links here",
        "usr/share/doc/tool/changes.html": "above the root",
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_pages_are_those_reached_from_the_index_nearest_first(package: Path) -> None:
    site = read_site("tool.test", package, None, LIMIT)
    assert site.home == "index.html"
    assert list(site.pages) == ["index.html", "guide.html", "sub/index.html"]


def test_no_more_pages_than_the_limit(package: Path) -> None:
    assert len(read_site("tool.test", package, None, 2).pages) == 2


def test_homepage_can_be_named(package: Path) -> None:
    site = read_site("tool.test", package, "usr/share/doc/tool/html/guide.html", LIMIT)
    assert site.home == "guide.html"
    assert site.url("guide.html") == "http://tool.test/"


def test_pages_without_an_index_are_listed_as_servers_do(tmp_path: Path) -> None:
    for name in ("one.html", "two & three.html"):
        (tmp_path / name).write_text(f"<p>{name}</p>")
    site = read_site("tool.test", tmp_path, None, LIMIT)
    assert list(site.pages) == ["index.html", "one.html", "two & three.html"]
    assert 'href="two%20%26%20three.html"' in site.pages["index.html"].text


def test_package_without_pages_is_an_empty_site(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("no pages")
    assert not read_site("tool.test", tmp_path, None, LIMIT).pages


def test_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text("of this machine")
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "index.html").symlink_to(outside)
    assert not read_site("tool.test", folder, None, LIMIT).pages


def test_links_to_what_is_not_recorded_are_taken_out(package: Path) -> None:
    site = read_site("tool.test", package, None, LIMIT)
    guide = rewritten(site, site.pages["guide.html"], Upstreams()).decode()
    assert guide == ('<a data-left-out="lost.html">l</a> <a href="http://tool.test/">home</a>')


@pytest.fixture
def upstreams(package: Path) -> Upstreams:
    """The tool has an address of its own; a plug-in has a folder of it."""
    known = Upstreams()
    known.add("https://www.tool.org/", read_site("tool.test", package, None, LIMIT))
    plug_in = SiteFiles("plug-in.test", home="index.html")
    known.add("tool.org/plug-in", plug_in)
    return known


@pytest.mark.parametrize(
    ("upstream", "here"),
    [
        ("https://tool.org", "http://tool.test/"),
        ("http://www.tool.org/docs/latest/guide.html#top", "http://tool.test/guide.html"),
        ("https://tool.org/docs/unknown.html", "http://tool.test/"),
        ("https://tool.org/plug-in/start.html", "http://plug-in.test/"),
        ("https://tool.org/plug-ins/", "http://tool.test/"),
        ("https://tool.org.example/", None),
        ("https://other.org/tool.org", None),
    ],
)
def test_upstream_addresses_lead_to_the_site(upstreams: Upstreams, upstream: str, here: str | None) -> None:
    assert upstreams.translated(upstream) == here


def test_links_between_upstream_addresses_are_kept(package: Path, upstreams: Upstreams) -> None:
    site = read_site("other.test", package, None, LIMIT)
    page = site.pages["guide.html"]._replace(
        text="<a HREF='https://www.tool.org/guide.html?a=1&amp;b'>é</a> <a href=http://x.org/>x</a>"
    )
    assert rewritten(site, page, upstreams).decode("latin-1") == (
        '<a href="http://tool.test/guide.html">é</a> <a href=http://x.org/>x</a>'
    )


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://WWW.Example.org/", "example.org"),
        ("example.org/a/", "example.org/a"),
        ("http://example.org/a/b.html#c", "example.org/a"),
        ("http://example.org//a?b", "example.org/a"),
    ],
)
def test_addresses_are_compared_without_their_accidents(address: str, key: str) -> None:
    assert address_key(address) == key
