"""What a lab at work tells its listeners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from semcrawl.lab.plan import RunPlan
    from semcrawl.lab.record import RunRecord

__all__ = ["LabEvent", "PagesRead", "ResultsMeasured", "RunEvent"]


@dataclass(frozen=True, slots=True)
class PagesRead:
    """The recorded web is looked through for the first time: so many of its URLs are read."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Something became of a run.

    Attributes:
        kind: what: "started", "finished", "failed", or "reused" where it was known.
        plan: the run.
        record: what it left behind; None where it has only started.
        done: how many runs are done by now, the known ones included.
        total: how many there are; runs that are the same by their key count once.
    """

    kind: Literal["started", "finished", "failed", "reused"]
    plan: RunPlan
    record: RunRecord | None
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ResultsMeasured:
    """All runs are done and measured; the results are written."""

    runs: int


LabEvent = PagesRead | RunEvent | ResultsMeasured
