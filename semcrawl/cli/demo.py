"""``semcrawl demo``."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["demo"]


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("semcrawl-demo"),
    show_default=True,
    help="Where the crawls and the picture go; an earlier demo there is replaced.",
)
@click.option(
    "--pages",
    type=click.IntRange(min=10),
    default=120,
    show_default=True,
    help="How many pages each of the two crawls visits.",
)
def demo(folder: Path, pages: int) -> None:
    """Crawl a small web on this machine, without internet.

    The web is made by semcrawl itself; two crawlers visit it over real HTTP.
    """
    from semcrawl.demo.run import run_demo

    run_demo(folder, pages, click.echo)
