"""``semcrawl demo``."""

from __future__ import annotations

from pathlib import Path

import click

from semcrawl.cli.options import PATH, number_option, option


@click.command()
@option(
    "--folder",
    type=PATH,
    default=Path("semcrawl-demo"),
    help="Where the crawls and the picture go; an earlier demo there is replaced.",
)
@number_option("--pages", 120, "How many pages each of the three crawls visits.", least=10)
@click.option(
    "--web",
    type=click.Path(path_type=Path, file_okay=False),
    help="Crawl nothing, but write the web to a new folder, for crawls of your own.",
)
def demo(folder: Path, pages: int, web: Path | None) -> None:
    """Crawl a small web on this machine, without internet.

    The web is made by semcrawl itself; three crawlers visit it over real HTTP.
    """
    from semcrawl.demo.run import run_demo, write_web

    if web is not None:
        write_web(web, click.echo)
    else:
        run_demo(folder, pages, click.echo)
