"""``semcrawl policy``: the policies that can steer a crawl, and what one would change."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from semcrawl.cli.options import crawl_folder, format_option, number_option, trust_option
from semcrawl.cli.screen import count, one_line

if TYPE_CHECKING:
    from semcrawl.crawl.pages.policy_dry_run import Trial


@click.group()
def policy() -> None:
    """Policies: SPARQL files that steer a crawl while it runs.

    \b
    semcrawl policy list
    semcrawl policy try hub-neighbours asthma
    semcrawl policy try mine.rq asthma
    semcrawl crawl wordnet:asthma --seed http://example.org/ --policy mine.rq
    """


@policy.command(name="list")
def list_() -> None:
    """List the policies that come with semcrawl."""
    from semcrawl.steering import load_policy, named_policies

    for name in named_policies():
        found = load_policy(name)
        click.echo(f"{name:<16} every {found.every} pages: {found.query.help}")
        for parameter in found.query.parameters:
            click.echo(f"{'':<18}{parameter.name} ({parameter.default}): {parameter.help}")


@policy.command()
@click.argument("name")
def show(name: str) -> None:
    """Print the file of the policy NAME, to start your own from."""
    from semcrawl.steering import load_policy

    click.echo(load_policy(name).query.text, nl=False)


@policy.command(name="try")
@click.argument("name", metavar="POLICY")
@crawl_folder
@number_option("--limit", 20, "How many rows to show.")
@number_option("--seconds", 60.0, "Time that the policy may take.", 0.1, 1e6)
@format_option(("table", "csv", "json"), "How to write the rows; csv and json have them all.")
@trust_option
def try_(name: str, folder: Path, limit: int, seconds: float, form: str, trust: bool) -> None:
    """Show what POLICY would change in the crawl of FOLDER, without changing it.

    POLICY is a name or a file (.rq), with options if you like. Works while the crawl runs.

    \b
    semcrawl policy try cool-down:min_pages=5,cold=0.1 asthma
    """
    from semcrawl.crawl.pages.policy_dry_run import try_policy
    from semcrawl.graph import CrawlGraph
    from semcrawl.graph.result_formats import csv_text

    with CrawlGraph.read(folder, trust=trust) as graph:
        trial = try_policy(graph, name, seconds)
    if form == "json":
        click.echo(json.dumps([asdict(row) for row in trial.rows], ensure_ascii=False, indent=1))
    elif form == "csv":
        rows = [(row.subject, row.before, row.after) for row in trial.rows]
        click.echo(csv_text([("subject", "before", "after"), *rows]), nl=False, color=True)
    else:
        _show(trial, limit)


def _show(trial: Trial, limit: int) -> None:
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
    if trial.policy.revisits:
        what = f"send {count(rows, 'page')} for another visit"
    elif trial.policy.form is RowForm.DROP:
        what = f"drop {count(rows, 'waiting URL')}"
    elif trial.policy.form is RowForm.SITE_FACTOR:
        what = f"give {count(rows, 'site')} another factor"
    else:
        what = f"give {count(rows, 'waiting URL')} another priority"
    if trial.ignored:
        what += f"; {count(trial.ignored, 'row')} more would change nothing"
    if trial.unread:
        what += f"; {count(trial.unread, 'row')} could not be read (no URL, no finite number)"
    return f"{trial.policy.name} would {what}. Nothing was changed."


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6f}".rstrip("0").rstrip(".")
