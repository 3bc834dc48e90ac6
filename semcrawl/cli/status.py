"""``semcrawl status``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from semcrawl.cli.options import crawl_folder, json_option
from semcrawl.cli.screen import one_line


@click.command()
@crawl_folder
@json_option("Print the figures as JSON.")
def status(folder: Path, as_json: bool) -> None:
    """How far the crawl in FOLDER has come; works while it runs."""
    from semcrawl.graph import CrawlGraph
    from semcrawl.graph.vocabulary import shorten
    from semcrawl.web.response import DropReason

    with CrawlGraph.read(folder) as graph:
        about = graph.describe()
        figures = next(iter(graph.query("monitor/progress")))
        errors = {shorten(row["reason"]): row["urls"] for row in graph.query("monitor/errors")}
        running = graph.is_snapshot
    pages, relevant = figures["pages"], figures["relevant"]
    rows = {
        "topic": about.name,
        "state": state_of(about.stopped, running=running),
        "started": about.started.isoformat(timespec="seconds"),
        "pages": pages,
        "relevant": relevant,
        "harvest_rate": round(relevant / pages, 4) if pages else 0.0,
        "threshold": about.threshold,
        "waiting": figures["waiting"],
        "hosts": figures["hosts"],
        "dropped": figures["dropped"],
        "dropped_because": errors,
    }
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    for name, value in rows.items():
        if name != "dropped_because":
            click.echo(f"{name.replace('_', ' '):<13} {one_line(str(value))}")
    explanations = {f"sc:{one}": f": {one.explanation}" for one in DropReason}
    for reason, count in errors.items():
        click.echo(f"{'':<13} {count:,} {reason}{explanations.get(reason, '')}")


def state_of(stopped: str | None, *, running: bool) -> str:
    """Whether a crawl runs, and if not, why it stopped, in words."""
    from semcrawl.crawl import StopReason

    if running:
        return "running"
    if stopped is None:
        return "not finished: go on with 'semcrawl resume'"
    return f"stopped because {StopReason(stopped.rpartition('#')[2]).sentence}"
