"""Reading RDF files of any syntax into statements.

Oxigraph's parser reads every syntax of RDF (RDF/XML, Turtle, TriG, N-Triples,
N-Quads, N3, JSON-LD) within a second for 100,000 statements; OWL/XML goes
through owlready2's parser. What a file holds decides, not how its name ends:
Turtle named ``.owl`` is read as Turtle. Nothing is fetched from the network.
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
    from collections.abc import Iterator
    from pathlib import Path

# The statements of RDF files, kept as plain strings and grouped by property.


BLANK = "_:"
"""A node without an IRI is a string that starts so."""


class Text(NamedTuple):
    """A literal: its text and its language tag, "" where it has none."""

    value: str
    language: str


def is_iri(node: str) -> bool:
    """Return whether a node is an IRI and not a blank node."""
    return not node.startswith(BLANK)


class Statements:
    """Statements of one or several files, by property and in the order of the files.

    >>> statements = Statements()
    >>> statements.add("ex:cat", "ex:eats", "ex:mouse")
    >>> list(statements.resources("ex:eats")), statements.objects("ex:cat", "ex:eats")
    ([('ex:cat', 'ex:mouse')], ['ex:mouse'])
    """

    def __init__(self) -> None:
        """Start without statements."""
        self.problems: list[str] = []
        self._pairs: dict[str, list[tuple[str, str | Text]]] = {}
        self._by_subject: dict[str, dict[str, list[str]]] = {}
        self._numbers: dict[str, dict[str, int]] = {}

    def add(self, subject: str, predicate: str, value: str | Text) -> None:
        """Add one statement."""
        self._pairs.setdefault(predicate, []).append((subject, value))
        self._by_subject.pop(predicate, None)
        self._numbers.pop(predicate, None)

    def properties(self) -> list[str]:
        """Return the properties that occur, in order of first occurrence."""
        return list(self._pairs)

    def resources(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Yield the subject and object of the statements that lead to a node."""
        for subject, value in self._pairs.get(predicate, ()):
            if isinstance(value, str):
                yield subject, value

    def texts(self, predicate: str) -> Iterator[tuple[str, Text]]:
        """Yield the subject and text of the statements that hold a literal."""
        for subject, value in self._pairs.get(predicate, ()):
            if isinstance(value, Text):
                yield subject, value

    def objects(self, subject: str, predicate: str) -> list[str]:
        """Return the nodes that a property leads to from one subject."""
        if predicate not in self._by_subject:
            index: dict[str, list[str]] = {}
            for source, target in self.resources(predicate):
                index.setdefault(source, []).append(target)
            self._by_subject[predicate] = index
        return self._by_subject[predicate].get(subject, [])

    def number(self, subject: str, predicate: str) -> int | None:
        """Return the whole number that a property gives one subject, None if it gives none."""
        if predicate not in self._numbers:
            self._numbers[predicate] = {
                node: int(text.value)
                for node, text in self.texts(predicate)
                if text.value.isdecimal() and len(text.value) < 10
            }
        return self._numbers[predicate].get(subject)

    def members(self, head: str, rdf: str) -> list[str]:
        """Return the members of an RDF list; one that runs in a circle ends where it closes."""
        found: list[str] = []
        seen: set[str] = set()
        node: str | None = head
        while node and node not in seen:
            seen.add(node)
            found += self.objects(node, f"{rdf}first")[:1]
            node = next(iter(self.objects(node, f"{rdf}rest")), None)
        return found


# The IRIs of the vocabularies that ontologies and thesauri are written in.


RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
SKOSXL: Final = "http://www.w3.org/2008/05/skos-xl#"
OBO: Final = "http://www.geneontology.org/formats/oboInOwl#"
SCHEMA: Final = ("https://schema.org/", "http://schema.org/")

BUILT_IN: Final = (RDF, RDFS, OWL, SKOS, SKOSXL, "http://www.w3.org/2001/XMLSchema#")
"""What is in these namespaces is part of the language, not a concept."""

NOT_RELATIONS: Final = (
    *BUILT_IN,
    OBO,
    "http://purl.org/dc/terms/",
    "http://purl.org/dc/elements/1.1/",
    "http://www.w3.org/ns/prov#",
)
"""Properties in these namespaces say how a file is made, not how concepts are related."""


