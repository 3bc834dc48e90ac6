"""Every view: no complaint of the browser, no sideways scrolling on a phone, dark, by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

PHONE = 360
# A view, and what is there when it has been filled.
VIEWS = {
    "monitor": ".latest li",
    "pages": "tbody .cell-title",
    "hubs": "tbody .empty",
    "authorities": "tbody .empty",
    "sites": "tbody .column-host",
    "waiting": "tbody .column-url",
    "dropped": "tbody td",
    "page": ".found-path",
    "picture": ".picture-legend",
    "topic": "[role=treeitem]",
    "ask": ".results tbody tr",
    "about": ".pairs",
}
# How far what can be seen stands out of the screen, in pixels.
SIDEWAYS = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"


def filled(reader: Reader, served: Served, view: str) -> None:
    """Wait until a view shows what it has."""
    parameters = ""
    if view == "page":
        rows = served.client.get("/api/pages", params={"sort": "depth"}).json()["rows"]
        parameters = f"?url={quote(rows[0]['url'], safe='')}"
    elif view == "ask":
        parameters = "?name=analyse%2Fbest-pages&run=1"
    reader.go(view + parameters)
    reader.see(VIEWS[view])


def test_every_view_fills_without_a_complaint_of_the_browser(reader: Reader, served: Served) -> None:
    reader.visit(served.url)
    for view in VIEWS:
        filled(reader, served, view)
        assert not reader.all(".problem, #connection"), view
        assert reader.complaints() == [], view


# axe-core of Deque Systems, as published; its licence (MPL 2.0) is beside it.
AXE = Path(__file__).parent / "axe" / "axe.min.js"
LOOK = """
const done = arguments[0];
const runOnly = ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"];
const told = ({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`;
axe.run(document, { resultTypes: ["violations"], runOnly }).then(({ violations }) =>
  done(violations.map(told)));
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_any_view(reader: Reader, served: Served, scheme: str) -> None:
    reader.prefer_scheme(scheme)
    reader.visit(served.url)
    reader.run(AXE.read_text("utf-8"))
    found = {}
    for view in VIEWS:
        filled(reader, served, view)
        found[view] = reader.driver.execute_async_script(LOOK)
    assert {view: violations for view, violations in found.items() if violations} == {}


def test_no_view_scrolls_sideways_on_a_phone(reader: Reader, served: Served) -> None:
    reader.be_as_wide_as(PHONE)
    reader.visit(served.url)
    for view in VIEWS:
        filled(reader, served, view)
        assert reader.run(SIDEWAYS) <= 0, view


def test_the_menu_of_a_phone_shows_where_one_is(reader: Reader, served: Served) -> None:
    reader.be_as_wide_as(PHONE)
    reader.visit(served.url)
    for view in ("authorities", "dropped", "monitor"):
        reader.go(view)
        here = reader.see(f'.nav a[aria-current="page"][href="#/{view}"]')
        edges = reader.run("const {left, right} = arguments[0].getBoundingClientRect(); return [left, right]", here)
        assert 0 <= edges[0] < edges[1] <= PHONE, view


def test_a_view_that_is_not_there_is_told_in_the_window_too(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "nowhere")
    reader.see(".problem", "There is no view called “nowhere”.")
    assert reader.driver.title.startswith("No such view")


def brightness(reader: Reader) -> int:
    ground = reader.run("return getComputedStyle(document.documentElement).backgroundColor")
    return sum(int(part) for part in ground.strip("rgb()").split(",")[:3])


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_page_is_as_dark_as_the_system(reader: Reader, served: Served, scheme: str) -> None:
    reader.prefer_scheme(scheme)
    reader.visit(served.url)
    reader.see(".latest li")
    assert (brightness(reader) < 3 * 128) == (scheme == "dark")


def test_a_chosen_theme_is_kept(reader: Reader, served: Served) -> None:
    reader.prefer_scheme("light")
    reader.visit(served.url)
    reader.click("#theme option", "Dark")
    reader.until(lambda: brightness(reader) < 3 * 128, "a dark ground")
    reader.visit(served.url, "pages")
    assert brightness(reader) < 3 * 128


def test_a_page_is_reached_from_the_start_by_keys_alone(reader: Reader, served: Served) -> None:
    reader.visit(served.url)
    reader.see(".latest li")

    def tab_to(css: str) -> None:
        for _ in range(80):
            reader.press(Keys.TAB)
            if reader.run("return document.activeElement.matches(arguments[0])", css):
                return
        raise AssertionError(f"Tab does not reach {css}")

    tab_to('.nav a[href="#/pages"]')
    reader.press(Keys.ENTER)
    first = reader.see("tbody .cell-title a").text
    tab_to("tbody .cell-title a")
    assert reader.run("return getComputedStyle(document.activeElement).outlineStyle !== 'none'"), (
        "the focus can be seen"
    )
    reader.press(Keys.ENTER)
    reader.see(".page-head h1", first)


def test_the_content_can_be_skipped_to(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "pages")
    reader.see("tbody .cell-title")
    reader.press(Keys.TAB, Keys.ENTER)
    assert reader.focus.get_attribute("id") == "view"


def test_a_server_that_is_gone_is_told_and_asked_again(reader: Reader, served: Served) -> None:
    reader.expects = ["Failed to load resource", "ERR_"]
    reader.visit(served.url, "about")
    reader.see(".pairs")
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    reader.driver.execute_cdp_cmd("Network.enable", {})
    reader.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    reader.run("dispatchEvent(new Event('pagehide'))")  # gives the live stream back
    reader.see("#connection", "The server does not answer")
    online = {**offline, "offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    reader.driver.execute_cdp_cmd("Network.emulateNetworkConditions", online)
    reader.click("#connection button", "Ask now")
    reader.until(lambda: not reader.all("#connection"), "no banner")
