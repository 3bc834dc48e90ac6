"""The start page in a browser: from an empty folder to a crawl that is watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.serve.start_page import StartServer
from tests.serve.browser.test_appearance import AXE, LOOK, PHONE, SIDEWAYS
from tests.serve.conftest import TOKEN, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with running_server(tmp_path_factory.mktemp("home"), kind=StartServer) as server:
        yield server


def open_page(reader: Reader, home: Served) -> None:
    reader.driver.get("about:blank")
    reader.driver.get(f"{home.url}/#token={TOKEN}")
    reader.see("#crawl-name", home.folder.name)


def test_in_an_empty_folder_the_demo_is_offered(reader: Reader, home: Served) -> None:
    open_page(reader, home)
    reader.click(".welcome button")
    reader.see(".chip", "respiratory disease")
    reader.see(".start-button:enabled")


def test_the_whole_job_is_done_without_the_command_line(reader: Reader, home: Served) -> None:
    open_page(reader, home)
    reader.see("#missing", "Choose what to look for.")
    reader.write(".topic-tools input", "respiratory disease")
    reader.click(".hit", "a disease affecting the respiratory system")
    reader.see(".lens-tags li", "pneumonia")
    reader.write("textarea", "www.morning-portal.test")
    reader.run("document.querySelector('option[value=demo-web]').selected = true")
    reader.write("input[type=number]", "20")
    reader.click(".start-button:enabled")
    reader.see("#crawl-name", "respiratory disease")
    reader.see("#crawl-state", "stopped")
    reader.go("about")
    reader.see("dd code", 'semcrawl export "respiratory-disease" -o crate --crate --licence CC-BY-4.0')
    open_page(reader, home)
    reader.see(".crawls tbody tr", "respiratory-disease")
    reader.see(".crawls tbody tr", "20")
    reader.click(".crawls button", "respiratory-disease")
    reader.see("#crawl-name", "respiratory disease")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_on_the_start_page(reader: Reader, home: Served, scheme: str) -> None:
    reader.prefer_scheme(scheme)
    open_page(reader, home)
    reader.write(".topic-tools input", "bank")
    reader.click(".hit", "sloping land")
    reader.see(".lens-labels li, .lens-tags li")
    reader.run(AXE.read_text("utf-8"))
    assert reader.driver.execute_async_script(LOOK) == []


def test_the_start_page_does_not_scroll_sideways_on_a_phone(reader: Reader, home: Served) -> None:
    reader.be_as_wide_as(PHONE)
    open_page(reader, home)
    reader.write(".topic-tools input", "bank")
    reader.see(".hit", "sloping land")
    assert reader.run(SIDEWAYS) <= 0


def test_no_token_is_asked_for_until_it_is_known_that_one_is_needed(reader: Reader, home: Served) -> None:
    silent = {"source": "window.fetch = () => new Promise(() => {});"}
    script = reader.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", silent)
    try:
        reader.driver.get("about:blank")
        reader.driver.get(f"{home.url}/#token={TOKEN}")
        reader.see("#missing", "Choose what to look for.")
    finally:
        reader.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_without_the_token_it_is_asked_for(reader: Reader, home: Served) -> None:
    reader.driver.get(f"{home.url}/")
    reader.run("sessionStorage.clear(); location.reload()")
    reader.see("#connection", "token")
    reader.see("#missing", "token")


def test_a_mere_word_is_no_address_to_begin_with(reader: Reader, home: Served) -> None:
    open_page(reader, home)
    reader.write(".topic-tools input", "respiratory disease")
    reader.click(".hit", "a disease affecting the respiratory system")
    reader.expects = ["400"]
    reader.write("textarea", "foo")
    reader.click(".start-button:enabled")
    reader.see(".problem", "did you mean 'http://foo'?")