# OWL/XML, the one syntax that the RDF parser lacks, through owlready2's parser of it.
#
# Only that parser is used, a function from bytes to triples. Loading a file into
# an owlready2 world is avoided on purpose: it fetches ``owl:imports`` from the
# network and imports Python modules that an ontology names.


def parse_owl_xml(text: str, where: str, base: str) -> Iterator[ox.Triple]:
    """Yield the triples of an OWL/XML text that is safe XML; TopicError if it is no OWL/XML."""
    from owlready2 import owlxml_2_ntriples  # type: ignore[import-untyped]
    from owlready2.base import OwlReadyError  # type: ignore[import-untyped]

    found: list[tuple[str, str, str | tuple[str, str]]] = []
    numbers = iter(range(1 << 62))
    try:
        owlxml_2_ntriples.parse(
            BytesIO(text.encode()),
            lambda s, p, o: found.append((s, p, o)),
            lambda s, p, o, d: found.append((s, p, (o, d))),
            lambda: f"_:{next(numbers)}",
            base,
        )
    except Exception as error:  # It fails on bad input with errors of any kind.
        line = str(error).rpartition(", line ")[2] if isinstance(error, OwlReadyError) else ""
        place = f", line {line.partition(',')[0]}" if line[:1].isdigit() else ""
        raise TopicError(f"{where} is not in OWL/XML{place}; check it in an editor") from error
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


# Checks of an XML text before a parser of RDF sees it.
#
# The parser of RDF/XML expands entities without a limit, and takes time that
# grows with the square of the depth. So entities may only be what ontologies use
# them for (short names of namespaces), and depth is limited. Nothing outside the
# file is ever read: an external entity is refused.


_DEEPEST = 1_000
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*\?>")


class _Refused(Exception):  # noqa: N818 - it carries a reason, it is no error of its own
    """A construct that is not read, with the reason."""


def root_element(text: str, where: str, largest: int) -> str:
    """Return namespace and name of the root, joined; TopicError if the text is not safe XML.

    ``largest`` is the number of characters that the text may have once its
    entities are expanded.

    >>> root_element('<x:a xmlns:x="http://example.org/"><b/></x:a>', "it", 1000)
    'http://example.org/a'
    """
    check = _Check()
    try:
        check.parser.Parse(text, True)
        check.finish(text, largest)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error.code))
        raise TopicError(
            f"{where} is not well-formed XML: {reason}, line {error.lineno}"
        ) from error
    except _Refused as error:
        raise TopicError(f"{where} is not read: {error}") from error
    except (UnicodeEncodeError, ValueError) as error:
        raise TopicError(f"{where} is not well-formed XML: {error}") from error
    return check.root


class _Check:
    """One pass over an XML text."""

    def __init__(self) -> None:
        self.root = ""
        self._depth = 0
        self._entities: dict[str, str] = {}
        self._declared = 0
        # The separator "" joins a namespace and a name to the IRI that RDF means.
        self.parser = expat.ParserCreate(namespace_separator="")
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _start(self, name: str, _attributes: object) -> None:
        self.root = self.root or name
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Refused(f"its elements are nested more than {_DEEPEST:,} deep")

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _entity(
        self,
        name: str,
        is_parameter: int,
        value: str | None,
        _base: str | None,
        _system: str | None,
        _public: str | None,
        _notation: str | None,
    ) -> None:
        self._declared += 1
        if is_parameter or value is None:
            raise _Refused(f"it declares the external or parameter entity {name!r}; remove it")
        if "&" in value:
            raise _Refused(f"its entity {name!r} is made of other entities; write it out")
        self._entities.setdefault(name, value)

    def finish(self, text: str, largest: int) -> None:
        # A declaration that expat passes over, in a comment say, might be one to the next parser.
        if text.count("<!ENTITY") != self._declared:
            raise _Refused("it has <!ENTITY outside of the document type; remove it")
        uses = sum(text.count(f"&{name};") * len(value) for name, value in self._entities.items())
        if uses + len(text) > largest:
            raise _Refused(f"its entities would make it larger than {largest:,} characters")


def without_declaration(text: str) -> str:
    """Return an XML text without ``<?xml …?>``, which names an encoding that no longer holds."""
    return _DECLARATION.sub("", text, count=1)


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
