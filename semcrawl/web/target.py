"""A canonical URL taken apart for a request."""

from __future__ import annotations

import re
from dataclasses import dataclass

from semcrawl.errors import ConfigError, FetchError, UrlError
from semcrawl.web.reasons import DropReason
from semcrawl.web.urls import canonical

__all__ = ["Target", "proxy_target", "take_apart"]

_URL = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?(/[!-~]*)")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes, and what it asks for there.

    Attributes:
        url: the URL taken apart.
        scheme: ``http`` or ``https``.
        host: the host name or address, an IPv6 address in brackets.
        port: the port, also where the URL leaves it out.
        path: path and query, as they are sent.
    """

    url: str
    scheme: str
    host: str
    port: int
    path: str

    @property
    def secure(self) -> bool:
        """Whether the request goes over TLS."""
        return self.scheme == "https"

    @property
    def hostname(self) -> str:
        """The host without brackets, as resolvers take it."""
        return self.host.strip("[]")


def take_apart(url: str) -> Target:
    """Return the parts of a canonical URL, or raise ``FetchError`` (BadUrl).

    >>> target = take_apart("https://example.org/a?b")
    >>> target.host, target.port, target.path
    ('example.org', 443, '/a?b')
    """
    parts = _URL.fullmatch(url)
    if parts is not None:
        scheme, host, port, path = parts.groups()
        number = int(port) if port else _PORTS[scheme]
        if number <= 65535:
            return Target(url, scheme, host, number, path)
    raise FetchError(
        f"not a canonical URL: {url!r:.200}; pass it through canonical() first",
        reason=DropReason.BAD_URL,
    )


def proxy_target(proxy: str) -> Target:
    """Return the parts of a proxy's address, or raise ``ConfigError``."""
    try:
        target = take_apart(canonical(proxy))
    except (UrlError, FetchError):
        target = None
    if target is None or target.secure or target.path != "/" or "@" in proxy:
        raise ConfigError(
            f"cannot use the proxy {proxy!r:.100}; give an address such as http://127.0.0.1:3128"
        )
    return target
