"""What a page says in RDF, and a quick look whether it says anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pyoxigraph as ox

__all__ = ["Statements", "Syntaxes", "may_make_statements", "syntaxes_in", "tell_unread"]


@dataclass(frozen=True, slots=True)
class Statements:
    """What a page says of itself and of other things, in RDF.

    ``triples`` are in the order of the page, each once. ``problems`` says in
    plain sentences what could not be read, or was left out.
    """

    triples: tuple[ox.Triple, ...] = ()
    problems: tuple[str, ...] = ()


class Syntaxes(NamedTuple):
    """Which syntaxes a page's markup may hold."""

    json_ld: bool
    microdata: bool
    rdfa: bool


# Patterns that begin with a letter are found fast; what stands before it is looked at after.
_ATTRIBUTE = re.compile(rb"""(?:property|typeof|vocab)\s*=""")
_RELATION = re.compile(rb"""re[lv]\s*=\s*["']?[^"'>=]{0,200}?(?::|license|describedby)""")


def may_make_statements(markup: str) -> bool:
    """Whether a page's markup may hold any statements; a quick look, sometimes too hopeful.

    >>> may_make_statements('<meta property="og:title" content="Lungs">')
    True
    >>> may_make_statements('<a rel="nofollow" href="/">Home</a>')
    False
    """
    return any(syntaxes_in(markup))


def syntaxes_in(markup: str) -> Syntaxes:
    """Which syntaxes a page's markup may hold."""
    # Bytes are made lower case ten times as fast as text.
    small = markup.encode("utf-8", "replace").lower()
    return Syntaxes(b"ld+json" in small, b"itemscope" in small, _may_hold_rdfa(small))


def _may_hold_rdfa(small: bytes) -> bool:
    words = (b"property", b"typeof", b"vocab")
    if any(word in small for word in words) and _ATTRIBUTE.search(small):
        return True
    return _RELATION.search(small) is not None


def tell_unread(problems: list[str], syntax: str, number: int) -> None:
    """Add the sentence that so many values in a syntax could not be read, if there were any.

    >>> problems = []
    >>> tell_unread(problems, "RDFa", 2)
    >>> problems
    ['2 values of its RDFa could not be read.']
    """
    if number:
        values = "value" if number == 1 else "values"
        problems.append(f"{number:,} {values} of its {syntax} could not be read.")
