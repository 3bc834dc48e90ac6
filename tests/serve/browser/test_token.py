"""A server that others can reach asks everybody for its token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.serve.conftest import TOKEN

if TYPE_CHECKING:
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served


def test_without_the_token_nothing_of_the_crawl_is_shown(reader: Reader, reachable: Served) -> None:
    reader.expects = ["401"]
    reader.visit(reachable.url)
    reader.see("#connection", "asks for its token")
    assert "respiratory" not in reader.see("body").text
    reader.write("#connection input", TOKEN)
    reader.click("#connection button", "Use this token")
    reader.see("#crawl-name", "respiratory disease")
    reader.see(".latest li")


def test_the_printed_link_opens_the_page_and_leaves_no_token_in_the_address(reader: Reader, reachable: Served) -> None:
    reader.visit(reachable.url, "pages", token=TOKEN)
    reader.see("tbody .cell-title")
    assert TOKEN not in reader.driver.current_url
    reader.driver.refresh()
    reader.see("tbody .cell-title")


def test_a_route_with_the_word_token_in_it_is_no_token(reader: Reader, reachable: Served) -> None:
    reader.visit(reachable.url, "pages", token=TOKEN)
    reader.see("tbody .cell-title")
    reader.go("ask?token=other&text=ASK%20%7B%7D%20%23token=other&run=1")
    reader.see(".answer", "Yes")
    assert reader.run("return sessionStorage.getItem('semcrawl-token')") == TOKEN


def test_a_token_with_a_stray_percent_sign_does_not_stop_the_page(reader: Reader, reachable: Served) -> None:
    reader.expects = ["401"]
    reader.visit(reachable.url, token="100%")
    reader.see("#connection", "asks for its token")
