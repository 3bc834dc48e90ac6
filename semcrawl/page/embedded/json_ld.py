"""Statements that a page embeds as JSON-LD.

pyoxigraph reads a block after the checks made here: it crashes on deep documents, copies
large contexts for each node, and knows no context but those in the document.
"""

import html
import json
import math
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple

import pyoxigraph as ox
from lxml.etree import _Element
from msgspec import Struct

from semcrawl.page.embedded.rdf_terms import language_tag, mended, tell_unread
from semcrawl.resources import facts_beside

# Limits of what pyoxigraph (0.5.13) is given; it reads a block whole before it yields anything.
MAX_BLOCKS = 100  # blocks of a page
MAX_VALUES = 10_000  # values of a page's blocks, counting objects, arrays and terms of contexts
MAX_DOCUMENT_VALUES = 60_000  # values of a document that is JSON-LD and nothing else
MAX_CONTEXTS = 200  # contexts of a block; each is copied where it applies
MAX_TERMS = 500  # entries of a block's contexts; a chain of 5,000 crashes the process
MAX_SCOPED_OBJECTS = 2_000  # objects of a block whose terms bring contexts of their own
MAX_EXPANSION = 50_000_000  # characters of a block in memory; 1 MB of markup could become 11 GB
MAX_DEPTH = 50  # levels of nesting; 1,000 are read, 5,000 crash the process

_FACTS = facts_beside(__file__, "../data/schema-org.toml")
_IRI_VALUED = frozenset(_FACTS["iri_valued"].split())  # also where the values look like text
_UNTYPED: dict[str, Any] = {
    "@vocab": "http://schema.org/",
    "type": "@type",
    "id": "@id",
    "HTML": {"@id": "rdf:HTML"},
    **_FACTS["prefixes"],
}
_TYPED: dict[str, Any] = {
    **{key: {"@type": "@id"} for key in _IRI_VALUED},
    **{key: {"@type": "Date"} for key in _FACTS["date_valued"].split()},
}
_SCHEMA_ORG_ADDRESS = re.compile(
    # Some name a type, or a release, where the context should stand.
    r"(?:https?:)?(?://)?(?:www\.)?schema\.org"
    r"(?:/docs/jsonldcontext\.json(?:ld)?|/version/[\w.-]+(?:/[\w.-]+)?|/[a-z][a-z0-9]*)?/?#?",
    re.IGNORECASE | re.ASCII,
)
_ADDRESS_ENDS = re.compile(r"^https?://|\.jsonld$", re.IGNORECASE)
_LONGEST_TERM = 40  # of the contexts that are shipped
_SPACE = re.compile(r"[ \t\r\n]")
_OF_ADDRESSES = re.compile(r"[/?#.:]")
_NAMING = frozenset({"@id", "id", "@type", "type"})
_KNOWN_TERMS = 10  # what a known context costs; about what it has for any document
_IRIS = frozenset({"@id", "@type"})
_SCHEMA_ORG_IRIS = frozenset({"id", "type"}) | _IRI_VALUED
_LONGEST_NUMBER = 300
# Comments and CDATA sections around scripts, with what hid them from JavaScript in turn.
_OPENING = re.compile(r"(?:\s|\ufeff|//|/\*|\*/|<!--|-->|<!\[CDATA\[|>)*+")
_CLOSING = re.compile(r"(?:\s|\ufeff|//|/\*|\*/|<!--|-->|<!|\]\]>|;)*$")
_LONGEST_CLOSING = 60
_STRING_OR_TRAILING_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*+"?)|,(?=\s*[}\]])', re.DOTALL)


def known_context(address: str, words: Collection[str]) -> dict[str, Any] | None:
    """Return what a document with these words needs of a context; None where it is not known.

    >>> known_context("http://www.schema.org/", ["name", "datePublished"])["datePublished"]
    {'@type': 'Date'}
    >>> known_context("https://www.w3.org/ns/activitystreams", ["name", "to"])["to"]
    {'@id': 'as:to', '@type': '@id'}
    """
    always, terms = _UNTYPED, _TYPED
    if not is_schema_org(address):
        if (key := _address_key(address)) not in _shipped():
            return None
        always, terms = _shipped()[key]
    return always | {word: terms[word] for word in words if word in terms}


