"""CPU of reading, judging and recording real pages, beside what lxml takes for the same pages.

A crawl of schools-wikipedia from its recording, on disk, best-first with the default judge. What
the recording takes to give its answers is left out. Beside it, in turn, lxml parses the same
pages, gives their text and goes through their links.
"""

from __future__ import annotations

import tempfile
import time
from typing import TYPE_CHECKING, Any

from lxml import html

from benchmarks.checks import Check, spread
from benchmarks.schools_wikipedia import RecordedSchools, find_schools
from semcrawl import Crawl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.web import Replay, Response

__all__ = ["run"]


def run(*, quick: bool) -> list[Check]:
    """Crawl, then parse what was fetched, several times; the best of each counts."""
    schools = find_schools()
    if schools is None:
        return []
    pages, rounds = (100, 2) if quick else (500, 3)
    crawls, floors = [], []
    for _ in range(rounds):
        answers = _Answers(schools.replay)
        crawls.append(_crawl(schools, answers, pages))
        floors.append(_floor(answers.given))
    print(f"{pages} pages, ms of CPU a page: {spread(crawls)}; lxml alone {spread(floors)}")
    ratio = min(crawls) / min(floors)
    return [Check("CPU of a real page, as a multiple of lxml alone", ratio, "at most", 2.5)]


class _Answers:
    """A recording that notes its answers, and how long it took to give them."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self.given: list[Response] = []
        self.seconds = 0.0

    def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, want_any: bool = False) -> Response:
        """Answer as the recording does."""
        began = time.process_time()
        try:
            found = self._replay.fetch(url, headers=headers, want_any=want_any)
            self.given.append(found)
            return found
        finally:
            self.seconds += time.process_time() - began

    def close(self) -> None:
        """Leave the recording open."""


def _crawl(schools: RecordedSchools, answers: _Answers, pages: int) -> float:
    topic = schools.topics[0]
    with (
        tempfile.TemporaryDirectory() as folder,
        Crawl(
            f"wordnet:{topic.senses[0].removeprefix('wordnet:')}",
            topic.seeds,
            f"{folder}/crawl",
            fetcher=answers,
            replay=[str(schools.recording)],
            strategy="best-first-page-anchor",
            pages=pages,
        ) as crawl,
    ):
        began = time.process_time()
        crawl.run()
        return (time.process_time() - began - answers.seconds) * 1000 / pages


def _floor(answers: list[Response]) -> float:
    began = time.process_time()
    for answer in answers:
        if answer.redirect is None:
            tree: Any = html.fromstring(answer.body)
            tree.text_content()
            list(tree.iterlinks())
    return (time.process_time() - began) * 1000 / len(answers)
