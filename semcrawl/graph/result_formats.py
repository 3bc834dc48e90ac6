"""Answers in the formats of the W3C: rows as JSON, XML, CSV and TSV, triples in RDF formats.

An answer that was cut says so in a link of the head of JSON and XML (SPARQL 1.1 Query Results
JSON Format, 3.1.2; SPARQL Query Results XML Format, 2.2), or in a comment at the end of RDF.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec
import pyoxigraph as ox

from semcrawl.errors import QueryError, StoreError, told_as
from semcrawl.graph.vocabulary import PREFIXES, RDF_TYPE, XSD

if TYPE_CHECKING:
    from semcrawl.graph.answers import Answer

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

RDF_FORMATS: dict[str, ox.RdfFormat] = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "nquads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}

_FORMULA = re.compile(r"(?![+-]?[\d.]+(?:[eE][+-]?\d+)?\Z)[\s\0]*[=+\-@\t\r]")
_TSV = {sign: f"\\u{sign:04x}" for sign in b"\t\n\r"}
_TYPE = f"<{RDF_TYPE}>"
# All but the characters of XML 1.0, section 2.2. This and the next take long to compile.
_NOT_IN_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
# NameStartChar and NameChar of XML 1.0, section 2.3, without the colon.
_START = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_XML_NAME = rf"[{_START}][-.0-9\xb7\u0300-\u036f\u203f-\u2040{_START}]*\Z"


def xml_text(text: str) -> str:
    r"""The text without the characters that XML cannot hold.

    >>> xml_text("a\x0bb\x1bc")
    'abc'
    """
    return re.sub(_NOT_IN_XML, "", text)


def csv_text(rows: Iterable[Iterable[object]], *, exact: bool = False) -> str:
    r"""Rows as CSV, the header among them.

    A text that a spreadsheet would take for a formula has an apostrophe before it; ``exact``:
    as the W3C has it, every text as it is and lines that end in CR LF.

    >>> csv_text([["url", "title"], ["http://a/", 'say "hi", twice']])
    'url,title\nhttp://a/,"say ""hi"", twice"\n'
    >>> csv_text([["=1+1", "-2.5", -3]])
    "'=1+1,-2.5,-3\n"
    """
    out = io.StringIO()
    safe = rows if exact else ([_no_formula(cell) for cell in row] for row in rows)
    csv.writer(out, lineterminator="\r\n" if exact else "\n").writerows(safe)
    return out.getvalue()


def _no_formula(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    # A carriage return would be written without quotes, and end the row.
    text = cell.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if _FORMULA.match(cell) else text


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Rows as aligned lines; the first ``left`` columns stand to the left, the others right.

    >>> list(aligned([("crawler", "pages"), ("dom", "1,000")]))
    ['crawler  pages', 'dom      1,000']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def write_answer(answer: Answer, form: str, more: str = "", *, exact: bool = True) -> bytes:
    """An answer in a format: json, xml, csv or tsv for rows, an RDF format for triples.

    An answer that was cut refers to the address ``more``. ``exact`` is for CSV, as in `csv_text`.
    Raises QueryError: the format does not suit this kind of answer, or cannot hold it.
    """
    if answer.kind == "construct":
        note = f"cut after {len(answer):,} triples, see {more}" if answer.is_cut else ""
        return write_triples(answer.triples, form, note=note)
    writers: dict[str, Callable[[], bytes]] = {
        "json": lambda: _json(answer, more if answer.is_cut else ""),
        "xml": lambda: _xml(answer, more if answer.is_cut else ""),
        "csv": lambda: _csv(answer, exact=exact),
        "tsv": lambda: _tsv(answer),
    }
    if form not in writers:
        raise QueryError(
            f"rows cannot be written as {form!r}: choose one of table, {', '.join(writers)} "
            "(RDF formats are for CONSTRUCT queries)"
        )
    return writers[form]()


def sound_lines(statements: Iterable[ox.Quad]) -> str:
    """Statements in N-Quads; StoreError where these would be read as others.

    A stranger's graph may hold an IRI with ``>`` in it, and behind it other statements, or the end of an update.
    """
    found = list(statements)
    text = ox.serialize(found, format=ox.RdfFormat.N_QUADS) or b""
    with suppress(SyntaxError):
        if [*ox.parse(text, format=ox.RdfFormat.N_QUADS)] == found:
            return text.decode()
    raise StoreError("the graph was not written by a crawl: it has an IRI with what no IRI can have")


def write_triples(
    triples: Iterable[ox.Triple], form: str, prefixes: Mapping[str, str] = PREFIXES, note: str = ""
) -> bytes:
    """Triples in an RDF format, ordered, with the prefixes they use and a comment at the end.

    Raises QueryError: the form is no RDF format, or RDF/XML cannot hold a property; StoreError: an IRI is none.
    """
    if form not in RDF_FORMATS:
        raise QueryError(f"triples cannot be written as {form!r}: choose one of {', '.join(RDF_FORMATS)}")
    ordered = sorted(triples, key=_reading_order)
    sound_lines(ox.Quad(*triple) for triple in ordered)
    names = "\n".join(map(str, ordered))
    used = {name: namespace for name, namespace in prefixes.items() if namespace in names}
    for name in {triple.predicate.value for triple in ordered} if form == "rdfxml" else ():
        # RDF/XML writes properties as XML names: the end of each IRI must be one.
        if not re.search(_XML_NAME, name):
            raise QueryError(f"RDF/XML cannot hold the property <{name[:200]}>: ask for Turtle or N-Triples")
    written = ox.serialize(ordered, format=RDF_FORMATS[form], prefixes=used) or b""
    if form == "rdfxml":
        comment = f"\n<!-- {note} -->\n" if note else ""
        return xml_text(written.decode()).encode() + comment.encode()
    return written + (f"# {note}\n".encode() if note and form != "jsonld" else b"")


def _reading_order(triple: ox.Triple) -> tuple[str, bool, str, str]:
    predicate = str(triple.predicate)
    return str(triple.subject), predicate != _TYPE, predicate, str(triple.object)


def json_term(term: Term) -> dict[str, str]:
    """A term as the SPARQL 1.1 Query Results JSON format has it.

    >>> json_term(ox.Literal(3))["value"], json_term(ox.NamedNode("http://a/"))["type"]
    ('3', 'uri')
    """
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    if not isinstance(term, ox.Literal):
        return {"type": "literal", "value": str(term)}
    written = {"type": "literal", "value": term.value}
    if term.language:
        written["xml:lang"] = term.language
    elif term.datatype.value != XSD + "string":
        written["datatype"] = term.datatype.value
    return written


def _json(answer: Answer, more: str) -> bytes:
    head: dict[str, Any] = {} if answer.kind == "ask" else {"vars": answer.variables}
    if more:
        head["link"] = [more]
    if answer.kind == "ask":
        return msgspec.json.encode({"head": head, "boolean": answer.boolean})
    bound = (zip(answer.variables, row, strict=True) for row in answer.rows)
    bindings = [{name: json_term(term) for name, term in row if term is not None} for row in bound]
    return msgspec.json.encode({"head": head, "results": {"bindings": bindings}})


def _xml(answer: Answer, more: str) -> bytes:
    with told_as(QueryError, "XML cannot hold the answer", SyntaxError):  # an IRI of a stranger's graph that is none
        found = ox.parse_query_results(_json(answer, ""), format=ox.QueryResultsFormat.JSON)
        text = xml_text((found.serialize(format=ox.QueryResultsFormat.XML) or b"").decode())
    link = f'<link href="{escape(more)}"/>' if more else ""
    # A parser reads a carriage return as the end of a line.
    return text.replace("\r", "&#13;").replace("</head>", f"{link}</head>", 1).encode()


def _csv(answer: Answer, *, exact: bool) -> bytes:
    if answer.kind == "ask":
        return csv_text([["answer"], [_yes_or_no(answer)]], exact=exact).encode()
    rows = ([_csv_cell(term) for term in row] for row in answer.rows)
    return csv_text([answer.variables, *rows], exact=exact).encode()


def _csv_cell(term: Term | None) -> str:
    if term is None:
        return ""
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


def _tsv(answer: Answer) -> bytes:
    if answer.kind == "ask":
        return f"?answer\n{_yes_or_no(answer)}\n".encode()
    lines = ["\t".join("?" + name for name in answer.variables)]
    # Terms are written as in N-Triples, where tabs and line ends are escaped, but for those of IRIs that are none.
    lines += ["\t".join("" if term is None else str(term).translate(_TSV) for term in row) for row in answer.rows]
    return ("\n".join(lines) + "\n").encode()


def _yes_or_no(answer: Answer) -> str:
    return str(answer.boolean).lower()
