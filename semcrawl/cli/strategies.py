"""``semcrawl strategies``."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from semcrawl.cli.options import json_option


@click.command()
@json_option("Print the list as JSON.")
def strategies(as_json: bool) -> None:
    """List the crawlers and judges, yours included.

    They are what --strategy and --judge take. Options follow the name:
    n-best-first:n=20. One in a file of yours is given as file.py:ClassName.
    """
    from semcrawl.relevance import JUDGES
    from semcrawl.strategies import STRATEGIES

    parts = {"strategies": STRATEGIES.parts(), "judges": JUDGES.parts()}
    if as_json:
        rows = {kind: [asdict(part) for part in found] for kind, found in parts.items()}
        click.echo(json.dumps(rows, indent=1))
        return
    for kind, found in parts.items():
        click.echo(f"{kind}:")
        for part in found:
            click.echo(f"  {part.name:<24} {part.summary}")
            for name, default in part.options.items():
                click.echo(f"  {'':<24}   {name}={default}")
