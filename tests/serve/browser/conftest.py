"""A real Chromium, and crawls for it to look at: a finished one, a live one, a hostile one.

Where Chromium is missing these tests skip and say so; where ``CI`` is set they fail.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from semcrawl import Crawl
from semcrawl.demo import demo_web
from semcrawl.graph import CrawlGraph
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.web import ReplayServer
from tests.cli.conftest import write_web
from tests.models.taxonomy.conftest import write_tree
from tests.serve.browser.reader import Reader
from tests.serve.conftest import PATIENCE, running_server
from tests.started import COMMAND, Started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.conftest import Served

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/#token=(\S+)")
LATENCY = 0.15
"""Slow enough that the live crawl does not end before it is stopped."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chrome]:
    """One browser for all tests, without a window; the one that never has a window is the quickest."""
    paths = shutil.which("chromium-headless-shell") or shutil.which("chromium"), shutil.which("chromedriver")
    if None in paths:
        missing("Chromium is not installed: Debian has it as chromium and chromium-driver")
    browser, driver = map(str, paths)
    options = Options()
    options.binary_location = browser
    # Its sandbox does not work for root nor in most containers, and it sees loopback only.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--lang=en", "--disable-gpu"):
        options.add_argument(argument)
    # Else each visit of another server starts a process for its pages.
    options.add_argument("--process-per-site")
    # Whatever a page might want from elsewhere shall fail, and be seen to fail.
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    try:
        chrome = Chrome(options, Service(driver))
    except WebDriverException as error:
        missing(f"Chromium does not start: {error.msg}")
    chrome.set_script_timeout(PATIENCE)
    assert not isinstance(chrome.command_executor, str)
    chrome.command_executor.client_config.timeout = int(PATIENCE)
    Reader(chrome).rest()
    yield chrome
    chrome.quit()


def missing(reason: str) -> None:
    """Skip, but never in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def reader(chromium: Chrome) -> Iterator[Reader]:
    """Somebody at the browser; at the end the console must not have complained."""
    reader = Reader(chromium)
    yield reader
    complaints = reader.complaints()
    reader.rest()
    reader.complaints()  # of what was left, not of the next page
    assert complaints == []


# A crawl that runs


@dataclass(frozen=True)
class Live:
    """A crawl that runs in a process of its own, and its page."""

    process: Started
    url: str
    token: str
    folder: Path


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The demo web, crawled over HTTP with ``--serve``."""
    web, folder = demo_web(), tmp_path_factory.mktemp("live") / "lungs"
    words = ["crawl", web.main_topic.spec, "--folder", folder, "--judge", "ehrig", "--quiet"]
    words += [word for seed in web.seeds for word in ("--seed", seed)]
    words += ["--delay", "0", "--workers", "1", "--pages", "0", "--serve", "127.0.0.1:0"]
    with (
        ReplayServer(web.replay(), answers=web.respond, latency=LATENCY) as server,
        Started(COMMAND, *words, "--proxy", server.proxy, stderr=subprocess.PIPE) as process,
    ):
        assert process.stderr is not None
        try:
            found = next(found for line in process.stderr if (found := LINK.search(line)))
            yield Live(process, found[1], found[2], folder)
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


# A crawl that was taught by examples

CATEGORIES = {
    "Animals/Birds": "Birds have wings and feathers, they lay eggs and sing",
    "Animals/Mammals": "Mammals have fur and milk, cats and dogs are mammals",
    "Vehicles": "Cars and trains have wheels, engines and fuel",
}
ANIMALS = {
    "http://a.test/": "<title>Animals</title><p>Birds and mammals, feathers and fur."
    '<a href="/owl">owls</a> <a href="/cat">cats</a> <a href="/car">cars</a>',
    "http://a.test/owl": "<title>Owls</title><p>Owls are birds with wings and feathers.",
    "http://a.test/cat": "<title>Cats</title><p>Cats are mammals with fur and milk.",
    "http://a.test/car": "<title>Cars</title><p>Cars have wheels and an engine.",
}


@dataclass(frozen=True)
class Taught:
    """A server over a crawl with a taxonomy, and the file of its model."""

    served: Served
    model: Path


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Taught]:
    """A crawl for birds, judged by a model whose marks can be changed."""
    place = tmp_path_factory.mktemp("taught")
    examples = {f"{path}/one.txt": text for path, text in CATEGORIES.items()}
    taxonomy = Taxonomy.train(write_tree(place / "tree", examples))
    taxonomy.mark("Animals/Birds")
    model, folder = place / "animals.tax", place / "birds"
    taxonomy.save(model)
    web = str(write_web(place / "web", ANIMALS))
    judge = f"taxonomy:model={model}"
    with Crawl("keywords:birds", ["http://a.test/"], folder, replay=(web,), judge=judge) as crawl:
        crawl.run()
    with running_server(folder) as served:
        yield Taught(served, model)


# A crawl of pages that mean harm

PAYLOAD = "document.documentElement.dataset.owned = 1"
HOSTILE_TITLE = f'</title></script><img src=x onerror="{PAYLOAD}"><script>{PAYLOAD}</script>'
HOSTILE_URL = f"javascript:{PAYLOAD.replace(' ', '')}"
ESCAPED = HOSTILE_TITLE.replace("&", "&amp;").replace("<", "&lt;")
HOSTILE = {
    "http://a.test/": f'<title>{ESCAPED}</title><meta name="description" content="&lt;b>x&lt;/b>">'
    f"<p>Asthma. {ESCAPED} <a href='/b'>asthma {ESCAPED}</a> <a href='{HOSTILE_URL}'>asthma</a>"
    "<a href='/\"><svg onload=alert(1)>'>asthma</a>"
    f"<p itemscope><b itemprop=name>{ESCAPED}</b><a itemprop=url href='{HOSTILE_URL}'>x</a></p>",
    "http://a.test/b": f"<title>b {ESCAPED}</title><p>Asthma asthma {ESCAPED}",
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A crawl whose titles, texts, URLs and notes would all run if they could."""
    place = tmp_path_factory.mktemp("hostile")
    web = str(write_web(place / "web", HOSTILE))
    with Crawl("wordnet:asthma", ["http://a.test/"], place / "crawl", replay=(web,)) as crawl:
        crawl.run()
    with CrawlGraph.open(place / "crawl") as graph:
        # No crawler records such URLs. A graph from elsewhere may have them all the same.
        graph.store.update(
            f'INSERT DATA {{ <{HOSTILE_URL}> a sc:Page ; dcterms:title "A link that runs" ; '
            "sc:relevance 0.9 ; sc:step 99 ; sc:order 99 ; sc:depth 1 ; "
            "sc:foundOn <http://a.test/> ; sc:site <urn:semcrawl:site:a.test> . "
            f"<http://a.test/> sc:linksTo <{HOSTILE_URL}> , <{HOSTILE_URL}//waits> , "
            f"<{HOSTILE_URL}//dropped> . <{HOSTILE_URL}//waits> sc:priority 0.5 ; sc:order 100 . "
            f"<{HOSTILE_URL}//dropped> sc:droppedBecause sc:HttpError ; "
            'sc:note "<img src=x onerror=alert(1)>" }'
        )
    with running_server(place / "crawl") as served:
        yield served
