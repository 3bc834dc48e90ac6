"""Sending a crawl graph to a SPARQL 1.1 server, in batches, by Graph Store Protocol or Update.

Statements of the default graph are added, those of each page's named graph replace what the
server has there; so sending twice changes nothing. How far it came is kept in the user's state
folder: after an error the next try goes on there.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, islice
from typing import Any
from urllib.parse import urlencode, urlsplit

import pyoxigraph as ox
import requests
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth, HTTPDigestAuth
from urllib3.exceptions import HTTPError

from semcrawl.errors import ConfigError, StoreError
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.dataset import without_private
from semcrawl.graph.result_formats import sound_lines
from semcrawl.graph.vocabulary import iri
from semcrawl.progress import tell
from semcrawl.user_cache import load_entry, state_folder, store_entry

BATCH = 2_000  # statements of the default graph that are sent at a time; Virtuoso parses no 5,000
TIMEOUT = 60.0  # seconds for one batch
USER, PASSWORD = "SEMCRAWL_ENDPOINT_USER", "SEMCRAWL_ENDPOINT_PASSWORD"


@dataclass(frozen=True)
class _Batch:
    graph: str  # "" for the default graph
    lines: str  # N-Triples


def send(graph: CrawlGraph, endpoint: str, *, into: str = "") -> int:
    """Send all of a crawl graph to a server; return how many statements it was.

    The address tells the protocol: one that ends in ``update`` or ``sparql-auth`` takes updates, any other is a graph
    store. ``into`` is the named graph that the default graph goes to, for servers without one. User and password are
    taken from the environment. Raises ConfigError: the address is none; QueryError: ``into`` is no IRI; StoreError: the
    server cannot be reached, or refuses a batch.
    """
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(f"{endpoint!r} is no address of a SPARQL server: give http://HOST/PATH")
    if "@" in parts.netloc:
        raise ConfigError(f"give user and password in {USER} and {PASSWORD}, not in the address")
    if into:
        iri(into)
    takes_updates = parts.path.endswith(("update", "sparql-auth"))
    about = graph.describe()
    done = _Done(f"{about.id} {about.stopped} {endpoint} {into}")
    sent = 0
    with _session() as session:
        for number, batch in enumerate(_batches(graph)):
            sent += batch.lines.count("\n")
            if number >= done.count:
                _post(session, endpoint, batch, into, takes_updates=takes_updates)
                done.add(number + 1)
            tell(f"{sent:,} statements sent")
    done.add(0)
    tell("")
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


def _batches(graph: CrawlGraph) -> Iterator[_Batch]:
    statements = without_private(graph.store.quads())
    for name, quads in groupby(statements, key=lambda quad: quad.graph_name):
        triples = (ox.Quad(*quad.triple) for quad in quads)
        if isinstance(name, ox.NamedNode):
            # In one piece: blank nodes of two requests are not the same.
            yield _Batch(name.value, sound_lines(triples))
            continue
        while lines := sound_lines(islice(triples, BATCH)):
            yield _Batch("", lines)


class _ShortAnswers(HTTPAdapter):
    """Reads the beginning of an answer only: a server could go on without end."""

    def build_response(self, req: requests.PreparedRequest, resp: Any) -> requests.Response:
        answer = super().build_response(req, resp)
        answer._content = resp.read1(1_000)
        resp.close()
        return answer


def _session() -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    for scheme in ("http://", "https://"):
        session.mount(scheme, _ShortAnswers())
    if user := os.environ.get(USER):
        session.auth = HTTPBasicAuth(user, os.environ.get(PASSWORD, ""))
    return session


def _post(session: requests.Session, endpoint: str, batch: _Batch, into: str, *, takes_updates: bool) -> None:
    name = batch.graph or into
    if takes_updates:
        kind, body, address = "application/sparql-update", _update(batch, name), endpoint
        method = "POST"
    else:
        kind, body = "application/n-triples", batch.lines
        where = urlencode({"graph": name}) if name else "default"
        address = f"{endpoint}{'&' if '?' in endpoint else '?'}{where}"
        # PUT replaces a graph, POST adds to it.
        method = "PUT" if batch.graph else "POST"
    _sent(session, method, address, kind, body.encode())


def _update(batch: _Batch, name: str) -> str:
    inside = f"GRAPH {iri(name)} {{ {batch.lines} }}" if name else batch.lines
    emptied = f"DROP SILENT GRAPH {iri(name)} ; " if batch.graph else ""
    return f"{emptied}INSERT DATA {{ {inside} }}"


def _sent(session: requests.Session, method: str, address: str, kind: str, body: bytes) -> None:
    headers = {"Content-Type": f"{kind}; charset=utf-8"}
    try:
        for _ in range(2):
            answer = session.request(
                method, address, data=body, headers=headers, timeout=TIMEOUT, allow_redirects=False
            )
            # Virtuoso takes digests only, but does not say so to a client that sends none.
            takes_basic = "basic" in answer.headers.get("WWW-Authenticate", "").lower()
            if answer.status_code != 401 or takes_basic:
                break
            if not isinstance(session.auth, HTTPBasicAuth):
                break
            session.auth = HTTPDigestAuth(session.auth.username, session.auth.password)
    # KeyError: a challenge that is no digest.
    except (requests.RequestException, HTTPError, KeyError) as error:
        raise StoreError(
            f"the server {address} cannot be reached: {error}; what it has taken stays there, "
            "and the next try goes on with the rest"
        ) from error
    if not answer.ok or answer.is_redirect:
        said = " ".join(answer.text.split())[:200]
        hint = f"; give user and password in {USER} and {PASSWORD}" * (answer.status_code == 401)
        raise StoreError(f"the server {address} refused: status {answer.status_code} {said}{hint}")
