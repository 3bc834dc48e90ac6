"""``/metrics``: figures of crawl and server in the text format of Prometheus."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.serve.context import ServerContext

# https://prometheus.io/docs/instrumenting/exposition_formats/
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_Sample = tuple[dict[str, str], float]
_Metric = tuple[str, str, str, list[_Sample]]


def metrics_text(context: ServerContext) -> str:
    """The figures of crawl and server."""
    metrics = (*_of_crawl(context), *_of_server(context))
    lines = [line for metric in metrics for line in _lines(*metric)]
    return "\n".join(lines) + "\n"


def _of_crawl(context: ServerContext) -> Iterator[_Metric]:
    monitor = context.monitor
    figures = monitor.progress
    states = ("running", "paused", "stopped")
    lasting = [alarm.kind for alarm in monitor.alarms if alarm.ended is None]
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
        yield full, kind, help_text, [({}, getattr(figures, name))]
    yield (
        "crawl_dropped_total",
        "counter",
        "URLs dropped, by reason.",
        [({"reason": row.reason}, row.urls) for row in monitor.errors],
    )
    yield (
        "crawl_alarm",
        "gauge",
        "1 for a kind of alarm that lasts.",
        [({"kind": kind}, float(kind in lasting)) for kind in ("stagnation", "diffusion")],
    )


def _of_server(context: ServerContext) -> Iterator[_Metric]:
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


def _lines(name: str, kind: str, help_text: str, samples: list[_Sample]) -> Iterator[str]:
    full = f"semcrawl_{name}"
    yield f"# HELP {full} {help_text}"
    yield f"# TYPE {full} {kind}"
    for labels, value in samples:
        named = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        # Fifteen digits: a counter is exact up to a thousand million million.
        yield f"{full}{{{named}}} {value:.15g}" if named else f"{full} {value:.15g}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
