"""``semcrawl site-list``."""

from __future__ import annotations

from pathlib import Path

import click

from semcrawl.cli.screen import count, harmless
from semcrawl.errors import ConfigError

__all__ = ["site_list"]

FORMATS = ("table", "csv", "json", "turtle", "graphml")


@click.command("site-list")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
    help="How to write the list; graphml is the graph of the sites.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--min-confidence", type=click.FloatRange(0, 1), default=0.5, show_default=True,
    help="Sites of at least this confidence.",
)  # fmt: skip
def site_list(folder: Path, form: str, output: Path | None, min_confidence: float) -> None:
    """List the websites that a crawl has found, best first.

    Each with its confidence, the pages read, the best of them as evidence, and the sites of the
    list that it links to.

    \b
    semcrawl site-list asthma-sites
    semcrawl site-list asthma-sites --format graphml -o asthma.graphml
    """
    from semcrawl.export.site_list import site_list_text
    from semcrawl.graph import CrawlGraph

    with CrawlGraph.read(folder) as graph:
        text = site_list_text(graph, form, min_confidence)
    if output is not None:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"cannot write {output}: {error.strerror}") from error
        click.echo(f"{count(len(text.encode()), 'byte')} written to {output}")
        return
    # A table is for a person's terminal; the other forms are for programs, and stay as they are.
    click.echo(harmless(text) if form == "table" else text, nl=False, color=True)
    if not text.strip():
        click.echo("no site is confident enough: see --min-confidence", err=True)
