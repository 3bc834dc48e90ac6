"""Reading an ontology file of any syntax into triples, without the network.

What a file holds decides, not how its name ends: Turtle named ``.owl`` is read as Turtle.
Another kind of file is a row of :data:`SYNTAXES`, before the last, which takes every file;
OBO has a row already, which refuses it.
"""

from __future__ import annotations

import codecs
import re
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote
from xml.parsers import expat

import pyoxigraph as ox

from semcrawl.errors import TopicError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OWL: Final = "http://www.w3.org/2002/07/owl#"

LARGEST_FILE = 250_000_000  # larger files are refused, in bytes

_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".turtle": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".nq": ox.RdfFormat.N_QUADS,
    ".trig": ox.RdfFormat.TRIG,
    ".n3": ox.RdfFormat.N3,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".json": ox.RdfFormat.JSON_LD,
}
RDF_SUFFIXES = frozenset(  # those included that are refused with advice
    {*_FORMATS, ".owl", ".rdf", ".rdfs", ".xml", ".owx", ".skos", ".omn", ".ofn", ".obo"}
)
_DEEPEST = 1_000
_XML_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*\?>")
_COMMENT_LINES = re.compile(r"\A(\s*(#|!)[^\n]*\n)+")


class RdfFile(NamedTuple):
    """A file to be parsed."""

    path: Path
    text: str
    beginning: str  # the first characters that are not blank
    root: str  # the IRI of its root element where it is XML, else ""
    base: str  # what relative IRIs are relative to


def read_triples(path: Path) -> Iterator[ox.Triple]:
    """Return all triples of a file, one after the other; TopicError if it is not RDF."""
    text = _decoded(path)
    beginning = text[:2_000].lstrip()
    root = root_element(text, str(path), LARGEST_FILE) if _is_xml(beginning) else ""
    base = f"https://w3id.org/semcrawl/file/{quote(path.name, safe='')}"
    file = RdfFile(path, text, beginning, root, base)
    return next(syntax.parse(file) for syntax in SYNTAXES if syntax.fits(file))


def _decoded(path: Path) -> str:
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise TopicError(f"{path} is a folder; name a file in it")
        if not path.is_file():
            raise TopicError(f"{path} is no regular file")
        if size > LARGEST_FILE:
            raise TopicError(
                f"{path} is larger than {LARGEST_FILE // 1_000_000} MB; take a part of it"
            )
        data = path.read_bytes()
    except OSError as error:
        raise TopicError(f"cannot read {path}: {error.strerror}") from error
    if not data.strip():
        raise TopicError(f"{path} is empty")
    try:
        text = data.decode(_encoding(data))
    except (UnicodeDecodeError, LookupError) as error:
        raise TopicError(f"{path} is not text in UTF-8 or in the encoding that it names") from error
    if "\0" in text:
        raise TopicError(f"{path} is not text: it holds NUL characters")
    return text


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declared = re.match(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})", data[:400])
    name = declared[1].decode("ascii").lower() if declared else ""
    # Bytes that reached this match are no UTF-16, whatever they claim.
    return "utf-8-sig" if name in ("", "utf-8", "utf8", "utf-16") else name


def _is_xml(beginning: str) -> bool:
    return bool(
        re.match(r"<(\?xml|!--|!DOCTYPE|[A-Za-z][\w.-]*(:[\w.-]+)?[\s/>])", beginning)
        and not re.match(r"<[^<>\s]+>\s+(a\s|<[^<>/?!\s]+>\s|\w*:\w+\s)", beginning)
    )


def _parse_xml(file: RdfFile) -> Iterator[ox.Triple]:
    # A document may be one node without rdf:RDF around it; a web page is not meant as RDF.
    if file.root != f"{RDF}RDF" and ("html" in file.root.lower() or "://" not in file.root):
        raise TopicError(
            f"{file.path} is XML, but no ontology: its root element is {file.root[:80]!r}"
        )
    return _parsed(file, without_declaration(file.text), ox.RdfFormat.RDF_XML)


def _parse_by_suffix(file: RdfFile) -> Iterator[ox.Triple]:
    named = _FORMATS.get(file.path.suffix.lower())
    syntax = ox.RdfFormat.TURTLE if named in (None, ox.RdfFormat.JSON_LD) else named
    brackets = file.beginning.startswith(("{", "["))
    if brackets and named not in (ox.RdfFormat.TRIG, ox.RdfFormat.N3):
        looks_json = re.match(r'[{\[]\s*["{\[}\]]', file.beginning)
        syntax = ox.RdfFormat.JSON_LD if looks_json else named or ox.RdfFormat.TURTLE
    assert syntax is not None
    return _parsed(file, file.text, syntax)


def _parsed(file: RdfFile, text: str, syntax: ox.RdfFormat) -> Iterator[ox.Triple]:
    # Lenient: a single bad IRI, as real files have them, shall not cost the whole ontology.
    try:
        for found in ox.parse(text, format=syntax, base_iri=file.base, lenient=True):
            yield found.triple if isinstance(found, ox.Quad) else found
    except (SyntaxError, ValueError) as error:
        message = " ".join(str(getattr(error, "msg", error)).split())
        shown = message if len(message) <= 200 else f"{message[:200]}..."
        raise TopicError(f"{file.path} is not in {syntax.name}: {shown}") from error


