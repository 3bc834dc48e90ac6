"""``semcrawl policy``, ``distill`` and ``seeds``: what steers a crawl, tried and done by hand."""

from itertools import islice
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import PageProgress, working
from semcrawl.cli.screen import count, harmless, one_line, print_data, print_json
from semcrawl.crawl.pages.steering import Trial
from semcrawl.errors import ConfigError, CrawlLockedError, os_errors, regular
from semcrawl.graph import CrawlGraph
from semcrawl.graph.result_formats import csv_text
from semcrawl.graph.snapshots import is_address
from semcrawl.graph.vocabulary import DCTERMS
from semcrawl.steering import Distillation

Rows = list[dict[str, Any]]


_ABOUT = ("method", "rho", "pages", "edges", "rounds", "converged", "step")


@click.group()
@parameters("policy")
def policy() -> None:
    """Policies: SPARQL files that steer a crawl while it runs."""


@policy.command(name="list")
def list_() -> None:
    """List the policies that come with semcrawl."""
    from semcrawl.cli.query import beside
    from semcrawl.steering.policies import load_policy, named_policies

    for name in named_policies():
        found = load_policy(name)
        click.echo(beside(name, f"every {found.every} pages: {found.query.help}", 16))
        for one in found.query.parameters:
            click.echo(beside(f"{'':<16}{one.name}", f"({one.default}): {one.help}", 17 + len(one.name)))


@policy.command()
@parameters("show")
def show(name: str) -> None:
    """Print the file of the policy NAME, to start your own from."""
    from semcrawl.steering import load_policy

    print_data(load_policy(name).query.text)


@policy.command(name="try")
@parameters("try")
def try_(name: str, folder: Path, limit: int, seconds: float, form: str, trust: bool) -> None:
    """Show what POLICY would change in the crawl of FOLDER."""
    from semcrawl.crawl.pages.steering import try_policy
    from semcrawl.crawl.shards.reading import read_crawl
    from semcrawl.graph.queries import why_empty

    with read_crawl(folder, trust=trust) as graph, working(f"trying {name}"):
        trial = try_policy(graph, name, seconds)
        notes = [] if trial.rows else list(why_empty(graph.store, trial.policy.query.text))
    if form == "json":
        print_json([asdict(row) for row in trial.rows])
    elif form == "csv":
        rows = [(row.subject, row.before, row.after) for row in trial.rows]
        print_data(csv_text([("subject", "before", "after"), *rows]))
    else:
        _show_trial(trial, limit)
    for note in notes:
        click.echo(harmless(note), err=True)


def _show_trial(trial: Trial, limit: int) -> None:
    click.echo(_summary(trial))
    if not trial.rows:
        return
    click.echo(f"{'before':>10} {'after':>10}")
    for row in trial.rows[:limit]:
        after = "dropped" if row.after is None else _number(row.after)
        click.echo(f"{_number(row.before):>10} {after:>10}  {one_line(row.subject)}")
    if len(trial.rows) > limit:
        click.echo(f"… and {len(trial.rows) - limit:,} more; --limit shows more")


def _summary(trial: Trial) -> str:
    from semcrawl.steering import RowForm

    rows = len(trial.rows)
    if not rows:
        what = "change nothing"
    elif trial.policy.revisits:
        what = f"send {count(rows, 'page')} for another visit"
    elif trial.policy.form is RowForm.DROP:
        what = f"drop {count(rows, 'waiting URL')}"
    elif trial.policy.form is RowForm.SITE_FACTOR:
        what = f"give {count(rows, 'site')} another factor"
    else:
        what = f"give {count(rows, 'waiting URL')} another priority"
    if trial.ignored:
        what += f"; {count(trial.ignored, 'row')} {'more ' * bool(rows)}on what is visited, unknown or so already"
    if trial.unread:
        what += f"; {count(trial.unread, 'row')} could not be read (no URL, no finite number)"
    return f"{trial.policy.name} would {what}." + " Nothing was changed." * bool(rows)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6f}".rstrip("0").rstrip(".")


