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

from semcrawl.page.embedded.inlining import (
    MAX_VALUES,
    Allowance,
    UnreadableBlockError,
    inline_contexts,
    parts_of,
)
from semcrawl.page.embedded.statements import tell_unread

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
    its number on the page, and one for all single values that could not be
    read; not for those that the engine leaves out without a word. The graph
    names of a block are dropped, its statements are kept.
    """
    number = 0
    allowance = Allowance()
    for script in root.iter("script"):
        if script.get("type", "").partition(";")[0].strip().lower() != _TYPE:
            continue
        number += 1
        if number > MAX_BLOCKS:
            problems.append(f"Only the first {MAX_BLOCKS} blocks of JSON-LD were read.")
            break
        faults: list[str] = []
        yield from _block(script.text or "", base, allowance, faults)
        problems += [f"JSON-LD block {number} {fault}." for fault in dict.fromkeys(faults)]
        if allowance.values <= 0:
            problems.append(
                f"Its JSON-LD has more than {MAX_VALUES:,} values: the rest is left out."
            )
            break
    tell_unread(problems, "JSON-LD", allowance.unread)


def _block(text: str, base: str, allowance: Allowance, faults: list[str]) -> Iterator[ox.Triple]:
    """The statements of one block, and its faults: a part that has one takes no other with it."""
    inlined: list[Any] = []
    try:
        document = _load(text, allowance)
        _check_depth(document)
    except UnreadableBlockError as error:
        faults.append(str(error))
        return
    for part in parts_of(document):
        if allowance.values <= 0:
            break
        try:
            inlined.append(inline_contexts(part, allowance))
        except UnreadableBlockError as error:
            faults.append(str(error))
    # Blank nodes with names may be the same in several parts: only together can they be read.
    for part in [inlined] if len(inlined) > 1 and "_:" in text else inlined:
        try:
            yield from _statements(part, base, allowance)
        except UnreadableBlockError as error:
            faults.append(str(error))


def _statements(document: Any, base: str, allowance: Allowance) -> Iterator[ox.Triple]:
    data = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    left_out = 0
    try:
        for quad in _parse(data, base):
            if _is_long(quad.subject) or _is_long(quad.object):
                left_out += 1
                allowance.unread += 1
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


def _load(text: str, allowance: Allowance) -> Any:
    """Read JSON as people write it: first as it stands, then with two common faults mended."""
    text = _unwrapped(text)
    if not text:
        raise UnreadableBlockError("is empty")
    try:
        return _read(text, allowance)
    except json.JSONDecodeError as error:
        first = error
    for mended in (text, html.unescape(text)):
        try:
            return _read(_STRING_OR_TRAILING_COMMA.sub(r"\1", mended), allowance)
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


def _read(text: str, allowance: Allowance) -> Any:
    unread: list[str] = []

    def integer(digits: str) -> int | None:
        if len(digits) <= _LONGEST_NUMBER:
            return int(digits)
        unread.append(digits)
        return None

    def finite(digits: str) -> float | None:
        number = float(digits)
        if math.isfinite(number):
            return number
        unread.append(digits)
        return None

    try:
        document = json.loads(
            text,
            strict=False,
            parse_int=integer,
            parse_float=finite,
            parse_constant=unread.append,
        )
    except RecursionError:
        raise UnreadableBlockError(f"nests more than {MAX_DEPTH} levels deep") from None
    allowance.unread += len(unread)
    return document


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
