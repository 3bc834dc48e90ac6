"""Reading an ontology file of any syntax into triples, without the network.

What a file holds decides, not how its name ends: Turtle named ``.owl`` is read as Turtle, and
a file may be packed with gzip. Another kind of file is a row of :data:`SYNTAXES`, above the first
row that would take it too; `RDF_SUFFIXES` has its ending, `is_rdf` tells it by its beginning.
"""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from xml.parsers import expat

import pyoxigraph as ox

from semcrawl.errors import TopicError
from semcrawl.progress import tell
from semcrawl.topics.obo import obo_triples
from semcrawl.topics.owl_xml import owl_xml_triples
from semcrawl.topics.vocabularies import OWL, RDF

LARGEST_FILE = 250_000_000  # larger files are refused, in bytes

_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".turtle": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".ntriples": ox.RdfFormat.N_TRIPLES,
    ".nq": ox.RdfFormat.N_QUADS,
    ".nquads": ox.RdfFormat.N_QUADS,
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
_PIECE = 4_000_000  # of XML, in characters
_HEAD = 65_536  # so much of a file tells what it is
_GZIP = b"\x1f\x8b"
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


class RdfFile(NamedTuple):
    """A file to be parsed."""

    path: Path
    text: str
    beginning: str  # the first characters that are not blank
    root: str  # the IRI of its root element where it is XML, else ""
    base: str  # what relative IRIs are relative to
    other: str  # functional, manchester or obo, where it is in one of these, else ""


def read_triples(path: Path) -> Iterator[ox.Triple]:
    """Return all triples of a file, one after the other; TopicError if it is not RDF."""
    text = _text(path)
    beginning = _beginning(text)
    root = root_element(text, str(path), LARGEST_FILE) if _is_xml(beginning) else ""
    base = f"https://w3id.org/semcrawl/file/{quote(path.name, safe='')}"
    other = _OTHER_SYNTAXES.match(_COMMENT_LINES.sub("", beginning).lstrip())
    file = RdfFile(path, text, beginning, root, base, (other and other.lastgroup) or "")
    return next(syntax.parse(file) for syntax in SYNTAXES if syntax.fits(file))


def is_rdf(path: Path) -> bool:
    """Return whether a file begins as RDF, OBO or another syntax of ontologies does."""
    try:
        with path.open("rb") as file:
            data = file.read(_HEAD)
        if data.startswith(_GZIP):
            data = zlib.decompressobj(wbits=31).decompress(data, _HEAD)
    except (OSError, ValueError, zlib.error):
        return False
    try:
        text = data.decode(_encoding(data), errors="ignore")
    except LookupError:
        return False
    beginning = _COMMENT_LINES.sub("", _beginning(text)).lstrip()
    if _is_xml(beginning):
        return bool(_XML_SIGNS.search(text)) and "<html" not in text[:2_000].lower()
    if re.match(r'[{\[]\s*["{\[]', beginning):
        return bool(re.search(r'"@(context|id|graph|type)"\s*:', text))
    if _OTHER_SYNTAXES.match(beginning):
        return True
    return bool(_TURTLE_START.match(beginning)) or (bool(beginning) and _is_line_based(text))


def _beginning(text: str) -> str:
    return text[:_HEAD].lstrip()


def _text(path: Path) -> str:
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
    if data.startswith(_GZIP):
        data = _unpacked(data, path)
    if not data.strip():
        raise TopicError(f"{path} is empty")
    try:
        text = data.decode(_encoding(data))
    except (UnicodeDecodeError, LookupError) as error:
        raise TopicError(f"{path} is not text in UTF-8 or in the encoding that it names") from error
    if "\0" in text:
        raise TopicError(f"{path} is not text: it holds NUL characters")
    return text


def _unpacked(data: bytes, path: Path) -> bytes:
    found = b""
    try:
        while data.startswith(_GZIP):  # a file may have several parts
            part = zlib.decompressobj(wbits=31)
            found += part.decompress(data, LARGEST_FILE + 1 - len(found))
            if len(found) > LARGEST_FILE:
                raise TopicError(
                    f"{path} is larger than {LARGEST_FILE // 1_000_000} MB when it is unpacked; "
                    "take a part of it"
                )
            if not part.eof:
                raise TopicError(f"{path} is packed with gzip, and cut off")
            data = part.unused_data
    except zlib.error as error:
        raise TopicError(f"{path} is packed with gzip, and damaged: {error}") from error
    return found


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


