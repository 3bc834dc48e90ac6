"""Somebody who reads the page in a real Chromium: goes to views, clicks, types and looks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.wait import WebDriverWait

if TYPE_CHECKING:
    from collections.abc import Callable

    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

__all__ = ["Reader"]

T = TypeVar("T")

_PATIENCE = 120
_DESK = (1280, 900)
# One script for all elements: asking the driver for each takes longer than all else. As WebDriver
# has it, an option is seen with its list, and a text has neither tabs nor empty lines.
_LOOK = """
const isSeen = one => one.getClientRects().length > 0
    && one.checkVisibility({opacityProperty: true, visibilityProperty: true});
const seen = css => [...document.querySelectorAll(css)].filter(one => isSeen(one.closest("select") ?? one));
const text = one => (one.innerText ?? one.textContent)
    .replace(/[\\t\\u00a0 ]+/g, " ").replace(/ ?\\n\\s*/g, "\\n").trim();
"""


class Reader:
    """A browser with one tab; what it shows is waited for, never slept for.

    Attributes:
        driver: the browser, for what has no word here.
        expects: parts of console messages that a test knows will come.
    """

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver
        self.expects: list[str] = []
        self._base = ""

    # Going

    def visit(self, base: str, route: str = "monitor", *, token: str = "") -> None:
        """Open the page of a server afresh, by the link with its token where one is given."""
        self._base = base.rstrip("/")
        if self.driver.current_url != "about:blank":  # a page that is open already would only take the new hash
            self.driver.get("about:blank")
        if token:
            self.driver.get(f"{self._base}/#token={token}")
            # The page takes the token out, then shows its first view: only then has it no say in where to go.
            self.until(lambda: self.route)
            self.go(route)
        else:
            self.driver.get(f"{self._base}/#/{route}")

    def go(self, route: str) -> None:
        """Go to another view of the same page, as a link within it does."""
        self.run(f"location.hash = {json.dumps('#/' + route)}")

    @property
    def route(self) -> str:
        """Where the reader is: what follows ``#/`` in the address."""
        return self.driver.current_url.partition("#/")[2]

    # Looking

    def all(self, css: str) -> list[WebElement]:
        """The elements that can be seen now."""
        found: list[WebElement] = self.run(f"{_LOOK} return seen(arguments[0])", css)
        return found

    def see(self, css: str, text: str = "") -> WebElement:
        """Wait for an element that can be seen and has the text in it."""
        return self.until(lambda: self._first(css, text), f"{css} with {text!r}")

    def texts(self, css: str) -> list[str]:
        """The texts of the elements that can be seen now."""
        found: list[str] = self.run(f"{_LOOK} return seen(arguments[0]).map(text)", css)
        return found

    def _first(self, css: str, text: str) -> WebElement | None:
        script = f"{_LOOK} return seen(arguments[0]).find(one => text(one).includes(arguments[1]))"
        found: WebElement | None = self.run(script, css, text)
        return found

    def until(self, look: Callable[[], T | None], what: str = "it") -> T:
        """Wait until ``look`` gives something true, and give that."""

        def looked(_: object) -> T | None:
            return look()

        ignored = [StaleElementReferenceException]
        waiting = WebDriverWait(self.driver, _PATIENCE, 0.05, ignored)
        found = waiting.until(looked, f"waited for {what} at {self.driver.current_url}")
        assert found is not None
        return found

    def run(self, script: str, *values: object) -> Any:
        """What a script in the page returns."""
        return self.driver.execute_script(script, *values)

    # Doing

    def click(self, css: str, text: str = "") -> None:
        """Click an element as soon as it can be seen."""

        def clicked() -> bool:
            found = self._first(css, text)
            if found is not None:
                found.click()
            return found is not None

        # Looked for anew where the page has just drawn it anew.
        self.until(clicked, f"{css} with {text!r}, to click it")

    def write(self, css: str, text: str) -> None:
        """Write a text in place of what a field holds."""
        field = self.see(css)
        field.clear()
        field.send_keys(text)

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def press_together(self, held: str, key: str) -> None:
        """Press a key while another is held, as in Ctrl + Enter."""
        ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def point_and_click(self, element: WebElement, x: float, y: float) -> None:
        """Click a place in an element, measured from its upper left corner."""
        size = element.size
        across, down = round(x - size["width"] / 2), round(y - size["height"] / 2)
        ActionChains(self.driver).move_to_element_with_offset(element, across, down).click().perform()

    @property
    def focus(self) -> WebElement:
        """What has the focus."""
        return self.driver.switch_to.active_element

    # The browser

    def be_as_wide_as(self, width: int, height: int = 800) -> None:
        """Take a screen of another size, as a phone has one."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def prefer_scheme(self, scheme: str) -> None:
        """Have a system whose colours are "dark" or "light"."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def complaints(self) -> list[str]:
        """Warnings and errors in the console since the last time, but for what is expected."""
        log: list[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        said = [str(entry["message"]) for entry in log if entry["level"] in ("WARNING", "SEVERE")]
        return [one for one in said if not any(part in one for part in self.expects)]

    def rest(self) -> None:
        """Forget all, for the next test."""
        self.expects = []
        if self._base and self.driver.current_url.startswith(self._base):
            self.run("sessionStorage.clear(); localStorage.clear()")
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.driver.get("about:blank")
        self.driver.set_window_size(*_DESK)
