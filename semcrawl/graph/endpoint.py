"""A SPARQL 1.1 server as a store, asked and changed over HTTP; user and password come from the environment."""

import os
import re
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pyoxigraph as ox
import requests
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth, HTTPDigestAuth
from urllib3.exceptions import HTTPError

from semcrawl.errors import ConfigError, StoreError
from semcrawl.graph.answers import Answer
from semcrawl.graph.sparql_text import kind_of, refuse_outsize, refuse_service, variables
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES, iri
from semcrawl.rdf_syntax import check_terms

TIMEOUT = 60.0  # seconds for one request
LARGEST = 1 << 28  # bytes of an answer
MOST_TERMS = 1 << 23  # of an answer, and rows: each takes some hundred bytes of memory, however short it is
USER, PASSWORD = "SEMCRAWL_ENDPOINT_USER", "SEMCRAWL_ENDPOINT_PASSWORD"

_PREFIXES = "".join(f"PREFIX {name}: <{named}>\n" for name, named in PREFIXES.items())
_HINTS = {
    401: f"; give user and password in {USER} and {PASSWORD}",
    **dict.fromkeys((404, 405), "; is this where it answers SPARQL, such as http://HOST/query or http://HOST/sparql?"),
}
# The last is of a challenge that is no digest.
_PROBLEMS = requests.RequestException, HTTPError, OSError, KeyError
_ROWS, _TRIPLES = "application/sparql-results+json", "application/n-triples"


def require_address(endpoint: str) -> None:
    """Raise ConfigError where a text is no address of a server, or tells an account."""
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(f"{endpoint!r} is no address of a SPARQL server: give http://HOST/PATH")
    if "@" in parts.netloc:
        raise ConfigError(f"give user and password in {USER} and {PASSWORD}, not in the address")


@contextmanager
def _plain_problems(address: str) -> Iterator[None]:
    """Raise StoreError for a problem of the network, in the system's words where it has any."""
    try:
        yield
    except _PROBLEMS as error:
        found = re.search(r"\[Errno -?\d+\] ([^'\")\]]+)", str(error))
        raise StoreError(f"the server {address} cannot be reached: {found[1] if found else error}") from error


class _PromptHead:
    """A connection on which the head of an answer must be there in time: each of its bytes begins other limits anew."""

    sock: socket.socket

    def getresponse(self) -> Any:
        """Wait for the head; TimeoutError if it is late."""
        over = time.monotonic() + TIMEOUT
        timer = threading.Timer(TIMEOUT, self._break_off, [self.sock])
        timer.daemon = True
        timer.start()
        try:
            answer = super().getresponse()  # type: ignore[misc]
        finally:
            timer.cancel()
            if time.monotonic() >= over:
                raise TimeoutError(f"nothing came in {TIMEOUT:.0f} s that it could read")
        return answer

    @staticmethod
    def _break_off(connection: socket.socket) -> None:
        with suppress(OSError):  # it is closed
            connection.shutdown(socket.SHUT_RDWR)


class _Results(msgspec.Struct):
    """Rows without triples in triples, which no row of ours has: the stack of the engine's parser would overflow."""

    head: dict[str, list[str]] = {}
    results: dict[str, bool | list[dict[str, dict[str, str]]]] = {}


def _check_columns(names: list[str], text: str) -> None:
    """Raise ValueError for columns that a query does not ask for: each has a place in every row."""
    asked = {*variables(text)}
    if (asked and {*names} != asked) or len(names) > len(asked) + text.count("?") + text.count("$") + 1:
        raise ValueError(f"it has {len(names):,} columns that were not asked for")


class _BoundedServer(HTTPAdapter):
    """Waits for a head for so long only; reads the beginning of a refusal, which may have no end."""

    def get_connection_with_tls_context(self, *asked: Any, **more: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*asked, **more)
        if not issubclass(pool.ConnectionCls, _PromptHead):
            pool.ConnectionCls = type("_Connection", (_PromptHead, pool.ConnectionCls), {})
        return pool

    def build_response(self, req: requests.PreparedRequest, resp: Any) -> requests.Response:
        answer = super().build_response(req, resp)
        if answer.status_code >= 300:
            answer._content = resp.read1(1_000)
            resp.close()
        return answer


