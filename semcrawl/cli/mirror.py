"""``semcrawl mirror`` and ``semcrawl gather``: a crawl graph somewhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import ReadingProgress
from semcrawl.cli.screen import count
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@parameters("mirror")
def mirror(folder: Path, endpoint: str | None, anew: bool, trust: bool) -> None:
    """Bring the SPARQL server that mirrors a crawl in step with it."""
    from semcrawl.crawl import Settings
    from semcrawl.crawl.trust import MIRRORING, require_trust
    from semcrawl.graph import CrawlGraph
    from semcrawl.graph.mirror import Mirror

    with CrawlGraph.open(folder, trust=trust) as graph:
        require_trust(graph, MIRRORING, named=() if endpoint is None else ("mirror",))
        address = endpoint or Settings.from_json(graph.describe().settings).mirror
        if not address:
            raise ConfigError("the crawl has no mirror: give the server's address for updates")
        with Mirror(graph, address) as server:
            if anew:
                server.begin_anew()
            server.catch_up()
            found = server.compare()
    click.echo(f"{address} has all of the graph: {count(found, 'statement')}")


@click.command()
@parameters("gather")
def gather(folder: Path, endpoint: str, anew: bool) -> None:
    """Make one graph of all shards of a crawl; works while it runs."""
    from semcrawl.crawl.shards.gathering import gather as gather_here
    from semcrawl.crawl.shards.gathering import gather_on_server
    from semcrawl.crawl.shards.layout import ShardedFolder

    shards, show = ShardedFolder.open(folder), ReadingProgress()
    if endpoint:
        found = gather_on_server(shards, endpoint, anew=anew, tell=show)
    else:
        found = gather_here(shards, anew=anew, tell=show)
    show("")
    place = endpoint or shards.gathered
    click.echo(
        f"{count(found.shards, 'shard')} in {place}: {found.loaded:,} loaded, "
        f"{count(found.changes, 'change')} of the others"
    )


def one_folder(folder: Path) -> Path:
    """Return a folder with one graph: the crawl's own, or that which its shards are gathered in."""
    from semcrawl.crawl.shards.gathering import gather as gather_here
    from semcrawl.crawl.shards.layout import ShardedFolder, is_sharded

    if not is_sharded(folder):
        return folder
    shards, show = ShardedFolder.open(folder), ReadingProgress()
    gather_here(shards, tell=show)
    show("")
    click.echo(
        f"the shards of {folder}, as they are now, are gathered in {shards.gathered}", err=True
    )
    return shards.gathered
