"""Reading an ontology file of any syntax into triples, without the network.

What a file holds decides, not how its name ends: Turtle named ``.owl`` is read as Turtle, and
a file may be packed with gzip. Another kind of file is a row of :data:`SYNTAXES`, above the first
row that would take it too; ``data/rdf_files.toml`` has its ending, `is_rdf` tells it by its beginning.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pyoxigraph as ox

from semcrawl import rdf_syntax
from semcrawl.errors import FetchError, TopicError, os_errors, regular, told_as
from semcrawl.progress import tell
from semcrawl.resources import facts_beside
from semcrawl.topics.obo import obo_triples
from semcrawl.topics.owl_xml import owl_xml_triples
from semcrawl.topics.vocabularies import OWL, RDF
from semcrawl.web.response import decode

LARGEST_FILE = 250_000_000  # larger files are refused, in bytes

_NAMES = facts_beside(__file__, "data/rdf_files.toml")
_FORMATS = {ending: ox.RdfFormat.from_extension(short) for ending, short in _NAMES["formats"].items()}
RDF_SUFFIXES = frozenset((*_FORMATS, *_NAMES["others"]["names"]))  # those included that are refused with advice
_GZIP = b"\x1f\x8b"


class RdfFile(NamedTuple):
    """A file to be parsed."""

    path: Path
    text: str
    root: str  # the IRI of its root element where it is XML, else ""
    base: str  # what relative IRIs are relative to
    other: str  # functional, manchester or obo, where it is in one of these, else ""


def read_triples(path: Path) -> Iterator[ox.Triple]:
    """Return all triples of a file, one after the other; TopicError if it is not RDF."""
    text = _text(path)
    root = _root_of(text, path) if rdf_syntax.is_xml(text[: rdf_syntax.HEAD].lstrip()) else ""
    base = f"https://w3id.org/semcrawl/file/{quote(path.name, safe='')}"
    other = _OTHER_SYNTAXES.match(rdf_syntax.beginning_of(text))
    file = RdfFile(path, text, root, base, (other and other.lastgroup) or "")
    return next(parse(file) for fits, parse in SYNTAXES if fits(file))


def is_rdf(path: Path) -> bool:
    """Return whether a file begins as RDF, OBO or another syntax of ontologies does."""
    try:
        with regular(path).open("rb") as file:
            data = file.read(rdf_syntax.HEAD)
        if data.startswith(_GZIP):
            data = zlib.decompressobj(wbits=31).decompress(data, rdf_syntax.HEAD)
        text = data.decode(rdf_syntax.encoding_of(data), errors="ignore")
    except (OSError, ValueError, LookupError, zlib.error):
        return False
    return rdf_syntax.rdf_format(text) is not None or bool(_OTHER_SYNTAXES.match(rdf_syntax.beginning_of(text)))


def _text(path: Path) -> str:
    with os_errors(TopicError, f"cannot read {path}"):
        size = path.stat().st_size
        if path.is_dir():
            raise TopicError(f"{path} is a folder; name a file in it")
        if size > LARGEST_FILE:
            raise TopicError(f"{path} is larger than {LARGEST_FILE // 1_000_000} MB; take a part of it")
        data = regular(path).read_bytes()
    if data.startswith(_GZIP):
        data = _unpacked(data, path)
    if not data.strip():
        raise TopicError(f"{path} is empty")
    unread = f"{path} is not text in UTF-8 or in the encoding that it names"
    with told_as(TopicError, unread, UnicodeDecodeError, LookupError):
        text = data.decode(rdf_syntax.encoding_of(data))
    if "\0" in text:
        raise TopicError(f"{path} is not text: it holds NUL characters")
    return text


def _unpacked(data: bytes, path: Path) -> bytes:
    with told_as(TopicError, f"{path} is packed with gzip, and damaged", FetchError):
        found, is_whole = decode(data, "gzip", LARGEST_FILE, path.name)
    if not is_whole:
        large = f"larger than {LARGEST_FILE // 1_000_000} MB when it is unpacked: take a part of it"
        raise TopicError(f"{path} is packed with gzip, and cut off or {large}")
    return found


def _parse_xml(file: RdfFile) -> Iterator[ox.Triple]:
    # A document may be one node without rdf:RDF around it; a web page is not meant as RDF.
    if file.root != f"{RDF}RDF" and ("html" in file.root.lower() or "://" not in file.root):
        raise TopicError(f"{file.path} is XML, but no ontology: its root element is {file.root[:80]!r}")
    return _parsed(file, rdf_syntax.without_declaration(file.text), ox.RdfFormat.RDF_XML)


def _parse_text(file: RdfFile) -> Iterator[ox.Triple]:
    named = _FORMATS.get(_suffix(file.path))
    if re.match(r'\s*[{\[]\s*["{\[}\]]', file.text) and named != ox.RdfFormat.N3:
        syntax = ox.RdfFormat.JSON_LD
    elif named == ox.RdfFormat.N3:
        syntax = named
    elif rdf_syntax.is_line_based(file.text):
        syntax = ox.RdfFormat.N_QUADS
    else:
        # TriG is Turtle with graphs in braces.
        syntax = ox.RdfFormat.TRIG if "{" in file.text else ox.RdfFormat.TURTLE
    with told_as(TopicError, f"{file.path} is not read", rdf_syntax.UnsafeSyntaxError):
        rdf_syntax.check_text(file.text, syntax)
    return _parsed(file, file.text, syntax)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    return _suffix(path.with_suffix("")) if suffix == ".gz" else suffix


def _parsed(file: RdfFile, text: str, syntax: ox.RdfFormat) -> Iterator[ox.Triple]:
    # Lenient: a single bad IRI, as real files have them, shall not cost the whole ontology.
    # Blank nodes are renamed because several files may use the same names for theirs.
    try:
        for found in ox.parse(text, format=syntax, base_iri=file.base, lenient=True, rename_blank_nodes=True):
            yield found.triple if isinstance(found, ox.Quad) else found
    except (SyntaxError, ValueError) as error:
        message = " ".join(str(getattr(error, "msg", error)).split())
        shown = message if len(message) <= 200 else f"{message[:200]}..."
        suffix = _suffix(file.path)
        claimed = f"not in {(_FORMATS.get(suffix) or syntax).name}"
        what = claimed if suffix in RDF_SUFFIXES else "no ontology or thesaurus in RDF or OBO"
        raise TopicError(f"{file.path} is {what}: {shown}") from error


def _parse_owl_xml(file: RdfFile) -> Iterator[ox.Triple]:
    try:
        yield from owl_xml_triples(rdf_syntax.without_declaration(file.text), file.base)
    except ValueError as error:
        raise TopicError(f"{file.path} is not in OWL/XML: {str(error)[:200]}") from error


def _root_of(text: str, path: Path) -> str:
    """Return the IRI of the root of an XML file; TopicError if it is not safe to parse."""
    malformed = told_as(TopicError, f"{path} is not well-formed XML", rdf_syntax.MalformedXmlError)
    with malformed, told_as(TopicError, f"{path} is not read", rdf_syntax.UnsafeSyntaxError):
        return rdf_syntax.root_element(text, LARGEST_FILE, lambda share: tell(f"{path.name}: {share:.0%} checked"))


_OTHER_SYNTAXES = re.compile(
    r"(?P<functional>Prefix\s*\(|Ontology\s*\()|(?P<manchester>Prefix:\s|Ontology:\s)"
    r"|(?P<obo>format-version:|(.*\n)*?\[(Term|Typedef|Instance)\][^\S\n]*+\n\s*+id:)"
)


_REFUSED = {"functional": "OWL's functional syntax", "manchester": "Manchester syntax"}


def _refuse(file: RdfFile) -> Iterator[ox.Triple]:
    raise TopicError(
        f"{file.path} is in {_REFUSED[file.other]}, which is not read; save it as RDF/XML or "
        "Turtle (Protégé and ROBOT do that)"
    )


# Whether a file is in a syntax, and its parser, in the order in which they are tried.
SYNTAXES: tuple[tuple[Callable[[RdfFile], bool], Callable[[RdfFile], Iterator[ox.Triple]]], ...] = (
    (lambda file: file.root == f"{OWL}Ontology", _parse_owl_xml),
    (lambda file: bool(file.root), _parse_xml),
    (lambda file: file.other in _REFUSED, _refuse),
    (lambda file: file.other == "obo", lambda file: obo_triples(file.text)),
    (lambda _: True, _parse_text),
)
