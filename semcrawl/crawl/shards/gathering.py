"""All shards of a crawl in one graph, an ordinary crawl folder.

Snapshots of all shards are loaded, also while they run; of those that have not changed since the last
time nothing is loaded again. The crawl that the graph describes is the first shard's.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec
import pyoxigraph as ox

from semcrawl.crawl.shards.layout import GATHERED, ShardedFolder
from semcrawl.errors import NotACrawlError, UrlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.crawl_folder import GRAPH, require_plain
from semcrawl.graph.snapshots import FolderLock
from semcrawl.graph.vocabulary import SC, host_of_site
from semcrawl.progress import tell
from semcrawl.whole_files import write_whole

_CRAWL = ox.NamedNode(f"{SC}Crawl")
_STAMPS = "gathered-from.json"  # what the graphs of the shards were
_Stamps = dict[str, list[tuple[str, int, int]]]


def gather(folder: str | Path) -> int:
    """Bring the graph in the folder ``gathered`` of a crawl in shards up to date; return how many shards it has.

    Raises NotACrawlError: the folder is none of a crawl in shards, or no shard has begun; CrawlLockedError: a shard
    does not answer, or the gathered graph is open elsewhere; StoreError: it cannot be written.
    """
    shards = ShardedFolder.open(folder)
    places, whole = shards.begun, shards.folder / GATHERED
    if not places:
        raise NotACrawlError(f"no shard of {shards.folder} has begun: start the crawl anew")
    require_plain(whole)
    require_plain(whole / _STAMPS)
    before, now = _Stamps(), {place.name: _stamp(place) for place in places}
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        before = msgspec.json.decode((whole / _STAMPS).read_bytes(), type=_Stamps)
    if before == now:
        return len(places)
    with ExitStack() as opened:
        parts = [opened.enter_context(CrawlGraph.read(place)) for place in places]
        is_own = all(part.is_own for part in parts)
        changed = {number for number, place in enumerate(places) if before.get(place.name) != now[place.name]}
        if before.keys() == now.keys() == {place.name for place in shards.folders} and is_own:
            _change(shards, parts, changed)
        else:
            _make(whole, parts, is_own=is_own)
    write_whole(whole / _STAMPS, msgspec.json.encode(now))
    tell("")
    return len(places)


def _stamp(place: Path) -> list[tuple[str, int, int]]:
    files = [path for path in (place / GRAPH).iterdir() if path.suffix in (".log", ".sst")]
    return sorted((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files)


def _make(whole: Path, parts: Sequence[CrawlGraph], *, is_own: bool) -> None:
    """Make the graph anew, from all shards."""
    part = whole.with_suffix(".part")
    require_plain(part)
    shutil.rmtree(part, ignore_errors=True)
    with CrawlGraph.create(part) as graph:
        for number, shard in enumerate(parts):
            tell(f"gathering shard {number + 1} of {len(parts)}")
            graph.store.raw.bulk_extend(_quads(shard, number))
        if is_own:
            graph.claim()
        graph.store.flush()
    if whole.is_dir():
        FolderLock(whole).release()  # nobody writes into it
    shutil.rmtree(whole, ignore_errors=True)
    part.rename(whole)


def _change(shards: ShardedFolder, parts: Sequence[CrawlGraph], changed: set[int]) -> None:
    """Take out of the graph what shards that have changed do not say any more, and add what is new."""
    whole = shards.folder / GATHERED
    with CrawlGraph.open(whole) as graph:
        (whole / _STAMPS).unlink()  # until it is done
        store = graph.store.raw
        for quad in list(_taken_back(shards, graph, parts, changed)):
            store.remove(quad)
        for number in sorted(changed):
            tell(f"gathering shard {number + 1} of {len(parts)}")
            store.bulk_extend(quad for quad in _quads(parts[number], number) if quad not in store)
        graph.claim()
        graph.store.flush()


def _taken_back(
    shards: ShardedFolder, graph: CrawlGraph, parts: Sequence[CrawlGraph], changed: set[int]
) -> Iterator[ox.Quad]:
    """Yield the statements that shards have taken back since."""
    stores = [part.store.raw for part in parts]
    for quad in graph.store.quads():
        about = quad.subject if quad.graph_name == ox.DefaultGraph() else quad.graph_name
        owner, name = None, getattr(about, "value", "")
        with suppress(UrlError):  # the crawl, a concept: of no shard, or of any
            owner = shards.owner(f"http://{host}/" if (host := host_of_site(name)) else name)
        if owner is None or owner in changed:
            # Most are still said by the shard that owns the page.
            likely = stores if owner is None else [stores[owner], *stores]
            if not any(quad in one for one in likely):
                yield quad


def _quads(shard: CrawlGraph, number: int) -> Iterator[ox.Quad]:
    # The gathered crawl is one.
    return (quad for quad in shard.store.quads() if not number or quad.object != _CRAWL)
