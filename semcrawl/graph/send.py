"""Sending a crawl graph to a SPARQL 1.1 server, in batches, by Graph Store Protocol or Update.

Those of each page's named graph replace what the server has there. Those of the default graph are added; by updates,
what an earlier sending of the crawl has left is removed first. How far it came is kept in the user's state folder:
after an error the next try goes on there.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, islice
from urllib.parse import urlencode, urlsplit

import pyoxigraph as ox

from semcrawl.errors import StoreError
from semcrawl.graph.changes import insertion
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.dataset import without_private
from semcrawl.graph.endpoint import EndpointStore
from semcrawl.graph.result_formats import sound_lines
from semcrawl.graph.vocabulary import SC, iri
from semcrawl.progress import tell
from semcrawl.user_cache import load_entry, state_folder, store_entry

BATCH = 2_000  # statements of the default graph that are sent at a time; Virtuoso parses no 5,000
_LARGEST_NOTES = 1_000_000  # bytes of what is noted of all sendings


@dataclass(frozen=True)
class Batch:
    """Statements that are sent together."""

    graph: str  # "" for the default graph
    lines: str  # N-Triples

    def quads(self, into: str = "") -> str:
        """As SPARQL; ``into`` is the named graph for what is in the default graph."""
        name = self.graph or into
        return f"GRAPH {iri(name)} {{ {self.lines} }}" if name else self.lines

    def update(self, into: str = "") -> str:
        """The update that puts them there."""
        emptied = f"DROP SILENT GRAPH {iri(self.graph)} ; " if self.graph else ""
        return emptied + insertion(self.quads(into))


def send(graph: CrawlGraph, endpoint: str, *, into: str = "") -> int:
    """Send all of a crawl graph to a server; return how many statements it was.

    The address tells the protocol: one that ends in ``update`` or ``sparql-auth`` takes updates, any other is a graph
    store. ``into`` is the named graph that the default graph goes to, for servers without one. User and password are
    taken from the environment. Raises ConfigError: the address is none; QueryError: ``into`` is no IRI; StoreError: the
    server cannot be reached, refuses a batch, or takes updates and has another crawl in that graph.
    """
    store = EndpointStore(endpoint)
    if into:
        iri(into)
    takes_updates = urlsplit(endpoint).path.endswith(("update", "sparql-auth"))
    about = graph.describe()
    folder, what = state_folder("sent"), f"{about.id} {about.stopped} {endpoint} {into}"
    key = sha256(what.encode()).hexdigest()
    kept = bytes(load_entry(folder, key) or b"")
    sent, done = 0, int(kept) if kept.isdigit() else 0  # the latter: batches that the server has taken
    with closing(store):
        if takes_updates and not done:
            _remove_earlier(store, about.id, into)
        for number, batch in enumerate(batches(graph.store.quads())):
            sent += batch.lines.count("\n")
            if number >= done:
                _post(store, endpoint, batch, into, takes_updates=takes_updates)
                store_entry(folder, key, b"%d" % (number + 1), _LARGEST_NOTES)
            tell(f"{sent:,} statements sent")
    store_entry(folder, key, b"0", _LARGEST_NOTES)
    tell("")
    return sent


def _remove_earlier(store: EndpointStore, crawl: str, into: str) -> None:
    """Remove what is in the graph of an earlier state of the crawl: all that has a property of the vocabulary."""
    found = {
        row["crawl"] for row in store.query("SELECT ?crawl { ?crawl a sc:Crawl }", default_graphs=[into] * bool(into))
    }
    if found - {crawl}:
        raise StoreError(f"the server {store.path} has another crawl in that graph: give one of its own with --into")
    if found:
        gone, own = "?s ?p ?o", f'?s ?q ?v FILTER(STRSTARTS(STR(?q), "{SC}"))'
        if into:
            gone, own = (f"GRAPH {iri(into)} {{ {said} }}" for said in (gone, own))
        store.update(f"DELETE {{ {gone} }} WHERE {{ {{ SELECT DISTINCT ?s {{ {own} }} }} {gone} }}")


def batches(quads: Iterable[ox.Quad]) -> Iterator[Batch]:
    """Make pieces of statements, without what is private: a named graph, or so many of the default graph."""
    linked: list[ox.Quad] = []  # those of the default graph with blank nodes
    for name, found in groupby(without_private(quads), key=lambda quad: quad.graph_name):
        triples = (ox.Quad(*quad.triple) for quad in found)
        # In one piece: blank nodes of two requests are not the same.
        if isinstance(name, ox.NamedNode):
            yield Batch(name.value, sound_lines(triples))
            continue
        while piece := list(islice(triples, BATCH)):
            blank = [quad for quad in piece if ox.BlankNode in (type(quad.subject), type(quad.object))]
            linked += blank
            if lines := sound_lines(quad for quad in piece if quad not in blank):
                yield Batch("", lines)
    if linked:
        yield Batch("", sound_lines(linked))


def _post(store: EndpointStore, endpoint: str, batch: Batch, into: str, *, takes_updates: bool) -> None:
    if takes_updates:
        store.update(batch.update(into))
        return
    name = batch.graph or into
    where = urlencode({"graph": name}) if name else "default"
    address = f"{endpoint}{'&' if '?' in endpoint else '?'}{where}"
    # PUT replaces a graph, POST adds to it.
    method, kind = "PUT" if batch.graph else "POST", "application/n-triples; charset=utf-8"
    store.request(method, address, batch.lines.encode(), Content_Type=kind)