@cache
def _shipped() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return the contexts besides schema.org's: what all documents need of each, and its terms."""
    found = {}
    for address, said in facts_beside(__file__, "../data/json-ld-contexts.toml").items():
        terms = dict(said["terms"])
        for how, names in said["lists"].items():
            prefix, _, kind = how.partition(" ")
            typed = {"@type": kind} if kind else {}
            terms |= {name: {"@id": prefix + name, **typed} for name in names.split()}
        found[address] = said["always"], terms
    return found


def _address_key(address: str) -> str:
    return _ADDRESS_ENDS.sub("", address.strip().rstrip("/#")).replace("/crate/1.2/", "/crate/1.1/")


def is_schema_org(context: Any) -> bool:
    """Whether a context is schema.org's alone.

    >>> is_schema_org(["https://schema.org"]), is_schema_org(["https://schema.org", {}])
    (True, False)
    """
    if isinstance(context, list) and len(context) == 1:
        context = context[0]
    return isinstance(context, str) and bool(_SCHEMA_ORG_ADDRESS.fullmatch(context.strip()))


class UnreadableBlockError(ValueError):
    """A block that is left out; the message continues "JSON-LD block 3 "."""


class Allowance(Struct):
    """How many values the blocks of a page may still hold, and how many were unreadable."""

    values: int = MAX_VALUES
    unread: int = 0


def _parts_of(document: Any) -> list[Any]:
    """Return what can be read separately; nodes with schema.org's context alone are one part."""
    if not (isinstance(document, list) and any(_context_of(node) for node in document)):
        return [document]
    plain = [node for node in document if is_schema_org(_context_of(node))]
    others = [node for node in document if not is_schema_org(_context_of(node))]
    return ([{"@context": "https://schema.org", "@graph": plain}] if plain else []) + others


def inline_contexts(document: Any, allowance: Allowance | None = None) -> Any:
    """Return a JSON-LD document, which must not be deep, with its contexts written out.

    What is beyond the allowance is cut. Raises ``UnreadableBlockError`` where contexts are
    unknown, or would keep pyoxigraph busy.

    >>> inline_contexts({"@context": "https://schema.org", "url": "/a"})["@context"]["url"]
    {'@type': '@id'}
    """
    inliner = _Inliner(set(_words(document)), allowance or Allowance())
    inlined = inliner.value(document, "", _Scope())
    inliner.check()
    return inlined


def _context_of(node: Any) -> Any:
    return node.get("@context") if isinstance(node, dict) else None


def _is_prose(text: str) -> bool:
    words = text.strip().rstrip(".")
    return bool(_SPACE.search(words)) and not _OF_ADDRESSES.search(words)


def _words(value: Any) -> Iterator[str]:
    """Yield what can be a term: keys, and texts that may be types."""
    if isinstance(value, dict):
        yield from value
        value = value.values()
    elif isinstance(value, str):
        if len(value) <= _LONGEST_TERM:
            yield value
        return
    elif not isinstance(value, list):
        return
    for inner in value:
        yield from _words(inner)


def _longest_name(node: dict[str, Any]) -> int:
    """Return the length of the longest key or text without spaces, which could name the node."""
    texts = (text for text in node.values() if isinstance(text, str) and not _SPACE.search(text))
    return max(map(len, chain(node, texts)), default=0)


class _Scope(NamedTuple):
    schema_org: bool | None = None  # schema.org's alone; None: no context yet
    iris: frozenset[str] = _IRIS  # keys with IRIs as values

    def within(self, context: Any, *, alone: bool = True) -> "_Scope":
        if isinstance(context, list):
            scope = self
            for one in context:
                scope = scope.within(one, alone=len(context) == 1)
            return scope
        if context is None:
            return _Scope(False)
        if isinstance(context, str) and not is_schema_org(context):
            always, terms = _shipped().get(_address_key(context), ({}, {}))
            context = always | terms
        if isinstance(context, str):
            return _Scope(alone and self.schema_org is not False, self.iris | _SCHEMA_ORG_IRIS)
        if not isinstance(context, dict):
            return self
        around = self.iris | _SCHEMA_ORG_IRIS if "@import" in context else self.iris
        named = {term for term, meaning in context.items() if _has_iris(meaning)}
        return _Scope(False, (around - context.keys()) | _IRIS | named)


def _has_iris(meaning: Any) -> bool:
    if isinstance(meaning, dict):
        return meaning.get("@type") in ("@id", "@vocab") or meaning.get("@id") in ("@id", "@type")
    return meaning in ("@id", "@type")


