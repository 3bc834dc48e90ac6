"""RDF terms from what strangers write: made where possible, never an error."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import quote

import ada_url
import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["language_tag", "literal", "mended", "reference"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LONGEST_LANGUAGE = 35  # RFC 5646, 4.4.1
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_STRAY = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNSAFE: Mapping[int, str] = str.maketrans(
    {
        char: quote(char)
        for char in ' <>"{}|\\^`' + "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
    }
)
_ORIGIN = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?")
_BRACKETS = str.maketrans({"[": "%5B", "]": "%5D"})
_ASCII = "".join(map(chr, range(0x80)))


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
    return _node(_escaped(text))


def mended(text: str) -> str | None:
    """A reference with percent signs for what no IRI can hold; None where none comes of it.

    It is not joined with anything: what it is relative to, others know.

    >>> mended(" my photo [1].jpg"), mended("http://[")
    ('my%20photo%20%5B1%5D.jpg', None)
    """
    text = _escaped(text.strip())
    if _SCHEME.match(text):
        before = ""
    elif text.startswith("//"):
        before = "http:"
    else:
        before = "http://a.test/"
        if ":" in text.partition("/")[0]:
            text = f"./{text}"
    node = _node(before + text)
    return None if node is None else node.value[len(before) :]


def _escaped(text: str) -> str:
    text = text.translate(_UNSAFE)
    if "%" in text:
        text = _STRAY.sub("%25", text)
    if "[" in text or "]" in text:
        origin = _ORIGIN.match(text)
        end = origin.end() if origin else 0
        text = text[:end] + text[end:].translate(_BRACKETS)
    if text.count("#") > 1:
        before, _, fragment = text.partition("#")
        text = f"{before}#{fragment.replace('#', '%23')}"
    return text


def _node(text: str) -> ox.NamedNode | None:
    with suppress(ValueError):
        return ox.NamedNode(text)
    if text.isascii():
        return None
    # Signs for private use, and some others that nobody sees.
    with suppress(ValueError):
        return ox.NamedNode(quote(text, safe=_ASCII, errors="replace"))
    return None


def language_tag(text: str) -> str | None:
    """A language tag as RDF writes it, in small letters; None where a text is none.

    >>> language_tag("de_DE"), language_tag("German, I think")
    ('de-de', None)
    """
    text = text.strip().replace("_", "-").lower()
    if len(text) <= _LONGEST_LANGUAGE and _LANGUAGE.fullmatch(text):
        with suppress(ValueError):  # "a" and "en-a" look like tags and are none
            ox.Literal("", language=text)
            return text
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
    tag = language_tag(language) if language else None
    return ox.Literal(text) if tag is None else ox.Literal(text, language=tag)
