"""What a page says about itself to robots: meta elements and header fields."""

from __future__ import annotations

import re

__all__ = ["AGENT", "header_directives", "meta_directives", "refresh_target"]

AGENT = "semcrawl"
"""The name under which a page can address this crawler alone."""

# Directives that are written with a colon, so that what stands before the
# colon is not the name of a robot.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_SEPARATORS = re.compile(r"[\s,;]+")
_REFRESH = re.compile(
    r"""\s*(?:\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""",
    re.IGNORECASE | re.DOTALL,
)


def meta_directives(content: str) -> frozenset[str]:
    """Return the directives of a robots ``<meta>``, "none" written out.

    >>> sorted(meta_directives("NOINDEX, follow")), sorted(meta_directives("none"))
    (['follow', 'noindex'], ['nofollow', 'noindex', 'none'])
    """
    return _spelled_out(set(_SEPARATORS.split(content.lower())) - {""})


def header_directives(value: str) -> frozenset[str]:
    """Return the directives of an ``X-Robots-Tag`` field that are meant for this crawler.

    A robot's name goes for all that follows it, up to the next name.

    >>> sorted(header_directives("noindex, otherbot: noarchive, semcrawl: nofollow"))
    ['nofollow', 'noindex']
    """
    directives: set[str] = set()
    meant = True
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in _VALUED:
            meant = name.strip() in {AGENT, "*"}
            name = rest
        if meant:
            directives.add(name.strip())
    return _spelled_out(directives - {""})


def _spelled_out(directives: set[str]) -> frozenset[str]:
    return frozenset(directives | {"noindex", "nofollow"} if "none" in directives else directives)


def refresh_target(content: str) -> str | None:
    """Return where a ``<meta http-equiv=refresh>`` leads, or None if it only reloads.

    >>> refresh_target("0; URL='next.html'"), refresh_target("30")
    ('next.html', None)
    """
    found = _REFRESH.match(content)
    target = (found.group(1) or found.group(2) or found.group(3) or "").strip() if found else ""
    return target or None
