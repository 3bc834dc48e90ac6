"""The monitor: ``/api/crawl``, ``/api/monitor`` and the live stream ``/api/events``."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import StreamingResponse
from starlette.routing import Route

from semcrawl.errors import RequestError
from semcrawl.serve.discretion import shown_settings, without_folders
from semcrawl.serve.replies import json_reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import Context
    from semcrawl.serve.monitor import Monitor

__all__ = ["routes"]

_PATIENCE = 1.0
_HEARTBEAT = 15.0
_STREAM = "text/event-stream"
_REMEMBERED = 16


def routes(context: Context) -> list[Route]:
    """What tells how the crawl is doing."""
    monitor = context.monitor
    views = _Views(context)

    async def crawl(_request: Request) -> Response:
        await monitor.ready()
        await monitor.counted(_PATIENCE)
        return json_reply(views.crawl())

    async def history(request: Request) -> Response:
        after = _after(request)
        await monitor.ready()
        await monitor.counted(_PATIENCE)
        return json_reply(views.history(after))

    async def events(request: Request) -> Response:
        after = _after(request)
        # What cannot be read is told before the stream begins.
        await monitor.ready()
        return StreamingResponse(
            _stream(context, views, after),
            media_type=_STREAM,
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    return [
        Route("/api/crawl", crawl),
        Route("/api/monitor", history),
        Route("/api/events", events),
    ]


class _Views:
    """What is told of the monitor, as JSON; each made once for all who ask."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._made: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._seen: object = None

    def crawl(self) -> bytes:
        """The crawl, its state and figures."""
        return self._once("crawl", lambda: crawl_summary(self._context))

    def progress(self) -> bytes:
        """The state and figures only."""
        return self._once("progress", lambda: _progress(self._context.monitor))

    def history(self, after: int) -> bytes:
        """All that the monitor's chart shows."""
        after = min(after, self._context.monitor.history.last)
        return self._once("history", lambda: _history(self._context.monitor, after), after)

    def pages(self, after: int) -> bytes:
        """The pages of later steps."""
        monitor = self._context.monitor

        def made() -> dict[str, Any]:
            latest = [page for page in monitor.latest if page["step"] > after]
            return monitor.history.summary(after) | {"latest": latest}

        return self._once("pages", made, after)

    def alarms(self) -> bytes:
        """The alarms, errors and census."""
        monitor = self._context.monitor
        return self._once(
            "alarms",
            lambda: {
                "alarms": monitor.alarms,
                "errors": monitor.errors,
                "census": monitor.census,
            },
        )

    def _once(self, name: str, make: Any, *key: object) -> bytes:
        seen = self._context.monitor.version, self._context.control.state
        if seen != self._seen:
            self._made.clear()
            self._seen = seen
        if (name, *key) not in self._made:
            self._made[name, *key] = msgspec.json.encode(make())
        self._made.move_to_end((name, *key))
        # Clients choose the keys, so that only the last ones asked for are kept.
        if len(self._made) > _REMEMBERED:
            self._made.popitem(last=False)
        return self._made[name, *key]


async def _stream(context: Context, views: _Views, last: int) -> AsyncIterator[bytes]:
    """Events: first how things are, then what changes; no page is lost between the two."""
    monitor = context.monitor
    told: dict[str, bytes] = {}
    silent_since = time.monotonic()
    async with monitor.listening():
        while not monitor.is_closed:
            version = monitor.version
            if monitor.history.last < last:  # the crawl was begun anew
                last = 0
            new: list[bytes] = []
            if monitor.history.last > last:
                new.append(_event("pages", views.pages(last), monitor.history.last))
                last = monitor.history.last
            said = {"progress": views.progress(), "alarms": views.alarms()}
            if monitor.state == "stopped":
                said["end"] = msgspec.json.encode({"reason": monitor.reason})
            new += [_event(name, body) for name, body in said.items() if told.get(name) != body]
            told = said
            if not new and time.monotonic() - silent_since >= _HEARTBEAT:
                new.append(b": still here\n\n")
            if new:
                yield b"".join(new)
                silent_since = time.monotonic()
            await monitor.change(version, _HEARTBEAT)


def _event(name: str, body: bytes, number: int | None = None) -> bytes:
    # JSON has no raw line breaks, so that one data line holds all.
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: ".encode() + body + b"\n\n"


def _after(request: Request) -> int:
    text = request.query_params.get("after") or request.headers.get("last-event-id") or "0"
    try:
        after = int(text)
    except ValueError:
        after = -1
    if after < 0:
        raise RequestError(f"after={text[:40]} is no step: give a number from 0 on")
    return after


def _progress(monitor: Monitor) -> dict[str, Any]:
    return {"state": monitor.state, "reason": monitor.reason} | monitor.progress


def _history(monitor: Monitor, after: int) -> dict[str, Any]:
    return monitor.history.summary(after) | {
        "threshold": monitor.history.threshold,
        "window": monitor.window,
        "alarms": monitor.alarms,
        "errors": monitor.errors,
        "census": monitor.census,
        "latest": monitor.latest,
        "times": monitor.history.times(monitor.about["started"]),
    }


def crawl_summary(context: Context) -> dict[str, Any]:
    """The crawl, its state, figures, and what can be done with it here."""
    monitor, about = context.monitor, context.monitor.about
    settings, snapshot = about["settings"], monitor.snapshot
    assert snapshot is not None
    has_taxonomy = _judge(settings) == "taxonomy"
    return {
        "name": about["name"],
        "topic": without_folders(about["topic"]),
        "folder": context.folder.resolve().name,
        "state": monitor.state,
        "reason": monitor.reason,
        "started": about["started_text"],
        "ended": about["ended"],
        "threshold": about["threshold"],
        "window": monitor.window,
        "settings": shown_settings(settings),
        "kind": about["kind"],
        "progress": monitor.progress,
        "can": {
            "control": context.control.is_there,
            "explain": "replay" if settings.get("replay") else "network",
            "taxonomy": has_taxonomy,
            "mark": has_taxonomy,
        },
        "snapshot": {
            "number": snapshot.number,
            "taken_at": snapshot.taken_at,
            "is_live": snapshot.is_live,
        },
    }


def _judge(settings: dict[str, Any]) -> str:
    return str(settings.get("judge", "")).partition(":")[0]
