"""Every crawler that needs no model visits a web over real HTTP, and the recorded encyclopedia."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl import Crawl
from semcrawl.demo.web import demo_web
from semcrawl.strategies import STRATEGIES
from semcrawl.web import ReplayServer, open_replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.web import Fetcher

TRAINED = {"context-graph", "hmm", "hybrid-hmm", "hybrid-hmm-anchor"}
"""These have tests of their own, with a model."""

NAMES = sorted(set(STRATEGIES.names()) - TRAINED)
DATA = Path(os.environ.get("SEMCRAWL_DATA", Path(__file__).parents[2] / ".." / "shared" / "data"))
PAGES = DATA / "schools-wikipedia" / "pages.warc.gz"


@pytest.fixture(scope="module")
def server() -> Iterator[ReplayServer]:
    with ReplayServer(demo_web().replay(), answers=demo_web().respond) as running:
        yield running


@pytest.mark.parametrize("name", NAMES)
def test_over_http(server: ReplayServer, name: str) -> None:
    web = demo_web()
    with Crawl(
        web.main_topic.spec, web.seeds, strategy=name, proxy=server.proxy, delay=0, pages=10, threshold=0.0
    ) as crawl:
        assert crawl.run().progress.pages == 10


@pytest.fixture(scope="module")
def encyclopedia() -> Iterator[Fetcher]:
    if not PAGES.is_file():
        pytest.skip("there is no recorded encyclopedia in $SEMCRAWL_DATA")
    replay = open_replay(PAGES)
    yield replay
    replay.close()


@pytest.mark.data
@pytest.mark.parametrize("name", NAMES)
def test_on_the_recorded_encyclopedia(encyclopedia: Fetcher, name: str) -> None:
    seed = "http://schools-wikipedia.test/wp/j/Johann_Sebastian_Bach.htm"
    with Crawl(
        "wordnet:music.n.01", [seed], strategy=name, fetcher=encyclopedia, pages=6,
        robots=False, delay=0, workers=1,
    ) as crawl:  # fmt: skip
        assert crawl.run().progress.pages == 6
