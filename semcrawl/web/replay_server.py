"""A replay served on the loopback address as a web of many hosts, as a proxy or by Host."""

import contextlib
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.client import responses
from typing import BinaryIO, Self

from semcrawl.closing import Closing
from semcrawl.errors import FetchError, UrlError
from semcrawl.web.replay import Replay
from semcrawl.web.response import Response
from semcrawl.web.urls import canonical, host_of

_LINE_LIMIT = 16_384
_HEADER_LIMIT = 100
_IDLE_SECONDS = 60.0
# Fields that describe the recorded connection, not the recorded content.
_HOP_FIELDS = frozenset({"connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"})


class ReplayServer(Closing):
    """Serves a replay on ``127.0.0.1`` until the ``with`` block ends."""

    def __init__(
        self,
        replay: Replay | None = None,
        port: int = 0,  # 0 takes a free one
        latency: float = 0.0,  # seconds to wait before every answer
        # asked first for every canonical URL; None leaves it to the replay
        answers: Callable[[str], Response | None] | None = None,
    ) -> None:
        self._replay = replay
        self._latency = latency
        self._answers = answers
        self.requests: Counter[str] = Counter()  # by URL
        self.requests_by_host: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._open: dict[socket.socket, threading.Thread] = {}
        self._closing = False
        self._listener = socket.create_server(("127.0.0.1", port), backlog=256)
        self._acceptor = threading.Thread(target=self._accept, name="replay-server", daemon=True)

    @property
    def port(self) -> int:
        """The port that the server listens on."""
        return int(self._listener.getsockname()[1])

    @property
    def proxy(self) -> str:
        """The server as a proxy setting, such as ``http://127.0.0.1:8080``."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._acceptor.start()
        return self

    def close(self) -> None:
        """Stop listening and end every connection."""
        self._closing = True
        # A shutdown wakes accept(); close() alone leaves it blocked.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        if self._acceptor.is_alive():
            self._acceptor.join()
        self._listener.close()
        with self._lock:
            connections = dict(self._open)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in connections.values():
            thread.join()

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            with self._lock:
                self._open[connection] = thread
                thread.start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(_IDLE_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A client that goes away, or a close() meanwhile, ends the connection.
        with contextlib.suppress(OSError, ValueError), connection.makefile("rb") as lines:
            while not self._closing and self._exchange(connection, lines):
                pass
        with self._lock:
            self._open.pop(connection, None)
        connection.close()

    def _exchange(self, connection: socket.socket, lines: BinaryIO) -> bool:
        request = lines.readline(_LINE_LIMIT)
        if not request:
            return False
        host, stays, orderly = _read_headers(lines)
        method, _, rest = request.decode("latin-1").strip().partition(" ")
        target, _, version = rest.rpartition(" ")
        if not (orderly and target and version.startswith("HTTP/1.")):
            connection.sendall(_message(_text("", 400, "This is no HTTP/1.1 request."), False))
            return False
        stays = stays and version != "HTTP/1.0" and method in {"GET", "HEAD"}
        response = self._respond(method, target, host)
        connection.sendall(_message(response, stays, with_body=method != "HEAD"))
        return stays

    def _respond(self, method: str, target: str, host: str) -> Response:
        if method == "CONNECT":
            return _text(target, 501, "This replay server speaks plain HTTP: ask for http: URLs.")
        if method not in {"GET", "HEAD"}:
            return _text(target, 501, "This replay server answers GET and HEAD.")
        try:
            url = canonical(f"http://{host}{target}" if target.startswith("/") else target)
        except UrlError:
            return _text(target, 400, "This is not a URL that can be fetched.")
        with self._lock:
            self.requests[url] += 1
            self.requests_by_host[host_of(url)] += 1
        if self._latency:
            time.sleep(self._latency)
        found = self._answers(url) if self._answers else None
        try:
            if found is None and self._replay is not None:
                found = self._replay.answer(url)
        except FetchError as problem:
            return _text(url, 502, str(problem))
        return found or _text(url, 404, "This URL was not recorded.")


def _read_headers(lines: BinaryIO) -> tuple[str, bool, bool]:
    """Return the Host, whether the connection stays open, and whether the head ended."""
    host, stays = "", True
    for _ in range(_HEADER_LIMIT):
        line = lines.readline(_LINE_LIMIT)
        if line in {b"\r\n", b"\n"}:
            return host, stays, True
        name, _, value = line.partition(b":")
        name = name.lower()
        if name == b"host":
            host = value.strip().decode("latin-1")
        elif name in {b"connection", b"proxy-connection"}:
            stays = value.strip().lower() != b"close"
    return host, stays, False


def _text(url: str, status: int, text: str) -> Response:
    return Response(url, status, {"content-type": "text/plain; charset=utf-8"}, f"{text}\n".encode(), 0.0, 0.0)


def _message(response: Response, stays: bool, *, with_body: bool = True) -> bytes:
    lines = [f"HTTP/1.1 {response.status} {responses.get(response.status, 'Recorded')}"]
    lines += [f"{name}: {value}" for name, value in response.headers.items() if name not in _HOP_FIELDS]
    lines.append(f"content-length: {len(response.body)}")
    if not stays:
        lines.append("connection: close")
    head = "\r\n".join(lines) + "\r\n\r\n"
    return head.encode("latin-1", "replace") + (response.body if with_body else b"")
