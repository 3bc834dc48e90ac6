"""A JSON-LD document made safe for an engine that must not fetch contexts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from semcrawl.page.embedded.contexts import IRI_VALUED, is_schema_org, known_context
from semcrawl.page.embedded.terms import language_tag, mended

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Allowance", "UnreadableBlockError", "inline_contexts", "parts_of"]

MAX_VALUES = 10_000
"""So many values may the blocks of one page have, counting objects, arrays and terms of contexts.

The engine reads a block whole before it hands out the first statement.
"""

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
_OF_ADDRESSES = re.compile(r"[/?#.:]")
_NAMING = frozenset({"@id", "id", "@type", "type"})
_KNOWN_TERMS = 10  # what a known context costs; about what it has for any document
_IRIS = frozenset({"@id", "@type"})
_SCHEMA_ORG_IRIS = frozenset({"id", "type"}) | IRI_VALUED


class UnreadableBlockError(ValueError):
    """A block that is left out; the message goes on after "JSON-LD block 3 "."""


@dataclass(slots=True)
class Allowance:
    """What the blocks of one page may still hold, and how many values were found unreadable."""

    values: int = MAX_VALUES
    unread: int = 0


def parts_of(document: Any) -> list[Any]:
    """What of a document can be read for itself: nodes of an array that have their own contexts.

    Those with schema.org's alone are one part: some pages repeat it for each of
    a hundred nodes.
    """
    if not (isinstance(document, list) and any(_context_of(node) for node in document)):
        return [document]
    plain = [node for node in document if is_schema_org(_context_of(node))]
    others = [node for node in document if not is_schema_org(_context_of(node))]
    return ([{"@context": "https://schema.org", "@graph": plain}] if plain else []) + others


def inline_contexts(document: Any, allowance: Allowance | None = None) -> Any:
    """Return a JSON-LD document that names no context by its address.

    What is known is written out, also in scoped contexts and for ``@import``.
    The engine would leave out a statement, or all of a node, for one bad sign.
    So what means an IRI gets percent signs for what no IRI can hold, and a
    language that is none is taken out. What is beyond the allowance is cut.

    The document must not be deep. One with contexts that are unknown, or that
    would keep the engine busy, raises `UnreadableBlockError`.

    >>> inline_contexts({"@context": "https://schema.org", "url": "/a"})["@context"]["url"]
    {'@type': '@id'}
    """
    inliner = _Inliner(set(_keys(document)), allowance or Allowance())
    inlined = inliner.value(document, "", _Scope())
    inliner.check()
    return inlined


def _context_of(node: Any) -> Any:
    return node.get("@context") if isinstance(node, dict) else None


def _is_prose(text: str) -> bool:
    """Whether it is words, and nothing that addresses are made of.

    >>> _is_prose("All rights reserved."), _is_prose("my photo.jpg")
    (True, False)
    """
    words = text.strip().rstrip(".")
    return bool(_SPACE.search(words)) and not _OF_ADDRESSES.search(words)


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


class _Scope(NamedTuple):
    """Which contexts are in force: schema.org's alone (None: none yet), and what has IRIs."""

    schema_org: bool | None = None
    iris: frozenset[str] = _IRIS

    def within(self, context: Any, *, alone: bool = True) -> _Scope:
        """The scope of an object with such a context, which is not yet inlined."""
        if isinstance(context, list):
            scope = self
            for one in context:
                scope = scope.within(one, alone=len(context) == 1)
            return scope
        if context is None:
            return _Scope(False)
        if isinstance(context, str):
            return _Scope(alone and self.schema_org is not False, self.iris | _SCHEMA_ORG_IRIS)
        if not isinstance(context, dict):
            return self
        around = self.iris | _SCHEMA_ORG_IRIS if "@import" in context else self.iris
        named = {term for term, meaning in context.items() if _names(meaning)}
        return _Scope(False, (around - context.keys()) | _IRIS | named)


def _names(meaning: Any) -> bool:
    """Whether the values of a term with this definition are IRIs."""
    if isinstance(meaning, dict):
        return meaning.get("@type") in ("@id", "@vocab") or meaning.get("@id") in _IRIS
    return meaning in ("@id", "@type")


class _Inliner:
    """One document's way through `inline_contexts`, counting what could become too much."""

    def __init__(self, keys: set[str], allowance: Allowance) -> None:
        self._keys = keys
        self._allowance = allowance
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

    def value(self, value: Any, key: str, scope: _Scope) -> Any:
        self._values += 1
        self._allowance.values -= 1
        if isinstance(value, dict):
            return self._object(value, scope)
        if isinstance(value, list):
            made: list[Any] = []
            for one in value:
                if self._allowance.values <= 0:
                    break
                made.append(self.value(one, key, scope))
            return made
        return self._iri(value, key) if isinstance(value, str) and key in scope.iris else value

    def _iri(self, text: str, key: str) -> str:
        if text.startswith(("_:", "@")):
            return text
        iri = None if key not in _NAMING and _is_prose(text) else mended(text)
        self._allowance.unread += iri is None
        return text if iri is None else iri

    def _object(self, node: dict[str, Any], scope: _Scope) -> dict[str, Any]:
        self._objects += 1
        before = self._values
        made: dict[str, Any] = {}
        if "@context" in node:
            context = node["@context"]
            if not (scope.schema_org and is_schema_org(context)):
                made["@context"] = self._context(context)
            scope = scope.within(context)
        for key, value in node.items():
            # What says which thing it is stays: half a thing is better than another.
            if key == "@context" or (self._allowance.values <= 0 and key[:1] != "@"):
                continue
            if key == "@language" and isinstance(value, str):
                if (tag := language_tag(value)) is not None:
                    made[key] = tag
            else:
                made[key] = self.value(value, key, scope)
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
        self._allowance.values -= len(context)
        if self._terms > MAX_TERMS:
            raise UnreadableBlockError(f"has more than {MAX_TERMS} terms in its contexts")
        made = {term: self._definition(meaning) for term, meaning in context.items()}
        if isinstance(made.get("@language"), str):
            made["@language"] = language_tag(made["@language"])
        imported = made.pop("@import", None)
        return {**self._known(imported), **made} if isinstance(imported, str) else made

    def _known(self, address: str) -> dict[str, Any]:
        context = known_context(address, self._keys)
        self._allowance.values -= _KNOWN_TERMS
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
        if isinstance(meaning.get("@language"), str):
            meaning = {**meaning, "@language": language_tag(meaning["@language"])}
        if "@context" not in meaning:
            return meaning
        self._scoped = True
        return {**meaning, "@context": self._context(meaning["@context"])}
