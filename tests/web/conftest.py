"""A real server on the loopback address, well and ill behaved by path."""

from __future__ import annotations

import contextlib
import gzip
import itertools
import re
import socket
import threading
import time
import zlib
from typing import TYPE_CHECKING

import pytest

from semcrawl.web.http import HttpFetcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE = b"<!doctype html><title>A page</title><p>Hello"
MEGABYTE = 1 << 20


def message(status: str, body: bytes = b"", *fields: str, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", *fields, f"Content-Length: {size}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
HTML = "Content-Type: text/html; charset=UTF-8"

PLAIN_ANSWERS: dict[str, bytes] = {
    "/page": message("200 OK", PAGE, HTML),
    "/latin": message("200 OK", b"<p>caf\xe9", "Content-Type: TEXT/HTML; charset='ISO-8859-1'"),
    "/untyped": message("200 OK", PAGE),
    "/gzip": message("200 OK", gzip.compress(PAGE), HTML, "Content-Encoding: gzip"),
    "/two-members": message("200 OK", gzip.compress(PAGE) + gzip.compress(b"more"), HTML, "Content-Encoding: x-gzip"),
    "/deflate": message("200 OK", zlib.compress(PAGE), HTML, "Content-Encoding: deflate"),
    "/raw-deflate": message("200 OK", zlib.compress(PAGE, wbits=-15), HTML, "Content-Encoding: deflate"),
    "/bad-gzip": message("200 OK", b"no gzip at all", HTML, "Content-Encoding: gzip"),
    "/cut-gzip": message("200 OK", gzip.compress(PAGE)[:-12], HTML, "Content-Encoding: gzip"),
    "/brotli": message("200 OK", b"\x0b\x02\x80", HTML, "Content-Encoding: br"),
    "/chunked": CHUNKED + b"5;x=y\r\n<p>Hi\r\n6\r\n there\r\n0\r\nTrailer: x\r\n\r\n",
    "/early-hints": b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + message("200 OK", PAGE, HTML),
    "/empty": message("204 No Content"),
    "/image": message("200 OK", b"\x89PNG" * 10_000, "Content-Type: image/png"),
    "/text": message("200 OK", b"User-agent: *", "Content-Type: text/plain"),
    "/moved": message("301 Moved", b"gone", "Location: page#top"),
    "/moved-raw": message("302 Found", b"", "Location: /caf\xc3\xa9"),
    "/moved-mail": message("302 Found", b"", "Location: mailto:me@example.org"),
    "/moved-nowhere": message("302 Found"),
    "/loop": message("302 Found", b"", "Location: /loop"),
    "/not-modified": b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
    "/cookies": message("200 OK", PAGE, HTML, "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2"),
    "/missing": message("404 Not Found", b"<p>no", HTML),
    "/slow-down": message("429 Too Many Requests", b"", "Retry-After: 7"),
    "/broken": message("503 Unavailable", b"x" * 40_000),
    "/two-framings": message("200 OK", PAGE, HTML, "Transfer-Encoding: gzip, chunked"),
    "/chunked-with-length": CHUNKED.replace(b"Transfer", b"Content-Length: 1\r\nTransfer") + b"0\r\n\r\n",
    "/length-after-return": message("200 OK", PAGE, HTML, "X: y\rContent-Length: 44"),
    "/length-after-no-field": message("200 OK", b"", HTML, "Content-Length: 0", "no field", length=44),
    "/folded": b"HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=utf-8\r\nX: 1\r\nx: 2\r\n"
    b"Content-Length: 3\r\n\r\n<p>",
}

BROKEN_ANSWERS: dict[str, bytes] = {
    "/not-http": b"SSH-2.0-OpenSSH_9.2\r\n",
    "/nothing": b"",
    "/cut-headers": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "/huge-header": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    "/many-headers": b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 200 + b"\r\n",
    "/too-short": message("200 OK", PAGE, HTML, length=1000),
    "/two-lengths": message("200 OK", PAGE, HTML, "Content-Length: 7"),
    "/bad-chunk": CHUNKED + b"zz\r\nhello\r\n",
    "/signed-chunk": CHUNKED + b"+5\r\nhello\r\n0\r\n\r\n",
    "/prefixed-chunk": CHUNKED + b"0x5\r\nhello\r\n0\r\n\r\n",
    "/grouped-chunk": CHUNKED + b"0_5\r\nhello\r\n0\r\n\r\n",
    "/cut-chunk": CHUNKED + b"ff\r\nhello",
    "/bad-status": b"HTTP/1.1 abc OK\r\n\r\n",
    "/until-close": b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE,
}


class LoopbackServer:
    """Answers each path as the tables say; some paths drip, flood or hang up."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._numbers = itertools.count(1)
        self._acceptor = threading.Thread(target=self._accept)
        self._acceptor.start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def close(self) -> None:
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._acceptor.join()
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection, next(self._numbers)))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket, number: int) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(0.1)
            while head := self._read_head(connection):
                # As a proxy it is asked for whole URLs.
                path = re.sub("^http://[^/]*", "", head.split()[1].decode("latin-1"))
                if path in PLAIN_ANSWERS:
                    connection.sendall(PLAIN_ANSWERS[path])
                elif path in {"/connection", "/hang-up-later"}:
                    connection.sendall(message("200 OK", b"%d" % number, HTML))
                elif path.startswith("/echo"):
                    connection.sendall(message("200 OK", head, HTML))
                else:
                    connection.settimeout(60)
                    self._misbehave(connection, path)
                    return
                if path == "/hang-up-later":
                    # Promised to stay, but is gone when asked again.
                    self._read_head(connection)
                    return

    def _read_head(self, connection: socket.socket) -> bytes:
        """Return a request, b"" when the client or the server is done."""
        head = b""
        while not head.endswith(b"\r\n\r\n") and not self._closing.is_set():
            try:
                piece = connection.recv(4096)
            except TimeoutError:
                continue
            if not piece:
                return b""
            head += piece
        return b"" if self._closing.is_set() else head

    def _misbehave(self, connection: socket.socket, path: str) -> None:
        if path in BROKEN_ANSWERS:
            connection.sendall(BROKEN_ANSWERS[path])
        elif path == "/drip-headers":
            self._drip(connection, b"HTTP/1.1 200 OK\r\n", b"X: x\r\n", b"\r\n")
        elif path == "/drip-status":
            self._drip(connection, b"HTTP/1.1 200 ", b"O", b"\r\n\r\n")
        elif path == "/drip-body":
            self._drip(connection, message("200 OK", b"", HTML, length=40), b"x", b"")
        elif path == "/silence":
            self._closing.wait(60)
        elif path == "/endless":
            self._flood(connection, b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n", b"x" * 4096)
        elif path == "/bomb":
            head = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
            connection.sendall(head + gzip.compress(bytes(8 * MEGABYTE)))
        elif path == "/empty-blocks":
            head = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
            start = gzip.compress(b"")[:10]
            self._flood(connection, head + start, b"\x00\x00\x00\xff\xff" * 4096)
        elif path == "/reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")

    def _drip(self, connection: socket.socket, start: bytes, drop: bytes, end: bytes) -> None:
        """Send whole but slow: two seconds, never silent for long."""
        connection.sendall(start)
        for _ in range(40):
            if self._closing.wait(0.05):
                return
            connection.sendall(drop)
        connection.sendall(end)

    def _flood(self, connection: socket.socket, start: bytes, piece: bytes) -> None:
        connection.sendall(start)
        until = time.monotonic() + 60
        while time.monotonic() < until and not self._closing.is_set():
            connection.sendall(piece)


@pytest.fixture(scope="session")
def loopback() -> Iterator[str]:
    """The start of the server's URLs, such as ``http://127.0.0.1:40000``."""
    server = LoopbackServer()
    yield f"http://127.0.0.1:{server.port}"
    server.close()


@pytest.fixture
def make_fetcher() -> Iterator[Callable[..., HttpFetcher]]:
    """Make fetchers that may visit the loopback server."""
    made: list[HttpFetcher] = []

    def make(**options: object) -> HttpFetcher:
        settings: dict[str, object] = {"read_timeout": 10.0, "total_timeout": 20.0, "allow_private": True}
        made.append(HttpFetcher("semcrawl/0.1", **(settings | options)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for fetcher in made:
        fetcher.close()
