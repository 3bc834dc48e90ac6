"""Many connections: as many as the system has files for, and a plain word to the rest."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from semcrawl.serve.guard import with_safe_headers
from semcrawl.serve.replies import error_reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["bounded_app", "most_connections", "quiet_accepting", "raise_file_limit"]

_WANTED_FILES = 8192
_RESERVE = 128
"""Files for workers, snapshots and the page itself, which no connection may take."""

_MOST = 2000
_RETRY = 2
_ACCEPT_FAILED = "socket.accept() out of system resource"


def raise_file_limit(wanted: int = _WANTED_FILES) -> int:
    """Let this process open more files, where it may; how many it may open then."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not on every system
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    target = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
    except (OSError, ValueError):  # some systems have a lower limit than they tell
        return soft
    return target


def most_connections(files: int) -> int:
    """How many connections a server may have that may open so many files.

    >>> most_connections(8192), most_connections(256), most_connections(64)
    (2000, 128, 32)
    """
    return min(_MOST, max(files - _RESERVE, files // 2))


def bounded_app(app: ASGIApp, connections: Callable[[], int], most: int) -> ASGIApp:
    """The application, for as many connections at once as are allowed; others are sent away."""

    async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and connections() > most:
            # Closed, so that its place is free for the next try.
            reply = error_reply(
                f"more than {most} connections are open: try again later",
                503,
                retry_after=_RETRY,
                headers={"Connection": "close"},
            )
            await reply(scope, receive, with_safe_headers(send))
            return
        await app(scope, receive, send)

    return bounded


def quiet_accepting() -> None:
    """Tell once, in a sentence, that there are no more files for connections.

    The event loop would log it with a traceback, for every try.
    """
    logger = logging.getLogger("asyncio")
    if not any(isinstance(one, _AcceptFilter) for one in logger.filters):
        logger.addFilter(_AcceptFilter())


class _AcceptFilter(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self._was_told = False

    def filter(self, record: logging.LogRecord) -> bool:
        if not str(record.msg).startswith(_ACCEPT_FAILED):
            return True
        if self._was_told:
            return False
        self._was_told = True
        record.msg = "semcrawl: too many connections: new ones wait (raise the limit of open files)"
        record.args, record.exc_info, record.exc_text = None, None, None
        return True
