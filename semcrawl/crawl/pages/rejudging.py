"""Judges that learn: what they are told of pages, and what they say of earlier ones."""

import math
import time
from array import array
from collections.abc import Callable, Iterable, Mapping

from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.events import PagesRejudged
from semcrawl.crawl.kind import CrawlState
from semcrawl.crawl.mark_notes import recorded_marks
from semcrawl.errors import ConfigError
from semcrawl.graph import Changes
from semcrawl.graph.columns import CRAWL
from semcrawl.graph.vocabulary import iri
from semcrawl.relevance.judges import BaseJudge
from semcrawl.steering.alarms import AlarmWatch, in_millionths


class Rejudging:
    """Knows the relevance of every page, as the graph has it, where the judge learns.

    It is kept in millionths, in the order of the visits: alarms need it, and old values that are
    known are taken out of the graph in three quarters of the time that looking for them takes.
    """

    def __init__(
        self, state: CrawlState, judge: BaseJudge, alarms: AlarmWatch, heard: Callable[[Mapping[str, float]], None]
    ) -> None:
        """Take up what is recorded; ``heard`` is told of new relevances."""
        # One that learns nothing is told nothing.
        self._judge = judge if judge.learns else BaseJudge()
        self._state = state
        self._alarms = alarms
        self._heard = heard
        self._places: dict[str, int] = {}
        self._marks: dict[str, bool] = {}
        self._relevances = array("l")
        if judge.learns:
            self._begin(judge)

    def _begin(self, judge: BaseJudge) -> None:
        visited = self._state.graph.relevances() if self._state.is_resumed else {}
        for url, relevance in visited.items():
            self.record(url, relevance)
        self._crawl = self._state.graph.describe().id
        self._times: int = self._state.graph.store.value(self._crawl, CRAWL["rejudgements"].iri) or 0
        if self._state.is_resumed:
            self._marks = recorded_marks(self._state.graph)
            judge.mark(self._marks)
        judge.begin(self._state.graph.memory_folder("judge"), visited)

    def observe(self, outcome: Outcome) -> None:
        """Tell the judge of a page that is about to be recorded."""
        if outcome.page is not None and outcome.judgement is not None:
            self._judge.observe(outcome.page, outcome.judgement)

    def mark(self, marks: Mapping[str, bool | None]) -> None:
        """Record marks (None: no mark) of those pages that were visited; `revise` follows."""
        changes, now = Changes(), time.time()
        for url, mark in marks.items():
            if url not in self._places or mark == self._marks.get(url):
                continue
            changes.marked(url, mark, now)
            self._marks.pop(url, None)
            if mark is not None:
                self._marks[url] = mark
        if changes:
            self._state.graph.apply(changes)
            self._judge.mark(self._marks)

    def record(self, url: str, relevance: float) -> None:
        """Note what the graph has of a page, new or visited again."""
        if not self._judge.learns:
            return
        place = self._places.setdefault(url, len(self._relevances))
        if place == len(self._relevances):
            self._relevances.append(0)
        self._relevances[place] = in_millionths(relevance)

    def relevance(self, url: str, otherwise: float) -> float:
        """Return what is recorded of a page now, ``otherwise`` where the judge does not learn."""
        place = self._places.get(url)
        return otherwise if place is None else self._relevances[place] / 1e6

    def revise(self) -> list[PagesRejudged]:
        """Record what the judge has to say of earlier pages; return the event, if it is new."""
        return self._apply(self._judge.revise())

    def finish(self) -> list[PagesRejudged]:
        """The same with the judge's last word, as the crawl ends."""
        return self._apply({**self._judge.revise(), **self._judge.finish()})

    def close(self) -> None:
        """Let a judge that learns close its files."""
        self._judge.close()

    def _apply(self, revised: Mapping[str, float]) -> list[PagesRejudged]:
        changes, new = Changes(), dict[str, float]()
        gained = lost = 0
        relevances, places, threshold = self._relevances, self._places, self._state.threshold
        by_hand = {url: float(mark) for url, mark in self._marks.items()}
        for url, said in self._checked({**revised, **by_hand}.items()):
            # A judge's memory may be ahead of the graph by a page.
            if (place := places.get(url)) is None:
                continue
            now, before = in_millionths(said), relevances[place]
            if now == before:
                continue
            relevances[place] = now
            old, new[url] = before / 1e6, now / 1e6
            changes.rejudged(url, old, new[url])
            gained += old < threshold <= new[url]
            lost += new[url] < threshold <= old
        if not new:
            return []
        self._times += 1
        changes.replaced(iri(self._crawl), CRAWL["rejudgements"], self._times - 1 or None, self._times)
        self._state.graph.apply(changes)
        self._state.progress.relevant += gained - lost
        self._alarms.judged_anew(relevances, threshold)
        self._heard(new)
        return [PagesRejudged(len(new), gained, lost, progress=self._state.progress)]

    def _checked(self, said: Iterable[tuple[str, float]]) -> Iterable[tuple[str, float]]:
        name = self._state.settings.judge
        for url, relevance in said:
            if not (math.isfinite(relevance) and 0.0 <= relevance <= 1.0):
                raise ConfigError(
                    f"the judge {name!r} gave {url} the relevance {relevance}: it must be a number from 0 to 1"
                )
            yield url, relevance
