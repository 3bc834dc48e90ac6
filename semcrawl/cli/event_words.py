"""The events of a crawl in words for a person, and in names and values for a program."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from semcrawl.cli.screen import count, one_line
from semcrawl.crawl.events import (
    AlarmEnded,
    AlarmRaised,
    CrawlStopped,
    Distilled,
    FrontierRevised,
    PageRevisited,
    PageVisited,
    PolicyRan,
    UrlDropped,
)

if TYPE_CHECKING:
    from semcrawl.crawl.alarms import Alarm
    from semcrawl.crawl.events import Event

__all__ = ["as_row", "aside", "warning"]


def warning(event: Event) -> str:
    """What a person should hear of at once, in one line; empty for all that goes as it should."""
    if isinstance(event, AlarmRaised):
        return f"alarm: {_alarm(event.alarm)}"
    if isinstance(event, AlarmEnded):
        return f"alarm over: {_alarm(event.alarm)}"
    if isinstance(event, PolicyRan) and event.error:
        return f"the policy {one_line(event.name)} failed and was skipped: {one_line(event.error)}"
    return ""


def _alarm(alarm: Alarm) -> str:
    return f"{alarm.kind.lower()} at page {alarm.ended or alarm.step:,}: {alarm.note}"


def aside(event: Event) -> str:
    """What went on beside the visits, in one line; empty for all other events."""
    if isinstance(event, PolicyRan) and not event.error:
        done = f"{count(event.changed, 'URL')} changed, {event.dropped:,} dropped"
        again = f", {event.revisits:,} to revisit" if event.revisits else ""
        return f"policy {one_line(event.name)}: {done}{again} ({event.seconds:.1f} s)"
    if isinstance(event, FrontierRevised):
        return f"the strategy has learnt: {count(event.changed, 'waiting URL')} ranked anew"
    if isinstance(event, Distilled):
        found = f"{count(event.hubs, 'hub')}, {event.authorities:,} authorities"
        return f"distilled: {found} ({event.seconds:.1f} s)"
    if isinstance(event, PageRevisited):
        found = f"changed, relevance now {event.relevance:.2f}" if event.changed else "unchanged"
        return f"revisited: {one_line(event.url)}: {found}"
    return ""


def as_row(event: Event) -> dict[str, object]:
    """The event as names and values for a line of JSON, its figures left out."""
    match event:
        case PageVisited():
            return {
                "event": "page",
                "step": event.step,
                "url": event.url,
                "title": event.title,
                "relevance": round(event.relevance, 6),
                "relevant": event.is_relevant,
                "priority": event.priority,
                "depth": event.depth,
            }
        case UrlDropped():
            return {
                "event": "dropped",
                "url": event.url,
                "reason": event.reason,
                "note": event.note,
            }
        case AlarmRaised():
            return {"event": "alarm", **_alarm_row(event.alarm)}
        case AlarmEnded():
            ended = {"ended": event.alarm.ended}
            return {"event": "alarm_over", **_alarm_row(event.alarm), **ended}
        case CrawlStopped():
            return {"event": "stopped", "reason": str(event.reason)}
        case _:
            return _aside_row(event)


def _alarm_row(alarm: Alarm) -> dict[str, object]:
    return {
        "kind": str(alarm.kind),
        "number": alarm.number,
        "step": alarm.step,
        "value": round(alarm.value, 6),
        "limit": round(alarm.limit, 6),
        "note": alarm.note,
    }


def _aside_row(
    event: PageRevisited | PolicyRan | FrontierRevised | Distilled,
) -> dict[str, object]:
    names = {
        PageRevisited: "revisited",
        PolicyRan: "policy",
        FrontierRevised: "revised",
        Distilled: "distilled",
    }
    values = {f.name: getattr(event, f.name) for f in fields(event) if f.name != "progress"}
    rounded = {n: round(v, 6) if isinstance(v, float) else v for n, v in values.items()}
    return {"event": names[type(event)], **rounded}
