from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import FetchError, PageError, UrlError
from semcrawl.models.training_pages import DocumentReader, PageSource, open_page_source
from semcrawl.web import ReplayServer, Response, open_replay

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = {"http://a.test/": ("index.html", "200", "<p>Birds and wings")}


@pytest.fixture
def web(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    folder.mkdir()
    lines = ["http://a.test/moved\thttp://a.test/\t301", "http://a.test/loop\thttp://a.test/loop\t302"]
    for url, (name, status, text) in PAGES.items():
        (folder / name).write_text(text)
        lines.append(f"{url}\t{name}\t{status}\ttext/html")
    (folder / "urls.tsv").write_text("\n".join(lines))
    return folder


def answer(url: str) -> Response | None:
    """What the loopback server says."""
    path = "/" + url.split("/", 3)[3]
    body = {"/": b"<p>Birds and wings", "/robots.txt": b"User-agent: *\nDisallow: /secret"}.get(path)
    if body is None:
        return None
    kind = "text/plain" if path == "/robots.txt" else "text/html"
    return Response(url, 200, {"content-type": kind}, body, 0.0, 0.0)


@pytest.fixture
def server() -> Iterator[ReplayServer]:
    with ReplayServer(answers=answer) as server:
        yield server


@pytest.mark.parametrize(
    ("name", "content", "terms"),
    [
        ("a.html", b"birds <b>fly</b><script>no()</script>", {"bird": 1, "fly": 1}),
        ("a.txt", b"birds < fly", {"bird": 1, "fly": 1}),
        ("noname", b"<!doctype html><p>birds", {"bird": 1}),
        ("latin.txt", "oiseaux caf\xe9".encode("latin-1"), {"oiseaux": 1, "caf\xe9": 1}),
    ],
)
def test_files_are_read_as_html_or_text(tmp_path: Path, name: str, content: bytes, terms: dict[str, int]) -> None:
    (tmp_path / name).write_bytes(content)
    assert DocumentReader().terms(str(tmp_path / name)) == terms


@pytest.mark.parametrize(
    ("name", "content"), [("a.bin", b"\x00\x01"), ("a.html", b"%PDF-1.7"), ("a.txt", b""), ("b.txt", b"of the and 12")]
)
def test_files_that_hold_no_words(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(PageError, match=name):
        DocumentReader().terms(str(tmp_path / name))


@pytest.mark.parametrize("name", ["nothing.html", ".", "a\0b"])
def test_places_that_are_no_files(tmp_path: Path, name: str) -> None:
    with pytest.raises(PageError):
        DocumentReader().terms(str(tmp_path / name))


def test_urls_are_looked_up_in_a_recorded_web(web: Path) -> None:
    reader = DocumentReader(PageSource(open_replay(web)))
    assert reader.terms("http://A.test") == {"bird": 1, "wing": 1}
    assert reader.terms("http://a.test/moved") == {"bird": 1, "wing": 1}
    with pytest.raises(FetchError, match="not recorded"):
        reader.terms("http://a.test/unknown")
    with pytest.raises(FetchError, match="too many redirects"):
        reader.terms("http://a.test/loop")
    with pytest.raises(UrlError):
        reader.terms("http://")


def test_those_that_fail_are_told_and_the_others_come(web: Path) -> None:
    skipped: list[tuple[str, str]] = []
    reader = DocumentReader(PageSource(open_replay(web)))
    places = ["http://a.test/unknown", "http://a.test/"]
    found = dict(reader.read(places, skipped))
    assert list(found) == ["http://a.test/"]
    assert skipped == [("http://a.test/unknown", "http://a.test/unknown was not recorded")]


def test_private_addresses_are_refused_unless_allowed(server: ReplayServer) -> None:
    with DocumentReader() as reader, pytest.raises(FetchError, match="refused"):
        reader.terms(f"{server.proxy}/")
    with DocumentReader(open_page_source(allow_private=True)) as reader:
        assert reader.terms(f"{server.proxy}/") == {"bird": 1, "wing": 1}


def test_the_web_is_asked_politely(server: ReplayServer) -> None:
    pauses: list[float] = []
    source = open_page_source(allow_private=True, delay=5.0, sleep=pauses.append)
    with DocumentReader(source) as reader:
        reader.terms(f"{server.proxy}/")
        with pytest.raises(FetchError, match=r"robots\.txt"):
            reader.terms(f"{server.proxy}/secret")
        reader.terms(f"{server.proxy}/")
    assert [4 < pause <= 5 for pause in pauses] == [True]
    assert server.requests[f"{server.proxy}/secret"] == 0
