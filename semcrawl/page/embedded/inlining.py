"""A JSON-LD document made safe for an engine that must not fetch contexts."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from semcrawl.page.embedded.contexts import IRI_VALUED, is_schema_org, known_context

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["UnreadableBlockError", "inline_contexts"]

MAX_CONTEXTS = 200
"""So many contexts may one block have; each is copied by the engine where it applies."""

MAX_TERMS = 500
"""So many entries may the contexts of one block have together.

Terms can be defined by one another, and pyoxigraph 0.5.13 follows them by
recursion: 5,000 in a chain crash the process.
"""

MAX_SCOPED_OBJECTS = 2_000
"""So many objects may a block have whose terms bring contexts of their own."""

MAX_EXPANSION = 50_000_000
"""Characters that a block may grow to in the engine's memory, at worst.

Each statement has a copy of its subject, and names can begin with what a
context says: 1 MB of markup could become 11 GB.
"""

_SPACE = re.compile(r"[ \t\r\n]")
_ADDRESS = re.compile(r"\s*(?:https?:|/)", re.IGNORECASE)
_UNSAFE = str.maketrans(
    {char: f"%{ord(char):02X}" for char in ' <>"{}|\\^`' + "".join(map(chr, range(0x20)))}
)


class UnreadableBlockError(ValueError):
    """A block that is left out; the message goes on after "JSON-LD block 3 "."""


def inline_contexts(document: Any) -> Any:
    """Return a JSON-LD document that names no context by its address.

    What is known is written out, also in scoped contexts and for ``@import``.
    Web addresses that are values of ``@id`` or of a property with IRIs get
    percent signs for what no IRI can hold, because the engine would leave out
    the statement, or all of the node.

    The document must not be deep. One with contexts that are unknown, or that
    would keep the engine busy, raises `UnreadableBlockError`.

    >>> inline_contexts({"@context": "https://schema.org", "url": "/a"})["@context"]["url"]
    {'@type': '@id'}
    """
    if isinstance(document, list) and document and all(map(_is_plain_node, document)):
        # One context for all: some pages repeat it for each of a hundred nodes.
        document = {"@context": "https://schema.org", "@graph": document}
    inliner = _Inliner(set(_keys(document)))
    inlined = inliner.value(document, "", schema_org=None)
    inliner.check()
    return inlined


def _is_plain_node(node: Any) -> bool:
    return isinstance(node, dict) and is_schema_org(node.get("@context"))


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = value.values()
    elif not isinstance(value, list):
        return
    for inner in value:
        yield from _keys(inner)


def _longest_name(node: dict[str, Any]) -> int:
    """The length of the longest text that could name the node, or a node in it.

    Contexts decide what does: ``@id``, any other key, or the keys of a map. A
    text with spaces is no IRI.
    """
    texts = (text for text in node.values() if isinstance(text, str) and not _SPACE.search(text))
    return max(map(len, chain(node, texts)), default=0)


class _Inliner:
    """One document's way through `inline_contexts`, counting what could become too much."""

    def __init__(self, keys: set[str]) -> None:
        self._keys = keys
        self._contexts = 0
        self._terms = 0
        self._context_chars = 0
        self._objects = 0
        self._values = 0
        self._repeated_chars = 0
        self._scoped = False

    def check(self) -> None:
        if self._scoped and self._objects > MAX_SCOPED_OBJECTS:
            raise UnreadableBlockError("has too many objects for contexts of single terms")
        if self._repeated_chars + self._context_chars * self._values > MAX_EXPANSION:
            raise UnreadableBlockError("has too long identifiers for so many values")

    def value(self, value: Any, key: str, *, schema_org: bool | None) -> Any:
        """`schema_org`: whether schema.org's context alone is in force; None where none is yet."""
        self._values += 1
        if isinstance(value, dict):
            return self._object(value, schema_org=schema_org)
        if isinstance(value, list):
            return [self.value(one, key, schema_org=schema_org) for one in value]
        if isinstance(value, str) and (key in {"@id", "id"} or key in IRI_VALUED):
            return value.strip().translate(_UNSAFE) if _ADDRESS.match(value) else value
        return value

    def _object(self, node: dict[str, Any], *, schema_org: bool | None) -> dict[str, Any]:
        self._objects += 1
        before = self._values
        made: dict[str, Any] = {}
        if "@context" in node:
            only_schema_org = is_schema_org(node["@context"])
            if not (only_schema_org and schema_org):
                made["@context"] = self._context(node["@context"])
            schema_org = only_schema_org and schema_org is not False
        for key, value in node.items():
            if key != "@context":
                made[key] = self.value(value, key, schema_org=schema_org)
        self._repeated_chars += _longest_name(made) * (self._values - before)
        return made

    def _context(self, context: Any) -> Any:
        if isinstance(context, list):
            return [self._context(one) for one in context]
        self._contexts += 1
        if self._contexts > MAX_CONTEXTS:
            raise UnreadableBlockError(f"has more than {MAX_CONTEXTS} contexts")
        if isinstance(context, str):
            return self._known(context)
        if not isinstance(context, dict):
            return context
        self._terms += len(context)
        if self._terms > MAX_TERMS:
            raise UnreadableBlockError(f"has more than {MAX_TERMS} terms in its contexts")
        made = {term: self._definition(meaning) for term, meaning in context.items()}
        imported = made.pop("@import", None)
        return {**self._known(imported), **made} if isinstance(imported, str) else made

    def _known(self, address: str) -> dict[str, Any]:
        context = known_context(address, self._keys)
        if context is None:
            shown = address if len(address) <= 100 else f"{address[:100]}…"
            raise UnreadableBlockError(f"names a context that is not known here: {shown!r}")
        return context

    def _definition(self, meaning: Any) -> Any:
        if isinstance(meaning, str):
            self._context_chars += len(meaning)
            return meaning
        if not isinstance(meaning, dict):
            return meaning
        self._context_chars += sum(len(part) for part in meaning.values() if isinstance(part, str))
        if "@context" not in meaning:
            return meaning
        self._scoped = True
        return {**meaning, "@context": self._context(meaning["@context"])}
