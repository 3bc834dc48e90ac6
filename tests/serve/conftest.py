"""A finished crawl of the demo web, and real servers over it on loopback."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx
import pytest

from semcrawl import Crawl
from semcrawl.crawl.shards.beginning import begin_shards
from semcrawl.crawl.shards.gathering import gather
from semcrawl.crawl.shards.layout import GATHERED
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.demo import demo_web
from semcrawl.serve import ServeSettings, listen
from semcrawl.serve.server import CrawlServer
from semcrawl.serve.settings import link_to
from tests.crawl.shards.hosts import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from semcrawl.serve.control import Control
    from semcrawl.serve.server import ServerContext

TOKEN = "a-token-for-tests"
PAGES = 40
PATIENCE = 300.0
"""Seconds that anything may take on a machine that is busy."""


@dataclass(frozen=True)
class Served:
    """A server that runs in a thread of the test: its address, a client for it, its parts."""

    url: str
    folder: Path
    client: httpx.Client
    context: ServerContext

    @property
    def authorised(self) -> dict[str, str]:
        """The header of who knows the token."""
        return {"Authorization": f"Bearer {TOKEN}"}


def until(is_so: Callable[[], bool]) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def running_server(
    folder: Path,
    *,
    control: Control | None = None,
    host: str = "127.0.0.1",
    timeout: float = PATIENCE,
    max_rows: int = 10_000,
    trust: bool = False,
    endpoint: str = "",
    kind: type[CrawlServer] = CrawlServer,
) -> Iterator[Served]:
    """Serve a crawl, at a port that is free, until the block ends."""
    settings = ServeSettings(host, 0, TOKEN, timeout, max_rows, trust, endpoint)
    listener = listen(settings)
    port = listener.getsockname()[1]
    assert f":{port}/#token={TOKEN}" in link_to(listener, settings)
    server = kind(folder, settings, listener)
    loop = asyncio.new_event_loop()

    def run() -> None:
        try:
            loop.run_until_complete(server.run(control))
        finally:
            listener.close()  # a server that could not start must not leave its client waiting

    thread = threading.Thread(target=run)
    thread.start()
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=url, timeout=PATIENCE) as client:
            # The socket listens before the server runs: wait until it answers.
            client.get("/static/")
            assert server._context is not None
            yield Served(url, folder, client, server._context)
    finally:
        if thread.is_alive():
            asyncio.run_coroutine_threadsafe(server.end(), loop).result(PATIENCE)
        thread.join(PATIENCE)
        assert not thread.is_alive()
        loop.close()
        listener.close()


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> Path:
    """The folder of a finished crawl of the demo web; not to be written to."""
    folder = tmp_path_factory.mktemp("finished") / "lungs"
    web = demo_web()
    with Crawl(web.main_topic.spec, web.seeds, folder, replay=(str(recorded),), judge="ehrig", pages=PAGES) as crawl:
        crawl.run()
    return folder


@pytest.fixture(scope="session")
def served(crawled: Path) -> Iterator[Served]:
    """A server over the finished crawl, for all tests that only read."""
    with running_server(crawled) as server:
        # The first answers do not wait for the counts.
        until(lambda: bool(server.client.get("/api/crawl").json()["progress"]["waiting"]))
        yield server


@pytest.fixture(scope="session")
def limited(crawled: Path) -> Iterator[Served]:
    """A server that gives three rows."""
    with running_server(crawled, max_rows=3) as server:
        yield server


@pytest.fixture(scope="session")
def reachable(crawled: Path) -> Iterator[Served]:
    """A server that listens at all addresses of this machine."""
    with running_server(crawled, host="0.0.0.0") as server:
        yield server


@pytest.fixture(scope="session")
def websites(tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> Iterator[Served]:
    """A server over a finished crawl of the demo web for websites."""
    web = demo_web()
    folder = tmp_path_factory.mktemp("websites") / "crawl"
    with SiteCrawl(web.main_topic.spec, web.seeds, folder, replay=[str(recorded)]) as crawl:
        crawl.run()
    with running_server(folder) as server:
        yield server


@pytest.fixture(scope="session")
def served_shards(tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> Iterator[Served]:
    """A server over the gathered graph of a crawl in two shards."""
    web = demo_web()
    settings = {"replay": [str(recorded)], "pages": 8, "judge": "ehrig"}
    begun = begin_shards(web.main_topic.spec, web.seeds, tmp_path_factory.mktemp("shards") / "lungs", 2, **settings)
    list(in_threads(begun).visits())
    gather(begun.folder.folder)
    with running_server(begun.folder.folder / GATHERED) as server:
        yield server
