"""The server of the hostile web: a behaviour is a host, and answers as the table says."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import socket
import ssl
import struct
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

Maker = Callable[[str], bytes]
Sender = Callable[[asyncio.StreamWriter], Awaitable[None]]
Answer = bytes | Maker | Sender
"""Bytes to send, or what makes them of a path, or what writes them in its own time."""

HTML = "Content-Type: text/html; charset=UTF-8"
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def answer(body: bytes | str = b"", *fields: str, status: str = "200 OK") -> bytes:
    """A whole answer with an honest length; HTML where no field names a type."""
    data = body.encode() if isinstance(body, str) else body
    if not any(field.lower().startswith("content-type") for field in fields):
        fields = (HTML, *fields)
    lines = [f"HTTP/1.1 {status}", *fields, f"Content-Length: {len(data)}", "", ""]
    return "\r\n".join(lines).encode() + data


def page(body: str = "", title: str = "A page") -> bytes:
    """A page on the topic, with more in its body."""
    return answer(f"<!doctype html><title>{title}</title><p>Asthma, bronchial asthma. {body}")


# On the topic: a focused crawler with a limit on pages of a host has reason to want it.
GOOD = page("Asthma: all is well here.", "Asthma, a good page")


@dataclass(frozen=True)
class Behaviour:
    """One host of the hostile web, and what must become of its URLs."""

    name: str  # the host is this and ``.test``
    kind: str
    expected: str  # of "/": page, redirect, waiting, or reasons with | between them
    answer: Answer  # to "/" and every path that is not in ``paths``
    robots: Answer = NOT_FOUND
    paths: Mapping[str, Answer] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)  # what becomes of other URLs
    good: bool = True  # whether /good must become a page
    scheme: str = "http"
    lookups: tuple[tuple[str, ...], ...] = (("public",),)  # what each look-up of the name gives

    @property
    def root(self) -> str:
        """The URL of its first page."""
        return f"{self.scheme}://{self.name}.test/"


async def drip(writer: asyncio.StreamWriter, start: bytes, drop: bytes, *, pause: float = 0.05) -> None:
    """Send so slowly that it never ends, but never silent for long."""
    writer.write(start)
    while True:
        writer.write(drop)
        await writer.drain()
        await asyncio.sleep(pause)


async def flood(writer: asyncio.StreamWriter, start: bytes, piece: bytes) -> None:
    """Send without end, as fast as it is taken."""
    writer.write(start)
    while True:
        writer.write(piece)
        await writer.drain()


def reset(writer: asyncio.StreamWriter) -> None:
    """End the connection with a reset."""
    sock: socket.socket = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class HostileServer:
    """Serves behaviours on ports of this machine; ``asked`` counts the URLs of all requests."""

    def __init__(self, behaviours: Mapping[str, Behaviour], certificate: str) -> None:
        self._behaviours = behaviours
        self._certificate = certificate
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[asyncio.Server] = []
        self.ports: dict[str, int] = {}
        self.asked: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(60)

    async def _open(self) -> None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self._certificate)
        await self._listen("http", self._serve)
        await self._listen("self-signed", self._serve, tls)
        await self._listen("no-tls", lambda r, w: self._say(w, NOT_FOUND))
        await self._listen("silent-tls", lambda r, w: asyncio.sleep(60))
        await self._listen("reset-tls", self._reset_handshake)
        with socket.create_server(("127.0.0.1", 0)) as closed:
            self.ports["closed"] = closed.getsockname()[1]

    async def _listen(
        self,
        name: str,
        serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._tasks.add(task)
            try:
                with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                    await serve(reader, writer)
            except asyncio.CancelledError:
                pass  # the server closes
            finally:
                self._tasks.discard(task)
                writer.close()

        server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls, backlog=512)
        self._listeners.append(server)
        self.ports[name] = server.sockets[0].getsockname()[1]

    async def _say(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        await writer.drain()

    async def _reset_handshake(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Before the client has spoken, a reset could also end the connecting itself.
        await reader.read(1)
        reset(writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split()[1]
            host = head.lower().partition("\r\nhost: ")[2].partition("\r\n")[0]
            self.asked[f"http://{host}{path}"] += 1
            said = self._choose(host, path)
            if inspect.iscoroutinefunction(said):
                await cast(Sender, said)(writer)
                return
            data = cast(Maker, said)(path) if callable(said) else said
            await self._say(writer, data)
            if not _is_honest(data):
                return

    def _choose(self, host: str, path: str) -> Answer:
        # Names below a host's are its own: some make up hosts without end.
        name = host.partition(":")[0].removesuffix(".test").rpartition(".")[2]
        behaviour = self._behaviours.get(name)
        if behaviour is None:
            return NOT_FOUND
        if path == "/robots.txt":
            return behaviour.robots
        if path == "/good" and path not in behaviour.paths and behaviour.good:
            return GOOD
        return behaviour.paths.get(path, behaviour.answer)

    def close(self) -> None:
        """End all connections, and the thread."""

        async def end() -> None:
            for listener in self._listeners:
                listener.close()
            for task in tuple(self._tasks):
                task.cancel()
            while self._tasks:
                await asyncio.sleep(0.01)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _is_honest(data: bytes) -> bool:
    """Whether the connection can be used again after this answer."""
    head, _, body = data.partition(b"\r\n\r\n")
    return data.startswith(b"HTTP/1.1") and f"Content-Length: {len(body)}".encode() in head
