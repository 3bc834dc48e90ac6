from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import FetchError, ReplayError
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, bytes | str], Path]


def test_a_map_gives_files_their_urls(write: Write) -> None:
    write("a.html", "<p>a")
    write("deep/b.bin", "<p>b")
    lines = [
        "# a comment",
        "http://A.test/\ta.html",
        "http://a.test/b\tdeep/b.bin\t200\ttext/html; charset=utf-8",
        "http://a.test/gone\ta.html\t410",
        "http://a.test/old\t/b\t301",
        "",
        "http://a.test/\tdeep/b.bin",
    ]
    folder = write("urls.tsv", "\ufeff" + "\r\n".join(lines)).parent
    replay = open_replay(folder)
    assert len(replay) == 4
    assert replay.fetch("http://a.test/").body == b"<p>a"
    assert replay.fetch("http://a.test/").is_html
    assert replay.fetch("http://a.test/b").charset == "utf-8"
    assert replay.fetch("http://a.test/old").redirect == "http://a.test/b"
    with pytest.raises(FetchError, match="status 410"):
        replay.fetch("http://a.test/gone")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("http://a.test/", "there is no file ''"),
        ("http://a.test/\tmissing.html", "there is no file 'missing.html'"),
        ("http://a.test/\t../secret.txt", "there is no file"),
        ("http://a.test/\t/etc/hostname", "there is no file"),
        ("http://a.test/\tlink.html", "there is no file"),
        ("http://a.test/\ta\x00b", "there is no file"),
        ("not a url\ta.html", "not a URL that can be fetched"),
        ("http://a.test/\ta.html\tOK", "status must be a number"),
        ("http://a.test/\ta.html\t999", "status must be a number"),
        ("http://a.test/\tmailto:x@y\t301", "a redirect needs the URL"),
    ],
)
def test_a_bad_line_of_the_map_is_named(write: Write, line: str, why: str) -> None:
    folder = write("a.html", "<p>").parent
    secret = folder.parent / "secret.txt"
    secret.write_text("secret")
    (folder / "link.html").symlink_to(secret)
    write("urls.tsv", f"http://ok.test/\ta.html\n{line}\n")
    with pytest.raises(ReplayError, match=r"line 2 of .*urls\.tsv: ") as caught:
        open_replay(folder)
    assert why in str(caught.value)


def test_a_map_that_is_no_text_is_an_error(write: Write) -> None:
    with pytest.raises(ReplayError, match="not UTF-8"):
        open_replay(write("urls.tsv", b"\xff\xfe\x00").parent)


def test_a_layout_by_hosts_needs_no_map(write: Write) -> None:
    write("a.test/index.html", "<p>home")
    write("a.test/sub/index.html", "<p>sub")
    write("a.test/sub/été 100%.html", "<p>odd")
    write("a.test/robots.txt", "User-agent: *")
    write("a.test/.hidden/x.html", "no")
    write("b.test:8080/x", "<html>untyped")
    root = write("notes/readme.html", "no host").parent.parent
    replay = open_replay(root)
    assert sorted(replay.urls()) == [
        "http://a.test/",
        "http://a.test/index.html",
        "http://a.test/robots.txt",
        "http://a.test/sub/",
        "http://a.test/sub/%C3%A9t%C3%A9%20100%25.html",
        "http://a.test/sub/index.html",
        "http://b.test:8080/x",
    ]
    assert replay.fetch("http://a.test/").body == b"<p>home"
    assert replay.fetch("http://a.test/sub").redirect == "http://a.test/sub/"
    assert replay.fetch("http://a.test/robots.txt").content_type == "text/plain"
    assert replay.fetch("http://b.test:8080/x").is_html


def test_links_out_of_a_layout_are_not_followed(write: Write) -> None:
    page = write("a.test/index.html", "<p>")
    outside = write("outside.txt", "secret")
    (page.parent / "link.txt").symlink_to(outside)
    (page.parent / "same.html").symlink_to(page)
    replay = open_replay(page.parent.parent)
    assert "http://a.test/link.txt" not in replay
    assert replay.fetch("http://a.test/same.html").body == b"<p>"


def test_a_host_that_is_a_link_out_of_the_folder_is_left_out(write: Write) -> None:
    web = write("web/a.test/x.html", "<p>a").parents[1]
    (web / "b.test").symlink_to(write("elsewhere/x.html", "<p>private").parent)
    assert [*open_replay(web).urls()] == ["http://a.test/x.html"]


def test_a_page_that_has_gone_is_a_fetch_error(write: Write) -> None:
    page = write("a.test/index.html", "<p>")
    replay = open_replay(page.parent.parent)
    page.unlink()
    with pytest.raises(FetchError, match="cannot read"):
        replay.fetch("http://a.test/")


@pytest.mark.parametrize("name", ["empty", "missing", "no-hosts", "empty-host"])
def test_a_folder_without_a_web_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "no-hosts" / "pages").mkdir(parents=True)
    (tmp_path / "empty-host" / "a.test").mkdir(parents=True)
    with pytest.raises(ReplayError, match=name):
        open_replay(tmp_path / name)


def test_nothing_is_no_web() -> None:
    with pytest.raises(ReplayError, match="no recorded web was given"):
        open_replay([])


def test_pipes_in_a_recorded_web_are_passed_over(tmp_path: Path) -> None:
    site = tmp_path / "layout" / "a.test"
    site.mkdir(parents=True)
    (site / "index.html").write_text("<p>asthma")
    os.mkfifo(site / "pipe.html")
    assert [*open_replay(tmp_path / "layout").urls()] == ["http://a.test/", "http://a.test/index.html"]
    os.mkfifo(tmp_path / "a.warc.gz")
    with pytest.raises(ReplayError, match="holds no recorded web"):
        open_replay(tmp_path)
