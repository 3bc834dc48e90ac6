"""Fetching over HTTP: one GET, bounded in time and size, to allowed addresses only."""

import contextlib
import re
import ssl
import time
from collections.abc import Mapping
from http.client import HTTPException, IncompleteRead, RemoteDisconnected
from typing import Final, Literal

from semcrawl.closing import Closing
from semcrawl.errors import ConfigError, FetchError
from semcrawl.web.connections import (
    Clock,
    Connection,
    Connections,
    Dialler,
    HttpAnswer,
    Target,
    current,
    literal_refusal,
    port_refusal,
    proxy_target,
    take_apart,
)
from semcrawl.web.response import (
    ACCEPTED,
    MAX_BYTES,
    DropReason,
    HttpExchange,
    Inflater,
    Response,
    Wanted,
    media_type,
    raise_for_status,
    redirect_target,
)

HUNG_UP: Final = (RemoteDisconnected, ConnectionResetError, BrokenPipeError, ssl.SSLEOFError)
_FIELD_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_FIELD_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_PIECE = 1 << 16
_DRAINED = 1 << 14
_DRAIN_SECONDS = 2.0
_BOMB_RATIO = 100
_PROBLEMS = (OSError, HTTPException, ValueError)
_Fields = tuple[tuple[str, str], ...]


def root_of(problem: BaseException) -> BaseException:
    """Return the innermost of the errors wrapped in one another.

    >>> root_of(OSError("aborted", ValueError(TimeoutError("too slow"))))
    TimeoutError('too slow')
    """
    while True:
        wrapped = (getattr(problem, "reason", None), *problem.args, problem.__cause__)
        inner = next((one for one in wrapped if isinstance(one, BaseException)), None)
        if inner is None:
            return problem
        problem = inner


def as_fetch_error(url: str, problem: BaseException) -> FetchError:
    """Return the ``FetchError`` that says why a URL gave no whole answer."""
    root = root_of(problem)
    reason, temporary = DropReason.BAD_RESPONSE, isinstance(root, OSError | IncompleteRead)
    text = " ".join(str(root).split()) or type(root).__name__
    if isinstance(root, TimeoutError):
        reason, temporary = DropReason.TIMED_OUT, True
    elif isinstance(root, ssl.SSLError):
        reason, temporary = DropReason.TLS_FAILED, False
    return FetchError(f"no whole answer from {url}: {text:.300}", reason=reason, temporary=temporary)


