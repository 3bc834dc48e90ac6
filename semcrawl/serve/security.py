"""Who may ask: Host, Origin and token are checked, sizes bounded, safe headers added.

Every page in the user's browser can reach a server on loopback. Host keeps out foreign names that
point here (DNS rebinding), Origin and Sec-Fetch-Site keep out pages of other origins.
"""

import ipaddress
import secrets
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from semcrawl.errors import RequestError
from semcrawl.resources import facts_beside
from semcrawl.serve.replies import problem_reply

MOST_BYTES = 1 << 20
SAFE_HEADERS: dict[str, str] = facts_beside(__file__, "headers.toml")
"""Headers of every answer that does not set its own."""


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


class RequestCheck:
    """Lets in this server's page and programs; off loopback, only those with the token."""

    def __init__(self, host: str, token: str) -> None:
        self._token = token.encode()
        self._is_loopback = is_loopback(host)
        address = _address(host)
        self._is_everywhere = address is not None and address.is_unspecified
        self._names = {host.lower()}
        if self._is_loopback:
            self._names |= {"localhost", "127.0.0.1", "::1"}
        elif self._is_everywhere:
            self._names |= {"localhost", socket.gethostname().lower()}

    def require_token(self, connection: HTTPConnection) -> None:
        """Raise a RequestError (401) where a request does not know the token."""
        if not self.knows_token(connection.headers):
            raise _no_token("this needs the token of the server")

    def knows_token(self, headers: Headers) -> bool:
        """Whether a request has the token in a header."""
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            given = headers.get("x-semcrawl-token", "")
        return secrets.compare_digest(given.strip().encode(), self._token)

    def check(self, method: str, path: str, headers: Headers) -> None:
        """Raise a RequestError for another host, another site, a large body, or no token."""
        self._check_host(headers)
        _check_origin(method, headers)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            raise _too_large()
        is_free = path in {"/", "/favicon.ico"} or path.startswith("/static/")
        if not (self._is_loopback or is_free) and not self.knows_token(headers):
            raise _no_token("this server asks everybody for its token")

    def _check_host(self, headers: Headers) -> None:
        named = headers.getlist("host")
        name = _host_name(named[0]) if len(named) == 1 else None
        if name is None:
            raise RequestError("the request names no host, or several", 400)
        # A rebound name is a name: an address can only be the server's own.
        if name not in self._names and not (self._is_everywhere and _address(name)):
            raise RequestError(f"this server is not called {name!r}: use the address that it printed", 421)

    def around(self, app: ASGIApp) -> ASGIApp:
        """The application, for requests that pass the check."""

        async def checked(scope: Scope, receive: Receive, send: Send) -> None:
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

        return checked


def _check_origin(method: str, headers: Headers) -> None:
    site = headers.get("sec-fetch-site", "none")
    origin = headers.get("origin")
    host = headers["host"].lower()
    is_navigation = (
        method == "GET" and headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    )
    is_own = origin is None or origin.lower() in (f"http://{host}", f"https://{host}")
    if not is_own or (site not in ("none", "same-origin") and not is_navigation):
        raise RequestError("pages of other sites must not ask this server", 403)


def _no_token(why: str) -> RequestError:
    found = "open the link that it printed, or send the header 'Authorization: Bearer TOKEN'"
    return RequestError(f"{why}: {found}", 401)


def _too_large() -> RequestError:
    return RequestError(f"a request may have {MOST_BYTES:,} bytes", 413)


def _bounded(receive: Receive) -> Receive:
    """Count the bytes of a body as they come: it need not say its length."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            raise _too_large()
        return message

    return bounded


def with_safe_headers(send: Send) -> Send:
    """Add `SAFE_HEADERS` to answers that do not set their own."""

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


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
