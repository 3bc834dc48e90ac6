"""A SPARQL server that follows the graph of a crawl: its changes are sent in order, from the log in its folder.

The server itself says up to which place of the log it is, in a named graph of its own, which is written in the same
request as the changes. Where the log does not lead on from there, the whole graph is sent first. Nothing private is
sent, as in an export.
"""

import re
import threading
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue

from semcrawl.closing import Closing
from semcrawl.errors import ConfigError, SemcrawlError, StoreError
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.dataset import PRIVATE
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.send import batches
from semcrawl.graph.snapshots import open_snapshot, remove_snapshot, take_snapshot
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import iri

_TICK = 2.0  # seconds between two looks at the log, in which a batch comes together
_LONGEST_PAUSE = 30.0  # seconds between two tries to reach a server
_FAREWELL = 120.0  # seconds that a server is given when the crawl has ended
_LOADING = 0  # the place of a server that does not have all of the graph yet

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


class Mirror(Closing):
    """The server that follows a crawl, by its address for updates. ConfigError: that is none."""

    def __init__(self, graph: CrawlGraph, address: str) -> None:
        self.address = address
        self._server = EndpointStore(address)
        self._graph = graph
        self.command = f"'semcrawl mirror {graph.folder}'"  # what brings it in step
        if graph.folder is None:
            raise ConfigError("a crawl in memory cannot have a mirror: give it a folder")
        graph.keep_log()
        assert graph.store.log is not None
        self._log = graph.store.log
        self._said = f"{graph.describe().id}#mirror"  # the graph with its place
        self._place: int | None = None  # not known yet
        self._noted: set[int] = set()  # places that the server has

    @property
    def is_behind(self) -> bool:
        """Whether the server may not have all changes."""
        return self._place is None or self._place < self._log.end

    def close(self) -> None:
        """Let go of the connection."""
        self._server.close()

    def catch_up(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Send all that the server does not have; StoreError: it cannot be reached, refuses, or has something else."""
        self._graph.sync()  # what a loss of power could take from the graph is not sent
        place, self._place = self._place, None  # after an error the server is asked where it is
        if place is None:
            found = self._there()
            if found is None and self._server.query(_TAKEN):
                raise StoreError(f"the server {self.address} has statements of others: give it an empty one")
            place = found if found and self._log.has(found) else self._load(should_stop)
        while place is not None and place < self._log.safe and not should_stop():
            texts, behind = self._log.after(place)
            # Without a change behind it, the log is damaged.
            place = self._move(behind, *map(without_private_text, texts)) if behind > place else self._load(should_stop)
            self._log.forget(place or 0)
        self._place = place

    def _there(self) -> int | None:
        # Where it has a default graph by its address, Virtuoso finds no other by name.
        found = self._server.query(f"SELECT ?o WHERE {{ GRAPH ?g {{ {iri(self._said)} rdf:value ?o }} }}")
        self._noted = {int(row["o"]) for row in found if str(row["o"]).isdecimal()}
        return min(self._noted, default=None)

    def _move(self, place: int, *changes: str) -> int:
        """Make changes on the server, which lead to a place of the log."""
        said = f"GRAPH {iri(self._said)} {{ {iri(self._said)} rdf:value"
        # Killed between the two, Virtuoso has both places, and the lower counts.
        moved = [f'INSERT DATA {{ {said} "{place}" }} }}']
        moved += [f'DELETE DATA {{ {said} "{before}" }} }}' for before in self._noted - {place}]
        self._server.update(" ;\n".join((*changes, *moved)))
        if self._there() != place:
            raise StoreError(f"the server {self.address} said yes to changes, and does not have them")
        return place

    def _load(self, should_stop: Callable[[], bool]) -> int | None:
        """Replace what the server has of the crawl by its graph as it is now; None: told to stop before the end."""
        self._move(_LOADING)
        gone = [f"DROP SILENT GRAPH {iri(row['g'])}" for row in self._server.query(_PAGE_GRAPHS)]
        for start in range(0, len(gone), 200):
            self._server.update(" ;\n".join(gone[start : start + 200]))
        self._server.update("DELETE WHERE { ?s ?p ?o }")
        place = self._log.end
        copy = take_snapshot(self._graph.folder, self._graph.store)
        snapshot = open_snapshot(copy)
        try:
            for batch in batches(snapshot.quads()):
                if should_stop():
                    return None
                self._server.update(batch.update())
        finally:
            snapshot.close()
            remove_snapshot(copy)
        return self._move(place)

    def compare(self) -> int:
        """Return how many statements the server has; StoreError: more or fewer than the graph, so all is sent again."""
        ours, theirs = (
            [int(store.query(asked).value() or 0) for asked in _COUNTS] for store in (self._graph.store, self._server)
        )
        if ours != theirs:
            self._place = None
            self._move(_LOADING)
            raise StoreError(
                f"the server {self.address} took all changes, but has {sum(theirs):,} statements where the graph has "
                f"{sum(ours):,}: was it changed by others? {self.command} sends it the whole graph"
            )
        return sum(ours)


class MirrorThread(Closing):
    """Sends the changes of a crawl beside it. A server that is away is tried again; the crawl goes on."""

    def __init__(self, graph: CrawlGraph, address: str) -> None:
        self._mirror = Mirror(graph, address)
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
            self._mirror.catch_up(lambda: time.monotonic() > over)
            if not self._mirror.is_behind:
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
