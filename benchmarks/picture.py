"""Frames a second of the picture of ``semcrawl serve``, with 2,000 nodes, while it is moved in Chromium."""

from __future__ import annotations

import shutil
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from benchmarks.checks import Check, spread
from semcrawl.serve.app import STATIC

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["run"]

NODES, LINKS = 2_000, 8_000
SECONDS = 3.0
PAGE = b"""<!doctype html><html lang="en"><head><title>picture</title>
<link rel="stylesheet" href="/css/colours.css"><link rel="stylesheet" href="/css/main.css">
<script src="/js/theme.js"></script></head><body></body></html>"""
# A picture that has come to rest is zoomed and moved in every frame; how many there were a second, and how long the
# slowest of a hundred took.
MEASURE = """
const [nodes, links, seconds, done] = arguments;
import("/js/graph_picture.js").then(async ({ GraphPicture }) => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const node = (_, at) => ({ id: `http://h.test/${at}`, label: `Page ${at}`, relevance: random(1000) / 1000 });
  const all = Array.from({ length: nodes }, node);
  const link = () => ({ source: all[random(nodes)].id, target: all[random(random(nodes) + 1)].id });
  const joined = Array.from({ length: links }, link);
  const picture = new GraphPicture({ nodes: all, edges: joined, label: "picture", chosen() {}, opened() {} });
  document.body.append(picture.node);
  picture.start();
  while (!picture.layout.isSettled) await new Promise(requestAnimationFrame);
  const times = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    picture.zoom(times.length % 40 < 20 ? 1.03 : 1 / 1.03);
    times.push(await new Promise(requestAnimationFrame));
  }
  const gaps = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
  done([gaps.length / seconds, gaps[Math.floor(gaps.length * 0.99)]]);
});
"""


class _Files(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def run(*, quick: bool) -> list[Check]:
    """Move the picture for some seconds, in several rounds; the best counts."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        print("left out: Chromium or its driver is not installed")
        return []
    with _browser() as browser:
        found = [browser.execute_async_script(MEASURE, NODES, LINKS, SECONDS) for _ in range(1 if quick else 5)]
    frames = [one for one, _ in found]
    print(f"{spread(frames)} frames a second; one of a hundred took {spread([gap for _, gap in found])} ms")
    return [Check(f"frames a second with {NODES:,} nodes", max(frames), "at least", 58.0)]


@contextmanager
def _browser() -> Iterator[Any]:
    """Chromium without a window, at a page with the files of the server."""
    from selenium.webdriver import Chrome
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1400,900"):
        options.add_argument(argument)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(STATIC))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Chrome(options, Service(shutil.which("chromedriver")))
        try:
            browser.set_script_timeout(300)
            browser.get(f"http://127.0.0.1:{server.server_port}/")
            yield browser
        finally:
            browser.quit()
            server.shutdown()
