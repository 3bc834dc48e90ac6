r"""Canonical URLs: one text for one resource, and one that RDF accepts as an IRI; sites.

Parsing and joining follow the WHATWG URL standard (ada). On top of it, `canonical`
and `join`

- drop the fragment, user name and password, a lone ``?`` and a host's final dot,
- write percent-encodings in upper case, decode those of unreserved characters
  (equivalent by RFC 3986), and encode a ``%`` that encodes nothing,
- percent-encode what an IRI may not hold: blanks, controls, ``<>"{}|\^`[]``,
- remove the tracking parameters of `TRACKING` and session identifiers,
- keep the order of query parameters, which can matter to a server.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from ada_url import join_url, normalize_url
from msgspec import Struct

from semcrawl.errors import ConfigError, UrlError, told_as
from semcrawl.resources import facts_beside

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_LENGTH = 2048  # longer URLs are not followed

TRACKING = frozenset(facts_beside(__file__, "tracking.toml")["parameters"].split())  # besides ``utm_*``

# A URL of this shape comes out of ada canonical, unless its query tracks. Most links
# match. The escapes listed are those of characters that stay encoded; possessive
# quantifiers keep a long URL that does not match from costing more.
_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_KEPT = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[BCDF])"
_PLAIN = re.compile(
    rf"https?://(?=[^/]{{1,253}}/){_LABEL}(?:\.{_LABEL})*(?::[0-9]+)?"
    rf"/(?:[A-Za-z0-9/._~!$&'()*+,=:@-]++|{_KEPT})*+"
    rf"(?:\?(?:[A-Za-z0-9/._~!$&()*+,;=:@?-]++|{_KEPT})++)?"
)
_TRACKED = re.compile(rf"[?&](?:utm_|sid=|(?:{'|'.join(sorted(TRACKING))})(?:[=&]|$))", re.IGNORECASE)
_PARTS = re.compile(r"(https?)://(?:[^/?#]*@)?([^/?#@]+)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL)
_HOST = re.compile(r"(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]+\])(?::[0-9]+)?")
_ESCAPES = re.compile(r"%(?:([0-9A-Fa-f]{2})|)|[^!$-;=?-Z_a-z~]")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# Only behind a real name: "/..;jsessionid=1" without its session would climb.
_PATH_SESSION = re.compile(r"(?<=[^/.])(?:;(?:jsessionid|phpsessid)=[^/;]*)+", re.IGNORECASE)
# `sid` is as often a story as a session: only a long random value is a session.
_SID = re.compile(r"[0-9A-Za-z_-]{16,}")


def canonical(url: str) -> str:
    """Return the canonical form of an absolute http or https URL, or raise ``UrlError``.

    >>> canonical("HTTP://Example.ORG:80/a/../b%7e?utm_source=x&q=1#top")
    'http://example.org/b~?q=1'
    """
    result = _absolute(url) if len(url) <= MAX_LENGTH else None
    if result is None:
        bare = "" if ":" in url or " " in url else f"; did you mean {_shown('http://' + url)}?"
        raise UrlError(
            f"not a URL that can be fetched: {_shown(url)}; it must be absolute, http or https, "
            f"with a valid host, and at most {MAX_LENGTH} characters long{bare}"
        )
    return result


def canonical_at(place: str, url: str) -> str:
    """Return the canonical form of a URL that a user's file names; ConfigError tells the place."""
    with told_as(ConfigError, place, UrlError):
        return canonical(url)


def join(base: str, href: str) -> str | None:
    """Return the canonical target of a link on the page `base`, or None if it leads to no page.

    >>> join("http://example.org/a/b.html", " ../c.html#x ")
    'http://example.org/c.html'
    """
    if len(href) > MAX_LENGTH:
        return None
    if href.startswith(("http://", "https://")):
        return _absolute(href)
    try:
        return _finish(join_url(base, href))
    except ValueError:
        return None


@lru_cache(maxsize=65_536)
def _absolute(href: str) -> str | None:
    try:
        return _finish(normalize_url(href))
    except ValueError:
        return None


def _finish(url: str) -> str | None:
    if _PLAIN.fullmatch(url) is None or ("?" in url and _TRACKED.search(url)):
        return _rewrite(url)
    return url if len(url) <= MAX_LENGTH else None


