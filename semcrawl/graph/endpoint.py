"""A SPARQL 1.1 server as a store: asked and updated over HTTP.

User and password are taken from the environment. Answers are read as they come, in bounded
memory; one that ends too early, as servers give it whose time is over, is an error.
"""

import os
from pathlib import Path
from typing import IO, Any, NoReturn, cast
from urllib.parse import urlsplit, urlunsplit

import pyoxigraph as ox
import requests
from requests.auth import HTTPBasicAuth, HTTPDigestAuth
from urllib3.exceptions import HTTPError

from semcrawl.errors import ConfigError, QueryError, StoreError
from semcrawl.graph.answers import Answer
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.sparql_text import kind_of, refuse_outsize, refuse_service
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES, iri

TIMEOUT = 60.0  # seconds for one request
USER, PASSWORD = "SEMCRAWL_ENDPOINT_USER", "SEMCRAWL_ENDPOINT_PASSWORD"

_PREFIXES = "".join(f"PREFIX {name}: <{named}>\n" for name, named in PREFIXES.items())
_ROWS, _TRIPLES = "application/sparql-results+json", "application/n-triples"
# How an address for updates ends, and that for queries; of all others both are the same.
_PAIRS = (("update", "query"), ("statements", ""))


def is_address(place: object) -> bool:
    """Whether a text is the address of a server, and not the name of a folder."""
    return isinstance(place, str) and place.lower().startswith(("http://", "https://"))


def read_crawl(place: str | Path, *, trust: bool = False) -> CrawlGraph:
    """The graph of a crawl, for reading: that of its folder, or of a server by its address.

    Raises:
        NotACrawlError: there is no crawl.
        ConfigError: the address is none.
    """
    if is_address(place):
        return CrawlGraph(EndpointStore(str(place)))
    return CrawlGraph.read(place, trust=trust)


def require_address(endpoint: str) -> None:
    """Raise ConfigError where a text is no address of a server, or tells an account."""
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(f"{endpoint!r} is no address of a SPARQL server: give http://HOST/PATH")
    if "@" in parts.netloc:
        raise ConfigError(f"give user and password in {USER} and {PASSWORD}, not in the address")


def open_session() -> requests.Session:
    """Return a session with the user and password of the environment."""
    session = requests.Session()
    session.trust_env = False
    if user := os.environ.get(USER):
        session.auth = HTTPBasicAuth(user, os.environ.get(PASSWORD, ""))
    return session


def request(
    session: requests.Session, method: str, address: str, body: Any, **headers: str
) -> requests.Response:
    """Make a request; return its answer, whose content is not read yet.

    Raises:
        StoreError: the server cannot be reached, or refuses.
    """
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        for _ in range(2):
            answer = session.request(
                method, address, data=body, headers=named, timeout=TIMEOUT,
                allow_redirects=False, stream=True,
            )  # fmt: skip
            # Virtuoso takes digests only, but does not say so to a client that sends none.
            takes_basic = "basic" in answer.headers.get("WWW-Authenticate", "").lower()
            if answer.status_code != 401 or takes_basic:
                break
            if not isinstance(session.auth, HTTPBasicAuth):
                break
            session.auth = HTTPDigestAuth(session.auth.username, session.auth.password)
        if answer.ok and not answer.is_redirect:
            return answer
        said = answer.raw.read(1000, decode_content=True).decode("utf-8", "replace")
    except (requests.RequestException, HTTPError) as error:
        raise StoreError(
            f"the server {address} cannot be reached: {error}; what it has taken stays there, "
            "and the next try goes on with the rest"
        ) from error
    hint = f"; give user and password in {USER} and {PASSWORD}" * (answer.status_code == 401)
    why = f"status {answer.status_code} {' '.join(said.split())[:200]}"
    raise StoreError(f"the server {address} refused: {why}{hint}")


def send_body(session: requests.Session, method: str, address: str, body: str, kind: str) -> None:
    """Send a text of some media type; its answer must be a yes."""
    said = f"{kind}; charset=utf-8"
    with request(session, method, address, body.encode(), Content_Type=said) as answer:
        # An answer that is read to its end leaves the connection for the next request.
        answer.raw.read(10_000)


class EndpointStore(OxigraphStore):
    """A server by its address, that for queries or that for updates; the other follows from it.

    What needs the statements themselves, and no query, is refused.

    Raises:
        ConfigError: the address is none.
    """

    is_remote = True

    def __init__(self, address: str) -> None:
        require_address(address)
        self.address = address
        self.path = None
        self.is_read_only = True
        self.log = None
        self.functions = {}  # a server has none of ours
        self._session = open_session()
        parts = urlsplit(address)
        self._asked = self._updated = address
        for updates, queries in _PAIRS:
            if parts.path.endswith(f"/{updates}"):
                path = parts.path.removesuffix(f"/{updates}") + f"/{queries}".rstrip("/")
                self._asked = urlunsplit(parts._replace(path=path))
            elif queries and parts.path.endswith(f"/{queries}"):
                path = parts.path.removesuffix(queries) + updates
                self._updated = urlunsplit(parts._replace(path=path))

    @property
    def raw(self) -> NoReturn:
        """Of a server there is none."""
        raise ConfigError(
            f"this works on the folder of a crawl, and {self.address} is a server, which can only "
            "be asked"
        )

    def query(self, text: str, *, most: int | None = None, **_: Any) -> Answer:
        """Answer a query; known prefixes need not be declared. SERVICE is refused.

        Raises:
            QueryError: the server does not understand it.
            StoreError: the server cannot be reached, or its answer is not whole.
        """
        refuse_outsize(text)
        refuse_service(text)
        kind = kind_of(text)
        is_graph = kind in ("construct", "describe")
        body = {"query": _PREFIXES + text}
        with request(
            self._session, "POST", self._asked, body, Accept=_TRIPLES if is_graph else _ROWS
        ) as answer:
            stream = cast("IO[bytes]", answer.raw)
            answer.raw.decode_content = True
            try:
                if is_graph:
                    quads = ox.parse(stream, format=ox.RdfFormat.N_TRIPLES)
                    return Answer((quad.triple for quad in quads), most)
                form = ox.QueryResultsFormat.JSON
                found = Answer(ox.parse_query_results(stream, format=form), most)
            except SyntaxError as error:
                raise StoreError(
                    f"the answer of {self._asked} is not whole, or none: {error}; its time may "
                    "have been over: ask for less"
                ) from error
            except (OSError, HTTPError) as error:
                raise StoreError(f"the server {self._asked} broke off: {error}") from error
        if kind == "ask" and found.boolean is None:  # Virtuoso answers with a row
            found.kind, found.boolean = "ask", bool(found.value())
        return found

    def update(self, text: str) -> None:
        """Send an update as one request; known prefixes need not be declared."""
        kind = "application/sparql-update"
        send_body(self._session, "POST", self._updated, _PREFIXES + text, kind)

    def value(self, subject: str | None, name: str) -> Any:
        """The value that a subject, or any, has for a property, or None."""
        found = "?s" if subject is None else iri(subject)
        return self.query(f"SELECT ?o WHERE {{ {found} {iri(name)} ?o }} LIMIT 1").value()

    def has(self, name: str) -> bool:
        """Whether any statement names this IRI, as its subject, property or value."""
        try:
            node = iri(name)
        except QueryError:
            return False
        places = (f"{node} ?p ?o", f"?s {node} ?o", f"?s ?p {node}")
        return any(self.query(f"ASK {{ {place} }}") for place in places)

    def close(self) -> None:
        """Let go of the connections; closing twice is fine."""
        self._session.close()
