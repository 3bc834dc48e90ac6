"""``/metrics``: figures of crawl and server in the text format of Prometheus."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from semcrawl.serve.context import ServerContext

# https://prometheus.io/docs/instrumenting/exposition_formats/
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_STATES = ("running", "paused", "stopped")
_ALARMS = ("stagnation", "diffusion")
_JOBS = {
    "answered": "Jobs answered by workers.",
    "remembered": "Jobs answered from memory.",
    "failed": "Jobs that failed.",
    "timed_out": "Jobs that took too long.",
    "refused": "Jobs refused because too many wait.",
    "seconds": "Seconds that workers took for their jobs.",
}


_PROGRESS = {
    "pages_total": "Pages visited.",
    "relevant_total": "Pages visited that are relevant.",
    "harvest_rate": "Share of visited pages that are relevant.",
    "waiting": "URLs that wait to be visited.",
    "hosts": "Hosts that pages were visited of.",
    "pages_per_second": "Pages visited per second of late.",
}


def metrics_text(context: ServerContext) -> str:
    """Return the figures of crawl and server."""
    return "\n".join((*_of_crawl(context), *_of_server(context))) + "\n"


def _of_crawl(context: ServerContext) -> Iterator[str]:
    monitor = context.monitor
    progress = monitor.progress
    states = {state: monitor.state == state for state in _STATES}
    lasting = [alarm.kind for alarm in monitor.alarms if alarm.ended is None]
    alarms = {kind: kind in lasting for kind in _ALARMS}
    dropped = {row.reason: row.urls for row in monitor.errors}
    yield from _lines("crawl_state", "1 for the state that the crawl is in.", states, "state")
    for name, about in _PROGRESS.items():
        value = getattr(progress, name.removesuffix("_total"))
        yield from _lines(f"crawl_{name}", about, {"": value})
    yield from _lines("crawl_dropped_total", "URLs dropped, by reason.", dropped, "reason")
    yield from _lines("crawl_alarm", "1 for a kind of alarm that lasts.", alarms, "kind")


def _of_server(context: ServerContext) -> Iterator[str]:
    pools, monitor = context.pools, context.monitor
    for name, about in _JOBS.items():
        done = {pool: getattr(one.figures, name) for pool, one in pools.items()}
        yield from _lines(f"server_jobs_{name}_total", about, done, "pool")
    busy = {pool: one.busy for pool, one in pools.items()}
    waiting = {pool: one.waiting for pool, one in pools.items()}
    yield from _lines("server_workers_busy", "Workers that have a job.", busy, "pool")
    yield from _lines("server_jobs_waiting", "Jobs that wait for a worker.", waiting, "pool")
    listeners = {"": monitor.listeners}
    yield from _lines("server_listeners", "Browsers that follow the crawl live.", listeners)
    if monitor.snapshot is not None:
        age = round(max(time.time() - monitor.snapshot.taken_at, 0.0), 3)
        yield from _lines("server_snapshot_age_seconds", "Age of the snapshot.", {"": age})


def _lines(name: str, about: str, values: Mapping[str, float], label: str = "") -> Iterator[str]:
    """The lines of a metric: a value for each text of its label, or one without a label."""
    yield f"# HELP semcrawl_{name} {about}"
    yield f"# TYPE semcrawl_{name} {'counter' if name.endswith('_total') else 'gauge'}"
    for text, value in values.items():
        which = f'{{{label}="{_escaped(text)}"}}' if label else ""
        # Fifteen digits: a counter is exact up to a thousand million million.
        yield f"semcrawl_{name}{which} {float(value):.15g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
