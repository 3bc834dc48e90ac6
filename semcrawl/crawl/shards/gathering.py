"""All shards of a crawl in one graph, an ordinary crawl folder.

Snapshots of all shards are loaded, also while they run. The crawl that the graph describes is the
first shard's.
"""

import shutil
from pathlib import Path

import pyoxigraph as ox

from semcrawl.crawl.shards.layout import GATHERED, ShardedFolder
from semcrawl.errors import NotACrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.crawl_folder import require_plain
from semcrawl.graph.vocabulary import SC
from semcrawl.progress import tell

_CRAWL = ox.NamedNode(f"{SC}Crawl")


def gather(folder: str | Path) -> int:
    """Make the graph in the folder ``gathered`` of a crawl in shards anew; return how many shards it has.

    Raises:
        NotACrawlError: the folder is none of a crawl in shards, or no shard has begun.
        CrawlLockedError: a shard does not answer, or the gathered graph is open elsewhere.
        StoreError: it cannot be written.
    """
    shards = ShardedFolder.open(folder)
    places, whole = shards.begun, shards.folder / GATHERED
    part = whole.with_suffix(".part")
    if not places:
        raise NotACrawlError(f"no shard of {shards.folder} has begun: start the crawl anew")
    require_plain(whole)
    require_plain(part)
    shutil.rmtree(part, ignore_errors=True)
    is_own = True
    with CrawlGraph.create(part) as graph:
        for number, place in enumerate(places):
            tell(f"gathering shard {number + 1} of {len(places)}")
            with CrawlGraph.read(place) as shard:
                is_own = is_own and shard.is_own
                # The gathered crawl is one.
                graph.store.raw.bulk_extend(quad for quad in shard.store.quads() if not number or quad.object != _CRAWL)
        if is_own:
            graph.claim()
        graph.store.flush()
    if whole.is_dir():
        CrawlGraph.open(whole, trust=True).close()  # nobody writes into it
    shutil.rmtree(whole, ignore_errors=True)
    part.rename(whole)
    tell("")
    return len(places)
