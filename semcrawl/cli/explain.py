"""``semcrawl explain``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from semcrawl.cli.explain_view import explanation_lines
from semcrawl.cli.screen import harmless, one_line

if TYPE_CHECKING:
    from semcrawl.crawl.explaining import PageExplanation

__all__ = ["explain"]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("url")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "turtle"]),
    default="text",
    show_default=True,
    help="How the explanation is written.",
)
def explain(folder: Path, url: str, form: str) -> None:
    """Say why a page of the crawl in FOLDER has its relevance.

    The page is read once more, from the crawl's replay or from the web.

    \b
    semcrawl explain asthma http://www.example.org/lungs.html
    """
    from semcrawl.crawl.explaining import explain_page
    from semcrawl.graph import CrawlGraph

    with CrawlGraph.read(folder) as graph:
        found = explain_page(graph, url)
        crawl = graph.describe().id
    if form == "json":
        click.echo(found.to_json())
    elif form == "turtle":
        from semcrawl.export.explanation import explanation_turtle

        click.echo(explanation_turtle(found, crawl), nl=False)
    else:
        _show(found)


def _show(found: PageExplanation) -> None:
    click.echo(f"{one_line(found.title or 'no title')}\n{harmless(found.url)}\n")
    click.echo(f"relevance {found.relevance:.4f} by {found.judge}")
    if found.changed:
        click.echo(
            f"note: the page has changed since; read now it scores {found.explanation.score:.4f}",
            err=True,
        )
    click.echo()
    for line in explanation_lines(found.explanation):
        click.echo(harmless(line))
    click.echo("\nfound along")
    for number, step in enumerate(found.path):
        if step.priority is None or step.relevance is None:
            how = "redirected"
        else:
            origin = f"priority {step.priority:.4f}" if number else "seed"
            how = f"{origin}  relevance {step.relevance:.4f}"
        click.echo(harmless(f"  {step.url}  {how}"))
