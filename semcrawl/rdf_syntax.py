"""How RDF documents begin, and which XML is safe to parse: for ontology files and for the web."""

import codecs
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from xml.parsers import expat

import pyoxigraph as ox

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OWL: Final = "http://www.w3.org/2002/07/owl#"

HEAD = 65_536  # so much of a document tells what it is

_DEEPEST = 1_000
_LONGEST_NAMESPACE = 2_048
_MOST_ATTRIBUTES = 2_000
_XML_BASE = "http://www.w3.org/XML/1998/namespacebase"  # as expat joins it
_PARSE_TYPE = f"{RDF}parseType"
_PIECE = 4_000_000  # of XML, in characters
_MOST_TRIPLE_TERMS = 1_000
_MOST_MADE = 50_000_000  # characters that a parser makes of shorter ones
_DEEPEST_JSON = 100
_MOST_TERMS = 2_000
_MOST_COPIED = 200_000
_LONG_WORD = 500
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_BASE = re.compile(r"base\s*+(#|<[^>]*+)", re.IGNORECASE)
_ENTITY_USE = re.compile(r"&([^&;]++);")
_XML_DECLARATION = re.compile(r"\A\s*<\?xml\b[^>]*\?>")
_COMMENT_LINES = re.compile(r"\A(\s*(#|!)[^\n]*\n)+")
_IRI = r"<[^<>\"{}|^`\s]*>"
_BLANK = r"_:[\w.-]+"
# Each of these takes time that grows with the length of the text, whatever it holds.
_N_QUADS_LINE = re.compile(
    rf"\s*(#.*|({_IRI}|{_BLANK})\s*{_IRI}\s*"
    rf"({_IRI}|{_BLANK}|\"([^\"\\]|\\.)*\"(@[\w-]+|\^\^{_IRI})?)"
    rf"\s*({_IRI}|{_BLANK})?\s*\.\s*(#.*)?)?"
)
_TURTLE_START = re.compile(
    rf"\s*@?(prefix\s+[\w.-]*:|base)\s*<|(graph\s*)?{_IRI}\s*\{{"
    rf"|\s*({_IRI}|_:\S+|\w*:[^\s/<>\"]+)\s+(a|{_IRI}|\w*:[^\s/<>\"]+)\s+[<\w:\"\[(]",
    re.IGNORECASE,
)
_XML_SIGNS = re.compile(
    r"<(\w[\w.-]{0,40}:)?(RDF|Ontology)\b.{0,4000}?[\"'&]"
    rf"({re.escape(RDF)}|{re.escape(OWL)}|\w{{1,40}};)"
    rf"|[\"']{re.escape(RDF)}[\"'].{{0,4000}}?:(about|ID|nodeID)\s*=",
    re.DOTALL,
)


def beginning_of(text: str) -> str:
    """Return the first characters of a document that are neither blank nor comments."""
    return _COMMENT_LINES.sub("", text[:HEAD].lstrip()).lstrip()


def rdf_format(text: str) -> ox.RdfFormat | None:
    """Return the syntax of RDF in which a text begins, None where it begins as none.

    OWL/XML counts as RDF/XML here; see `root_element`.

    >>> rdf_format("@prefix a: <http://a.test/> ."), rdf_format("Lungs: what they do")
    (<RdfFormat Turtle>, None)
    """
    head = text[:HEAD]
    beginning = beginning_of(head)
    if is_xml(beginning):
        is_rdf = _XML_SIGNS.search(head) and "<html" not in head[:2_000].lower()
        return ox.RdfFormat.RDF_XML if is_rdf else None
    if re.match(r'[{\[]\s*["{\[]', beginning):
        is_ld = re.search(r'"@(context|id|graph|type)"\s*:', head)
        return ox.RdfFormat.JSON_LD if is_ld else None
    if beginning and is_line_based(text):
        return ox.RdfFormat.N_QUADS
    if _TURTLE_START.match(beginning):
        # TriG is Turtle with graphs in braces.
        return ox.RdfFormat.TRIG if "{" in text else ox.RdfFormat.TURTLE
    return None


def is_line_based(text: str) -> bool:
    """Return whether the first lines are N-Triples or N-Quads, a statement each."""
    lines = text[:HEAD].split("\n")[: None if len(text) <= HEAD else -1]
    return bool(lines) and all(_N_QUADS_LINE.fullmatch(line.rstrip()) for line in lines)


