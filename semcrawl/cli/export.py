"""``semcrawl export``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from semcrawl.cli.options import PATH, crawl_folder, flag_option, format_option
from semcrawl.cli.screen import count
from semcrawl.errors import ConfigError

FORMATS = ("turtle", "ntriples", "nquads", "trig", "jsonld", "rdfxml", "graphml", "csv")


@click.command()
@crawl_folder
@click.option("-o", "--output", type=PATH, help="File to write; - for the screen.")
@format_option(FORMATS, "What to write.  [default: by the file's ending]", default=None)
@click.option(
    "--min-relevance",
    type=click.FloatRange(0, 1),
    help="Pages of at least this relevance.  [default: the crawl's]",
)
@flag_option("--whole", help="The whole crawl graph, not only the collection.")
def export(
    folder: Path, output: Path | None, form: str | None, min_relevance: float | None, whole: bool
) -> None:
    """Write the relevant pages of a crawl to a file.

    \b
    semcrawl export asthma -o asthma.ttl
    semcrawl export asthma -o asthma.csv --min-relevance 0.3
    """
    from semcrawl.graph import CrawlGraph
    from semcrawl.graph import export as write

    to_screen = output is None or str(output) == "-"
    if to_screen and form is None:
        raise ConfigError("give a file with -o FILE, or a --format for the screen")
    with CrawlGraph.read(folder) as graph, tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "export" if output is None or to_screen else output
        pages = write(graph, target, form, min_relevance=min_relevance, whole=whole)
        if to_screen:
            sys.stdout.buffer.write(target.read_bytes())
            sys.stdout.flush()
            return
    click.echo(f"{count(pages, 'page')} written to {output}")
    if not pages and not whole:
        click.echo("no page is relevant enough: see --min-relevance", err=True)
