"""A semantic crawl against a best-first crawl of the same recorded web: CPU per page.

Each round crawls the first pages of schools-wikipedia once with every side, in turn.
Twice against best-first: as a user would run it, the judge semantic as well; and
with the same cosine judge on both sides, so that only the strategy differs. Counted
is the CPU of the run; what comes before it, the lens among that, is printed beside it.
The sides choose their own pages, so the mean size and number of links of these is printed.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.checks import Check, spread
from semcrawl import Crawl

__all__ = ["run"]

RECORDING = "schools-wikipedia/pages.warc.gz"
SEED = "http://schools-wikipedia.test/wp/a/Asthma.htm"
TOPIC = "wordnet:disease.n.01,medicine.n.01"
SEMANTIC = "ssrm:on=page-anchor,min_weight=0.4"
MOST = 1.3
PAGES = """SELECT (AVG(?size) AS ?bytes) (SUM(?out) / COUNT(?page) AS ?links) {
  ?page a sc:Page ; sc:size ?size .
  { SELECT ?page (COUNT(?target) AS ?out) { ?page sc:linksTo ?target } GROUP BY ?page }
}"""


@dataclass
class _Side:
    """A crawl that is measured, and what was measured of it, round by round."""

    strategy: str
    judge: str
    setting_up: list[float] = field(default_factory=list)
    per_page: list[float] = field(default_factory=list)
    fetched: str = ""

    def crawl(self, recording: Path, pages: int) -> None:
        """Crawl once; note the seconds of CPU before the run, and the milliseconds a page."""
        started = time.process_time()
        with (
            tempfile.TemporaryDirectory() as folder,
            Crawl(
                TOPIC,
                [SEED],
                f"{folder}/crawl",
                strategy=self.strategy,
                judge=self.judge,
                replay=[str(recording)],
                exclude=["*/wp/index/*"],
                pages=pages,
            ) as crawl,
        ):
            ready = time.process_time()
            fetched = crawl.run().progress.pages
            self.per_page.append((time.process_time() - ready) / fetched * 1e3)
            self.setting_up.append(ready - started)
            [row] = crawl.query(PAGES)
            self.fetched = f"{float(row['bytes']) / 1e3:.0f} KB, {float(row['links']):.0f} links"

    def __str__(self) -> str:
        return (
            f"  {self.strategy}, judge {self.judge}: {spread(self.per_page)} ms of CPU a page, "
            f"{statistics.median(self.setting_up):.2f} s before the run; a page has {self.fetched}"
        )


def run(*, quick: bool) -> list[Check]:
    """Crawl with all sides in turn; compare the medians of the rounds' ratios."""
    recording = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / RECORDING
    if not recording.is_file():
        print(f"left out: there is no {RECORDING} in $SEMCRAWL_DATA")
        return []
    pages, rounds = (100, 2) if quick else (300, 5)
    plain = _Side("best-first-page-anchor", "cosine")
    both = _Side(SEMANTIC, "ssrm")
    strategy_only = _Side(SEMANTIC, "cosine")
    sides = [plain, both, strategy_only]
    plain.crawl(recording, 20)  # reads WordNet and the background, which all sides share
    plain.setting_up.clear()
    plain.per_page.clear()
    for turn in range(rounds):
        for side in sides[turn % 3 :] + sides[: turn % 3]:
            side.crawl(recording, pages)
    print(f"{pages} pages of schools-wikipedia, {rounds} rounds, sides in turn")
    for side in sides:
        print(side)
    return [
        _check("semantic strategy and judge", both, plain),
        _check("semantic strategy, judge cosine", strategy_only, plain),
    ]


def _check(name: str, side: _Side, plain: _Side) -> Check:
    ratios = [ours / theirs for ours, theirs in zip(side.per_page, plain.per_page, strict=True)]
    print(f"  {name}: {spread(ratios)} times best-first, round by round")
    return Check(f"CPU, {name}, as a multiple of best-first", statistics.median(ratios), "at most", MOST)