class EndpointStore(OxigraphStore):
    """A server by its address, that for queries or that for updates; the other follows from it.

    A fragment is not sent, and can tell apart what is not the same. Raises ConfigError: the address is none.
    """

    is_remote = True

    def __init__(self, address: str) -> None:
        require_address(address)
        super().__init__()
        self.is_read_only, self.path = True, address
        address = address.partition("#")[0]
        asked = re.sub(r"/update(?=$|\?)", "/query", address)
        self._asked = re.sub(r"/statements(?=$|\?)", "", asked)
        self._updated = re.sub(r"/query(?=$|\?)", "/update", address)
        self._session = requests.Session()
        self._session.trust_env = False
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, _BoundedServer())
        if user := os.environ.get(USER):
            self._session.auth = HTTPBasicAuth(user, os.environ.get(PASSWORD, ""))

    @property
    def raw(self) -> Any:
        """What has the statements, by queries."""
        return self

    def quads_for_pattern(self, *pattern: Any) -> Iterator[ox.Quad]:
        """The statements with these terms, None for any: subject, property, value and graph."""
        *terms, graph = pattern
        said = " ".join(f"?{name}" if term is None else str(term) for name, term in zip("spo", terms, strict=True))
        place = "?g" if graph is None else str(graph)
        named = "" if graph == ox.DefaultGraph() else f"{{ GRAPH {place} {{ {said} }} }}"
        own = f"{{ {said} }}" if graph is None or not named else ""
        asked = f"SELECT ?s ?p ?o ?g WHERE {{ {' UNION '.join(filter(None, (own, named)))} }}"
        for row in self.query(asked).rows:
            found: list[Any] = [given or term for given, term in zip(pattern, row, strict=True)]
            yield ox.Quad(found[0], found[1], found[2], found[3] or ox.DefaultGraph())

    def request(self, method: str, address: str, body: Any, **headers: str) -> bytes:
        """Return what the server answers; StoreError: it cannot be reached, refuses, or does not end."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        over, content = time.monotonic() + TIMEOUT, bytearray()
        with _plain_problems(address), self._answer(method, address, body, named) as answer:
            if not answer.ok or answer.is_redirect:
                said = " ".join(answer.text.split())[:200]
                hint = _HINTS.get(answer.status_code, "")
                raise StoreError(f"the server {address} refused: status {answer.status_code} {said}{hint}")
            # What comes is taken at once: a server could send a little for ever.
            while piece := answer.raw.read1(1 << 16, decode_content=True):
                content += piece
                if len(content) > LARGEST or time.monotonic() > over:
                    raise StoreError(f"the answer of {address} is too large, or takes too long: ask for less")
        return bytes(content)

    def _answer(self, method: str, address: str, body: Any, headers: dict[str, str]) -> requests.Response:
        session = self._session
        for _ in range(2):
            more: Any = {"timeout": TIMEOUT, "allow_redirects": False, "stream": True}
            answer = session.request(method, address, data=body, headers=headers, **more)
            # Virtuoso takes digests only, but does not say so to a client that sends none.
            takes_basic = "basic" in answer.headers.get("WWW-Authenticate", "").lower()
            if answer.status_code != 401 or takes_basic or not isinstance(session.auth, HTTPBasicAuth):
                break
            session.auth = HTTPDigestAuth(session.auth.username, session.auth.password)
        return answer

    def query(
        self,
        text: str,
        *,
        most: int | None = None,
        default_graphs: Sequence[str] = (),
        named_graphs: Sequence[str] = (),
        base: str | None = None,
    ) -> Answer:
        """Answer a query; known prefixes need not be declared. SERVICE is refused.

        Raises QueryError: it is too large or no SPARQL; StoreError: the server refuses it, cannot be reached, or its
        answer is not whole.
        """
        refuse_outsize(text)
        refuse_service(text)
        kind = kind_of(text)
        accepted = _TRIPLES if kind in ("construct", "describe") else _ROWS
        asked = {
            "query": (f"BASE {iri(base)}\n" if base else "") + _PREFIXES + text,
            "default-graph-uri": default_graphs,
            "named-graph-uri": named_graphs,
        }
        try:
            content = self.request("POST", self._asked, asked, Accept=accepted)
        except StoreError:
            # Our engine says it plainly, and counts lines without the prefixes; else it is the server that is wrong.
            OxigraphStore().query(text, base=base)
            raise
        # Every row and cell begins with one of these, and every property ends with the other.
        if max(content.count(b"{"), content.count(b">"), content.count(b",") // 4) > MOST_TERMS:
            raise StoreError(f"the answer of {self._asked} has too many rows: ask for less")
        try:
            if accepted == _TRIPLES:
                check_terms(content.decode())
                return Answer((quad.triple for quad in ox.parse(content, format=ox.RdfFormat.N_TRIPLES)), most)
            _check_columns(msgspec.json.decode(content, type=_Results).head.get("vars", []), text)
            found = Answer(ox.parse_query_results(content, format=ox.QueryResultsFormat.JSON), most, text)
        except (SyntaxError, msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise StoreError(
                f"the answer of {self._asked} is not whole, or none: {error}; its time may have been over: ask for less"
            ) from error
        if kind == "ask" and found.boolean is None:  # Virtuoso answers with a row
            found.kind, found.boolean = "ask", bool(found.value())
        return found

    def update(self, text: str) -> None:
        """Send an update as one request; known prefixes need not be declared."""
        kind = "application/sparql-update; charset=utf-8"
        self.request("POST", self._updated, (_PREFIXES + text).encode(), Content_Type=kind)

    def close(self) -> None:
        """Let go of the connections; closing twice is fine."""
        self._session.close()