def _parse_text(file: RdfFile) -> Iterator[ox.Triple]:
    named = _FORMATS.get(_suffix(file.path))
    if re.match(r'[{\[]\s*["{\[}\]]', file.beginning) and named != ox.RdfFormat.N3:
        syntax = ox.RdfFormat.JSON_LD
    elif named == ox.RdfFormat.N3:
        syntax = named
    elif _is_line_based(file.text):
        syntax = ox.RdfFormat.N_QUADS
    else:
        # TriG is Turtle with graphs in braces.
        syntax = ox.RdfFormat.TRIG if "{" in file.text else ox.RdfFormat.TURTLE
    return _parsed(file, file.text, syntax)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    return _suffix(path.with_suffix("")) if suffix == ".gz" else suffix


def _is_line_based(text: str) -> bool:
    """Return whether the first lines are N-Triples or N-Quads, a statement each."""
    head = text[:_HEAD]
    lines = head.split("\n")[: None if len(text) <= _HEAD else -1]
    return all(_N_QUADS_LINE.fullmatch(line.rstrip()) for line in lines)


def _parsed(file: RdfFile, text: str, syntax: ox.RdfFormat) -> Iterator[ox.Triple]:
    # Lenient: a single bad IRI, as real files have them, shall not cost the whole ontology.
    # Blank nodes are renamed because several files may use the same names for theirs.
    try:
        for found in ox.parse(
            text, format=syntax, base_iri=file.base, lenient=True, rename_blank_nodes=True
        ):
            yield found.triple if isinstance(found, ox.Quad) else found
    except (SyntaxError, ValueError) as error:
        message = " ".join(str(getattr(error, "msg", error)).split())
        shown = message if len(message) <= 200 else f"{message[:200]}..."
        claimed = _FORMATS.get(_suffix(file.path), syntax)
        raise TopicError(f"{file.path} is not in {claimed.name}: {shown}") from error


def _parse_owl_xml(file: RdfFile) -> Iterator[ox.Triple]:
    try:
        yield from owl_xml_triples(without_declaration(file.text), file.base)
    except ValueError as error:
        raise TopicError(f"{file.path} is not in OWL/XML: {str(error)[:200]}") from error


def root_element(text: str, where: str, largest: int) -> str:
    """Return namespace and name of the root, joined; TopicError if the text is not safe XML.

    The parser of RDF/XML expands entities without a limit, and takes time that grows with
    the square of the depth; so both are bounded, and external entities refused.

    >>> root_element('<x:a xmlns:x="http://example.org/"><b/></x:a>', "it", 1000)
    'http://example.org/a'
    """
    guard = _XmlGuard(where)
    try:
        for start in range(0, len(text), _PIECE):
            guard.parser.Parse(text[start : start + _PIECE], False)
            tell(f"{where.rpartition('/')[2]}: {start / len(text):.0%} checked")
        guard.parser.Parse("", True)
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


_OTHER_SYNTAXES = re.compile(
    r"(?P<functional>Prefix\s*\(|Ontology\s*\()|(?P<manchester>Prefix:\s|Ontology:\s)"
    r"|(?P<obo>format-version:|(.*\n)*?\[(Term|Typedef|Instance)\]\s*\n\s*id:)"
)


_REFUSED = {"functional": "OWL's functional syntax", "manchester": "Manchester syntax"}


def _refuse(file: RdfFile) -> Iterator[ox.Triple]:
    raise TopicError(
        f"{file.path} is in {_REFUSED[file.other]}, which is not read; save it as RDF/XML or "
        "Turtle (Protégé and ROBOT do that)"
    )


SYNTAXES: tuple[RdfSyntax, ...] = (  # in the order in which they are tried
    RdfSyntax(lambda file: file.root == f"{OWL}Ontology", _parse_owl_xml),
    RdfSyntax(lambda file: bool(file.root), _parse_xml),
    RdfSyntax(lambda file: file.other in _REFUSED, _refuse),
    RdfSyntax(lambda file: file.other == "obo", lambda file: obo_triples(file.text)),
    RdfSyntax(lambda _: True, _parse_text),
)
