"""A SPARQL server that follows the graph of a crawl: its changes are sent in order, from the log in its folder.

The server itself says up to which place of the log it is, in a named graph of its own, which is written in the same
request as the changes. Where the log does not lead on from there, the whole graph is sent first. Nothing private is
sent, as in an export. A crawl in shards has a log for each, and one graph on the server.
"""

import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue

import pyoxigraph as ox

from semcrawl.closing import Closing
from semcrawl.errors import ConfigError, SemcrawlError, StoreError, told_as
from semcrawl.graph.change_log import LogReader
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.dataset import PRIVATE
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.send import batches
from semcrawl.graph.snapshots import open_snapshot, take_snapshot
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import iri

_TICK = 2.0  # seconds between two looks at the log, in which a batch comes together
_LONGEST_PAUSE = 30.0  # seconds between two tries to reach a server
_FAREWELL = 120.0  # seconds that a server is given when the crawl has ended
_LOADING = 0  # the place of a server that does not have all of the graph yet
_DIGITS = 20  # of a place
_UNASKED = 16  # requests, after the first of which a server is asked whether it has what it took, as after the last

# The named graphs that a crawl writes are those of pages with statements.
_PAGE_GRAPHS = "SELECT ?g WHERE { ?g sc:statements ?n }"
_COUNTS = (
    "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) WHERE { ?g sc:statements ?c . GRAPH ?g { ?s ?p ?o } }",
)
# A page, or anything that is not of a crawl: one that found no page is forgotten.
_TAKEN = "ASK { { ?page a sc:Page } UNION { ?s ?p ?o FILTER NOT EXISTS { ?crawl a sc:Crawl } } }"
# No text of a statement has a line end.
_STEP = re.compile(r"(DELETE DATA|INSERT DATA|INSERT) \{\n(.*?)\n\}(?= ;\n| WHERE \{\}|\Z)", re.DOTALL)


def without_private_text(text: str) -> str:
    """Return the text of a change as `without_private` would have its statements."""
    return _STEP.sub(_cleared, text) if PRIVATE.search(text) else text


def _cleared(step: re.Match[str]) -> str:
    store = OxigraphStore()
    store.update(f"INSERT DATA {{ {step[2]} }}")
    return f"{step[1]} {{\n{''.join(batch.quads() for batch in batches(store.quads()))}\n}}"


@dataclass(frozen=True)
class Mirrored:
    """What a server follows: the graph of a crawl, with its logs."""

    name: str  # the IRI of the crawl
    command: str  # that brings a server in step
    logs: Mapping[str, LogReader]  # by name; the only one of a crawl has none
    quads: Callable[[], AbstractContextManager[Iterable[ox.Quad]]]  # as they are now, or after a change in the logs
    count: Callable[[], int]  # how many they are, when nothing is written


def mirrored(graph: CrawlGraph) -> Mirrored:
    """A graph that this process has open for writing; it is logged from now on."""
    if graph.folder is None:
        raise ConfigError("a crawl in memory cannot have a mirror: give it a folder")
    graph.keep_log()
    assert graph.store.log is not None
    name, command = graph.describe().id, f"'semcrawl mirror {graph.folder}'"
    return Mirrored(name, command, {"": graph.store.log}, partial(_snapshot, graph), lambda: len(graph.store.raw))


@contextmanager
def _snapshot(graph: CrawlGraph) -> Iterator[Iterable[ox.Quad]]:
    copy = take_snapshot(graph.folder, graph.store)
    with CrawlGraph(open_snapshot(copy), snapshot=copy) as snapshot:
        yield snapshot.store.quads()


