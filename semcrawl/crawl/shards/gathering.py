"""All shards of a crawl in one graph: an ordinary crawl folder, or a SPARQL server.

The first time a snapshot of each shard is loaded, and each shard begins to log its changes
(semcrawl/graph/change_log.py); after that only the changes since are made. Steps of pages are
numbered anew, so that no two pages of different shards have the same.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox

from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.errors import CrawlLockedError, NotACrawlError
from semcrawl.graph import Changes, CrawlDescription, CrawlGraph, OxigraphStore
from semcrawl.graph.change_log import ChangeLog, moved_to
from semcrawl.graph.columns import CRAWL, PAGE
from semcrawl.graph.crawl_folder import MIRROR, require_plain
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.mirror import (
    LOADING,
    POSITION,
    OutOfStepError,
    empty,
    next_batch,
    without_private_text,
)
from semcrawl.graph.send import batches
from semcrawl.graph.snapshots import (
    open_snapshot,
    remove_snapshot,
    request_snapshot,
    take_snapshot,
)
from semcrawl.graph.vocabulary import SC, iri
from semcrawl.topics import Topic

_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_CRAWL = ox.NamedNode(f"{SC}Crawl")
_STEP = ox.NamedNode(PAGE["step"].iri)
# A step in the text of a change, outside texts and what pages say themselves.
_STEPS = re.compile(r'GRAPH <[^<>]*> \{\n[\s\S]*?\n\}|"(?:[^"\\]|\\.)*"|\bsc:step (\d+)')


@dataclass(slots=True)
class Gathered:
    """What was gathered: shards that were loaded whole, and changes of the others."""

    shards: int = 0
    loaded: int = 0
    changes: int = 0
    is_own: bool = True  # whether this user made all shards here
    about: list[CrawlDescription] = field(default_factory=list)


def gather(
    shards: ShardedFolder, *, anew: bool = False, tell: Callable[[str], None] = lambda _: None
) -> Gathered:
    """Bring the graph in the folder ``gathered`` in step with all shards, also while they run.

    Raises:
        NotACrawlError: no shard has begun.
        CrawlLockedError: a shard does not answer, or the gathered graph is open elsewhere.
        StoreError: it cannot be written.
    """
    require_plain(shards.gathered)
    if shards.gathered.is_dir() and not anew:
        try:
            with CrawlGraph.open(shards.gathered) as graph:
                found = _gather_into(graph.store, shards, "gathered", tell)
                _tell_state(graph, found)
            return found
        except OutOfStepError:
            tell("the gathered graph is made anew")
    part = shards.gathered.with_suffix(".part")
    require_plain(part)
    shutil.rmtree(part, ignore_errors=True)
    with CrawlGraph.create(part) as graph:
        found = _gather_into(graph.store, shards, "gathered", tell)
        _begin(graph, found, shards.count)
        _tell_state(graph, found)
        graph.store.flush()
    shutil.rmtree(shards.gathered, ignore_errors=True)
    part.rename(shards.gathered)
    return found


def gather_on_server(
    shards: ShardedFolder,
    address: str,
    *,
    anew: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> Gathered:
    """Bring a SPARQL server in step with all shards; ``anew`` removes what it has first.

    Raises:
        OutOfStepError: it has other statements, or lacks changes that the logs no longer have.
        StoreError: it cannot be reached, or refuses.
    """
    server = EndpointStore(address)
    mark = f"<urn:semcrawl:gathered> sc:shards {shards.count}"
    if anew or not server.query(f"ASK {{ {mark} }}"):
        if not anew and server.query("ASK { ?s ?p ?o }"):
            raise OutOfStepError(
                f"the server {address} has statements that are not of this crawl: give an empty "
                "one, or empty it with --anew"
            )
        empty(server, mark)
    found = _gather_into(server, shards, f"gathered at {address}", tell)
    if not server.query("ASK { ?crawl a sc:Crawl }"):
        with CrawlGraph.create() as graph:
            _begin(graph, found, shards.count)
            for batch in batches(graph.store.quads()):
                server.update(batch.update())
    server.close()
    return found


def _begin(graph: CrawlGraph, found: Gathered, count: int) -> None:
    """Let a graph say what the first shard says of the crawl."""
    about = found.about[0]
    graph.begin(
        Changes(),
        name=about.name,
        topic=about.topic,
        topic_turtle=Topic.from_toml(about.topic).to_turtle(absolute=True),
        settings=about.settings,
        threshold=about.threshold,
        now=about.started.timestamp(),
    )
    changes = Changes()
    changes.state(f"{iri(graph.describe().id)} {CRAWL.write(shards=count)}")
    graph.apply(changes)


def _tell_state(graph: CrawlGraph, found: Gathered) -> None:
    """Let the graph say whether all shards have stopped, and why the first did."""
    first = found.about[0]
    ends = [one.ended.timestamp() for one in found.about if one.ended and one.stopped]
    if len(ends) == len(found.about):
        graph.note_stop((first.stopped or "").rpartition("#")[2], max(ends), first.settings)
    else:
        graph.note_start(first.settings, first.threshold)
    if found.is_own:
        graph.claim()


def _gather_into(
    store: OxigraphStore, shards: ShardedFolder, name: str, tell: Callable[[str], None]
) -> Gathered:
    found = Gathered()
    for number, folder in enumerate(shards.folders):
        if folder not in shards.begun:
            continue
        tell(f"shard {number + 1} of {shards.count}")
        with _snapshot_of(folder) as graph:
            about = graph.describe()
            found.about.append(about)
            found.is_own = found.is_own and graph.is_own
            last = int(graph.store.value(about.id, POSITION.value))
            shard = _Shard(store, folder, about.id, number, shards.count)
            position = store.value(about.id, POSITION.value)
            if position is None:
                shard.load(graph.store, last)
                found.loaded += 1
            else:
                found.changes += shard.follow(position, last)
            shard.log.taken(name, last)
            shard.log.close()
        found.shards += 1
    if not found.shards:
        raise NotACrawlError(f"no shard of {shards.folder} has begun: start the crawl anew")
    return found


@contextmanager
def _snapshot_of(folder: Path) -> Iterator[CrawlGraph]:
    """A snapshot of a shard, which logs its changes from then on, whether it runs or not."""
    try:
        with CrawlGraph.open(folder) as graph:
            graph.keep_log()
            place: Path | None = take_snapshot(folder, graph.store)
    except CrawlLockedError:
        require_plain(folder / MIRROR)
        (folder / MIRROR).mkdir(mode=0o755, exist_ok=True)
        place = request_snapshot(folder)
        if place is None:
            raise
    assert place is not None
    try:
        with CrawlGraph(open_snapshot(place), folder) as graph:
            yield graph
    finally:
        remove_snapshot(place)


class _Shard:
    """One shard on its way into a store."""

    def __init__(
        self, store: OxigraphStore, folder: Path, crawl: str, number: int, count: int
    ) -> None:
        self.log = ChangeLog(folder, crawl)
        self._store = store
        self._crawl = crawl
        self._number, self._count = number, count

    def load(self, snapshot: OxigraphStore, last: int) -> None:
        store = self._store
        store.update(moved_to(self._crawl, None, LOADING))
        quads = filter(None, map(self._quad, snapshot.quads()))
        if store.is_remote:
            for batch in batches(quads):
                store.update(batch.update())
        else:
            store.raw.bulk_extend(quads)
        store.update(moved_to(self._crawl, LOADING, last))

    def _quad(self, quad: ox.Quad) -> ox.Quad | None:
        subject, predicate, value, graph = quad
        if predicate == POSITION or (predicate == _TYPE and value == _CRAWL):
            return None  # the gathered crawl is one
        if predicate == _STEP and isinstance(graph, ox.DefaultGraph):
            return ox.Quad(subject, predicate, ox.Literal(self._step(value.value)), graph)
        return quad

    def _step(self, step: str) -> int:
        return (int(step) - 1) * self._count + self._number + 1

    def follow(self, position: int, last: int) -> int:
        start = position
        while position < last:
            text, number = next_batch(self.log, position, last, self._text)
            if position < 0 or not text:
                raise OutOfStepError(
                    f"the changes of shard {self._number:02} from {position:,} to {last:,} are not "
                    "in its log: gather all with --anew"
                )
            self._store.update(text)
            position = number
        if position > last:
            raise OutOfStepError(
                f"shard {self._number:02} was brought back from a copy: gather all with --anew"
            )
        return last - start

    def _text(self, text: str) -> str:
        numbered = _STEPS.sub(
            lambda found: f"sc:step {self._step(found[1])}" if found[1] else found[0], text
        )
        return without_private_text(numbered) if self._store.is_remote else numbered
