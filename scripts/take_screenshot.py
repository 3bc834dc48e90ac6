"""Take the pictures of the page for the docs: a crawl of the demo web, and the start page.

``python scripts/take_screenshot.py`` writes docs/images/monitor.png, with ``--start``
docs/images/start.png; it needs Chromium and its driver (Debian: chromium, chromium-driver).
``--dark`` takes the dark page, ``--view pages`` another view, ``-o`` writes elsewhere.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from semcrawl.demo import demo_web
from semcrawl.web import ReplayServer

if TYPE_CHECKING:
    from collections.abc import Iterator

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
WIDTH, HEIGHT = 1280, 1080
PAGES = 76
LATENCY = 0.3  # slow enough that the counts below the chart keep up
COME = """
const pages = document.querySelector("[data-figure=pages] strong");
return Number(pages?.textContent) >= arguments[0];
"""
COMMAND = [sys.executable, "-u", "-c", "from semcrawl.cli.main import main; main()"]


@contextmanager
def served_crawl(folder: Path) -> Iterator[str]:
    """Crawl the demo web with a page, until the block ends; the link to the page."""
    web = demo_web()
    words = ["crawl", web.main_topic.spec, "--folder", str(folder), "--quiet"]
    words += [word for seed in web.seeds for word in ("--seed", seed)]
    words += ["--delay", "0", "--workers", "1"]
    words += ["--pages", "0", "--alarm-window", "50", "--serve", "127.0.0.1:0"]
    with (
        ReplayServer(web.replay(), answers=web.respond, latency=LATENCY) as server,
        subprocess.Popen(  # noqa: S603 - our own command
            [*COMMAND, *words, "--proxy", server.proxy], stderr=subprocess.PIPE, text=True
        ) as crawl,
    ):
        assert crawl.stderr is not None
        try:
            found = (re.search(r"http://\S+", line) for line in crawl.stderr)
            yield next(link[0] for link in found if link)
        finally:
            crawl.send_signal(signal.SIGINT)
            crawl.communicate(timeout=60)


@contextmanager
def served_folder(folder: Path) -> Iterator[str]:
    """The start page of a folder with two crawls of the demo web; the link to it."""
    folder.mkdir()
    demo_web().write(folder / "web")
    for name, topic in (("lungs", "wordnet:respiratory_disease.n.01"), ("birds", "wordnet:owl")):
        words = ["crawl", topic, "--replay", "web", "--seed", demo_web().seeds[0], "--quiet"]
        subprocess.run([*COMMAND, *words, "--pages", "120", "--folder", name], cwd=folder)  # noqa: S603, PLW1510
    with subprocess.Popen(  # noqa: S603 - our own command
        [*COMMAND, "serve", "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            found = (re.search(r"http://\S+", line) for line in server.stdout)
            yield next(link[0] for link in found if link)
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate(timeout=60)


def take_start(browser: Chrome, link: str) -> None:
    """Fill the form of the start page, and wait for what it shows."""

    def until(script: str) -> None:
        WebDriverWait(browser, 120).until(lambda _: browser.execute_script(f"return {script}"))

    browser.get(link)
    until("document.querySelectorAll('.crawls tbody tr').length == 2")
    until("document.querySelectorAll('.topic-tools option').length > 3")
    browser.find_element("css selector", ".topic-tools input").send_keys("asthma")
    until("document.querySelectorAll('.hit').length > 2")
    browser.find_element("css selector", ".hit").click()
    seeds = "http://www.breath-clinic.test/\nhttp://www.chest-and-lung.test/"
    browser.find_element("css selector", "textarea").send_keys(seeds)
    until("document.querySelector('.lens-tags li')")
    browser.execute_script("document.activeElement.blur()")
    height = browser.execute_script("return document.documentElement.scrollHeight")
    size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def open_browser(*, is_dark: bool) -> Chrome:
    """Chromium without a window, of the picture's size."""
    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--lang=en"):
        options.add_argument(argument)
    options.add_argument("--hide-scrollbars")
    browser = Chrome(options, Service(shutil.which("chromedriver")))
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    return browser


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path))
@click.option("--start", "is_start", is_flag=True, help="The start page.")
@click.option("--view", default="monitor", show_default=True, help="What follows #/ in the address.")
@click.option("--dark", "is_dark", is_flag=True, help="The dark page.")
def main(output: Path | None, is_start: bool, view: str, is_dark: bool) -> None:
    """Take the picture when so many pages have come."""
    output = output or IMAGES / ("start.png" if is_start else "monitor.png")
    with (
        tempfile.TemporaryDirectory() as place,
        served_folder(Path(place) / "library") if is_start else served_crawl(Path(place) / "crawl") as link,
    ):
        browser = open_browser(is_dark=is_dark)
        try:
            if is_start:
                take_start(browser, link)
                browser.save_screenshot(str(output))
                return
            browser.get(link)
            WebDriverWait(browser, 120).until(lambda _: browser.execute_script(COME, PAGES))
            if view != "monitor":
                browser.execute_script("location.hash = arguments[0]", f"#/{view}")
                loaded = "return !document.querySelector('.loading')"
                WebDriverWait(browser, 30).until(lambda _: browser.execute_script(loaded))
            browser.save_screenshot(str(output))
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
