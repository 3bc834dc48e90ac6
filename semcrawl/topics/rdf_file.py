"""Reading RDF files of any syntax into statements.

Oxigraph's parser reads every syntax of RDF (RDF/XML, Turtle, TriG, N-Triples,
N-Quads, N3, JSON-LD) within a second for 100,000 statements; OWL/XML goes
through owlready2's parser. What a file holds decides, not how its name ends:
Turtle named ``.owl`` is read as Turtle. Nothing is fetched from the network.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pyoxigraph as ox

from semcrawl.errors import TopicError
from semcrawl.topics.owl_xml import parse_owl_xml
from semcrawl.topics.rdf_names import OBO, OWL, RDF, RDFS, SCHEMA, SKOS, SKOSXL
from semcrawl.topics.statements import BLANK, Statements, Text
from semcrawl.topics.xml_guard import root_element, without_declaration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["LARGEST_FILE", "RDF_SUFFIXES", "add_file", "read_triples"]

LARGEST_FILE = 250_000_000
"""Larger files are refused, in bytes."""

_MOST_STATEMENTS = 5_000_000
_LONGEST_IRI = 2_000
_LONGEST_TEXT = 500

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
_OTHER_SYNTAXES = (
    (re.compile(r"Prefix\s*\(|Ontology\s*\("), "OWL's functional syntax"),
    (re.compile(r"Prefix:\s|Ontology:\s"), "Manchester syntax"),
    (re.compile(r"format-version:|\[Term\]"), "OBO format"),
)

RDF_SUFFIXES = frozenset(
    {*_FORMATS, ".owl", ".rdf", ".rdfs", ".xml", ".owx", ".skos", ".omn", ".ofn", ".obo"}
)
"""How the names of ontology files end, those included that are refused with advice."""

_KEPT_TEXTS = frozenset(
    {
        *(f"{RDFS}label", f"{OWL}deprecated", f"{SKOSXL}literalForm"),
        *(SKOS + name for name in ("prefLabel", "altLabel", "hiddenLabel", "notation")),
        *(OBO + f"has{kind}Synonym" for kind in ("Exact", "Narrow", "Related", "Broad")),
        *(place + name for place in SCHEMA for name in ("name", "alternateName")),
        *(OWL + side for side in ("cardinality", "minCardinality", "maxCardinality")),
        *(OWL + f"{side}QualifiedCardinality" for side in ("min", "max")),
        f"{OWL}qualifiedCardinality",
        "http://purl.obolibrary.org/obo/IAO_0000118",
        "http://www.ebi.ac.uk/efo/alternative_term",
    }
)
"""Definitions, notes and codes of other databases are most of a file and not needed."""


def add_file(path: Path, statements: Statements) -> None:
    """Add the statements of a file that concepts are made from; TopicError if it is not RDF."""
    skipped = 0
    for number, triple in enumerate(read_triples(path)):
        if number >= _MOST_STATEMENTS:
            raise TopicError(f"{path} has more than {_MOST_STATEMENTS:,} statements; take a part")
        predicate, term = triple.predicate.value, triple.object
        subject = _name(triple.subject)
        value: str | Text | None
        if isinstance(term, ox.Literal):
            if predicate not in _KEPT_TEXTS:
                continue
            value = Text(term.value, term.language or "")
            too_long = len(term.value) > _LONGEST_TEXT
        else:
            value = _name(term)
            too_long = value is not None and len(value) > _LONGEST_IRI
        if subject is None or value is None or too_long or len(subject) > _LONGEST_IRI:
            skipped += 1
        else:
            statements.add(subject, predicate, value)
    if skipped:
        statements.problems.append(f"{path}: {skipped:,} statements are too long or of no use here")


def read_triples(path: Path) -> Iterator[ox.Triple]:
    """Return all triples of a file, one after the other; TopicError if it is not RDF."""
    text = _decoded(path)
    base = f"https://w3id.org/semcrawl/file/{quote(path.name, safe='')}"
    beginning = text[:2_000].lstrip()
    if _is_xml(beginning):
        root = root_element(text, str(path), LARGEST_FILE)
        if root == f"{OWL}Ontology":
            return parse_owl_xml(without_declaration(text), str(path), base)
        if not _may_be_rdf(root):
            raise TopicError(f"{path} is XML, but no ontology: its root element is {root[:80]!r}")
        return _parsed(without_declaration(text), ox.RdfFormat.RDF_XML, path, base)
    for pattern, name in _OTHER_SYNTAXES:
        if pattern.match(re.sub(r"\A(\s*(#|!)[^\n]*\n)+", "", beginning).lstrip()):
            raise TopicError(
                f"{path} is in {name}, which is not read; save it as RDF/XML or Turtle "
                "(Protégé and ROBOT do that)"
            )
    return _parsed(text, _format(path, beginning), path, base)


def _is_xml(beginning: str) -> bool:
    """Return whether a file begins as XML; a statement about ``<a>`` does not."""
    return bool(
        re.match(r"<(\?xml|!--|!DOCTYPE|[A-Za-z][\w.-]*(:[\w.-]+)?[\s/>])", beginning)
        and not re.match(r"<[^<>\s]+>\s+(a\s|<[^<>/?!\s]+>\s|\w*:\w+\s)", beginning)
    )


def _may_be_rdf(root: str) -> bool:
    """A document may be one node without rdf:RDF around it; a web page is not meant as RDF."""
    return root == f"{RDF}RDF" or ("html" not in root.lower() and "://" in root)


def _format(path: Path, beginning: str) -> ox.RdfFormat:
    named = _FORMATS.get(path.suffix.lower())
    if beginning.startswith(("{", "[")) and named not in (ox.RdfFormat.TRIG, ox.RdfFormat.N3):
        looks_json = re.match(r'[{\[]\s*["{\[}\]]', beginning)
        return ox.RdfFormat.JSON_LD if looks_json else named or ox.RdfFormat.TURTLE
    if named is ox.RdfFormat.JSON_LD or named is None:
        return ox.RdfFormat.TURTLE
    return named


def _parsed(text: str, syntax: ox.RdfFormat, path: Path, base: str) -> Iterator[ox.Triple]:
    # Lenient: a single bad IRI, as real files have them, shall not cost the whole ontology.
    try:
        for found in ox.parse(text, format=syntax, base_iri=base, lenient=True):
            yield found.triple if isinstance(found, ox.Quad) else found
    except (SyntaxError, ValueError) as error:
        raise TopicError(f"{path} is not in {syntax.name}: {_message(error)}") from error


def _message(error: Exception) -> str:
    """Return one short line of a parser's message."""
    text = " ".join(str(getattr(error, "msg", error)).split())
    return text if len(text) <= 200 else f"{text[:200]}..."


def _decoded(path: Path) -> str:
    """Return the text of a file; TopicError if it cannot be read or is no text."""
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


def _name(term: object) -> str | None:
    """Return a node as a string; None for what is no node, such as a quoted triple."""
    if isinstance(term, ox.NamedNode):
        return term.value
    return BLANK + term.value if isinstance(term, ox.BlankNode) else None
