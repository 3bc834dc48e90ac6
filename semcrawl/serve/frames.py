"""Messages over a pipe: a length of eight bytes, then the message."""

from __future__ import annotations

import asyncio
import struct
from typing import IO

__all__ = ["frame", "next_frame", "read_frame", "write_frame"]

_LENGTH = struct.Struct(">Q")


def frame(body: bytes) -> bytes:
    """A message as it goes over the pipe."""
    return _LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message of a stream, None at its end."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one message, and let it go."""
    stream.write(frame(body))
    stream.flush()


async def next_frame(stream: asyncio.StreamReader) -> bytes | None:
    """The next message of an asynchronous stream, None at its end."""
    try:
        (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
        return await stream.readexactly(length)
    except asyncio.IncompleteReadError:
        return None
