"""Messages over a pipe: a length of eight bytes, then the message."""

from __future__ import annotations

import struct
from typing import IO

__all__ = ["LENGTH", "frame", "read_frame", "write_frame"]

LENGTH = struct.Struct(">Q")
"""How the length of a message is written."""


def frame(body: bytes) -> bytes:
    """A message as it goes over the pipe."""
    return LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message of a stream, None at its end."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one message, and let it go."""
    stream.write(frame(body))
    stream.flush()
