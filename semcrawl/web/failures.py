"""What went wrong in an exchange, said in the words of the crawl.

requests wraps the errors of urllib3, which wraps those of http.client, ssl
and the sockets, some of them three deep. What counts is the innermost one.
"""

from __future__ import annotations

import re
import ssl
from http.client import IncompleteRead, RemoteDisconnected
from typing import Final

from urllib3.exceptions import LocationValueError, SSLError
from urllib3.exceptions import TimeoutError as PoolTimeoutError

from semcrawl.errors import FetchError
from semcrawl.web.reasons import DropReason

__all__ = ["as_fetch_error", "hung_up", "root_of"]

_HUNG_UP: Final = (RemoteDisconnected, ConnectionResetError, BrokenPipeError, ssl.SSLEOFError)
# http.client says it in words only, and so does urllib3.
_NO_TUNNEL = re.compile(r"Tunnel connection failed: ([0-9]{3})")


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


def hung_up(problem: BaseException) -> bool:
    """Whether the server closed the connection before it answered anything."""
    return isinstance(root_of(problem), _HUNG_UP)


def as_fetch_error(url: str, problem: BaseException) -> FetchError:
    """Return the ``FetchError`` that says why a URL gave no whole answer."""
    root = root_of(problem)
    reason, temporary = DropReason.BAD_RESPONSE, isinstance(root, OSError | IncompleteRead)
    text = " ".join(str(root).split()) or type(root).__name__
    # Only the error itself is asked: a server can put these words in its status line.
    refused = _NO_TUNNEL.match(text) if type(root) is OSError else None
    if isinstance(root, TimeoutError | PoolTimeoutError):
        reason, temporary = DropReason.TIMED_OUT, True
    elif isinstance(root, ssl.SSLError | SSLError):
        reason, temporary = DropReason.TLS_FAILED, False
    elif isinstance(root, LocationValueError):
        reason, temporary = DropReason.BAD_URL, False
    elif refused:
        reason, temporary = DropReason.CONNECT_FAILED, int(refused[1]) >= 500
        text = f"the proxy opens no tunnel: status {refused[1]}"
    return FetchError(
        f"no whole answer from {url}: {text:.300}", reason=reason, temporary=temporary
    )
