"""Sending a crawl graph to a SPARQL 1.1 server, in batches, by Graph Store Protocol or Update.

Statements of the default graph are added, those of each page's named graph replace what the
server has there; so sending twice changes nothing. How far it came is kept in the user's state
folder: after an error the next try goes on there.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, islice
from urllib.parse import urlencode, urlsplit

import pyoxigraph as ox
import requests

from semcrawl.graph.changes import insertion
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.dataset import without_private
from semcrawl.graph.endpoint import open_session, require_address, send_body
from semcrawl.graph.vocabulary import iri
from semcrawl.user_cache import load_entry, state_folder, store_entry

BATCH = 2_000  # statements of the default graph that are sent at a time; Virtuoso parses no 5,000


@dataclass(frozen=True)
class Batch:
    """Statements that are sent together."""

    graph: str  # "" for the default graph
    lines: str  # N-Triples

    def update(self, into: str = "") -> str:
        """As SPARQL; ``into`` is the named graph for what is in the default graph."""
        name = self.graph or into
        inside = f"GRAPH <{name}> {{ {self.lines} }}" if name else self.lines
        emptied = f"DROP SILENT GRAPH <{name}> ; " if self.graph else ""
        return emptied + insertion(f" {inside} ")


def send(
    graph: CrawlGraph,
    endpoint: str,
    *,
    into: str = "",
    tell: Callable[[int], None] = lambda _: None,
) -> int:
    """Send all of a crawl graph to a server; return how many statements it was.

    The address tells the protocol: one that ends in ``update`` or ``sparql-auth`` takes updates,
    any other is a graph store. ``into`` is the named graph that the default graph goes to, for
    servers without one. ``tell`` hears of every batch. User and password are taken from the
    environment.

    Raises:
        ConfigError: the address is none.
        QueryError: ``into`` is no IRI.
        StoreError: the server cannot be reached, or refuses a batch.
    """
    require_address(endpoint)
    if into:
        iri(into)
    takes_updates = urlsplit(endpoint).path.endswith(("update", "sparql-auth"))
    about = graph.describe()
    done = _Done(f"{about.id} {about.stopped} {endpoint} {into}")
    sent = 0
    with open_session() as session:
        for number, batch in enumerate(batches(graph.store.quads())):
            sent += batch.lines.count("\n")
            if number >= done.count:
                _post(session, endpoint, batch, into, takes_updates=takes_updates)
                done.add(number + 1)
            tell(sent)
    done.add(0)
    return sent


class _Done:
    """How many batches a server has taken, in the user's state folder."""

    def __init__(self, what: str) -> None:
        self._folder = state_folder("sent")
        self._key = sha256(what.encode()).hexdigest()
        kept = self._folder and load_entry(self._folder, self._key)
        self.count = int(bytes(kept)) if kept and bytes(kept).isdigit() else 0

    def add(self, count: int) -> None:
        if self._folder is not None:
            store_entry(self._folder, self._key, str(count).encode(), 1_000_000)


def batches(quads: Iterable[ox.Quad]) -> Iterator[Batch]:
    """Make pieces of statements: those of a named graph, or so many of the default graph."""
    statements = without_private(quads)
    for name, members in groupby(statements, key=lambda quad: quad.graph_name):
        if isinstance(name, ox.NamedNode):
            # In one piece: blank nodes of two requests are not the same.
            yield Batch(name.value, _lines(members))
            continue
        while lines := _lines(islice(members, BATCH)):
            yield Batch("", lines)


def _lines(quads: Iterable[ox.Quad]) -> str:
    triples = (quad.triple for quad in quads)
    return (ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b"").decode()


def _post(
    session: requests.Session, endpoint: str, batch: Batch, into: str, *, takes_updates: bool
) -> None:
    name = batch.graph or into
    if takes_updates:
        kind, body, address = "application/sparql-update", batch.update(into), endpoint
        method = "POST"
    else:
        kind, body = "application/n-triples", batch.lines
        where = urlencode({"graph": name}) if name else "default"
        address = f"{endpoint}{'&' if '?' in endpoint else '?'}{where}"
        # PUT replaces a graph, POST adds to it.
        method = "PUT" if batch.graph else "POST"
    send_body(session, method, address, body, kind)
