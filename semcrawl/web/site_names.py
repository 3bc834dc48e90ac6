"""What a site is: a host, a registered domain, or a folder of a host."""

from __future__ import annotations

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

    The name is a host (Ester 2004, section 3.1), a registered domain, or a host
    with the first folders of the path, for hosts that many people share. A port
    that is not the default one is a part of the name.

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
        if kind != "path" or not (number.isascii() and number.isdigit()) or len(number) > 3:
            raise _unknown(text)
        if not int(number):
            raise _unknown(text)
        return cls(kind, int(number))

    def __str__(self) -> str:
        """As :meth:`parse` reads it."""
        return f"{self.kind}:{self.segments}" if self.segments else self.kind

    def of(self, url: str) -> str:
        """The name of the site that a canonical URL belongs to.

        A folder counts where a slash follows it, so that a page at the top of a
        shared host is a page of the host's own site.
        """
        host = host_of(url)
        if self.kind == "host":
            return host
        if self.kind == "domain":
            port = host.removeprefix(_bracketed(hostname_of(url)))
            return _bracketed(domain_of(url)) + port
        path = url.partition("?")[0].split("/", 3)[3:]
        folders = path[0].split("/")[:-1] if path else []
        return "/".join((host, *[folder for folder in folders if folder][: self.segments]))

    def homepage_of(self, site: str, scheme: str = "http") -> str:
        """The URL at which a site begins.

        >>> SiteName("path", 1).homepage_of("people.example.org/ann", "https")
        'https://people.example.org/ann/'
        """
        return f"{scheme}://{site}/"

    def homepage_for(self, url: str) -> str:
        """The homepage of the site that a canonical URL belongs to, by the same protocol.

        >>> SiteName().homepage_for("https://www.cs.sfu.ca/people/ann.html")
        'https://www.cs.sfu.ca/'
        """
        return self.homepage_of(self.of(url), url.partition(":")[0])


def _bracketed(hostname: str) -> str:
    return f"[{hostname}]" if ":" in hostname else hostname


def _unknown(text: str) -> ConfigError:
    return ConfigError(
        f"sites cannot be told apart by {text[:40]!r}: use host, domain, or path:N with a number "
        "of folders from 1 to 999"
    )