def is_xml(beginning: str) -> bool:
    """Return whether a text begins as XML does, and not with an IRI of Turtle."""
    return bool(
        # A name with a prefix is followed by a blank, as the prefix must be declared.
        re.match(r"<(\?xml|!--|!DOCTYPE|[A-Za-z][\w.-]*([\s/>]|:[\w.-]+\s))", beginning)
        and not re.match(r"<[^<>\s]+>\s+(a\s|<[^<>/?!\s]+>\s|\w*:\w+\s)", beginning)
    )


def encoding_of(data: bytes) -> str:
    """Return the encoding that a document declares as XML does, else that of its first bytes."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declared = re.match(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})", data[:400])
    name = declared[1].decode("ascii").lower() if declared else ""
    # Bytes that reached this match are no UTF-16, whatever they claim.
    return "utf-8-sig" if name in ("", "utf-8", "utf8", "utf-16") else name


def without_declaration(text: str) -> str:
    """Return an XML text without ``<?xml …?>``, which names an encoding that no longer holds."""
    return _XML_DECLARATION.sub("", text, count=1)


class UnsafeSyntaxError(ValueError):
    """A text that would be too much for a parser; the message continues "it is not read: "."""


def check_terms(text: str) -> None:
    """Raise ``UnsafeSyntaxError`` where a text in Turtle, or in what is derived from it, is not safe to parse.

    A base may be longer by the one before it, and every prefix by the base; the parser keeps all of them. Triple
    terms within one another overflow its stack. What only looks so, as in a string, counts as well.
    """
    if text.count("<<(") > _MOST_TRIPLE_TERMS:
        raise UnsafeSyntaxError(f"it has more than {_MOST_TRIPLE_TERMS:,} triple terms")
    if bases := _BASE.findall(text):
        # Behind a comment the IRI may be any.
        longest = max(map(len, re.findall("<[^>]*+", text)), default=0) if "#" in bases else 0
        length = sum(longest if one == "#" else len(one) for one in bases)
        if length * (len(bases) + text.lower().count("prefix")) > _MOST_MADE:
            raise UnsafeSyntaxError("it has too many bases and prefixes, or too long ones; write its IRIs in full")


def check_text(text: str, form: ox.RdfFormat) -> None:
    """Raise ``UnsafeSyntaxError`` where a text in some syntax is not safe to parse."""
    if form == ox.RdfFormat.JSON_LD:
        check_json_ld(text)
    elif form != ox.RdfFormat.RDF_XML:
        check_terms(text)
    else:
        with suppress(MalformedXmlError):  # which the parser tells
            root_element(text, 4 * len(text) + 100_000)


def check_json_ld(text: str) -> None:
    """Raise ``UnsafeSyntaxError`` where a document in JSON-LD is not safe to parse, or is no JSON.

    The parser overflows its stack with deep documents and with long chains of terms, and repeats the terms of a
    context in each one within it, and the IRI of a thing with each of its values.
    """
    depth = deepest = 0
    for sign in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if sign in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > _DEEPEST_JSON:
        raise UnsafeSyntaxError(f"it is nested more than {_DEEPEST_JSON} deep")
    contexts = terms = 0

    def read(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # Also what a later pair of the same name replaces.
        nonlocal contexts, terms
        for said in (value for name, value in pairs if name == "@context"):
            parts = said if isinstance(said, list) else [said]
            contexts += len(parts)
            terms += sum(len(part) for part in parts if isinstance(part, dict))
        return dict(pairs)

    try:
        json.loads(text, object_pairs_hook=read)
    except (ValueError, RecursionError) as error:
        raise UnsafeSyntaxError(f"it is not in JSON-LD: {error}") from error
    if terms > _MOST_TERMS or terms * contexts > _MOST_COPIED:
        raise UnsafeSyntaxError(f"its contexts have {terms:,} terms; write them in fewer")
    # What holds a blank is a text, and not repeated.
    longest = max((len(one[0]) for one in _STRING.finditer(text) if not re.search(r"\s", one[0])), default=0)
    if longest > _LONG_WORD and longest * (text.count(",") + 1) > 10 * _MOST_MADE:
        raise UnsafeSyntaxError(f"it has an identifier of {longest:,} characters and too many values")


class MalformedXmlError(ValueError):
    """XML that is not well formed; the message continues "it is not well-formed XML: "."""


def root_element(text: str, largest: int, watch: Callable[[float], None] = lambda _: None, *, cut: bool = False) -> str:
    """Return namespace and name of the root, joined, once the text is known to be safe XML.

    The parser of RDF/XML expands entities without a limit, and takes time that grows with the
    square of depth and attributes; so these are bounded, and external entities refused. ``cut``:
    the end of the text may be missing. ``watch`` is told the share that was looked at.

    >>> root_element('<x:a xmlns:x="http://example.org/"><b/></x:a>', 1000)
    'http://example.org/a'
    """
    guard = _XmlGuard()
    try:
        for start in range(0, len(text), _PIECE):
            guard.parser.Parse(text[start : start + _PIECE], False)
            watch(start / len(text))
        if not cut:
            guard.parser.Parse("", True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error.code))
        raise MalformedXmlError(f"{reason}, line {error.lineno}") from error
    except UnsafeSyntaxError:
        raise
    except ValueError as error:
        raise MalformedXmlError(str(error)) from error
    guard.finish(text, largest)
    return guard.root


class _XmlGuard:
    def __init__(self) -> None:
        self.root = ""
        self._depth = self._namespaces = 0
        self._in_scope: list[int] = []  # lengths of declarations of namespaces
        self._literal = self._made = 0  # the depth of a literal of XML, and what its namespaces become
        self._bases: list[tuple[int, int]] = []  # depths and lengths of those that are open
        self._entities: dict[str, str] = {}
        self._declared = 0
        # The separator "" joins a namespace and a name to the IRI that RDF means.
        self.parser = expat.ParserCreate(namespace_separator="")
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartNamespaceDeclHandler = self._namespace
        self.parser.EndNamespaceDeclHandler = lambda _prefix: self._in_scope.pop()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _namespace(self, prefix: str | None, iri: str | None) -> None:
        self._namespaces += 1  # of the element that is to come
        if iri and len(iri) > _LONGEST_NAMESPACE:  # each name would be as long
            raise UnsafeSyntaxError(f"a namespace has more than {_LONGEST_NAMESPACE:,} characters")
        self._in_scope.append(len(prefix or "") + len(iri or ""))

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.root = self.root or name
        self._depth += 1
        number, self._namespaces = len(attributes) + self._namespaces, 0
        if number > _MOST_ATTRIBUTES:
            raise UnsafeSyntaxError(f"an element has more than {_MOST_ATTRIBUTES:,} attributes")
        if self._depth > _DEEPEST:
            raise UnsafeSyntaxError(f"its elements are nested more than {_DEEPEST:,} deep")
        if self._literal:  # the parser writes all of them at each of its elements
            self._made += sum(self._in_scope)
            if self._made > _MOST_MADE:
                raise UnsafeSyntaxError("it repeats its namespaces too often")
        elif attributes.get(_PARSE_TYPE, "Resource") not in ("Resource", "Collection"):
            self._literal = self._depth
        if base := attributes.get(_XML_BASE):
            self._bases.append((self._depth, len(base)))
            if sum(length for _, length in self._bases) > _LONGEST_NAMESPACE:  # each may be longer by the one around
                raise UnsafeSyntaxError(f"its bases have more than {_LONGEST_NAMESPACE:,} characters")

    def _end(self, _name: str) -> None:
        if self._literal == self._depth:
            self._literal = 0
        if self._bases and self._bases[-1][0] == self._depth:
            self._bases.pop()
        self._depth -= 1

    def _entity(self, name: str, is_parameter: int, value: str | None, *_: str | None) -> None:
        self._declared += 1
        if is_parameter or value is None:
            raise UnsafeSyntaxError(f"it declares the external or parameter entity {name!r}; remove it")
        if "&" in value:
            raise UnsafeSyntaxError(f"its entity {name!r} is made of other entities; write it out")
        self._entities.setdefault(name, value)

    def finish(self, text: str, largest: int) -> None:
        # A declaration that expat passes over, in a comment say, might be one to the next parser.
        if text.count("<!ENTITY") != self._declared:
            raise UnsafeSyntaxError("it has <!ENTITY outside of the document type; remove it")
        # Once over the text: it may declare thousands, for none of which it is looked through again.
        uses = sum(len(self._entities.get(use[1], "")) for use in _ENTITY_USE.finditer(text))
        if uses + len(text) > largest:
            raise UnsafeSyntaxError(f"its entities would make it larger than {largest:,} characters")
