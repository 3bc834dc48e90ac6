"""How a crawl names itself to the servers it visits."""

from __future__ import annotations

import re

from semcrawl.errors import ConfigError

__all__ = ["PRODUCT", "user_agent"]

PRODUCT = "semcrawl"
"""The product token that robots.txt files address."""

_CONTACT = re.compile(r"[!-'*-\[\]-~](?:[ -'*-\[\]-~]*[!-'*-\[\]-~])?")
_CONTACT_LENGTH = 200


def user_agent(contact: str | None = None) -> str:
    """Return the User-Agent, with a URL or mail address where the user gave one.

    >>> user_agent("https://example.org/crawl.html").endswith("(+https://example.org/crawl.html)")
    True
    """
    product = f"{PRODUCT}/{_version()}"
    if contact is None or not contact.strip():
        return product
    text = contact.strip()
    if len(text) > _CONTACT_LENGTH or not _CONTACT.fullmatch(text):
        raise ConfigError(
            f"cannot use the contact {contact!r:.100}; give a URL or a mail address: plain "
            f"letters, no brackets or line breaks, at most {_CONTACT_LENGTH} characters"
        )
    return f"{product} (+{text})"


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("semcrawl")
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "0"
