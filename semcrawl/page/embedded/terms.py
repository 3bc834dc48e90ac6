"""RDF terms from what strangers write: made where possible, never an error."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import ada_url
import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["literal", "reference"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LONGEST_LANGUAGE = 35  # RFC 5646, 4.4.1
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_STRAY = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNSAFE: Mapping[int, str] = str.maketrans(
    {char: f"%{ord(char):02X}" for char in ' <>"{}|\\^`' + "".join(map(chr, range(0x20)))}
)


def reference(text: str, base: str) -> ox.NamedNode | None:
    """The IRI that a reference means on a page with that base; None where it means none.

    An absolute IRI stays as it was written, because RDF compares IRIs letter by
    letter; only what no IRI can hold is percent-encoded. Others are joined as
    browsers do.

    >>> reference("#me", "http://a.test/x")
    <NamedNode value=http://a.test/x#me>
    >>> reference("50%.png", "http://a.test/x")
    <NamedNode value=http://a.test/50%25.png>
    >>> reference("http://[", "http://a.test/x") is None
    True
    """
    text = text.strip()
    if not _SCHEME.match(text):
        try:
            text = ada_url.join_url(base, text)
        except ValueError:
            return None
    try:
        return ox.NamedNode(_STRAY.sub("%25", text.translate(_UNSAFE)))
    except ValueError:
        return None


def literal(
    text: str, *, language: str | None = None, datatype: ox.NamedNode | None = None
) -> ox.Literal:
    """A literal; a language tag that is none is left out, and lone surrogates are replaced.

    >>> literal("Lunge", language="de")
    <Literal value=Lunge language=de>
    """
    text = text.encode("utf-8", "replace").decode()
    if datatype is not None:
        return ox.Literal(text, datatype=datatype)
    if language and len(language) <= _LONGEST_LANGUAGE and _LANGUAGE.fullmatch(language):
        with suppress(ValueError):  # "a" and "en-a" look like tags and are none
            return ox.Literal(text, language=language.lower())
    return ox.Literal(text)
