"""Alarms in the crawl graph: a node of their own each, tied to the crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph.literals import date_time, iri, string

if TYPE_CHECKING:
    from semcrawl.graph.changes import Changes

__all__ = ["alarm_ended", "alarm_raised"]


def alarm_raised(
    changes: Changes, crawl: str, *, number: int, kind: str, step: int, note: str, now: float
) -> None:
    """The crawl's alarm of this number begins with the page of this step.

    ``kind`` is the local name of a subclass of ``sc:Alarm``.
    """
    alarm = _alarm(crawl, number)
    changes.state(
        f"{iri(crawl)} sc:alarm {alarm} . {alarm} a sc:{kind} ; sc:raisedAtStep {step} ; "
        f"prov:startedAtTime {date_time(now)} ; sc:note {string(note)}"
    )


def alarm_ended(changes: Changes, crawl: str, *, number: int, step: int) -> None:
    """The crawl's alarm of this number is over with the page of this step."""
    changes.state(f"{_alarm(crawl, number)} sc:endedAtStep {step}")


def _alarm(crawl: str, number: int) -> str:
    return iri(f"{crawl}#alarm-{number}")
