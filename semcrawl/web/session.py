"""A requests session that keeps to the crawl's rules, and is cheap.

What requests and urllib3 do not offer is added at the places meant for it: an
adapter with pools of connections that are dialled by ``connections.Dialler``
(address checks, deadlines). What a crawler has no use for is left out, as it
costs as much as the rest: cookies, redirects, hooks, parsing the URL again
and again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager, ProxyManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import Timeout

from semcrawl.web.connections import current, tls_context

if TYPE_CHECKING:
    import socket
    import ssl

    from requests.structures import CaseInsensitiveDict
    from urllib3 import BaseHTTPResponse
    from urllib3.connectionpool import ConnectionPool

    from semcrawl.web.connections import Dialler
    from semcrawl.web.target import Target

__all__ = ["Get", "LeanSession"]

# Servers, and the boxes on the way, forget idle connections without a word.
_IDLE_SECONDS = 30.0
# Politeness asks a host one thing at a time.
_PER_HOST = 1


class Get(requests.PreparedRequest):
    """A GET request to a target: its URL is canonical, so there is nothing to prepare."""

    def __init__(self, target: Target, headers: CaseInsensitiveDict[str]) -> None:
        super().__init__()
        self.method = "GET"
        self.url = target.url
        self.headers = headers
        self.target = target


class _Connection(HTTPConnection):
    """A connection that is opened by a dialler."""

    def __init__(self, *args: Any, dialler: Dialler, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._dialler = dialler
        self._asked_at = 0.0

    def _new_conn(self) -> socket.socket:
        # Unlike ``host`` this has the final dot that some names are resolved with.
        return self._dialler.open(self._dns_host, self.port)

    @property
    def is_connected(self) -> bool:
        """Whether this can be used again: not closed, and not idle for long."""
        return time.monotonic() - self._asked_at < _IDLE_SECONDS and super().is_connected

    def putrequest(self, method: str, url: str, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Begin a request for the URL as the crawl knows it.

        urllib3 would quote again what it thinks is not quoted, such as ``|``
        or a lone ``%``; servers, and records of the crawl, tell these apart.
        """
        self._asked_at = time.monotonic()
        super().putrequest(method, current.request_target, *args, **kwargs)


class _TlsConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


class _Connections(HTTPConnectionPool):
    ConnectionCls = _Connection


class _TlsConnections(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection

    def _validate_conn(self, conn: Any) -> None:
        # The inherited method also warns, for each request, of certificates
        # that are not checked; here that is what the user asked for.
        if conn.is_closed:
            conn.connect()


def _origin(context: dict[str, Any]) -> tuple[str, str, int]:
    """The key of a pool: urllib3's own has thirty fields, most of them equal for a fetcher."""
    return context["scheme"], context["host"], context["port"]


class _Adapter(HTTPAdapter):
    """Sends requests over dialled connections, one of which is kept per host."""

    poolmanager: PoolManager

    def __init__(
        self, dialler: Dialler, *, proxy: Target | None, verify: bool, keep_alive: int
    ) -> None:
        self._dialler = dialler
        self._proxy = proxy
        self._verify = verify
        self._tls: ssl.SSLContext | None = None
        # Behind a proxy all hosts share its connections. By default an adapter
        # never tries again by itself.
        super().__init__(keep_alive, max(_PER_HOST, keep_alive) if proxy else _PER_HOST)

    def init_poolmanager(
        self, connections: int, maxsize: int, block: bool = False, **options: Any
    ) -> None:
        options |= {"maxsize": maxsize, "block": block, "dialler": self._dialler}
        if self._proxy:
            self.poolmanager = ProxyManager(self._proxy.url, connections, **options)
        else:
            self.poolmanager = PoolManager(connections, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _Connections, "https": _TlsConnections}
        self.poolmanager.key_fn_by_scheme = dict.fromkeys(("http", "https"), _origin)  # type: ignore[arg-type]

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, *_args: Any, **_kwargs: Any
    ) -> ConnectionPool:
        """Return the pool of a target; the inherited method would parse its URL again."""
        assert isinstance(request, Get)
        target = request.target
        options = None
        if target.secure:
            options = {"ssl_context": self._context(), "maxsize": _PER_HOST}
        return self.poolmanager.connection_from_host(
            target.host, target.port, target.scheme, options
        )

    def _context(self) -> ssl.SSLContext:
        # Loading the authorities takes a while: once, and only where TLS is met.
        if self._tls is None:
            self._tls = tls_context(verify=self._verify)
        return self._tls

    def cert_verify(self, *_args: Any, **_kwargs: Any) -> None:
        """Leave it to the TLS context; the inherited method has every connection load them anew."""

    def request_url(self, request: requests.PreparedRequest, _proxies: object) -> str:
        """Return what tells urllib3 whether to use a tunnel; `_Connection` knows the rest."""
        assert isinstance(request, Get)
        return request.target.url if self._proxy and not request.target.secure else "/"

    def build_response(
        self, req: requests.PreparedRequest, resp: BaseHTTPResponse
    ) -> requests.Response:
        """Wrap a response; the inherited method also reads cookies and guesses an encoding."""
        response = requests.Response()
        response.status_code = resp.status
        response.raw = resp
        response.request = req
        return response


class LeanSession(requests.Session):
    """One session for all threads of a fetcher.

    urllib3's pools are safe between threads. A session per thread would lose
    most of keep-alive: a host is asked by one thread at a time, but each time
    by another.

    Args:
        dialler: opens the connections.
        timeout: seconds for connecting and between two bytes, a limit besides
            that of the current exchange.
        proxy: where an HTTP proxy is, if there is one.
        verify: whether certificates are checked.
        keep_alive: how many idle connections are kept open.
    """

    def __init__(
        self,
        dialler: Dialler,
        timeout: tuple[float, float],
        *,
        proxy: Target | None,
        verify: bool,
        keep_alive: int,
    ) -> None:
        super().__init__()
        self.trust_env = False
        self._timeout = Timeout(connect=timeout[0], read=timeout[1])
        self._adapter = _Adapter(dialler, proxy=proxy, verify=verify, keep_alive=keep_alive)
        self.mount("http://", self._adapter)
        self.mount("https://", self._adapter)

    def send(self, request: requests.PreparedRequest, **_kwargs: Any) -> requests.Response:
        """Return the response with its body unread; redirects and cookies are left alone.

        The inherited method would read the body of a redirect, however long.
        """
        return self._adapter.send(request, stream=True, timeout=self._timeout)  # type: ignore[arg-type]
