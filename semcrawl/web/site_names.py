"""What a site is: a host, a registered domain, or a folder of a host."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.web.urls import domain_of, host_of, hostname_of

if TYPE_CHECKING:
    from typing import Self

_KINDS = ("host", "domain", "path")


@dataclass(frozen=True, slots=True)
class SiteName:
    """How the site of a URL is named, and where the homepage of a site is.

    The name is a host (Ester 2004, section 3.1), a registered domain, or a host with
    the first folders of the path, for shared hosts. A port other than the default
    is a part of the name.

    >>> SiteName().of("https://www.cs.sfu.ca/people/ann.html")
    'www.cs.sfu.ca'
    >>> SiteName("domain").of("https://www.cs.sfu.ca/people/ann.html")
    'sfu.ca'
    >>> SiteName("path", 1).of("https://www.cs.sfu.ca/people/ann.html")
    'www.cs.sfu.ca/people'
    """

    kind: str = "host"  # ``host``, ``domain`` or ``path``
    segments: int = 0  # for ``path``, how many folders belong to the name

    def __post_init__(self) -> None:
        if self.kind not in _KINDS or (self.segments < 1) is (self.kind == "path"):
            raise _unknown(str(self))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``host``, ``domain`` or ``path:N``.

        Raises:
            ConfigError: it is none of these.
        """
        kind, colon, number = text.strip().partition(":")
        if not colon:
            return cls(kind, 1 if kind == "path" else 0)
        if kind != "path" or not re.fullmatch(r"[0-9]{1,3}", number) or not int(number):
            raise _unknown(text)
        return cls(kind, int(number))

    def __str__(self) -> str:
        """As :meth:`parse` reads it."""
        return f"{self.kind}:{self.segments}" if self.segments else self.kind

    def of(self, url: str) -> str:
        """Return the name of the site of a canonical URL; folders end with a slash."""
        host = host_of(url)
        if self.kind == "host":
            return host
        if self.kind == "domain":
            port = host.removeprefix(_bracketed(hostname_of(url)))
            return _bracketed(domain_of(url)) + port
        path = url.partition("?")[0].split("/", 3)[3:]
        folders = path[0].split("/")[:-1] if path else []
        return "/".join((host, *[folder for folder in folders if folder][: self.segments]))

    def homepage_for(self, url: str) -> str:
        """Return the homepage of the site of a canonical URL, with the same scheme.

        >>> SiteName("path", 1).homepage_for("https://www.cs.sfu.ca/people/ann.html")
        'https://www.cs.sfu.ca/people/'
        """
        return f"{url.partition(':')[0]}://{self.of(url)}/"


def _bracketed(hostname: str) -> str:
    return f"[{hostname}]" if ":" in hostname else hostname


def _unknown(text: str) -> ConfigError:
    return ConfigError(
        f"sites cannot be told apart by {text[:40]!r}: use host, domain, or path:N with a number "
        "of folders from 1 to 999"
    )
