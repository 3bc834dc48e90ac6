"""Each page is read once, and comes back as it was."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.demo import demo_web
from semcrawl.errors import LabError, PageError
from semcrawl.lab.web import PageStore, decode_page, encode_page, page_key
from semcrawl.page import read_html, read_page
from semcrawl.page.page import Page
from semcrawl.web import Response

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = tuple(name for name in Page.__dataclass_fields__ if name != "markup")
FRAGMENTS = st.sampled_from(
    ["<p>", "</p>", "<a href=/x rel='next nofollow'>", "</a>", "lungs and asthma ", "<li>", "\x00",
     "<title>T", "</title>", "<meta name=robots content=nofollow>", "<html lang=de>", "Ärzte ",
     "<base href=http://b.test/>", "<img alt=picture>", "&#xD800;", "\N{PILE OF POO}", "don't "]
) | st.text(max_size=8)  # fmt: skip


def response_of(html: str, url: str = "http://a.test/", **headers: str) -> Response:
    return Response(url, 200, {"content-type": "text/html", **headers}, html.encode(), 0.0, 0.0)


def assert_same(kept: Page, page: Page) -> None:
    for name in FIELDS:
        assert getattr(kept, name) == getattr(page, name), name
    assert list(kept.terms.items()) == list(page.terms.items())
    for name in ("text", "leaves", "language", "word_sequence", "term_sequence"):
        assert getattr(kept, name) == getattr(page, name), name
    for mine, other in zip(kept.links, page.links, strict=True):
        assert type(mine) is type(other)
        assert kept.context(mine) == page.context(other)
        assert kept.offsets(mine) == page.offsets(other)


@given(st.lists(FRAGMENTS, max_size=30))
def test_a_kept_page_behaves_as_the_one_that_was_read(fragments: list[str]) -> None:
    html = "".join(fragments).encode("utf-8", "replace").decode()
    try:
        page = read_html(html, "http://a.test/x/")
    except PageError:
        return
    assert_same(decode_page(*encode_page(page)), read_html(html, "http://a.test/x/"))


def test_the_pages_of_the_demo_web_come_back_as_they_were() -> None:
    for response in list(demo_web().pages.values())[:40]:
        if response.is_html and "location" not in response.headers:
            assert_same(decode_page(*encode_page(read_page(response))), read_page(response))


def test_a_page_is_parsed_once_for_all_stores_of_a_folder(tmp_path: Path) -> None:
    response = response_of("<title>Lungs</title>about lungs")
    with PageStore(tmp_path) as first, PageStore(tmp_path) as second:
        read = first.read(response)
        with patch("semcrawl.lab.web.read_page", side_effect=AssertionError("read again")):
            assert_same(second.read(response), read)
            assert second.terms(page_key(response)) == read.terms


@pytest.mark.parametrize(
    "other",
    [
        response_of("<title>Lung"),
        response_of("<title>Lungs", "http://a.test/2"),
        response_of("<title>Lungs", **{"content-language": "de"}),
        response_of("<title>Lungs", **{"x-robots-tag": "nofollow"}),
        response_of("<title>Lungs", **{"content-type": "text/html; charset=utf-16"}),
    ],
)
def test_whatever_a_page_depends_on_makes_it_another(other: Response) -> None:
    assert page_key(other) != page_key(response_of("<title>Lungs"))


def test_what_holds_no_page_is_an_error_every_time(tmp_path: Path) -> None:
    with PageStore(tmp_path) as store:
        for _ in range(2):
            with pytest.raises(PageError):
                store.read(response_of(""))


def test_a_damaged_row_is_read_again(tmp_path: Path) -> None:
    response = response_of("<title>Lungs</title>about lungs")
    with PageStore(tmp_path) as store:
        store.read(response)
    with sqlite3.connect(store.path) as rows:
        rows.execute("UPDATE page SET read = ?", (b"rubbish",))
    rows.close()
    with PageStore(tmp_path) as store:
        assert store.read(response).title == "Lungs"
    with PageStore(tmp_path) as store:
        assert store.read(response).title == "Lungs"


def test_a_file_that_is_no_store_is_told_with_what_to_do(tmp_path: Path) -> None:
    with PageStore(tmp_path) as store:
        path = store.path
    path.write_bytes(b"This is no database at all." * 100)
    with pytest.raises(LabError, match="remove the file"):
        PageStore(tmp_path)


def test_few_pages_stay_in_memory(tmp_path: Path) -> None:
    with PageStore(tmp_path, remembered=2) as store:
        pages = [store.read(response_of(f"page {n}", f"http://a.test/{n}")) for n in range(3)]
        assert store.read(response_of("page 2", "http://a.test/2")) is pages[2]
        assert store.read(response_of("page 0", "http://a.test/0")) is not pages[0]


def titles_of_many(folder: Path) -> list[str]:
    with PageStore(folder, remembered=0) as store:
        made = (response_of(f"<title>{n}</title>", f"http://a.test/{n}") for n in range(100))
        return [store.read(response).title for response in made for _ in range(2)]


def test_processes_read_and_write_one_store_at_once(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        first, second = processes.map(titles_of_many, [tmp_path, tmp_path])
    assert first == second == [str(n // 2) for n in range(200)]


def test_a_closed_store_opens_again_when_it_is_asked(tmp_path: Path) -> None:
    store = PageStore(tmp_path, remembered=0)
    store.read(response_of("lungs"))
    store.close()
    assert store.read(response_of("lungs")).text == "lungs"
    store.close()


def test_a_kept_page_can_be_read_in_another_language() -> None:
    page = read_html("<p>Les maladies de l'appareil respiratoire", "http://a.test/")
    kept = decode_page(*encode_page(page)).read_in(("fr",))
    assert kept.terms == {"malad": 1, "appareil": 1, "respiratoir": 1}
