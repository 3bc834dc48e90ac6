"""Fetching over HTTP: one GET, bounded in time and size, to allowed addresses only."""

from __future__ import annotations

import contextlib
import re
import ssl
import time
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from typing import TYPE_CHECKING, Literal, NoReturn

from semcrawl.errors import ConfigError, FetchError, UrlError
from semcrawl.web.addresses import literal_refusal
from semcrawl.web.codings import ACCEPTED, Inflater
from semcrawl.web.connections import Clock, Connection, Dialler, tls_context
from semcrawl.web.pool import Pool
from semcrawl.web.reasons import DropReason
from semcrawl.web.response import HTML_TYPES, Response
from semcrawl.web.status import raise_for_status, redirect_target
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HttpFetcher"]

_URL = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?(/[!-~]*)")
_FIELD_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_FIELD_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_PIECE = 1 << 16
_DRAINED = 1 << 14
_DRAIN_SECONDS = 2.0
_BOMB_RATIO = 100
_HUNG_UP = (RemoteDisconnected, ConnectionResetError, BrokenPipeError)


@dataclass(frozen=True, slots=True)
class _Target:
    """A URL taken apart for a request."""

    url: str
    secure: bool
    hostname: str
    port: int
    host: str
    path: str


class HttpFetcher:
    """The web as a ``Fetcher``; safe to use from several threads at once.

    No cookies, no credentials, no settings from the environment. Connections
    are kept alive and shared between threads.

    Args:
        user_agent: see `semcrawl.web.agent.user_agent`.
        connect_timeout: seconds for resolving a name, and for connecting.
        read_timeout: seconds without a byte after which a server is given up.
        total_timeout: seconds for a whole exchange, however busy the server looks.
        max_bytes: limit of a body, on the wire and decoded.
        oversize: whether a larger body is cut there (``cut``) or refused (``drop``).
            One that inflates more than a hundredfold beyond it is always refused.
        allow_private: whether private, local and reserved addresses may be visited.
        proxy: an HTTP proxy such as ``http://127.0.0.1:3128``. The proxy then
            makes the connections and resolves the names, so that only URLs
            that name a private address or localhost outright are refused here.
        verify: whether certificates are checked.
        keep_alive: how many idle connections are kept open.
    """

    def __init__(
        self,
        user_agent: str,
        *,
        connect_timeout: float = 10.0,
        read_timeout: float = 20.0,
        total_timeout: float = 60.0,
        max_bytes: int = 2 * 1024 * 1024,
        oversize: Literal["cut", "drop"] = "cut",
        allow_private: bool = False,
        proxy: str | None = None,
        verify: bool = True,
        keep_alive: int = 256,
    ) -> None:
        if oversize not in {"cut", "drop"}:
            raise ConfigError(f"oversize must be 'cut' or 'drop', not {oversize!r}")
        if min(connect_timeout, read_timeout, total_timeout, max_bytes) <= 0:
            raise ConfigError("time-outs and max_bytes must be greater than 0")
        self._read_timeout = read_timeout
        self._total_timeout = total_timeout
        self._max_bytes = max_bytes
        self._drop_oversize = oversize == "drop"
        self._allow_private = allow_private
        self._proxied = proxy is not None
        self._verify = verify
        self._tls: ssl.SSLContext | None = None
        self._dialler = Dialler(
            connect_timeout, allow_private=allow_private, proxy=_proxy_place(proxy)
        )
        # Behind a proxy all hosts share its connections.
        self._pool = Pool(keep_alive if proxy else 4, keep_alive, idle_seconds=30.0)
        self._fields = _fields(
            {
                "User-Agent": user_agent,
                "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
                "Accept-Encoding": ACCEPTED,
            }
        )

    def fetch(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        want_any: bool = False,
    ) -> Response:
        """Return the answer to one GET request, or raise ``FetchError``."""
        target = _take_apart(url)
        self._refuse_literal(target)
        request = self._request(target, headers)
        clock = Clock(self._total_timeout, self._read_timeout)
        try:
            connection, answer = self._ask(target, request, clock)
            with answer:
                return self._read(target, connection, answer, clock, want_any=want_any)
        except (OSError, HTTPException, ValueError) as problem:
            _raise_as_fetch_error(url, problem)

    def close(self) -> None:
        """Close every idle connection; the others when their exchange ends."""
        self._pool.close()

    def _refuse_literal(self, target: _Target) -> None:
        why = None if self._allow_private else literal_refusal(target.hostname)
        if why:
            raise FetchError(f"{target.url} is refused: {why}", reason=DropReason.ADDRESS_REFUSED)

    def _request(self, target: _Target, headers: Mapping[str, str] | None) -> bytes:
        path = target.url if self._proxied and not target.secure else target.path
        more = _fields(headers) if headers else b""
        line = f"GET {path} HTTP/1.1\r\nHost: {target.host}\r\n".encode("ascii")
        return b"".join((line, self._fields, more, b"\r\n"))

    def _ask(
        self, target: _Target, request: bytes, clock: Clock
    ) -> tuple[Connection, HTTPResponse]:
        while True:
            connection = self._connect(target, clock)
            try:
                return connection, connection.ask(request)
            except _HUNG_UP:
                # A kept connection may be closed by the server just as it is
                # used again: that says nothing about the URL, so ask anew.
                connection.close()
                if not connection.used:
                    raise
            except BaseException:
                connection.close()
                raise

    def _connect(self, target: _Target, clock: Clock) -> Connection:
        shared = self._proxied and not target.secure
        key = "proxy" if shared else f"{target.secure:d} {target.host}"
        connection = self._pool.take(key)
        if connection is not None:
            connection.use(clock)
            return connection
        context = self._context() if target.secure else None
        sock = self._dialler.open(target.hostname, target.port, clock, context)
        return Connection(key, sock)

    def _context(self) -> ssl.SSLContext:
        # Loading the authorities takes a while: once, and only where TLS is met.
        if self._tls is None:
            self._tls = tls_context(verify=self._verify)
        return self._tls

    def _read(
        self,
        target: _Target,
        connection: Connection,
        answer: HTTPResponse,
        clock: Clock,
        *,
        want_any: bool,
    ) -> Response:
        headers = _headers(answer)
        body, truncated = b"", False
        try:
            if 200 <= answer.status < 300 and (want_any or _may_be_html(headers)):
                body, truncated = self._body(target.url, answer, headers, want_any=want_any)
            else:
                _drain(answer, clock)
        finally:
            if answer.isclosed() and not answer.will_close:
                self._pool.give_back(connection)
            else:
                connection.close()
        raise_for_status(target.url, answer.status, headers)
        redirect = redirect_target(target.url, answer.status, headers)
        return Response(
            target.url,
            answer.status,
            headers,
            body,
            time.time(),
            clock.elapsed,
            redirect,
            truncated,
        )

    def _body(
        self, url: str, answer: HTTPResponse, headers: Mapping[str, str], *, want_any: bool
    ) -> tuple[bytes, bool]:
        drop = self._drop_oversize and not want_any
        if drop and (answer.length or 0) > self._max_bytes:
            raise _too_large(url, self._max_bytes)
        inflater = Inflater(headers.get("content-encoding", ""), self._max_bytes, url)
        while not inflater.overflow and (piece := answer.read(_PIECE)):
            inflater.feed(piece)
            # Coded data can be endless and yet come to nothing.
            inflater.overflow |= inflater.wire_bytes > self._max_bytes + _PIECE
        if inflater.overflow and (drop or inflater.ratio > _BOMB_RATIO):
            raise _too_large(url, self._max_bytes)
        if not inflater.overflow and answer.length:
            raise IncompleteRead(b"", answer.length)
        return inflater.body, not inflater.complete


