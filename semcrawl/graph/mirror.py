"""What follows the graph of a crawl: a SPARQL server, to which its changes are sent in order.

The server itself says how many changes it has (``sc:mirroredChanges`` of the crawl), in the same
request as the changes: after any end of either side it is known where to go on. A server
that has nothing yet is given a snapshot of the graph first. Nothing private is sent, as in an
export.
"""

import re
import threading
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue

import pyoxigraph as ox

from semcrawl.closing import Closing
from semcrawl.errors import StoreError
from semcrawl.graph.change_log import ChangeLog, moved_to
from semcrawl.graph.columns import CRAWL
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.dataset import cleared, is_cleared
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.send import batches
from semcrawl.graph.snapshots import open_snapshot, remove_snapshot, take_snapshot
from semcrawl.graph.vocabulary import string

BATCH = 1_000_000  # characters of changes that are sent at a time
POSITION = ox.NamedNode(CRAWL["mirrored_changes"].iri)
LOADING = -1  # the position of a server that does not have all of the snapshot yet
_TICK = 2.0  # seconds between two looks at the log, in which a batch comes together
_LONGEST_PAUSE = 30.0  # seconds between two tries to reach a server
_FAREWELL = 120.0  # seconds that a server is given when the crawl has ended

# The named graphs that a crawl writes are those of pages with statements.
_PAGE_GRAPHS = "SELECT ?g WHERE { ?g sc:statements ?n }"
_COUNTS = (
    "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) WHERE { ?g sc:statements ?c . GRAPH ?g { ?s ?p ?o } }",
)

# What changes have that could be private: texts and IRIs outside the graphs of pages. A quote
# inside a text is escaped, and a line of such a graph is a statement.
_TOKENS = re.compile(
    r'GRAPH <[^<>]*> \{\n[\s\S]*?\n\}|(?:(sc:\w+|<[^<>]*>) )?("(?:[^"\\]|\\.)*")|<(file:[^<>]*)>'
)
_BLANK = re.compile(r"_:\w+")


def without_private_text(text: str) -> str:
    """Return the text of a change as `without_private` would have its statements."""
    return _TOKENS.sub(_cleared_token, text) if is_cleared(text) else text


def _cleared_token(found: re.Match[str]) -> str:
    name, literal, file = found.groups()
    if file:
        return str(cleared(ox.NamedNode(file)))
    if not name:
        return found[0]
    said = ox.parse(f"<s:s> <p:p> {literal} .", format=ox.RdfFormat.N_TRIPLES)
    value = cleared(next(iter(said)).object, name.strip("<>"))
    return f"{name} {string(value.value)}"


class OutOfStepError(StoreError):
    """A mirror cannot go on where it is: it has other statements than the log leads on from."""


