"""The monitor: ``/api/crawl``, ``/api/monitor`` and the live stream ``/api/events``."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from semcrawl.errors import RequestError
from semcrawl.serve.redaction import shown_settings, without_folders
from semcrawl.serve.replies import json_reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.serve.context import ServerContext
    from semcrawl.serve.monitor import Monitor

_PATIENCE = 1.0
_HEARTBEAT = 15.0
_STREAM = "text/event-stream"
_REMEMBERED = 16


def routes(context: ServerContext) -> list[Route]:
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

    def __init__(self, context: ServerContext) -> None:
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


async def _stream(context: ServerContext, views: _Views, last: int) -> AsyncIterator[bytes]:
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


def crawl_summary(context: ServerContext) -> dict[str, Any]:
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


# ``/api/control``: pause, resume and stop the crawl that the server was started with.


class _Wish(msgspec.Struct):
    action: str


def control_routes(context: ServerContext) -> list[Route]:
    """The one way to change a running crawl."""

    async def control(request: Request) -> Response:
        context.guard.require_token(request)
        try:
            wish = msgspec.json.decode(await request.body(), type=_Wish)
        except msgspec.MsgspecError as error:
            raise RequestError(
                f"the request is not what is expected ({error}): "
                'send {"action": "pause"}, "resume" or "stop"'
            ) from error
        await context.control.tell(wish.action)
        monitor = context.monitor
        await monitor.ready()
        await monitor.tell()
        return json_reply({"state": monitor.state, "reason": monitor.reason})

    return [Route("/api/control", control, methods=["POST"])]


# ``/metrics``: figures of crawl and server in the text format of Prometheus.


# https://prometheus.io/docs/instrumenting/exposition_formats/
_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Sample = tuple[dict[str, str], float]


def metrics_routes(context: ServerContext) -> list[Route]:
    """Figures for a monitoring system."""

    async def metrics(_request: Request) -> Response:
        await context.monitor.ready()
        await context.monitor.counted(1.0)
        lines = (
            line
            for name, kind, help_text, samples in _metrics(context)
            for line in _lines(name, kind, help_text, samples)
        )
        return PlainTextResponse("\n".join(lines) + "\n", headers={"Content-Type": _TYPE})

    return [Route("/metrics", metrics)]


def _metrics(context: ServerContext) -> Iterator[tuple[str, str, str, list[Sample]]]:
    yield from _of_crawl(context)
    yield from _of_server(context)


def _of_crawl(context: ServerContext) -> Iterator[tuple[str, str, str, list[Sample]]]:
    monitor = context.monitor
    figures = monitor.progress
    states = ("running", "paused", "stopped")
    lasting = [alarm["kind"] for alarm in monitor.alarms if alarm["ended"] is None]
    yield (
        "crawl_state",
        "gauge",
        "1 for the state that the crawl is in.",
        [({"state": state}, float(monitor.state == state)) for state in states],
    )
    for name, kind, help_text in (
        ("pages", "counter", "Pages visited."),
        ("relevant", "counter", "Pages visited that are relevant."),
        ("harvest_rate", "gauge", "Share of visited pages that are relevant."),
        ("waiting", "gauge", "URLs that wait to be visited."),
        ("hosts", "gauge", "Hosts that pages were visited of."),
        ("pages_per_second", "gauge", "Pages visited per second of late."),
    ):
        full = f"crawl_{name}_total" if kind == "counter" else f"crawl_{name}"
        yield full, kind, help_text, [({}, figures[name])]
    yield (
        "crawl_dropped_total",
        "counter",
        "URLs dropped, by reason.",
        [({"reason": row["reason"]}, row["urls"]) for row in monitor.errors],
    )
    yield (
        "crawl_alarm",
        "gauge",
        "1 for a kind of alarm that lasts.",
        [({"kind": kind}, float(kind in lasting)) for kind in ("stagnation", "diffusion")],
    )


def _of_server(context: ServerContext) -> Iterator[tuple[str, str, str, list[Sample]]]:
    pools = context.pools
    for name, kind, help_text in (
        ("answered", "counter", "Jobs answered by workers."),
        ("remembered", "counter", "Jobs answered from memory."),
        ("failed", "counter", "Jobs that failed."),
        ("timed_out", "counter", "Jobs that took too long."),
        ("refused", "counter", "Jobs refused because too many wait."),
        ("seconds", "counter", "Seconds that workers took for their jobs."),
    ):
        yield (
            f"server_jobs_{name}_total",
            kind,
            help_text,
            [({"pool": pool}, getattr(one.figures, name)) for pool, one in pools.items()],
        )
    yield (
        "server_workers_busy",
        "gauge",
        "Workers that have a job.",
        [({"pool": pool}, one.busy) for pool, one in pools.items()],
    )
    yield (
        "server_jobs_waiting",
        "gauge",
        "Jobs that wait for a worker.",
        [({"pool": pool}, one.waiting) for pool, one in pools.items()],
    )
    yield (
        "server_listeners",
        "gauge",
        "Browsers that follow the crawl live.",
        [({}, context.monitor.listeners)],
    )
    if snapshot := context.monitor.snapshot:
        age = max(time.time() - snapshot.taken_at, 0.0)
        yield "server_snapshot_age_seconds", "gauge", "Age of the snapshot.", [({}, round(age, 3))]


def _lines(name: str, kind: str, help_text: str, samples: list[Sample]) -> Iterator[str]:
    full = f"semcrawl_{name}"
    yield f"# HELP {full} {help_text}"
    yield f"# TYPE {full} {kind}"
    for labels, value in samples:
        named = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        # Fifteen digits: a counter is exact up to a thousand million million.
        yield f"{full}{{{named}}} {value:.15g}" if named else f"{full} {value:.15g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
