"""The formats of an endpoint's answers: rows as JSON, XML, CSV and TSV, triples in RDF formats.

An answer that was cut says so where its format has a place for it. The heads of
JSON and XML hold a link (SPARQL 1.1 Query Results JSON Format, 3.1.2; SPARQL
Query Results XML Format, 2.2), Turtle and its kin end in a comment. CSV, TSV
and JSON-LD have no such place; the headers of the reply tell it for all.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

import msgspec
import pyoxigraph as ox

from semcrawl.errors import RequestError
from semcrawl.graph.answers import Answer, json_term, triples_text
from semcrawl.graph.export import xml_text
from semcrawl.graph.vocabulary import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from semcrawl.graph.answers import Term

SD = "http://www.w3.org/ns/sparql-service-description#"

_RESULTS = "http://www.w3.org/2005/sparql-results#"
_FORMATS = "http://www.w3.org/ns/formats/"
_UTF_8 = "; charset=utf-8"
# NameStartChar and NameChar of XML 1.0, section 2.3, without the colon.
_START = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME = re.compile(rf"[{_START}][-.0-9\xb7\u0300-\u036f\u203f-\u2040{_START}]*\Z")


@dataclass(frozen=True, slots=True)
class Format:
    """A format that answers are written in.

    Attributes:
        name: its name here, as in ``semcrawl query --format``.
        media_types: what clients call it; the first is its own.
        words: what ``format=`` calls it beside these.
        ending: of a file with it.
        iri: its name in the W3C's list of formats, for the service description.
        is_text: whether the header shall name the character set, which is UTF-8.
    """

    name: str
    media_types: tuple[str, ...]
    words: tuple[str, ...]
    ending: str
    iri: str
    is_text: bool = False

    def header(self, media_type: str) -> str:
        """The Content-Type of a reply, for a client that wants this media type."""
        return media_type + _UTF_8 if self.is_text else media_type

    def is_called(self, word: str) -> bool:
        """Whether ``format=word`` means it."""
        return word in (self.name, self.ending, *self.words, *self.media_types)


ROW_FORMATS = (
    Format(
        "json",
        ("application/sparql-results+json", "application/json"),
        ("sparql-json",),
        "json",
        _FORMATS + "SPARQL_Results_JSON",
    ),
    Format(
        "xml",
        ("application/sparql-results+xml", "application/xml", "text/xml"),
        ("sparql-xml",),
        "xml",
        _FORMATS + "SPARQL_Results_XML",
    ),
    Format("csv", ("text/csv",), (), "csv", _FORMATS + "SPARQL_Results_CSV", is_text=True),
    Format(
        "tsv",
        ("text/tab-separated-values",),
        (),
        "tsv",
        _FORMATS + "SPARQL_Results_TSV",
        is_text=True,
    ),
)

GRAPH_FORMATS = (
    Format(
        "turtle",
        # Turtle is N3 too, and has had other names.
        ("text/turtle", "application/turtle", "application/x-turtle", "text/n3", "text/rdf+n3"),
        ("n3",),
        "ttl",
        _FORMATS + "Turtle",
        is_text=True,
    ),
    Format("ntriples", ("application/n-triples",), ("n-triples",), "nt", _FORMATS + "N-Triples"),
    Format(
        "jsonld",
        ("application/ld+json", "application/json"),
        ("json", "json-ld"),
        "jsonld",
        _FORMATS + "JSON-LD",
    ),
    Format(
        "rdfxml",
        ("application/rdf+xml", "application/xml", "text/xml"),
        ("xml", "rdf+xml"),
        "rdf",
        _FORMATS + "RDF_XML",
    ),
    Format("trig", ("application/trig",), (), "trig", _FORMATS + "TriG"),
    Format("nquads", ("application/n-quads",), ("n-quads",), "nq", _FORMATS + "N-Quads"),
)


def write_answer(answer: Answer, form: str, more: str = "") -> bytes:
    """An answer in a format; ``more`` is the address that a cut one refers to."""
    if answer.kind == "construct":
        return write_triples(answer.triples, form, _note(answer, more))
    writers: dict[str, Callable[[Answer, str], bytes]] = {
        "json": _json,
        "xml": _xml,
        "csv": _csv,
        "tsv": _tsv,
    }
    return writers[form](answer, more if answer.is_cut else "")


def write_triples(triples: Iterable[ox.Triple], form: str, note: str = "") -> bytes:
    """Triples in an RDF format, a note as a comment at the end where it has comments.

    Raises:
        RequestError: RDF/XML is asked for, and a property has no name that XML could hold (406).
    """
    triples = list(triples)
    if form == "rdfxml":
        for name in {triple.predicate.value for triple in triples}:
            _require_xml_name(name)
    text = triples_text(triples, form, PREFIXES | {"sd": SD})
    if form == "rdfxml":
        return (xml_text(text) + (f"\n<!-- {note} -->\n" if note else "")).encode()
    if note and form != "jsonld":
        text += f"# {note}\n"
    return text.encode()


def _note(answer: Answer, more: str) -> str:
    return f"cut after {len(answer):,} triples, see {more}" if answer.is_cut else ""


def _require_xml_name(iri: str) -> None:
    """RDF/XML writes properties as XML names: the end of the IRI must be one."""
    if not _NAME.search(iri):
        raise RequestError(
            f"RDF/XML cannot hold the property <{iri[:200]}>: ask for Turtle or N-Triples", 406
        )


def _json(answer: Answer, more: str) -> bytes:
    head: dict[str, Any] = {} if answer.kind == "ask" else {"vars": answer.variables}
    if more:
        head["link"] = [more]
    if answer.kind == "ask":
        return msgspec.json.encode({"head": head, "boolean": answer.boolean})
    bindings = [
        {
            name: json_term(term)
            for name, term in zip(answer.variables, row, strict=True)
            if term is not None
        }
        for row in answer.rows
    ]
    return msgspec.json.encode({"head": head, "results": {"bindings": bindings}})


def _xml(answer: Answer, more: str) -> bytes:
    parts = [f'<?xml version="1.0"?>\n<sparql xmlns="{_RESULTS}">\n<head>']
    parts += [f"<variable name={_attribute(name)}/>" for name in answer.variables]
    parts += [f"<link href={_attribute(more)}/>"] if more else []
    parts.append("</head>\n")
    if answer.kind == "ask":
        parts.append(f"<boolean>{str(answer.boolean).lower()}</boolean>\n")
    else:
        names = [_attribute(name) for name in answer.variables]
        parts.append("<results>\n")
        for row in answer.rows:
            cells = zip(names, row, strict=True)
            bound = (
                f"<binding name={name}>{_xml_term(term)}</binding>"
                for name, term in cells
                if term is not None
            )
            parts.append(f"<result>{''.join(bound)}</result>\n")
        parts.append("</results>\n")
    return "".join([*parts, "</sparql>\n"]).encode()


def _xml_term(term: Term) -> str:
    written = json_term(term)
    # A parser reads a carriage return as the end of a line.
    text = escape(xml_text(written["value"]), {"\r": "&#13;"})
    if written["type"] != "literal":
        return f"<{written['type']}>{text}</{written['type']}>"
    said = "".join(
        f" {name}={_attribute(written[name])}"
        for name in ("xml:lang", "datatype")
        if name in written
    )
    return f"<literal{said}>{text}</literal>"


def _attribute(text: str) -> str:
    return quoteattr(xml_text(text))


def _csv(answer: Answer, _more: str) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    if answer.kind == "ask":
        writer.writerows([["answer"], [str(answer.boolean).lower()]])
    else:
        writer.writerow(answer.variables)
        writer.writerows([_csv_cell(term) for term in row] for row in answer.rows)
    return out.getvalue().encode()


def _csv_cell(term: Term | None) -> str:
    if term is None:
        return ""
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


def _tsv(answer: Answer, _more: str) -> bytes:
    if answer.kind == "ask":
        return f"?answer\n{str(answer.boolean).lower()}\n".encode()
    lines = ["\t".join("?" + name for name in answer.variables)]
    # Terms are written as in N-Triples, where tabs and line ends are escaped.
    lines += ["\t".join("" if term is None else str(term) for term in row) for row in answer.rows]
    return ("\n".join(lines) + "\n").encode()
