"""Many readers of one server at once, in a process of their own: live streams, and queries.

``python -m benchmarks.serve_readers PORT STREAMS ASKERS`` prints ``ready`` when all
streams have begun, and at the end of the crawl one line of JSON: what was heard
and answered, and what was lost. It is a client as bare as can be, since it
shares the machine with what is measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

QUERIES = (
    "SELECT ?page ?r {{ ?page sc:relevance ?r }} ORDER BY DESC(?r) LIMIT {number}",
    "SELECT ?site (COUNT(*) AS ?n) {{ ?page sc:site ?site }} GROUP BY ?site LIMIT {number}",
    "SELECT ?page ?to {{ ?page sc:step {number} ; sc:linksTo ?to }}",
    "CONSTRUCT {{ ?page ?p ?o }} {{ ?page sc:step {number} ; ?p ?o }}",
    "ASK {{ ?page sc:step {number} ; sc:relevance ?r FILTER(?r > 0.1) }}",
)
PAUSE = 0.1
"""Seconds that an asker looks at its answer."""


class _Pages(msgspec.Struct):
    first: int
    relevances: list[float | None]


@dataclass
class _Heard:
    """What all readers have heard so far."""

    begun: int = 0
    ended: int = 0
    gaps: int = 0
    steps: Counter[int] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)


async def _follow(port: int, heard: _Heard) -> None:
    """One stream, from the first step to the end of the crawl."""
    last = 0
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    writer.write(_request("GET", "/api/events?after=0", port))
    status = await _head(reader)
    if status != 200:
        raise SystemExit(f"a stream was refused with status {status}")
    begun = False
    async for event in _events(reader):
        if not begun:
            begun = True
            heard.begun += 1
        name, data = _parts(event)
        if name == "pages":
            pages = msgspec.json.decode(data, type=_Pages)
            heard.gaps += pages.first != last + 1
            last = pages.first + len(pages.relevances) - 1
        if name == "end":
            heard.ended += 1
            break
    heard.steps[last] += 1
    writer.close()


async def _ask(port: int, number: int, heard: _Heard) -> None:
    """Questions of one asker, each on a connection of its own, until the crawl is over."""
    chance = random.Random(number)
    while not heard.is_over.is_set():
        text = chance.choice(QUERIES).format(number=chance.randrange(1, 1_000))
        began = time.monotonic()
        try:
            status = await _answer(port, text)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            status = type(error).__name__
        heard.answers[status] += 1
        heard.seconds.append(time.monotonic() - began)
        await asyncio.sleep(PAUSE)


async def _answer(port: int, text: str) -> str:
    body = urlencode({"query": text}).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request("POST", "/sparql", port, body))
        raw = await reader.read()
    finally:
        writer.close()
    head, _, rest = raw.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    if len(rest) != int(lengths[0].split(b":")[1]):
        return "cut off"
    return head[9:12].decode()


def _request(method: str, path: str, port: int, body: bytes = b"") -> bytes:
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Accept: text/event-stream, application/json, */*;q=0.5",
        f"Content-Length: {len(body)}",
        "Content-Type: application/x-www-form-urlencoded",
    ]
    if method == "POST":
        lines.append("Connection: close")
    return "\r\n".join([*lines, "", ""]).encode() + body


async def _head(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    return int(head[9:12])


async def _events(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The events of a body that comes in chunks."""
    rest = b""
    while size := int(await reader.readline(), 16):
        rest += await reader.readexactly(size)
        await reader.readexactly(2)
        *events, rest = rest.split(b"\n\n")
        for event in events:
            yield event


def _parts(event: bytes) -> tuple[str, bytes]:
    name, data = "", b""
    for line in event.split(b"\n"):
        if line.startswith(b"event: "):
            name = line[7:].decode()
        elif line.startswith(b"data: "):
            data = line[6:]
    return name, data


async def _read(port: int, streams: int, askers: int) -> None:
    heard = _Heard()
    asking = [asyncio.create_task(_ask(port, number, heard)) for number in range(askers)]
    following = [asyncio.create_task(_follow(port, heard)) for _ in range(streams)]
    while heard.begun < streams and not any(task.done() for task in following):
        await asyncio.sleep(0.05)
    print("ready", flush=True)
    results = await asyncio.gather(*following, return_exceptions=True)
    heard.is_over.set()
    await asyncio.gather(*asking)
    seconds = sorted(heard.seconds) or [0.0]
    told = {
        "ended": heard.ended,
        "gaps": heard.gaps,
        "broken": sum(isinstance(result, BaseException) for result in results),
        "steps": dict(heard.steps),
        "answers": dict(heard.answers),
        "median": seconds[len(seconds) // 2],
        "slowest": seconds[-1],
        "cpu": time.process_time(),
    }
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    # Readers are elsewhere in life: here they shall not take the crawl's processor.
    os.nice(19)
    asyncio.run(_read(*map(int, sys.argv[1:4])))