class Mirror(Closing):
    """The server that follows a crawl.

    Raises:
        ConfigError: the address is none, or the crawl is in memory.
    """

    def __init__(self, graph: CrawlGraph, address: str) -> None:
        self.address = address
        self._store = EndpointStore(address)
        self._graph = graph
        self._last = graph.keep_log()  # only its number is looked at: it is another thread's
        assert graph.folder is not None
        self._crawl = self._last.crawl
        self._log = ChangeLog(graph.folder, self._crawl)
        self.position: int | None = None  # changes that the server has; not known yet

    @property
    def behind(self) -> int:
        """How many changes the server does not have; all where it is not known."""
        return self._last.number - max(self.position or 0, 0)

    @property
    def command(self) -> str:
        """What brings it in step."""
        return f"'semcrawl mirror {self._graph.folder}'"

    def close(self) -> None:
        """Let go of the connection and the log."""
        self._store.close()
        self._log.close()

    def catch_up(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Send all that the server does not have.

        Raises:
            OutOfStepError: it has something else; `begin_anew` would help.
            StoreError: it cannot be reached, or refuses.
        """
        if self.position is None:
            self.position = self._store.value(self._crawl, POSITION.value)
            if self.position is None and self._store.query("ASK { ?s ?p ?o }"):
                raise OutOfStepError(
                    f"the server {self.address} has statements that are not of this crawl: give an "
                    f"empty one, or empty it with 'semcrawl mirror {self._graph.folder} --anew'"
                )
            if self.position is None or self.position == LOADING:
                self.begin_anew()
        while self.behind and not should_stop():
            self._send_batch()

    def begin_anew(self) -> None:
        """Remove what the server has of a crawl, whichever it is, and send the graph."""
        loading = moved_to(self._crawl, None, LOADING)
        self._store.update(loading)
        for row in self._store.query(_PAGE_GRAPHS):
            self._store.update(f"DROP SILENT GRAPH <{row['g']}>")
        # One request: that it is a mirror is said at every moment.
        self._store.update(f"DELETE WHERE {{ ?s ?p ?o }} ;\n{loading}")
        place = take_snapshot(self._graph.folder, self._graph.store)
        try:
            snapshot = open_snapshot(place)
            number = int(snapshot.value(self._crawl, POSITION.value))
            quads = (quad for quad in snapshot.quads() if quad.predicate != POSITION)
            for batch in batches(quads):
                self._store.update(batch.update())
            snapshot.close()
        finally:
            remove_snapshot(place)
        self._store.update(moved_to(self._crawl, LOADING, number))
        self._arrived(number)

    def _send_batch(self) -> None:
        """Make the next changes on the server, in one request."""
        assert self.position is not None
        # What a loss of power could take from the graph is not sent.
        last = self._last.number
        self._graph.sync()
        texts, number, blanks = [], self.position, set[str]()
        for found, text in self._log.after(self.position, last, BATCH):
            # In one request no two operations may name the same blank node.
            names = set(_BLANK.findall(text)) if "_:" in text else set()
            if names & blanks:
                break
            blanks |= names
            texts.append(without_private_text(text))
            number = found
        if not texts:
            raise OutOfStepError(
                f"the server {self.address} has {self.position:,} changes of the crawl, the graph "
                f"{last:,}, and the log does not have those between: bring it in step with "
                f"'semcrawl mirror {self._graph.folder} --anew'"
            )
        self._store.update(" ;\n".join([*texts, moved_to(self._crawl, self.position, number)]))
        self._arrived(number)

    def _arrived(self, number: int) -> None:
        self.position = number
        self._log.taken(number)

    def compare(self) -> int:
        """Return how many statements the server has, as many as the graph.

        Raises:
            OutOfStepError: it has more or fewer, or lost the last changes.
        """
        ours, theirs = (
            [int(store.query(asked).value() or 0) for asked in _COUNTS]
            for store in (self._graph.store, self._store)
        )
        position = self._store.value(self._crawl, POSITION.value)
        if position != self.position or ours != theirs:
            raise OutOfStepError(
                f"the server {self.address} took all changes, but has {sum(theirs):,} statements "
                f"where the graph has {sum(ours):,} (and {position} changes of {self.position:,}): "
                "it drops some of what it is sent; if it is meant to take them, send all with "
                f"{self.command[:-1]} --anew'"
            )
        return sum(ours)


class MirrorThread(Closing):
    """Sends the changes of a crawl beside it; ``problems`` are told in words.

    A server that is away is tried again and again; the crawl does not notice.
    """

    def __init__(self, graph: CrawlGraph, address: str) -> None:
        self._mirror = Mirror(graph, address)
        self._told: SimpleQueue[str] = SimpleQueue()
        self._ended = threading.Event()
        self._failed = ""
        self._thread = threading.Thread(target=self._run, name="mirror", daemon=True)
        self._thread.start()

    def problems(self) -> Iterator[str]:
        """Yield what there is to tell, each once."""
        while True:
            try:
                yield self._told.get_nowait()
            except Empty:
                return

    def _run(self) -> None:
        pause = _TICK
        while not self._ended.wait(pause):
            try:
                self._mirror.catch_up(self._ended.is_set)
            except OutOfStepError as error:
                self._told.put(str(error))
                return
            except StoreError as error:
                if not self._failed:
                    self._told.put(f"{error}; the crawl goes on, and the changes are kept")
                self._failed = str(error)
                self._mirror.position = None
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                if self._failed:
                    self._told.put(f"the server {self._mirror.address} follows the crawl again")
                self._failed, pause = "", _TICK

    def finish(self) -> Iterator[str]:
        """Send the rest and compare; yield what is wrong. The crawl writes nothing any more."""
        is_given_up = not self._thread.is_alive()
        self._ended.set()
        self._thread.join()
        yield from self.problems()
        if is_given_up:
            return
        over = time.monotonic() + _FAREWELL
        try:
            self._mirror.catch_up(lambda: time.monotonic() > over)
            if not self._mirror.behind:
                self._mirror.compare()
                return
        except StoreError as error:
            yield str(error)
            if isinstance(error, OutOfStepError):
                return
        yield (
            f"the mirror lacks {self._mirror.behind:,} changes, which are kept: send them with "
            f"{self._mirror.command}"
        )

    def close(self) -> None:
        """End the thread; what is not sent stays in the log."""
        self._ended.set()
        self._thread.join()
        self._mirror.close()
