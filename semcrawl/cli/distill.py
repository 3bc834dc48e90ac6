"""``semcrawl distill``."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.options import crawl_folder, flag_option, format_option, number_option, option
from semcrawl.cli.screen import count, one_line
from semcrawl.errors import ConfigError, CrawlLockedError

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from semcrawl.steering import Distillation

    Rows = list[dict[str, Any]]

_ABOUT = ("method", "rho", "pages", "edges", "rounds", "converged", "step")


@click.command()
@crawl_folder
@option(
    "--method",
    type=click.Choice(["hits", "pagerank", "in-degree"]),
    default="hits",
    help="hits: hubs and authorities; the others to compare them with.",
)
@option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.15,
    help="Share of the pages, most relevant first, that can be authorities.",
)
@number_option("--rounds", 50, "How many rounds are computed at most.")
@option(
    "--across",
    type=click.Choice(["hosts", "pages"]),
    default="hosts",
    help="Links that count: those between hosts, or all between pages.",
)
@number_option(
    "--best", 1000, "How many scores of each kind are kept in the graph; 0: all.", least=0
)
@number_option("--limit", 10, "How many pages of each kind are shown.", least=0)
@format_option(("table", "csv", "json"), "How to write what is shown.")
@flag_option("--dry-run", help="Show the scores, write nothing into the graph.")
def distill(folder: Path, best: int, limit: int, form: str, dry_run: bool, **options: Any) -> None:
    """Find the best hubs and authorities of the crawl in FOLDER.

    The scores are written into its graph, in place of earlier ones. A crawl
    that is running is looked at, but not written to: it distils by itself.

    \b
    semcrawl distill asthma
    semcrawl distill asthma --across pages        where all pages are on one host
    semcrawl distill asthma --method pagerank     to compare with
    """
    _refuse_what_has_no_effect(options["method"])
    from semcrawl.steering import distil, record

    with _open(folder, dry_run=dry_run) as graph:
        found = distil(graph, **options)
        written = None
        if not graph.store.is_read_only:
            written = record(graph, found, best)
            graph.store.flush()
        lists = _lists(graph, found, limit)
    _show(found, lists, form)
    if not found:
        click.echo(_why_nothing(found, options["across"]), err=True)
    if written is not None:
        click.echo(f"{count(written, 'score')} written into the graph of {folder}", err=True)


def _refuse_what_has_no_effect(method: str) -> None:
    if method == "hits":
        return
    source = click.get_current_context().get_parameter_source
    for name in ("share", "across") if method == "pagerank" else ("share", "across", "rounds"):
        if source(name) is click.core.ParameterSource.COMMANDLINE:
            raise ConfigError(f"--{name} has no effect with --method {method}: leave it out")


def _open(folder: Path, *, dry_run: bool) -> CrawlGraph:
    from semcrawl.graph import CrawlGraph

    if dry_run:
        return CrawlGraph.read(folder)
    try:
        return CrawlGraph.open(folder)
    except CrawlLockedError:
        graph = CrawlGraph.read(folder)
    what = "is running" if graph.is_snapshot else "is being read by another process"
    click.echo(f"the crawl in {folder} {what}: nothing is written into its graph", err=True)
    return graph


def _lists(graph: CrawlGraph, found: Distillation, limit: int) -> dict[str, Rows]:
    from semcrawl.graph.vocabulary import DCTERMS

    kinds = {found.method: found.authorities}
    if found.method == "hits":
        kinds = {"hubs": found.hubs, "authorities": found.authorities}
    return {
        kind: [
            {"score": score, "url": url, "title": graph.store.value(url, DCTERMS + "title") or ""}
            for url, score in islice(scores.items(), limit)
        ]
        for kind, scores in kinds.items()
    }


def _show(found: Distillation, lists: dict[str, Rows], form: str) -> None:
    from semcrawl.graph.result_formats import csv_text

    if form == "json":
        about = {name: getattr(found, name) for name in _ABOUT}
        click.echo(json.dumps(about | lists, ensure_ascii=False, indent=1))
    elif form == "csv":
        scored = ([kind, *row.values()] for kind, rows in lists.items() for row in rows)
        # For programs it stays as it was read; click would take out what colours a terminal.
        text = csv_text([["kind", "score", "url", "title"], *scored])
        click.echo(text, nl=False, color=True)
    elif found:
        click.echo("\n\n".join(_table(found, kind, rows) for kind, rows in lists.items()))


def _table(found: Distillation, kind: str, rows: Rows) -> str:
    total = len(found.hubs if kind == "hubs" else found.authorities)
    lines = [f"{kind} (the best {len(rows):,} of {total:,})"]
    for row in rows:
        title = one_line(row["title"])
        named = f"{title}  {row['url']}" if title else row["url"]
        lines.append(f"{row['score']:10.4g}  {named}")
    return "\n".join(lines)


def _why_nothing(found: Distillation, across: str) -> str:
    if not found.pages:
        return "nothing to distil: the crawl has visited no page yet"
    if found.method == "hits" and across == "hosts":
        return (
            "no hubs and authorities: no page links to a relevant page on another host; "
            "where all pages are on one host, use --across pages"
        )
    return "nothing to distil: no page links to another that counts"