class Mirror(Closing):
    """The server that follows a crawl, by its address for updates. ConfigError: that is none."""

    def __init__(self, crawl: Mirrored, address: str) -> None:
        self.address = address
        self.command = crawl.command
        self._server, self._crawl = EndpointStore(address), crawl
        self._said = f"{crawl.name}#mirror"  # the graph with its places
        self._places: dict[str, int] = {}  # by log, up to where the server is; empty where that is not known
        self._noted: set[str] = set()  # what the server says of its places

    def close(self) -> None:
        """Let go of the connection."""
        self._server.close()

    def catch_up(self, should_stop: Callable[[], bool] = lambda: False) -> bool:
        """Send what the server does not have; return whether it has all, or StoreError.

        It cannot be reached, refuses, or has something else.
        """
        places, self._places = self._places or self._there(), {}  # after an error the server is asked where it is
        if not places and self._server.query(_TAKEN):
            raise StoreError(f"the server {self.address} has statements of others: give it an empty one")
        if not all(log.has(places.get(name, _LOADING)) for name, log in self._crawl.logs.items()):
            places = self._load(should_stop)
        for name, log in self._crawl.logs.items():
            sent = 0
            while not should_stop():
                texts, behind = log.after(places[name])
                if behind == places[name]:
                    break
                self._move({name: behind}, *map(without_private_text, texts))
                places[name] = behind
                if sent % _UNASKED == 0:
                    self._believe(places)
                sent += 1
            if sent and sent % _UNASKED != 1:
                self._believe(places)
        if should_stop():
            return False
        self._places = places
        return True

    def _believe(self, places: Mapping[str, int]) -> None:
        """Ask the server whether it has what was sent; what it has need not be kept."""
        if not places.items() <= self._there().items():
            raise StoreError(f"the server {self.address} said yes to changes, and does not have them")
        for name, place in places.items():
            self._crawl.logs[name].forget(place)

    def _there(self) -> dict[str, int]:
        # Where it has a default graph by its address, Virtuoso finds no other by name.
        found = self._server.query(f"SELECT ?o WHERE {{ GRAPH ?g {{ {iri(self._said)} rdf:value ?o }} }}")
        self._noted = {str(row["o"]) for row in found}
        places = dict[str, int]()
        for place, _, name in (said.partition(" ") for said in self._noted):
            if place.isdecimal() and len(place) <= _DIGITS and name in self._crawl.logs:
                # Killed while it moved, Virtuoso has both places.
                places[name] = min(int(place), places.get(name, int(place)))
        return places

    def _move(self, places: Mapping[str, int], *changes: str) -> None:
        """Make changes on the server, which lead to places of the logs."""
        said = f"GRAPH {iri(self._said)} {{ {iri(self._said)} rdf:value"
        new = {f"{place} {name}".strip(): name for name, place in places.items()}
        moved = [f'INSERT DATA {{ {said} "{one}" }} }}' for one in new]
        gone = [one for one in self._noted - new.keys() if one.partition(" ")[2] in places]
        moved += [f'DELETE DATA {{ {said} "{one}" }} }}' for one in gone]
        self._server.update(" ;\n".join((*changes, *moved)))
        self._noted = self._noted.difference(gone).union(new)

    def _load(self, should_stop: Callable[[], bool]) -> dict[str, int]:
        """Replace what the server has of the crawl by its graph as it is now, unless told to stop before the end."""
        logs = self._crawl.logs
        self._move(loading := dict.fromkeys(logs, _LOADING))
        self._believe(loading)
        gone = [f"DROP SILENT GRAPH {iri(row['g'])}" for row in self._server.query(_PAGE_GRAPHS)]
        for start in range(0, len(gone), 200):
            self._server.update(" ;\n".join(gone[start : start + 200]))
        self._server.update("DELETE WHERE { ?s ?p ?o }")
        places = {name: log.end for name, log in logs.items()}
        with self._crawl.quads() as quads:
            for batch in batches(quads):
                if should_stop():
                    return {}
                self._server.update(batch.update())
        self._move(places)
        self._believe(places)
        return places

    def compare(self) -> int:
        """Return how many statements the server has; StoreError: more or fewer than the graph, so all is sent again."""
        ours, said = self._crawl.count(), [self._server.query(asked).value() for asked in _COUNTS]
        with told_as(StoreError, f"the server {self.address} does not count", TypeError, ValueError, OverflowError):
            theirs = sum(map(int, said))
        if ours != theirs:
            self._places = {}
            self._move(dict.fromkeys(self._crawl.logs, _LOADING))
            raise StoreError(
                f"the server {self.address} took all changes, but has {theirs:,} statements where the graph has "
                f"{ours:,}: was it changed by others? {self.command} sends it the whole graph"
            )
        return ours


class MirrorThread(Closing):
    """Sends the changes of a crawl beside it. A server that is away is tried again; the crawl goes on."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._told: SimpleQueue[str] = SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mirror", daemon=True)
        self._thread.start()

    def problems(self) -> Iterator[str]:
        """Yield what there is to tell, each once."""
        while not self._told.empty():
            yield self._told.get()

    def _run(self) -> None:
        pause, has_failed = 0.0, False
        while not self._ended.wait(pause):
            try:
                self._mirror.catch_up(self._ended.is_set)
            except (SemcrawlError, OSError) as error:
                if not has_failed:
                    self._told.put(f"{error}; the crawl goes on, and what is not sent is kept")
                has_failed, pause = True, min(2 * pause + _TICK, _LONGEST_PAUSE)
            else:
                if has_failed:
                    self._told.put(f"the server {self._mirror.address} follows the crawl again")
                has_failed, pause = False, _TICK

    def finish(self) -> Iterator[str]:
        """Send the rest and compare; yield what is wrong. The crawl writes nothing any more."""
        self._ended.set()
        self._thread.join()
        yield from self.problems()
        over = time.monotonic() + _FAREWELL
        try:
            if self._mirror.catch_up(lambda: time.monotonic() > over):
                self._mirror.compare()
                return
        except (SemcrawlError, OSError) as error:
            yield str(error)
        yield f"the mirror does not have all changes; they are kept: send them with {self._mirror.command}"

    def close(self) -> None:
        """End the thread; what is not sent stays in the log."""
        self._ended.set()
        self._thread.join()
        self._mirror.close()