class _Inliner:
    def __init__(self, words: set[str], allowance: Allowance) -> None:
        self._words = words
        self._allowance = allowance
        self._contexts = self._terms = self._context_chars = 0
        self._objects = self._values = self._repeated_chars = 0
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
            # Keywords stay, because they say which thing it is.
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
        context = known_context(address, self._words)
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


def json_ld(root: _Element, base: str, problems: list[str]) -> Iterator[ox.Triple]:
    """Yield the statements of a page's JSON-LD, without graph names; fill `problems`."""
    number = 0
    allowance = Allowance()
    for script in root.iter("script"):
        if script.get("type", "").partition(";")[0].strip().lower() != "application/ld+json":
            continue
        number += 1
        if number > MAX_BLOCKS:
            problems.append(f"Only the first {MAX_BLOCKS} blocks of JSON-LD were read.")
            break
        faults: list[str] = []
        yield from _block(script.text or "", base, allowance, faults)
        problems += [f"JSON-LD block {number} {fault}." for fault in dict.fromkeys(faults)]
        if allowance.values <= 0:
            problems.append(f"Its JSON-LD has more than {MAX_VALUES:,} values: the rest is left out.")
            break
    tell_unread(problems, "JSON-LD", allowance.unread)


def json_ld_document(text: str, base: str, problems: list[str]) -> Iterator[ox.Triple]:
    """Yield the statements of a document in JSON-LD, as `json_ld` does of a page."""
    allowance, faults = Allowance(MAX_DOCUMENT_VALUES), list[str]()
    yield from _block(text, base, allowance, faults)
    problems += [f"Its JSON-LD {fault}." for fault in dict.fromkeys(faults)]
    if allowance.values <= 0:
        problems.append(f"It has more than {MAX_DOCUMENT_VALUES:,} values: the rest is left out.")
    tell_unread(problems, "JSON-LD", allowance.unread)


def _block(text: str, base: str, allowance: Allowance, faults: list[str]) -> Iterator[ox.Triple]:
    inlined: list[Any] = []
    try:
        document = _load(text, allowance)
        _check_depth(document)
    except UnreadableBlockError as error:
        faults.append(str(error))
        return
    for part in _parts_of(document):
        if allowance.values <= 0:
            break
        try:
            inlined.append(inline_contexts(part, allowance))
        except UnreadableBlockError as error:
            faults.append(str(error))
    # Parts that may share named blank nodes are read together.
    for part in [inlined] if len(inlined) > 1 and "_:" in text else inlined:
        try:
            yield from _statements(part, base)
        except UnreadableBlockError as error:
            faults.append(str(error))


def _statements(document: Any, base: str) -> Iterator[ox.Triple]:
    data = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    parse = partial(ox.parse, data, format=ox.RdfFormat.JSON_LD, rename_blank_nodes=True)
    try:
        quads = parse(base_iri=base)
    except ValueError:  # the base is no IRI
        quads = parse()
    try:
        for quad in quads:
            yield _without_direction(quad.triple)
    except SyntaxError as error:
        reason = str(error.msg)[:200].rstrip(".")
        raise UnreadableBlockError(f"is not JSON-LD: {reason}") from error


def _without_direction(triple: ox.Triple) -> ox.Triple:
    """A statement as RDF 1.1 has it: other tools cannot read ``"v"@ar--rtl``."""
    said = triple.object
    if not isinstance(said, ox.Literal) or said.direction is None:
        return triple
    return ox.Triple(triple.subject, triple.predicate, ox.Literal(said.value, language=said.language))


def _load(text: str, allowance: Allowance) -> Any:
    text = _OPENING.sub("", text, count=1).rstrip()
    text = text[:-_LONGEST_CLOSING] + _CLOSING.sub("", text[-_LONGEST_CLOSING:], count=1)
    if not text:
        raise UnreadableBlockError("is empty")
    try:
        return _read(text, allowance)
    except json.JSONDecodeError as error:
        first = error
    for plain in (str, html.unescape):
        # Also the ValueError of a character whose number has thousands of digits.
        with suppress(ValueError):
            return _read(_STRING_OR_TRAILING_COMMA.sub(r"\1", plain(text)), allowance)
    raise UnreadableBlockError(f"is not JSON: {first.msg} (line {first.lineno}, column {first.colno})")


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
        document = json.loads(text, strict=False, parse_int=integer, parse_float=finite, parse_constant=unread.append)
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
