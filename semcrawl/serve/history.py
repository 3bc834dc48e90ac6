"""The history of a crawl as the server keeps it: relevance and time of every page, by step."""

from __future__ import annotations

from array import array
from math import isnan, nan
from typing import Any

__all__ = ["History"]

_PLACES = 4
_MOST_TIMES = 500
_BREAK = 60.0


class History:
    """Relevances and times by step, extended as the crawl goes on; steps begin at 1.

    >>> history = History(threshold=0.5)
    >>> history.extend([0.25, None, 0.75], [10.0, None, 12.0])
    >>> history.pages, history.relevant, history.last
    (2, 1, 3)
    >>> history.relevances(after=1)
    [None, 0.75]
    """

    def __init__(self, threshold: float = 0.05) -> None:
        self.threshold = threshold
        self.pages = 0
        self.relevant = 0
        self._relevances = array("d")
        self._times = array("d")
        self._active = 0.0

    @property
    def last(self) -> int:
        """The last step."""
        return len(self._relevances)

    def extend(self, relevances: list[float | None], times: list[float | None]) -> None:
        """Add the pages of the next steps; None where a step has none."""
        for relevance, time in zip(relevances, times, strict=True):
            self._relevances.append(nan if relevance is None else relevance)
            self._note_time(nan if time is None else time)
            self.pages += relevance is not None
            self.relevant += relevance is not None and relevance >= self.threshold

    def relevances(self, after: int = 0) -> list[float | None]:
        """The relevance of every later step, None where a step has no page."""
        values = self._relevances[max(after, 0) :]
        return [None if isnan(value) else round(value, _PLACES) for value in values]

    def times(self, started: float) -> list[list[float]]:
        """Pairs of a step and its seconds since the start, of some hundred steps; the last too."""
        every = max(1, -(-self.last // _MOST_TIMES))
        steps = [*range(0, self.last, every), self.last - 1] if self.last else []
        return [
            [step + 1, round(self._times[step] - started, 1)]
            for step in dict.fromkeys(steps)
            if not isnan(self._times[step])
        ]

    def pages_per_second(self) -> float:
        """The mean speed over all steps; a minute without a page was a pause."""
        return (self.pages - 1) / self._active if self._active > 0 else 0.0

    def _note_time(self, time: float) -> None:
        if self._times and 0 < (since := time - self._times[-1]) < _BREAK:
            self._active += since
        self._times.append(time)

    def summary(self, after: int = 0) -> dict[str, Any]:
        """What a browser is told of later steps."""
        return {"first": after + 1, "relevances": self.relevances(after)}
