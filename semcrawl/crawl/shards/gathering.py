"""All shards of a crawl in one graph: an ordinary crawl folder, or a server that follows them.

Snapshots of all shards are loaded, also while they run; of those that have not changed since the last
time nothing is loaded again. The crawl that the graph describes is the first shard's.
"""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pyoxigraph as ox

from semcrawl.crawl.shards.layout import GATHERED, ShardedFolder
from semcrawl.errors import UrlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.change_log import LogReader
from semcrawl.graph.crawl_folder import GRAPH, require_plain
from semcrawl.graph.mirror import Mirrored
from semcrawl.graph.snapshots import FolderLock, is_locked
from semcrawl.graph.vocabulary import SC, host_of_site
from semcrawl.progress import tell
from semcrawl.whole_files import write_whole

_CRAWL = ox.NamedNode(f"{SC}Crawl")
_STAMPS = "gathered-from.json"  # what the graphs of the shards were
_AT_ONCE = 1 << 27  # characters of statements
_Stamps = dict[str, list[tuple[str, int, int]]]
# Of what no URL of the shard is: concepts, the crawl, sites, and pages of other shards.
_LOOSE = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER NOT EXISTS { ?s sc:order ?n } }"


def gather(folder: str | Path) -> int:
    """Bring the graph in the folder ``gathered`` of a crawl in shards up to date; return how many shards it has.

    Raises NotACrawlError: the folder is none of a crawl in shards, or no shard has begun; CrawlLockedError: a shard
    does not answer, or the gathered graph is open elsewhere; StoreError: it cannot be written.
    """
    shards = ShardedFolder.open(folder)
    places, whole = shards.require_begun(), shards.folder / GATHERED
    require_plain(whole)
    require_plain(whole / _STAMPS)
    before, now = _Stamps(), {place.name: _stamp(place) for place in places}
    with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        before = msgspec.json.decode((whole / _STAMPS).read_bytes(), type=_Stamps)
    if before == now:
        return len(places)
    with _reading(places) as parts:
        is_own = all(part.is_own for part in parts)
        changed = {number for number, place in enumerate(places) if before.get(place.name) != now[place.name]}
        if before.keys() == now.keys() == {place.name for place in shards.folders} and is_own:
            _change(shards, parts, changed)
        else:
            _make(whole, parts, is_own=is_own)
    write_whole(whole / _STAMPS, msgspec.json.encode(now))
    tell("")
    return len(places)


@contextmanager
def _reading(places: Sequence[Path]) -> Iterator[list[CrawlGraph]]:
    with ExitStack() as opened:
        yield [opened.enter_context(CrawlGraph.read(place)) for place in places]


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
            _load(graph, _quads(shard, number))
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
            _load(graph, (quad for quad in _quads(parts[number], number) if quad not in store))
        graph.claim()
        graph.store.flush()


def _load(graph: CrawlGraph, quads: Iterator[ox.Quad]) -> None:
    """Add statements; what is added at once is held in memory, with a term that many share as often."""

    def some(quad: ox.Quad | None) -> Iterator[ox.Quad]:
        room = _AT_ONCE
        while quad is not None:
            yield quad
            room -= len(str(quad))
            quad = next(quads, None) if room > 0 else None

    for first in quads:
        graph.store.raw.bulk_extend(some(first))


def _taken_back(
    shards: ShardedFolder, graph: CrawlGraph, parts: Sequence[CrawlGraph], changed: set[int]
) -> Iterator[ox.Quad]:
    """Yield the statements that shards have taken back since."""
    stores = [part.store.raw for part in parts]
    for quad in graph.store.quads():
        owner = _owner(shards, quad.subject if quad.graph_name == ox.DefaultGraph() else quad.graph_name)
        if owner is None or owner in changed:
            # Most are still said by the shard that owns the page.
            likely = stores if owner is None else [stores[owner], *stores]
            if not any(quad in one for one in likely):
                yield quad


def _owner(shards: ShardedFolder, about: Any) -> int | None:
    name = getattr(about, "value", "")
    with suppress(UrlError):  # the crawl, a concept: of no shard, or of any
        return shards.owner(f"http://{host}/" if (host := host_of_site(name)) else name)
    return None


def _quads(shard: CrawlGraph, number: int) -> Iterator[ox.Quad]:
    # The gathered crawl is one.
    return (quad for quad in shard.store.quads() if not number or quad.object != _CRAWL)


def mirrored_shards(shards: ShardedFolder) -> Mirrored:
    """All shards, for a server that follows them: it ends with the statements that `gather` collects."""
    logs = {place.name: LogReader(place, partial(is_locked, place)) for place in shards.folders}
    with CrawlGraph.read(shards.shard(0)) as first:
        name = first.describe().id
    command = f"'semcrawl mirror {shards.folder}'"
    return Mirrored(name, command, logs, partial(_all_quads, shards), partial(_count, shards))


@contextmanager
def _all_quads(shards: ShardedFolder) -> Iterator[Iterable[ox.Quad]]:
    with _reading(shards.folders) as parts:  # what several say comes several times
        yield chain.from_iterable(_quads(part, number) for number, part in enumerate(parts))


def _count(shards: ShardedFolder) -> int:
    """How many different statements there are."""
    with _reading(shards.folders) as parts:
        loose = [{*part.query(_LOOSE).triples} for part in parts]
        found = 1 - len(parts)  # the gathered crawl is one
        found += sum(len(part.store.raw) - len(some) for part, some in zip(parts, loose, strict=True))
        for triple in set[ox.Triple]().union(*loose):
            owner = _owner(shards, triple.subject)
            found += owner is None or triple in loose[owner] or ox.Quad(*triple) not in parts[owner].store.raw
        return found
