"""How the crawl is doing: its figures, the monitor, the live stream, control and metrics."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from semcrawl.crawl.shards.layout import STATUS, is_gathered
from semcrawl.errors import RequestError, StoreError, told_as
from semcrawl.graph.crawl_folder import require_plain
from semcrawl.graph.snapshots import is_locked
from semcrawl.redaction import shown_settings, without_folders
from semcrawl.resources import facts_beside
from semcrawl.serve import api_types as api
from semcrawl.serve.pool import PoolFigures
from semcrawl.serve.replies import json_body, json_reply

if TYPE_CHECKING:
    from semcrawl.serve.server import ServerContext

_MEANINGS = facts_beside(__file__, "metrics.toml")
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})  # in values of labels
_HEARTBEAT = 15.0  # seconds after which a stream without news sends a comment


async def crawl(context: ServerContext, _request: Request) -> Response:
    """The crawl, its state and figures."""
    await _looked(context)
    return json_reply(once(context, _crawl_summary))


async def history(context: ServerContext, request: Request) -> Response:
    """Relevance by step, alarms, errors, census."""
    after = _after(request)
    await _looked(context)
    after = min(after, context.monitor.history.last)
    return json_reply(once(context, _history, after))


async def events(context: ServerContext, request: Request) -> Response:
    """What changes, as server-sent events: pages, progress, alarms, end."""
    after = _after(request)
    # What cannot be read is told before the stream begins.
    await context.monitor.ready()
    return StreamingResponse(
        _stream(context, after),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def shards(context: ServerContext, _request: Request) -> Response:
    """Where each shard runs, how fast and how full it is; nothing for a crawl without shards."""
    whole, rows = context.folder.parent, []
    if is_gathered(context.folder) and (whole / STATUS).is_file():
        require_plain(whole / STATUS)
        with told_as(StoreError, f"{whole / STATUS} is no note of a driver", ValueError, RecursionError):
            rows = msgspec.json.decode((whole / STATUS).read_bytes(), type=list[api.ShardNote])
        if not is_locked(whole):  # its driver has ended
            rows = [msgspec.structs.replace(row, where="", speed=0.0) for row in rows]
    return json_reply(rows)


async def control(context: ServerContext, request: Request) -> Response:
    """Pause, resume or stop the crawl."""
    asked = await json_body(request, api.ControlRequest, '{"action": "pause"}, "resume" or "stop"')
    await context.control.tell(asked.action)
    monitor = context.monitor
    await monitor.ready()
    await monitor.tell()
    return json_reply(api.StateReply(monitor.state, monitor.reason))


async def metrics(context: ServerContext, _request: Request) -> Response:
    """Figures for Prometheus."""
    await _looked(context)
    lines = (*_crawl_metrics(context), *_server_metrics(context), "")
    # https://prometheus.io/docs/instrumenting/exposition_formats/
    headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
    return PlainTextResponse("\n".join(lines), headers=headers)


async def _looked(context: ServerContext) -> None:
    await context.monitor.ready()
    await context.monitor.counted(seconds=1.0)


def once(context: ServerContext, make: Callable[..., Any], *rest: int) -> bytes:
    """Return what is made of a context as JSON, made once for all who ask until something changes."""
    return _encoded(make, context, context.monitor.version, context.control.state, *rest)


@lru_cache(maxsize=16)  # clients choose the steps, so only the last replies are kept
def _encoded(make: Callable[..., Any], context: ServerContext, _version: int, _state: str, *rest: int) -> bytes:
    return msgspec.json.encode(make(context, *rest))


async def _stream(context: ServerContext, last: int) -> AsyncIterator[bytes]:
    """The events: first the present state, then changes; no page is lost between the two."""
    monitor = context.monitor
    told: dict[str, bytes] = {}
    silent_since = time.monotonic()
    async with monitor.listening():
        history = monitor.history
        while not monitor.is_closed:
            version = monitor.version
            # The pages were judged anew, or the crawl was begun anew.
            if monitor.history is not history or monitor.history.last < last:
                history, last = monitor.history, 0
            new: list[bytes] = []
            if (newest := monitor.history.last) > last:
                new.append(_event("pages", once(context, _pages, last), newest))
                last = newest
            said = {"progress": once(context, _progress), "alarms": once(context, _alarms)}
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


def _progress(context: ServerContext) -> dict[str, Any]:
    monitor = context.monitor
    return {"state": monitor.state, "reason": monitor.reason} | msgspec.structs.asdict(monitor.progress)


def _pages(context: ServerContext, after: int) -> dict[str, Any]:
    monitor = context.monitor
    return {
        "first": after + 1,
        "relevances": monitor.history.relevances(after),
        "latest": [page for page in monitor.latest if page.step > after],
    }


def _alarms(context: ServerContext) -> dict[str, Any]:
    monitor = context.monitor
    return {"alarms": monitor.alarms, "errors": monitor.errors, "census": monitor.census}


def _history(context: ServerContext, after: int) -> api.MonitorReply:
    monitor = context.monitor
    return api.MonitorReply(
        **_pages(context, after) | _alarms(context) | {"latest": monitor.latest},
        threshold=monitor.history.threshold,
        window=monitor.window,
        times=monitor.history.times(monitor.about["started"]),
    )


def _crawl_summary(context: ServerContext) -> api.CrawlReply:
    monitor, about = context.monitor, context.monitor.about
    settings, snapshot = about["settings"], monitor.snapshot
    assert snapshot is not None
    has_taxonomy = str(settings.get("judge", "")).partition(":")[0] == "taxonomy"
    return api.CrawlReply(
        name=about["name"],
        topic=without_folders(about["topic"]),
        folder=context.folder.resolve().name,
        state=monitor.state,
        reason=monitor.reason,
        started=about["started_text"],
        ended=about["ended"],
        threshold=about["threshold"],
        window=monitor.window,
        settings=shown_settings(settings),
        kind=about["kind"],
        progress=monitor.progress,
        can=api.Abilities(
            control=context.control.is_there,
            explain="replay" if settings.get("replay") else "network",
            taxonomy=has_taxonomy,
            mark=has_taxonomy,
            mark_pages=about["judge_learns"],
            shards=is_gathered(context.folder),
        ),
        snapshot=api.SnapshotNote(snapshot.number, snapshot.taken_at, snapshot.is_live),
    )


def _crawl_metrics(context: ServerContext) -> Iterator[str]:
    monitor = context.monitor
    states = {state: monitor.state == state for state in ("running", "paused", "stopped")}
    lasting = [alarm.kind for alarm in monitor.alarms if alarm.ended is None]
    yield from _lines("crawl_state", states, "state")
    for name, value in msgspec.structs.asdict(monitor.progress).items():
        if name != "dropped" and value is not None:
            total = "_total" if name in ("pages", "relevant") else ""
            yield from _lines(f"crawl_{name}{total}", {"": value})
    yield from _lines("crawl_dropped_total", {row.reason: row.urls for row in monitor.errors}, "reason")
    yield from _lines("crawl_alarm", {kind: kind in lasting for kind in ("stagnation", "diffusion")}, "kind")


def _server_metrics(context: ServerContext) -> Iterator[str]:
    pools, monitor = context.pools, context.monitor
    for name in PoolFigures.__struct_fields__:
        done = {pool: getattr(one.figures, name) for pool, one in pools.items()}
        yield from _lines(f"server_jobs_{name}_total", done, "pool")
    yield from _lines("server_workers_busy", {name: one.busy for name, one in pools.items()}, "pool")
    yield from _lines("server_jobs_waiting", {name: one.waiting for name, one in pools.items()}, "pool")
    yield from _lines("server_listeners", {"": monitor.listeners})
    if monitor.snapshot is not None:
        age = round(max(time.time() - monitor.snapshot.taken_at, 0.0), 3)
        yield from _lines("server_snapshot_age_seconds", {"": age})


def _lines(name: str, values: Mapping[str, float], label: str = "") -> Iterator[str]:
    """The lines of a metric: a value for each text of its label, or one without a label."""
    yield f"# HELP semcrawl_{name} {_MEANINGS[name]}"
    yield f"# TYPE semcrawl_{name} {'counter' if name.endswith('_total') else 'gauge'}"
    for text, value in values.items():
        which = f'{{{label}="{text.translate(_ESCAPES)}"}}' if label else ""
        # Fifteen digits: a counter is exact up to a thousand million million.
        yield f"semcrawl_{name}{which} {float(value):.15g}"
