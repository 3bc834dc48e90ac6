"""When the jobs beside a crawl are due, and what each may cost."""

from __future__ import annotations

import time
from dataclasses import dataclass

__all__ = ["Schedule", "Turn"]

_ALLOWANCE = 0.05
"""Seconds of CPU that each job may spend before any share has grown."""

_LONGEST = 64
"""A job that fails again and again is tried after so many times its rhythm at least."""


@dataclass(slots=True)
class Turn:
    """One job: its rhythm in pages, when it ran, what it has cost in all and the last time.

    ``last`` is the number of pages at the last run and ``last_good`` at the
    last that did not fail: what a job has not seen yet it will be asked to see.
    """

    every: int
    last: int = 0
    last_good: int = 0
    spent: float = 0.0
    cost: float = 0.0
    failures: int = 0


class Schedule:
    """Which job comes next.

    Every job has an account of its own, with an equal part of the share, so
    that an expensive one runs less often and holds up no other. One that fails
    is tried half as often after each failure, until it succeeds.

    Args:
        turns: the jobs by name, in the order in which they run when due together.
        share: the share of this process's CPU that all jobs together may spend;
            None for no limit.
    """

    def __init__(self, turns: dict[str, Turn], share: float | None) -> None:
        self._turns = turns
        self._share = None if share is None else share / max(len(turns), 1)
        self._cpu_before = time.process_time()
        self._due: list[str] = []

    def __getitem__(self, name: str) -> Turn:
        return self._turns[name]

    @property
    def spent(self) -> float:
        """The seconds of CPU that all jobs together have cost."""
        return sum(turn.spent for turn in self._turns.values())

    def run_all(self) -> None:
        """Let everything be due, whatever its rhythm."""
        self._due = list(self._turns)

    def look(self, pages: int) -> None:
        """Note what has become due with so many pages."""
        for name, turn in self._turns.items():
            pause = turn.every * min(2**turn.failures, _LONGEST)
            if pages - turn.last >= pause and name not in self._due:
                self._due.append(name)

    def next(self) -> str | None:
        """The first job that is due and affordable, None where there is none."""
        return next((name for name in self._due if self._may_spend(name)), None)

    def _may_spend(self, name: str) -> bool:
        if self._share is None:
            return True
        earned = self._share * (time.process_time() - self._cpu_before)
        turn = self._turns[name]
        # It will cost about what it cost the last time.
        return turn.spent + turn.cost <= _ALLOWANCE + earned

    def started(self, name: str, pages: int) -> None:
        """A job begins."""
        self._due.remove(name)
        self._turns[name].last = pages

    def finished(self, name: str, cpu: float, *, failed: bool) -> None:
        """A job has ended, after so many seconds of CPU in all."""
        turn = self._turns[name]
        turn.spent += cpu
        turn.cost = cpu
        if failed:
            turn.failures += 1
        else:
            turn.failures, turn.last_good = 0, turn.last