def _drain(answer: HTTPResponse, clock: Clock) -> None:
    """Read a short body that nobody wants, so that its connection can be used again."""
    if answer.length is None or answer.length > _DRAINED:
        return
    clock.shorten(_DRAIN_SECONDS)
    # What counts is said by the headers; a body that fails costs the connection only.
    with contextlib.suppress(OSError, HTTPException):
        answer.read()


def _too_large(url: str, limit: int) -> FetchError:
    return FetchError(f"{url} is larger than {limit} bytes", reason=DropReason.TOO_LARGE)


def _may_be_html(headers: Mapping[str, str]) -> bool:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return not kind or kind in HTML_TYPES


def _headers(answer: HTTPResponse) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in answer.headers.items():
        key = name.lower()
        # Folded lines come with their line breaks.
        text = " ".join(value.split()) if "\n" in value else value.strip()
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _take_apart(url: str) -> _Target:
    parts = _URL.fullmatch(url)
    if parts is None:
        raise FetchError(
            f"not a canonical URL: {url!r:.200}; pass it through canonical() first",
            reason=DropReason.BAD_URL,
        )
    scheme, hostname, port, path = parts.groups()
    secure = scheme == "https"
    host = f"{hostname}:{port}" if port else hostname
    number = int(port) if port else (443 if secure else 80)
    return _Target(url, secure, hostname.strip("[]"), number, host, path)


def _proxy_place(proxy: str | None) -> tuple[str, int] | None:
    if proxy is None:
        return None
    try:
        target = _take_apart(canonical(proxy))
    except UrlError:
        target = None
    if target is None or target.secure or target.path != "/" or "@" in proxy:
        raise ConfigError(
            f"cannot use the proxy {proxy!r:.100}; give an address such as http://127.0.0.1:3128"
        )
    return target.hostname, target.port


def _fields(headers: Mapping[str, str]) -> bytes:
    for name, value in headers.items():
        if not _FIELD_NAME.fullmatch(name) or not _FIELD_VALUE.fullmatch(value):
            raise ConfigError(f"not a valid request header: {name!r:.60}: {value!r:.100}")
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items()).encode("latin-1")


def _raise_as_fetch_error(url: str, problem: Exception) -> NoReturn:
    reason, temporary = DropReason.BAD_RESPONSE, isinstance(problem, OSError | IncompleteRead)
    if isinstance(problem, TimeoutError):
        reason = DropReason.TIMED_OUT
    elif isinstance(problem, ssl.SSLError):
        reason, temporary = DropReason.TLS_FAILED, False
    text = " ".join(str(problem).split()) or type(problem).__name__
    raise FetchError(
        f"no whole answer from {url}: {text:.300}", reason=reason, temporary=temporary
    ) from None
