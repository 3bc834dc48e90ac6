"""How far a crawl has come."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Progress"]


@dataclass(slots=True)
class Progress:
    """The running figures of a crawl.

    ``pages`` and ``relevant`` count the whole crawl; ``seconds``,
    ``pages_per_second``, and the revisits, with how many found a page changed
    or gone or failed, count the present run.
    """

    pages: int = 0
    relevant: int = 0
    waiting: int = 0
    hosts: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    retries: int = 0
    revisits: int = 0
    changed: int = 0
    gone: int = 0
    failed: int = 0
    bytes: int = 0
    pages_before: int = 0
    started: float = field(default_factory=time.monotonic)
    held_since: float | None = None

    @property
    def harvest_rate(self) -> float:
        """The share of visited pages that are relevant."""
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def seconds(self) -> float:
        """How long the present run has lasted, without the time that it was paused."""
        now = time.monotonic() if self.held_since is None else self.held_since
        return now - self.started

    def hold_clock(self) -> None:
        """From now on time does not count; holding it twice is fine."""
        if self.held_since is None:
            self.held_since = time.monotonic()

    def go_on(self) -> None:
        """From now on time counts again; where it does already, nothing happens."""
        if self.held_since is not None:
            self.started += time.monotonic() - self.held_since
            self.held_since = None

    @property
    def pages_per_second(self) -> float:
        """Pages visited per second in the present run."""
        return (self.pages - self.pages_before) / max(self.seconds, 1e-9)

    @property
    def errors(self) -> int:
        """URLs that were tried and given up."""
        return sum(count for reason, count in self.dropped.items() if reason not in NOT_TRIED)

    def to_dict(self) -> dict[str, float | int]:
        """The figures by name, for a line of JSON."""
        return {
            "pages": self.pages,
            "relevant": self.relevant,
            "harvest_rate": round(self.harvest_rate, 4),
            "pages_per_second": round(self.pages_per_second, 2),
            "waiting": self.waiting,
            "hosts": self.hosts,
            "errors": self.errors,
            "revisits": self.revisits,
            "changed": self.changed,
            "gone": self.gone,
            "failed": self.failed,
            "seconds": round(self.seconds, 1),
        }


NOT_TRIED = frozenset(
    {"DroppedByPolicy", "FrontierFull", "HostLimit", "OutOfScope", "TooDeep", "TrapSuspected"}
)
"""Drop reasons of URLs that no request was made for."""