def _parse_owl_xml(file: RdfFile) -> Iterator[ox.Triple]:
    # Only the parser: an owlready2 world would fetch imports from the network, and import
    # Python modules that an ontology names.
    from owlready2 import owlxml_2_ntriples  # type: ignore[import-untyped]
    from owlready2.base import OwlReadyError  # type: ignore[import-untyped]

    found: list[tuple[str, str, str | tuple[str, str]]] = []
    numbers = iter(range(1 << 62))
    try:
        owlxml_2_ntriples.parse(
            BytesIO(without_declaration(file.text).encode()),
            lambda s, p, o: found.append((s, p, o)),
            lambda s, p, o, d: found.append((s, p, (o, d))),
            lambda: f"_:{next(numbers)}",
            file.base,
        )
    except Exception as error:  # It fails on bad input with errors of any kind.
        line = str(error).rpartition(", line ")[2] if isinstance(error, OwlReadyError) else ""
        place = f", line {line.partition(',')[0]}" if line[:1].isdigit() else ""
        raise TopicError(f"{file.path} is not in OWL/XML{place}; check it in an editor") from error
    yield from (triple for row in found if (triple := _triple(*row)))


def _triple(subject: str, predicate: str, value: str | tuple[str, str]) -> ox.Triple | None:
    try:
        return ox.Triple(_node(subject), ox.NamedNode(predicate), _term(value))
    except ValueError:  # an IRI that is none: the statement says nothing usable
        return None


def _node(name: str) -> ox.NamedNode | ox.BlankNode:
    if name.startswith("_"):
        return ox.BlankNode(f"b{name.lstrip('_:')}")
    return ox.NamedNode(name)


def _term(value: str | tuple[str, str]) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    if isinstance(value, str):
        return _node(value)
    text, kind = value
    if kind.startswith("@"):
        return ox.Literal(text, language=kind[1:])
    return ox.Literal(text, datatype=ox.NamedNode(kind)) if kind else ox.Literal(text)


def root_element(text: str, where: str, largest: int) -> str:
    """Return namespace and name of the root, joined; TopicError if the text is not safe XML.

    The parser of RDF/XML expands entities without a limit, and takes time that grows with
    the square of the depth; so both are bounded, and external entities refused.

    >>> root_element('<x:a xmlns:x="http://example.org/"><b/></x:a>', "it", 1000)
    'http://example.org/a'
    """
    guard = _XmlGuard(where)
    try:
        guard.parser.Parse(text, True)
        guard.finish(text, largest)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error.code))
        raise TopicError(
            f"{where} is not well-formed XML: {reason}, line {error.lineno}"
        ) from error
    except (UnicodeEncodeError, ValueError) as error:
        raise TopicError(f"{where} is not well-formed XML: {error}") from error
    return guard.root


class _XmlGuard:
    def __init__(self, where: str) -> None:
        self.root = ""
        self._where = where
        self._depth = 0
        self._entities: dict[str, str] = {}
        self._declared = 0
        # The separator "" joins a namespace and a name to the IRI that RDF means.
        self.parser = expat.ParserCreate(namespace_separator="")
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _refused(self, reason: str) -> TopicError:
        return TopicError(f"{self._where} is not read: {reason}")

    def _start(self, name: str, _attributes: object) -> None:
        self.root = self.root or name
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._refused(f"its elements are nested more than {_DEEPEST:,} deep")

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _entity(self, name: str, is_parameter: int, value: str | None, *_: str | None) -> None:
        self._declared += 1
        if is_parameter or value is None:
            raise self._refused(f"it declares the external or parameter entity {name!r}; remove it")
        if "&" in value:
            raise self._refused(f"its entity {name!r} is made of other entities; write it out")
        self._entities.setdefault(name, value)

    def finish(self, text: str, largest: int) -> None:
        # A declaration that expat passes over, in a comment say, might be one to the next parser.
        if text.count("<!ENTITY") != self._declared:
            raise self._refused("it has <!ENTITY outside of the document type; remove it")
        uses = sum(text.count(f"&{name};") * len(value) for name, value in self._entities.items())
        if uses + len(text) > largest:
            raise self._refused(f"its entities would make it larger than {largest:,} characters")


def without_declaration(text: str) -> str:
    """Return an XML text without ``<?xml …?>``, which names an encoding that no longer holds."""
    return _XML_DECLARATION.sub("", text, count=1)


class RdfSyntax(NamedTuple):
    """Whether a file is in a syntax, and its parser."""

    fits: Callable[[RdfFile], bool]
    parse: Callable[[RdfFile], Iterator[ox.Triple]]


def _begins_with(pattern: str) -> Callable[[RdfFile], bool]:
    wanted = re.compile(pattern)
    return lambda file: bool(wanted.match(_COMMENT_LINES.sub("", file.beginning).lstrip()))


def _refused(name: str) -> Callable[[RdfFile], Iterator[ox.Triple]]:
    def refuse(file: RdfFile) -> Iterator[ox.Triple]:
        raise TopicError(
            f"{file.path} is in {name}, which is not read; save it as RDF/XML or Turtle "
            "(Protégé and ROBOT do that)"
        )

    return refuse


SYNTAXES: tuple[RdfSyntax, ...] = (  # in the order in which they are tried
    RdfSyntax(lambda file: file.root == f"{OWL}Ontology", _parse_owl_xml),
    RdfSyntax(lambda file: bool(file.root), _parse_xml),
    RdfSyntax(_begins_with(r"Prefix\s*\(|Ontology\s*\("), _refused("OWL's functional syntax")),
    RdfSyntax(_begins_with(r"Prefix:\s|Ontology:\s"), _refused("Manchester syntax")),
    RdfSyntax(_begins_with(r"format-version:|\[Term\]"), _refused("OBO format")),
    RdfSyntax(lambda _: True, _parse_by_suffix),
)