class HttpFetcher(Closing):
    """The web as a ``Fetcher``; safe to use from several threads at once.

    No cookies, no credentials, no settings from the environment. A body that inflates
    more than a hundredfold beyond the limit is always refused. A proxy resolves the
    names, so that only URLs that name a private address or localhost are refused here.
    """

    def __init__(
        self,
        user_agent: str,
        *,
        connect_timeout: float = 10.0,  # seconds for resolving a name, and for connecting
        read_timeout: float = 20.0,  # seconds without a byte after which a server is given up
        total_timeout: float = 60.0,  # seconds for a whole exchange
        max_bytes: int = MAX_BYTES,  # limit of a body, on the wire and decoded
        oversize: Literal["cut", "drop"] = "cut",  # what happens to a larger body
        allow_private: bool = False,  # private, local and reserved addresses
        proxy: str | None = None,  # such as ``http://127.0.0.1:3128``
        verify: bool = True,
        keep_alive: int = 256,  # of how many hosts the connection is kept open while idle
        wanted: Wanted | None = None,  # HTML where nothing else is said
        keep_exchanges: bool = False,  # for an archive: responses and errors tell what was sent
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
        way = None if proxy is None else proxy_target(proxy)
        address = (way.hostname, way.port) if way else None
        dialler = Dialler(connect_timeout, allow_private=allow_private, proxy=address)
        self._connections = Connections(dialler, proxy=way, verify=verify, keep_alive=keep_alive)
        self._wanted = wanted or Wanted()
        self._keeps = keep_exchanges
        self._usual = {"User-Agent": user_agent, "Accept": self._wanted.accept, "Accept-Encoding": ACCEPTED}
        self._fields = _fields(self._usual)

    def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, want_any: bool = False) -> Response:
        """Return the answer to one GET request, or raise ``FetchError``."""
        target = take_apart(url)
        why = port_refusal(target.port)
        if not self._allow_private and (place := literal_refusal(target.hostname)):
            why = f"{place} (see the setting allow_private)"
        if why:
            raise FetchError(f"{url} is refused: {why}", reason=DropReason.ADDRESS_REFUSED)
        fields = _fields(self._usual, headers) if headers else self._fields
        clock = Clock(self._total_timeout, self._read_timeout)
        try:
            connection, answer = self._ask(target, fields, clock)
            try:
                return self._read(target, fields, answer, clock, want_any=want_any)
            finally:
                self._connections.leave(connection, answer)
        except _PROBLEMS as problem:
            raise as_fetch_error(url, problem) from None

    def close(self) -> None:
        """Close every idle connection; the others when their exchange ends."""
        self._connections.close()

    def _ask(self, target: Target, fields: _Fields, clock: Clock) -> tuple[Connection, HttpAnswer]:
        while True:
            current.begin(clock)
            try:
                return self._connections.ask(target, fields)
            except _PROBLEMS as problem:
                # The server may close a kept connection just as it is used again: ask anew.
                if current.dialled or not isinstance(root_of(problem), HUNG_UP):
                    raise

    def _read(self, target: Target, fields: _Fields, raw: HttpAnswer, clock: Clock, *, want_any: bool) -> Response:
        url, headers = target.url, raw.headers
        body, truncated = b"", False
        wire = _Wire(raw, keeps=self._keeps)
        try:
            if 200 <= raw.status < 300 and (want_any or self._wanted.takes(media_type(headers))):
                body, truncated = self._body(url, wire, headers, want_any=want_any)
            else:
                _drain(wire, clock)
            raise_for_status(url, raw.status, headers)
            redirect = redirect_target(url, raw.status, headers)
        except FetchError as problem:
            problem.exchange = self._exchange(target, fields, wire, clock)
            raise
        sent = self._exchange(target, fields, wire, clock, is_cut=truncated)
        return Response(url, raw.status, headers, body, time.time(), clock.elapsed, redirect, truncated, sent)

    def _exchange(
        self, target: Target, fields: _Fields, wire: "_Wire", clock: Clock, *, is_cut: bool = False
    ) -> HttpExchange | None:
        """Return what was sent, but for what a proxy was told; None where nobody keeps it."""
        if not self._keeps:
            return None
        raw = wire.raw
        return HttpExchange(
            url=target.url,
            request_line=f"GET {target.path} HTTP/1.1",
            request=(("Host", target.netloc), *fields),
            status=raw.status,
            status_line=f"HTTP/{raw.version / 10:.1f} {raw.status} {raw.reason or ''}".strip(),
            headers=tuple(raw.fields),
            body=b"".join(wire.pieces),
            began_at=time.time() - clock.elapsed,
            truncated="" if wire.is_whole else "length" if is_cut else "unspecified",
        )

    def _body(self, url: str, wire: "_Wire", headers: Mapping[str, str], *, want_any: bool) -> tuple[bytes, bool]:
        drop = self._drop_oversize and not want_any
        if drop and (wire.raw.length or 0) > self._max_bytes:
            raise _too_large(url, self._max_bytes)
        inflater = Inflater(headers.get("content-encoding", ""), self._max_bytes, url)
        kind, looked = media_type(headers), want_any
        while not inflater.overflow and (piece := wire.read(_PIECE)):
            inflater.feed(piece)
            if not looked and (head := inflater.body):
                looked = True
                if not self._wanted.takes_by_beginning(kind, head):
                    return b"", False
            # Coded data can be endless and yet come to nothing.
            inflater.overflow |= inflater.wire_bytes > self._max_bytes + _PIECE
        if inflater.overflow and (drop or inflater.ratio > _BOMB_RATIO):
            raise _too_large(url, self._max_bytes)
        return inflater.body, not inflater.complete


class _Wire:
    """A body as it comes over the wire; what was read is kept where an archive wants it."""

    def __init__(self, raw: HttpAnswer, *, keeps: bool) -> None:
        self.raw = raw
        self.pieces: list[bytes] = []
        self._keeps = keeps
        self._ended = False

    def read(self, size: int) -> bytes:
        piece = self.raw.piece(size)
        self._ended = not piece
        if self._keeps:
            self.pieces.append(piece)
        return piece

    @property
    def is_whole(self) -> bool:
        return self._ended or self.raw.length == 0


def _drain(wire: _Wire, clock: Clock) -> None:
    """Read a short unwanted body, so that its connection can be used again."""
    length = wire.raw.length
    if length is None or length > _DRAINED:
        return
    clock.shorten(_DRAIN_SECONDS)
    # A body that fails costs the connection only.
    with contextlib.suppress(*_PROBLEMS):
        wire.read(_DRAINED + 1)


def _too_large(url: str, limit: int) -> FetchError:
    return FetchError(f"{url} is larger than {limit} bytes", reason=DropReason.TOO_LARGE)


def _fields(*headers: Mapping[str, str]) -> _Fields:
    """Return the fields of a request, the later of two with one name."""
    fields: dict[str, tuple[str, str]] = {}
    for name, value in (field for some in headers for field in some.items()):
        if not _FIELD_NAME.fullmatch(name) or not _FIELD_VALUE.fullmatch(value):
            raise ConfigError(f"not a valid request header: {name!r:.60}: {value!r:.100}")
        fields[name.lower()] = name, value
    return tuple(fields.values())
