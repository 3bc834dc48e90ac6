"""What the apprentice costs: predicting a link, ranking what waits anew, a whole crawl.

Predictions are for all links of real pages, features included. The waiting links
that are ranked anew are made up, of the size of real ones: 50 on a page, 66
features each. The crawls are of the same recorded web, best-first and apprentice in turn;
each side chooses its own pages, so the figures are per page.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.checks import Check, spread
from semcrawl import Crawl, Topic
from semcrawl.errors import FetchError, PageError
from semcrawl.models.apprentice import ApprenticeModel, rescored
from semcrawl.models.link_features import SLOTS, FeatureKinds, LinkFeatures
from semcrawl.models.link_memory import LinkMemory
from semcrawl.page import Page, read_page
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.apprentice import Apprentice
from semcrawl.web import open_replay

__all__ = ["run"]

RECORDING = "schools-wikipedia/pages.warc.gz"
SEED = "http://schools-wikipedia.test/wp/a/Asthma.htm"
TOPIC = "wordnet:disease.n.01,medicine.n.01"
LINKS, FEATURES = 50, 66


def run(*, quick: bool) -> list[Check]:
    """Measure all three; without the recorded web only what needs none."""
    checks = [_rescoring(10_000 if quick else 100_000)]
    recording = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / RECORDING
    if not recording.is_file():
        print(f"left out: there is no {RECORDING} in $SEMCRAWL_DATA")
        return checks
    checks.append(_prediction(recording, 100 if quick else 500))
    checks.append(_crawls(recording, *((300, 1) if quick else (1_000, 5))))
    return checks


def _rescoring(links: int) -> Check:
    random = np.random.default_rng(0)
    places = np.tile(np.arange(LINKS, dtype=np.int32), (2, 1))
    model = ApprenticeModel(0.5)
    model.add(np.array([0.0, 1.0]), _features(random, 2, SLOTS // 8))
    with tempfile.TemporaryDirectory() as folder:
        memory = LinkMemory(Path(folder) / "links.bin", FeatureKinds(), {})
        for page in range(links // LINKS):
            urls = [f"http://host{page % 97}.test/{page}/{link}" for link in range(LINKS)]
            features = _features(random, LINKS, FEATURES)
            memory.remember(f"http://a.test/{page}", 0.5, urls, features, places)
        started = time.perf_counter()
        ranked = rescored(memory, model, FeatureKinds())
        took = time.perf_counter() - started
        memory.close()
    assert len(ranked) == links
    return Check(f"ranking {links:,} waiting links anew", took, "at most", 5.0, " s")


def _features(random: np.random.Generator, links: int, size: int) -> LinkFeatures:
    slots = random.integers(0, SLOTS, links * size, np.uint32)
    return LinkFeatures(np.full(links, size, np.int64), slots)


def _prediction(recording: Path, count: int) -> Check:
    pages = _pages(recording, count)
    apprentice = Apprentice(every=len(pages) // 2)
    for number, page in enumerate(pages[: len(pages) // 2]):
        apprentice.observe(JudgedPage(page, (number % 10) / 10, 0))
    assert apprentice._model is not None
    asked = [JudgedPage(page, 0.5, 0) for page in pages[len(pages) // 2 :]]
    started = time.process_time()
    for judged in asked:
        apprentice.rank(judged)
    took = time.process_time() - started
    links = sum(len(judged.page.links) for judged in asked)
    return Check("CPU of a prediction, a link", took / links * 1e3, "at most", 0.2, " ms")


def _pages(recording: Path, count: int) -> list[Page]:
    replay = open_replay(recording)
    pages = []
    for url in islice(replay.urls(), 2 * count):
        try:
            pages.append(read_page(replay.fetch(url)))
        except (FetchError, PageError):
            continue
    return pages[:count]


def _crawls(recording: Path, pages: int, rounds: int) -> Check:
    topic = Topic.parse(TOPIC)
    _crawl(topic, "best-first-page-anchor", recording, 20)  # reads what both sides share
    plain: list[float] = []
    learned: list[float] = []
    for turn in range(rounds):
        sides = [("best-first-page-anchor", plain), ("apprentice", learned)]
        for strategy, figures in sides[:: -1 if turn % 2 else 1]:
            figures.append(_crawl(topic, strategy, recording, pages))
    print(f"{pages} pages of schools-wikipedia, {rounds} rounds, sides in turn")
    print(f"  best-first: {spread(plain)} ms of CPU a page")
    print(f"  apprentice: {spread(learned)} ms of CPU a page")
    ratios = [ours / theirs for ours, theirs in zip(learned, plain, strict=True)]
    ratio = statistics.median(ratios)
    return Check("CPU of an apprentice crawl, as a multiple of best-first", ratio, "at most", 2.0)


def _crawl(topic: Topic, strategy: str, recording: Path, pages: int) -> float:
    """Crawl once; return the milliseconds of CPU a page."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Crawl(
            topic,
            [SEED],
            f"{folder}/crawl",
            strategy=strategy,
            judge="cosine",
            replay=[str(recording)],
            exclude=["*/wp/index/*"],
            pages=pages,
        ) as crawl,
    ):
        started = time.process_time()
        fetched = crawl.run().progress.pages
        return (time.process_time() - started) / fetched * 1e3