@lru_cache(maxsize=16_384)
def _rewrite(url: str) -> str | None:
    parts = _PARTS.fullmatch(url)
    if parts is None:
        return None
    scheme, host, path, query = parts.groups()
    host = _clean_host(host)
    if host is None:
        return None
    path = _PATH_SESSION.sub("", _ESCAPES.sub(_escaped, path)) if path else "/"
    if query:
        query = "&".join(pair for pair in _ESCAPES.sub(_escaped, query).split("&") if not _tracks(pair))
    result = f"{scheme}://{host}{path}" + (f"?{query}" if query else "")
    return result if len(result) <= MAX_LENGTH else None


def _clean_host(host: str) -> str | None:
    name, colon, port = host.partition(":") if host[0] != "[" else (host, "", "")
    cleaned = name.removesuffix(".") + colon + port
    return cleaned if len(name) <= 253 and _HOST.fullmatch(cleaned) else None


def _escaped(found: re.Match[str]) -> str:
    digits = found.group(1)
    if digits is None:
        return "".join(f"%{byte:02X}" for byte in found.group().encode())
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else "%" + digits.upper()


def _tracks(pair: str) -> bool:
    name, _, value = pair.partition("=")
    name = name.lower()
    return name.startswith("utm_") or name in TRACKING or (name == "sid" and _SID.fullmatch(value) is not None)


def _shown(url: str) -> str:
    return repr(url if len(url) <= 100 else url[:97] + "...")


def host_of(url: str) -> str:
    """Return the host of a canonical URL, with its port if that is not the default one.

    >>> host_of("http://example.org:8080/a"), host_of("https://example.org/")
    ('example.org:8080', 'example.org')
    """
    try:
        return url.split("/", 3)[2]
    except IndexError:
        raise UrlError(f"not an absolute URL: {_shown(url)}; make it canonical first") from None


def hostname_of(url: str) -> str:
    """Return the host of a canonical URL without port; an IPv6 address without brackets.

    >>> hostname_of("http://[::1]:8080/"), hostname_of("http://example.org:81/")
    ('::1', 'example.org')
    """
    host = host_of(url)
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def origin_of(url: str) -> str:
    """Return scheme, host and port of a canonical URL, the unit of robots.txt.

    >>> origin_of("https://example.org/a/b")
    'https://example.org'
    """
    return f"{url.partition(':')[0]}://{host_of(url)}"


def domain_of(url: str) -> str:
    """Return the registered domain of a canonical URL, by the public suffix list.

    Hosts without one, such as IP addresses, are their own domain.

    >>> domain_of("http://news.bbc.co.uk/1/hi.html"), domain_of("http://a.b.test:8080/")
    ('bbc.co.uk', 'a.b.test')
    """
    return _domain(hostname_of(url))


@lru_cache(maxsize=65_536)
def _domain(hostname: str) -> str:
    if is_ip_address(hostname):
        return hostname
    return _suffixes().privatesuffix(hostname) or hostname


def is_ip_address(hostname: str) -> bool:
    """Whether a canonical host name is an IP address."""
    return ":" in hostname or hostname.rpartition(".")[2].isdigit()


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    # Reading the list takes a tenth of a second: only where a domain is asked for.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_unknown=False)


class SiteName(Struct, frozen=True):
    """How the site of a URL is named, and where the homepage of a site is.

    The name is a host (Ester 2004, section 3.1), a registered domain, or a host with the
    first folders of the path; a port other than the default belongs to it.

    >>> SiteName("domain").of("https://www.cs.sfu.ca/people/ann.html")
    'sfu.ca'
    >>> SiteName("path", 1).of("https://www.cs.sfu.ca/people/ann.html")
    'www.cs.sfu.ca/people'
    """

    kind: str = "host"  # ``host``, ``domain`` or ``path``
    segments: int = 0  # for ``path``, how many folders belong to the name

    def __post_init__(self) -> None:
        has_folders = self.segments >= 1
        if self.kind not in {"host", "domain", "path"} or has_folders != (self.kind == "path"):
            raise _unknown(str(self))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``host``, ``domain`` or ``path:N``, or raise ``ConfigError``."""
        kind, colon, number = text.strip().partition(":")
        if not colon:
            return cls(kind, 1 if kind == "path" else 0)
        if kind != "path" or not re.fullmatch(r"[0-9]{1,3}", number) or not int(number):
            raise _unknown(text)
        return cls(kind, int(number))

    def __str__(self) -> str:
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
