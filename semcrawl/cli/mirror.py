"""``semcrawl mirror`` and ``semcrawl gather``: a crawl graph somewhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from semcrawl.cli.options import parameters
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
