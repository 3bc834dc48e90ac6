"""Who may ask: Host, Origin and token are checked, sizes bounded, safe headers added.

A server on loopback can be reached by every page that the user's browser shows.
Three things keep such pages out. The Host header must name this server, so that
a foreign name that was made to point here (DNS rebinding) is refused. A request
that a page of another origin makes is refused by its Origin or Sec-Fetch-Site.
And what changes something needs the token, which no other page knows.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders

from semcrawl.errors import RequestError
from semcrawl.serve.replies import problem_reply

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1 << 20
"""Bytes that the body of a request may have."""

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

SAFE_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every answer that says nothing else."""

_FREE = ("/static/",)
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


class Guard:
    """Refuses requests that are not this server's own page's, nor a program's.

    Args:
        host: the address that the server listens at.
        token: what requests that change something must know; all requests, where the
            server listens elsewhere than at loopback.
        names: other names that the server may be called by.
    """

    def __init__(self, host: str, token: str, names: tuple[str, ...] = ()) -> None:
        self.is_open = is_loopback(host)
        self._token = token.encode()
        self._host = host
        self._names = {host.lower(), *(name.lower() for name in names)}
        if self.is_open:
            self._names |= _LOOPBACK_NAMES
        elif _is_everywhere(host):
            self._names |= {"localhost", socket.gethostname().lower()}

    def require_token(self, connection: HTTPConnection) -> None:
        """Let a request pass that knows the token.

        Raises:
            RequestError: it does not (401).
        """
        if not self.knows_token(connection.headers):
            raise RequestError(
                "this needs the token of the server: open the link that it printed, or send "
                "the header 'Authorization: Bearer TOKEN'",
                401,
            )

    def knows_token(self, headers: Headers) -> bool:
        """Whether a request has the token in a header."""
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            given = headers.get("x-semcrawl-token", "")
        return secrets.compare_digest(given.strip().encode(), self._token)

    def check(self, method: str, path: str, headers: Headers) -> None:
        """Let a request pass that comes from the server's own page, a program or a link.

        Raises:
            RequestError: it names another host, comes from another site, is too
                large, or lacks the token.
        """
        self._check_host(headers)
        self._check_origin(method, headers)
        _check_size(headers)
        is_free = path in {"/", "/favicon.ico"} or path.startswith(_FREE)
        if not (self.is_open or is_free) and not self.knows_token(headers):
            raise RequestError(
                "this server asks everybody for its token: open the link that it printed, or "
                "send the header 'Authorization: Bearer TOKEN'",
                401,
            )

    def _check_host(self, headers: Headers) -> None:
        named = headers.getlist("host")
        name = _host_name(named[0]) if len(named) == 1 else None
        if name is None:
            raise RequestError("the request names no host, or several", 400)
        # A rebound name is a name: an address can only be the server's own.
        is_fine = name in self._names or (_is_everywhere(self._host) and _address(name))
        if not is_fine:
            raise RequestError(
                f"this server is not called {name!r}: use the address that it printed", 421
            )

    @staticmethod
    def _check_origin(method: str, headers: Headers) -> None:
        site = headers.get("sec-fetch-site", "none")
        origin = headers.get("origin")
        is_navigation = (
            method == "GET"
            and headers.get("sec-fetch-mode") == "navigate"
            and headers.get("sec-fetch-dest") == "document"
        )
        is_own = origin is None or _is_origin_of(origin, headers["host"])
        if not is_own or (site not in ("none", "same-origin") and not is_navigation):
            raise RequestError("pages of other sites must not ask this server", 403)

    def around(self, app: ASGIApp) -> ASGIApp:
        """The application behind this guard."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            send = with_safe_headers(send)
            try:
                self.check(scope["method"], scope["path"], Headers(scope=scope))
            except RequestError as error:
                await problem_reply(error)(scope, receive, send)
                return
            await app(scope, _bounded(receive), send)

        return guarded


def _check_size(headers: Headers) -> None:
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BYTES:
        raise RequestError(f"a request may have {MOST_BYTES:,} bytes", 413)


def _bounded(receive: Receive) -> Receive:
    """A body that says nothing of its length is counted as it comes."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            raise RequestError(f"a request may have {MOST_BYTES:,} bytes", 413)
        return message

    return bounded


def with_safe_headers(send: Send) -> Send:
    """Send answers with the headers of :data:`SAFE_HEADERS`, where they do not have their own."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _host_name(header: str) -> str | None:
    """The name in a Host header, without the port: a tunnel may end at another one."""
    try:
        name = urlsplit(f"//{header}").hostname
    except ValueError:
        return None
    return name if name and not any(sign in header for sign in "/?#@\\") else None


def _is_origin_of(origin: str, host: str) -> bool:
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_everywhere(host: str) -> bool:
    address = _address(host)
    return address is not None and address.is_unspecified
