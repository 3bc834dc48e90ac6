"""``semcrawl gather``: the shards of a crawl as one graph."""

from pathlib import Path

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.screen import count
from semcrawl.crawl.shards.layout import GATHERED, is_sharded


@click.command()
@parameters("gather")
def gather(folder: Path) -> None:
    """Make one graph of all shards of a crawl; works while it runs."""
    from semcrawl.crawl.shards.gathering import gather as gather_here

    found = gather_here(folder)
    click.echo(f"{count(found, 'shard')} of {folder}, as they are now, in {folder / GATHERED}", err=True)


def one_folder(folder: Path) -> Path:
    """Return a folder with one graph: the crawl's own, or that which its shards are gathered in."""
    if not is_sharded(folder):
        return folder
    click.get_current_context().invoke(gather, folder=folder)
    return folder / GATHERED