@click.command()
@parameters("distill")
def distill(folder: Path, best: int, limit: int, form: str, dry_run: bool, **options: Any) -> None:
    """Find the best hubs and authorities of the crawl in FOLDER."""
    _refuse_what_has_no_effect(options["method"])
    from semcrawl.steering import distill as find
    from semcrawl.steering import record

    with _open(folder, dry_run=dry_run) as graph:
        with working("finding hubs and authorities"):
            found = find(graph, **options)
        written = None
        if not graph.store.is_read_only:
            graph.require_sound()
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
    from semcrawl.crawl.shards.layout import is_sharded
    from semcrawl.crawl.shards.reading import read_crawl

    if dry_run:
        return read_crawl(folder)
    if is_sharded(folder) or is_address(folder):
        graph, what = read_crawl(folder), "is on a server" if is_address(folder) else "is in shards"
    else:
        try:
            return CrawlGraph.open(folder)
        except CrawlLockedError:
            graph = CrawlGraph.read(folder)
        what = "is running" if graph.is_snapshot else "is being read by another process"
    click.echo(f"the crawl in {folder} {what}: nothing is written into its graph", err=True)
    return graph


def _lists(graph: CrawlGraph, found: Distillation, limit: int) -> dict[str, Rows]:
    both = {"hubs": found.hubs, "authorities": found.authorities}
    kinds = both if found.method == "hits" else {found.method: found.authorities}
    return {
        kind: [
            {"score": score, "url": url, "title": graph.store.value(url, DCTERMS + "title") or ""}
            for url, score in islice(scores.items(), limit)
        ]
        for kind, scores in kinds.items()
    }


def _show(found: Distillation, lists: dict[str, Rows], form: str) -> None:
    if form == "json":
        print_json({name: getattr(found, name) for name in _ABOUT} | lists)
    elif form == "csv":
        scored = ([kind, *row.values()] for kind, rows in lists.items() for row in rows)
        print_data(csv_text([["kind", "score", "url", "title"], *scored]))
    elif found:
        click.echo("\n\n".join(_table(found, kind, rows) for kind, rows in lists.items()))


def _table(found: Distillation, kind: str, rows: Rows) -> str:
    total = len(found.hubs if kind == "hubs" else found.authorities)
    lines = [f"{kind} (the best {len(rows):,} of {total:,})"]
    for row in rows:
        named = "  ".join(filter(None, (one_line(row["title"]), one_line(row["url"]))))
        lines.append(f"{row['score']:10.4g}  {named}")
    return "\n".join(lines)


def _why_nothing(found: Distillation, across: str) -> str:
    if not found.pages:
        return "nothing to distill: the crawl has visited no page yet"
    if found.method == "hits" and across == "hosts":
        return (
            "no hubs and authorities: no page links to a relevant page on another host; "
            "where all pages are on one host, use --across pages"
        )
    return "nothing to distill: no page links to another that counts"


@click.command()
@parameters("seeds")
def seeds(
    seed: tuple[str, ...],
    source: str,
    least: int,
    best: int,
    mirrors: float,
    unlike: tuple[Path, ...],
    pages: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> None:
    """Find better seeds: pages that link to several of the SEEDs."""
    from semcrawl.steering.seeds import find_seeds, open_back_links
    from semcrawl.web import open_replay

    texts = [_text(path) for path in unlike]
    with PageProgress() as progress:
        known = open_back_links(source, open_replay(list(pages)) if pages else None, progress, trust=trust)
        hubs = find_seeds(seed, known, least=least, best=best, mirrors=mirrors, unlike=texts)
    if as_json:
        print_json([asdict(hub) for hub in hubs])
    else:
        for hub in hubs:
            click.echo(f"{harmless(hub.url)}\t{hub.seeds}")
    if not hubs:
        click.echo(f"(no page links to {count(least, 'seed')} or more)", err=True)
    elif all(known.terms(hub.url) is None for hub in hubs):
        click.echo(
            "note: mirrors were not told apart, as the texts of the pages are not known; give a recording with --pages",
            err=True,
        )


def _text(path: Path) -> str:
    from semcrawl.page import read_html

    with os_errors(ConfigError, f"cannot read {path}"):
        written = regular(path).read_text(encoding="utf-8", errors="replace")
    if not written.strip():
        raise ConfigError(f"{path} is empty: give a file with the text not to find again")
    return read_html(written, "http://unlike.invalid/").text
