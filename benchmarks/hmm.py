"""Scoring a page with a hidden Markov model of browsing: CPU per page.

The model is trained as a user would train it: from all browsing paths through
schools-wikipedia, some four thousand pages, with every page that names a disease as a
target. Pages are scored as a crawl does it, each on the path of the one before: the cluster by
its nearest neighbours, the states, the priority of its links. The hybrids compare
the page, and its anchors, with the centroid of the targets as well. As in a crawl, each
page has just been read and its terms counted; that is not part of the figures, and so
neither is the collection of garbage, which is that of the pages.
"""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.checks import Check, spread
from semcrawl.models.browsing import read_paths, urls_of
from semcrawl.models.hmm import load_hmm, save_hmm, train_hmm
from semcrawl.models.training_pages import PageSource, read_training_pages
from semcrawl.relevance.judges import CosineJudge
from semcrawl.strategies.best_first import BestFirstPageAnchor
from semcrawl.strategies.hmm import Hmm, HybridHmm, HybridHmmAnchor
from semcrawl.strategies.strategy import JudgedPage
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from semcrawl.models.hmm import HmmModel
    from semcrawl.strategies import Strategy
    from semcrawl.web import Replay

__all__ = ["run"]

FOLDER = "schools-wikipedia"
TOPIC = "keywords:disease medicine health"
MOST = 1.0
ROUNDS = 5


def trained(folder: Path, web: Replay, *, quick: bool) -> HmmModel:
    """Train the model, and print what that took."""
    background = Background.default()
    judge = CosineJudge(Topic.parse(TOPIC), background)
    paths = read_paths(folder / "browsing-paths.tsv.gz")[:: 100 if quick else 1]
    started = time.process_time()
    pages = read_training_pages(urls_of(paths), PageSource(web), judge=judge)
    reading = time.process_time() - started
    targets = {url for url, value in pages.relevance.items() if value >= judge.threshold}
    started = time.process_time()
    model = train_hmm(paths, targets, pages.terms, background)
    training = time.process_time() - started
    with tempfile.TemporaryDirectory() as place:  # a crawl loads its model
        save_hmm(model, f"{place}/model.hmm")
        model = load_hmm(f"{place}/model.hmm")
    print(
        f"{len(paths):,} paths, {model.facts.pages:,} pages, {model.facts.state_sizes[0]:,} of "
        f"them targets: {reading:.1f} s to read, {training:.1f} s to train"
    )
    return model


def per_page(strategy: Strategy, source: PageSource, urls: Sequence[str]) -> float:
    """Milliseconds of CPU per page, from the links' priorities to the memo."""
    note: Callable[[JudgedPage], str] = getattr(strategy, "note", lambda _: "")
    memo, seconds = "", 0.0
    for url in urls:
        page = source.page(url)
        judged = JudgedPage(page, 0.5, len(page.terms), memo=memo)
        started = time.process_time()
        strategy.rank(judged)
        memo = note(judged)
        seconds += time.process_time() - started
    return seconds / len(urls) * 1e3


def run(*, quick: bool) -> list[Check]:
    """Print the figures; check the one that has a target."""
    folder = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / FOLDER
    if not (folder / "browsing-paths.tsv.gz").is_file():
        print(f"left out: there is no {FOLDER} in $SEMCRAWL_DATA")
        return []
    web = open_replay(folder / "pages.warc.gz")
    model = trained(folder, web, quick=quick)
    source = PageSource(web)
    urls = [url for url in web.urls() if "/index/" not in url][:: 200 if quick else 46]
    topic, background = Topic.parse(TOPIC), Background.default()
    strategies: dict[str, Strategy] = {
        "hmm": Hmm(model=model),
        "hybrid-hmm": HybridHmm(model=model),
        "hybrid-hmm-anchor": HybridHmmAnchor(model=model),
        "best-first-page-anchor": BestFirstPageAnchor(topic, background),
    }
    figures: dict[str, list[float]] = {name: [] for name in strategies}
    for _ in range(ROUNDS):
        for name, strategy in strategies.items():
            gc.collect()
            gc.disable()
            figures[name].append(per_page(strategy, source, urls))
            gc.enable()
    terms = statistics.mean(len(source.page(url).terms) for url in urls)
    print(f"{len(urls)} pages of {terms:.0f} different terms, ms of CPU per page:")
    for name, values in figures.items():
        print(f"  {name:<24} {spread(values)}")
    return [Check("hmm, CPU per page", statistics.median(figures["hmm"]), "at most", MOST, " ms")]
