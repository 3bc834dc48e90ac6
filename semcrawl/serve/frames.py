"""Messages over a pipe, as `semcrawl.beside.frames` writes them, for an event loop."""

from __future__ import annotations

import asyncio

from semcrawl.beside.frames import LENGTH

__all__ = ["next_frame"]


async def next_frame(stream: asyncio.StreamReader) -> bytes | None:
    """The next message of an asynchronous stream, None at its end."""
    try:
        (length,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
        return await stream.readexactly(length)
    except asyncio.IncompleteReadError:
        return None
