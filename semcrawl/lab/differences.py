"""Where crawlers differ: on-topic pages that one found and another did not, and why."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

from semcrawl.lab.results import Difference, MissedPage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.scored_run import ScoredRun

__all__ = ["differences"]

EXAMPLES = 3
_LONGEST_ANCHOR = 60


def differences(runs: Sequence[ScoredRun], web: LabWeb) -> list[Difference]:
    """Return for every pair of crawlers what left found and right did not.

    Runs for the same topic and repetition are compared, and all such pages are
    counted, within the pages that both are measured over; the examples are
    those that left found first. Oracles stand only on the left: what they find
    tells what was there.
    """
    by_name: dict[str, dict[tuple[str, int], ScoredRun]] = defaultdict(dict)
    for run in runs:
        by_name[run.contender][run.topic, run.repetition] = run
    oracles = {run.contender for run in runs if run.is_oracle}
    explainer = _Explainer(runs, web)
    found = []
    for left, right in permutations(by_name, 2):
        shared = by_name[left].keys() & by_name[right].keys()
        if right in oracles or not shared:
            continue
        pairs = [
            (by_name[left][key], by_name[right][key]) for key in by_name[left] if key in shared
        ]
        found.append(_difference(left, right, pairs, explainer))
    return found


def _difference(
    left: str, right: str, pairs: Iterable[tuple[ScoredRun, ScoredRun]], explainer: _Explainer
) -> Difference:
    missed: list[tuple[int, str, ScoredRun, ScoredRun]] = []
    for one, other in pairs:
        only = one.hit_urls - other.hit_urls
        steps = enumerate(one.record.visits, start=1)
        missed += [(step, visit.url, one, other) for step, visit in steps if visit.url in only]
    missed.sort(key=lambda page: (page[0], page[1]))
    examples = tuple(explainer.explain(*page) for page in _of_many_topics(missed))
    return Difference(left, right, len(missed), examples)


def _of_many_topics(
    missed: Sequence[tuple[int, str, ScoredRun, ScoredRun]],
) -> list[tuple[int, str, ScoredRun, ScoredRun]]:
    """The first page of each topic, then the second of each, and so on."""
    turns: dict[str, int] = defaultdict(int)
    ranked = []
    for page in missed:
        topic = page[2].topic
        ranked.append((turns[topic], page))
        turns[topic] += 1
    ranked.sort(key=lambda one: one[0])  # keeps the order of steps within a turn
    return [page for _, page in ranked[:EXAMPLES]]


class _Explainer:
    """Tells from where one crawler came to a page, and how far the other came."""

    def __init__(self, runs: Sequence[ScoredRun], web: LabWeb) -> None:
        visited = {visit.url for run in runs for visit in run.record.visits}
        wanted = {url for run in runs for url in run.hit_urls}
        self._sources: dict[str, list[str]] = defaultdict(list)
        for page in sorted(visited):
            for target in web.links(page):
                if target in wanted:
                    self._sources[target].append(page)
        self._steps = {
            id(run): {visit.url: n for n, visit in enumerate(run.record.visits, start=1)}
            for run in runs
        }
        self._anchor = cache(lambda page, target: _anchor(web, page, target))

    def explain(self, step: int, url: str, left: ScoredRun, right: ScoredRun) -> MissedPage:
        priority = left.record.visits[step - 1].priority
        told = f"{left.contender} {self._way(step, url, left)}; {self._lack(url, right)}"
        return MissedPage(left.topic, url, step, priority, told)

    def _way(self, step: int, url: str, run: ScoredRun) -> str:
        if url in run.record.seeds:
            return "began there"
        source = self._first_source(url, run)
        if source is None or source[0] >= step:
            return f"fetched it as page {step:,}"
        number, page = source
        anchor = self._anchor(page, url)
        words = f" by the link “{anchor}”" if anchor else ""
        return f"saw it on page {number:,}, {page},{words} and fetched it as page {step:,}"

    def _lack(self, url: str, run: ScoredRun) -> str:
        fetched = len(run.record.visits)
        if (late := self._steps[id(run)].get(url)) is not None:
            return f"{run.contender} fetched it as page {late:,}, beyond those that are compared"
        source = self._first_source(url, run)
        if source is None:
            return f"{run.contender} fetched no page that links to it"
        number, page = source
        return (
            f"{run.contender} saw it on page {number:,}, {page}, and did not choose it among its "
            f"{fetched:,} pages"
        )

    def _first_source(self, url: str, run: ScoredRun) -> tuple[int, str] | None:
        """The first page of a run that links to a URL, with its number."""
        steps = self._steps[id(run)]
        known = [(steps[page], page) for page in self._sources[url] if page in steps]
        return min(known, default=None)


def _anchor(web: LabWeb, page: str, target: str) -> str:
    read = web.page(page)
    for link in read.links if read else ():
        if link.url == target and link.anchor.strip():
            text = link.anchor.strip()
            return text if len(text) <= _LONGEST_ANCHOR else f"{text[:_LONGEST_ANCHOR]}…"
    return ""
