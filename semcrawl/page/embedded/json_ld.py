"""Statements that a page embeds as JSON-LD.

Each ``<script type="application/ld+json">`` is a document for itself: blank
nodes are its own, and a block that cannot be read takes no other with it.
The engine reads JSON-LD; what stands between it and strangers is here: it
crashes on documents that nest some thousand levels deep, would take copies of
large contexts for each node, and knows no context but those in the document
(`inline_contexts`).
"""

from __future__ import annotations

import html
import json
import math
import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from semcrawl.page.embedded.inlining import UnreadableBlockError, inline_contexts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

__all__ = ["json_ld"]

MAX_BLOCKS = 100
"""So many blocks of a page are read."""

MAX_DEPTH = 50
"""Levels of nesting. pyoxigraph 0.5.13 reads 1,000 and crashes on 5,000."""

MAX_IRI = 2_048
"""Statements about or with longer IRIs are left out: images as ``data:``, mostly."""

MAX_LEFT_OUT = 100
"""A block with more statements that are left out is given up."""

_LONGEST_NUMBER = 300
_TYPE = "application/ld+json"
# Comments and CDATA sections, which once hid scripts from old browsers, with
# what hid them from JavaScript in turn.
_OPENING = re.compile(r"(?:\s|\ufeff|//|/\*|\*/|<!--|-->|<!\[CDATA\[|>)*+")
_CLOSING = re.compile(r"(?:\s|\ufeff|//|/\*|\*/|<!--|-->|<!|\]\]>|;)*$")
_LONGEST_CLOSING = 60
_STRING_OR_TRAILING_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*+"?)|,(?=\s*[}\]])', re.DOTALL)


def json_ld(root: _Element, base: str, problems: list[str]) -> Iterator[ox.Triple]:
    """The statements of a page's JSON-LD; what could not be read is told in `problems`.

    A sentence is added for each block that is left out wholly or in part, with
    its number on the page. The graph names of a block are dropped, its
    statements are kept.
    """
    number = 0
    for script in root.iter("script"):
        if script.get("type", "").partition(";")[0].strip().lower() != _TYPE:
            continue
        number += 1
        if number > MAX_BLOCKS:
            problems.append(f"Only the first {MAX_BLOCKS} blocks of JSON-LD were read.")
            return
        try:
            yield from _statements(script.text or "", base)
        except UnreadableBlockError as error:
            problems.append(f"JSON-LD block {number} {error}.")


def _statements(text: str, base: str) -> Iterator[ox.Triple]:
    document = _load(text)
    _check_depth(document)
    data = json.dumps(inline_contexts(document), ensure_ascii=False).encode("utf-8", "replace")
    left_out = 0
    try:
        for quad in _parse(data, base):
            if _is_long(quad.subject) or _is_long(quad.object):
                left_out += 1
                if left_out > MAX_LEFT_OUT:
                    raise UnreadableBlockError(f"has IRIs of more than {MAX_IRI} characters")
            else:
                yield quad.triple
    except SyntaxError as error:
        reason = str(error.msg)[:200].rstrip(".")
        raise UnreadableBlockError(f"is not JSON-LD: {reason}") from error


def _parse(data: bytes, base: str) -> Iterator[ox.Quad]:
    as_json_ld = ox.RdfFormat.JSON_LD
    try:
        return ox.parse(data, format=as_json_ld, base_iri=base, rename_blank_nodes=True)
    except ValueError:  # the base is no IRI
        return ox.parse(data, format=as_json_ld, rename_blank_nodes=True)


def _is_long(term: Any) -> bool:
    return isinstance(term, ox.NamedNode) and len(term.value) > MAX_IRI


def _load(text: str) -> Any:
    """Read JSON as people write it: first as it stands, then with two common faults mended."""
    text = _unwrapped(text)
    if not text:
        raise UnreadableBlockError("is empty")
    try:
        return _read(text)
    except json.JSONDecodeError as error:
        first = error
    for mended in (text, html.unescape(text)):
        try:
            return _read(_STRING_OR_TRAILING_COMMA.sub(r"\1", mended))
        except json.JSONDecodeError:
            continue
    raise UnreadableBlockError(
        f"is not JSON: {first.msg} (line {first.lineno}, column {first.colno})"
    )


def _unwrapped(text: str) -> str:
    opening = _OPENING.match(text)
    text = text[opening.end() :] if opening else text
    text = text.rstrip()
    body, tail = text[:-_LONGEST_CLOSING], text[-_LONGEST_CLOSING:]
    return body + _CLOSING.sub("", tail, count=1)


def _read(text: str) -> Any:
    try:
        return json.loads(
            text,
            strict=False,
            parse_int=_integer,
            parse_float=_finite,
            parse_constant=lambda _name: None,
        )
    except RecursionError:
        raise UnreadableBlockError(f"nests more than {MAX_DEPTH} levels deep") from None


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _check_depth(document: Any) -> None:
    if not isinstance(document, dict | list):
        raise UnreadableBlockError("is neither an object nor an array")
    level: list[Any] = [document]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise UnreadableBlockError(f"nests more than {MAX_DEPTH} levels deep")
