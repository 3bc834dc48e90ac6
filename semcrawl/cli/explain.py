"""``semcrawl explain``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from semcrawl.cli.explain_view import explanation_lines
from semcrawl.cli.screen import harmless, one_line
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from semcrawl.crawl.explaining import PageExplanation, Step
    from semcrawl.graph import CrawlGraph

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

    The page is read once more, from the crawl's replay or from the web. In a crawl for
    websites a classifier judged it: its confidences are told, and what they did for the site.

    \b
    semcrawl explain asthma http://www.example.org/lungs.html
    """
    from semcrawl.crawl.explaining import explain_page
    from semcrawl.graph import CrawlGraph

    with CrawlGraph.read(folder) as graph:
        if len(graph.query("sites/site-settings")):
            _explain_of_site(graph, url, form)
            return
        found = explain_page(graph, url)
        crawl = graph.describe().id
    if form == "json":
        click.echo(found.to_json())
    elif form == "turtle":
        from semcrawl.export.explanation import explanation_turtle

        click.echo(explanation_turtle(found, crawl), nl=False)
    else:
        _show(found)


def _explain_of_site(graph: CrawlGraph, url: str, form: str) -> None:
    """The same for a page of a crawl for websites."""
    from semcrawl.cli.site_explain_view import site_page_lines
    from semcrawl.site_crawl.explaining import explain_site_page

    if form == "turtle":
        raise ConfigError(
            "a page of a crawl for websites is explained as text or json, and not in turtle: "
            "what was recorded of its site is written by 'semcrawl site-list --format turtle'"
        )
    found = explain_site_page(graph, url)
    if form == "json":
        click.echo(found.to_json())
        return
    _head(found.title, found.url)
    for line in site_page_lines(found):
        click.echo(harmless(line))
    if found.lens is not None and found.lens.changed:
        click.echo("note: the page has changed since; the words are those of now", err=True)
    _way(found.path)


def _head(title: str | None, url: str) -> None:
    click.echo(f"{one_line(title or 'no title')}\n{harmless(url)}\n")


def _show(found: PageExplanation) -> None:
    _head(found.title, found.url)
    click.echo(f"relevance {found.relevance:.4f} by {found.judge}")
    if found.changed:
        click.echo(
            f"note: the page has changed since; read now it scores {found.explanation.score:.4f}",
            err=True,
        )
    click.echo()
    for line in explanation_lines(found.explanation):
        click.echo(harmless(line))
    _way(found.path)


def _way(path: tuple[Step, ...]) -> None:
    click.echo("\nfound along")
    for number, step in enumerate(path):
        if step.priority is None or step.relevance is None:
            how = "redirected"
        else:
            origin = f"priority {step.priority:.4f}" if number else "seed"
            how = f"{origin}  relevance {step.relevance:.4f}"
        click.echo(harmless(f"  {step.url}  {how}"))
