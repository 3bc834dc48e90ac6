"""What a query answers: rows of a SELECT, a yes or no, or triples."""

from __future__ import annotations

import csv
import html
import io
import json
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import pyoxigraph as ox

from semcrawl.errors import QueryError
from semcrawl.graph.vocabulary import PREFIXES, XSD, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

T = TypeVar("T")

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

RDF_FORMATS: dict[str, ox.RdfFormat] = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "nquads": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}

_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_NUMBERS = {XSD + "integer": int, XSD + "decimal": float, XSD + "double": float}


def python_value(term: Term | None) -> Any:
    """The Python value that an RDF term stands for: str, int, float, bool, datetime or None.

    >>> python_value(ox.Literal(3)), python_value(ox.NamedNode("http://a/"))
    (3, 'http://a/')
    """
    if not isinstance(term, ox.Literal):
        return None if term is None else getattr(term, "value", str(term))
    datatype = term.datatype.value
    try:
        if datatype in _NUMBERS:
            return _NUMBERS[datatype](term.value)
        if datatype == XSD + "boolean":
            return term.value in ("true", "1")
        if datatype == XSD + "dateTime":
            return datetime.fromisoformat(term.value)
    except ValueError:  # an ill-formed literal is still a text
        return term.value
    return term.value


class Answer:
    """The answer of one query, held in memory: all of it, or the first ``most`` rows or triples.

    ``is_cut`` tells whether there are more. Iterating gives a dict per row (for
    a SELECT) or a triple per step (for a CONSTRUCT); ``bool()`` gives the yes or
    no of an ASK and otherwise whether there is anything.
    """

    def __init__(
        self,
        raw: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples,
        most: int | None = None,
    ) -> None:
        self.is_cut = False
        self.variables: tuple[str, ...] = ()
        self.rows: list[tuple[Term | None, ...]] = []
        self.triples: list[ox.Triple] = []
        self.boolean: bool | None = None
        if isinstance(raw, ox.QueryBoolean):
            self.kind = "ask"
            self.boolean = bool(raw)
        elif isinstance(raw, ox.QueryTriples):
            self.kind = "construct"
            self.triples = self._first(raw, most)
        else:
            self.kind = "select"
            self.variables = tuple(variable.value for variable in raw.variables)
            self.rows = self._first(map(tuple, raw), most)

    def _first(self, found: Iterable[T], most: int | None) -> list[T]:
        # The engine finds as it is asked: what is left out costs nothing.
        first = list(islice(found, None if most is None else most + 1))
        self.is_cut = most is not None and len(first) > most
        return first[:most]

    def __iter__(self) -> Iterator[Any]:
        if self.kind == "construct":
            return iter(self.triples)
        return (dict(zip(self.variables, map(python_value, row), strict=True)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.triples) if self.kind == "construct" else len(self.rows)

    def __bool__(self) -> bool:
        return self.boolean if self.boolean is not None else len(self) > 0

    def value(self) -> Any:
        """The first value of the first row, or None."""
        return python_value(self.rows[0][0]) if self.rows and self.rows[0] else None

    def serialize(self, form: str) -> str:
        """The answer as text: table, csv, tsv, json for rows; an RDF format for triples.

        Raises:
            QueryError: the form does not suit this kind of answer.
        """
        if self.kind == "construct":
            return triples_text(self.triples, form)
        writers = {"table": self._table, "csv": self._csv, "tsv": self._tsv, "json": self._json}
        if form not in writers:
            raise QueryError(
                f"rows cannot be written as {form!r}: choose one of {', '.join(writers)} "
                "(RDF formats are for CONSTRUCT queries)"
            )
        return writers[form]()

    def _table(self) -> str:
        """Columns for a person: short names, four places, as wide as they need to be."""
        if self.kind == "ask":
            return "yes\n" if self.boolean else "no\n"
        lines = [list(self.variables), *([_cell(term) for term in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        padded = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        )
        return "".join(line.rstrip() + "\n" for line in padded)

    def _csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if self.kind == "ask":
            writer.writerows([["answer"], [str(self.boolean).lower()]])
            return out.getvalue()
        writer.writerow(self.variables)
        for row in self.rows:
            writer.writerow("" if term is None else getattr(term, "value", term) for term in row)
        return out.getvalue()

    def _tsv(self) -> str:
        if self.kind == "ask":
            return f"?answer\n{str(self.boolean).lower()}\n"
        lines = ["\t".join("?" + name for name in self.variables)]
        for row in self.rows:
            cells = ("" if term is None else str(term) for term in row)
            lines.append("\t".join(cell.replace("\t", "\\t") for cell in cells))
        return "\n".join(lines) + "\n"

    def _json(self) -> str:
        """The SPARQL 1.1 Query Results JSON format."""
        if self.kind == "ask":
            return json.dumps({"head": {}, "boolean": self.boolean})
        bindings = [
            {
                name: json_term(term)
                for name, term in zip(self.variables, row, strict=True)
                if term is not None
            }
            for row in self.rows
        ]
        document = {"head": {"vars": list(self.variables)}, "results": {"bindings": bindings}}
        return json.dumps(document, ensure_ascii=False, indent=1)

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        if self.kind != "select":
            return html.escape(str(self.boolean if self.kind == "ask" else len(self)))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.variables)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(term))}</td>" for term in row) + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def triples_text(
    triples: Iterable[ox.Triple], form: str, prefixes: Mapping[str, str] = PREFIXES
) -> str:
    """Triples in an RDF format, in an order for reading, with those of the prefixes they use.

    Raises:
        QueryError: the form is no RDF format.
    """
    if form not in RDF_FORMATS:
        raise QueryError(
            f"triples cannot be written as {form!r}: choose one of {', '.join(RDF_FORMATS)}"
        )
    ordered = sorted(triples, key=_reading_order)
    names = "\n".join(map(str, ordered))
    used = {name: namespace for name, namespace in prefixes.items() if namespace in names}
    written = ox.serialize(ordered, format=RDF_FORMATS[form], prefixes=used)
    return (written or b"").decode()


def _reading_order(triple: ox.Triple) -> tuple[str, bool, str, str]:
    """By subject, its type first: what the serialiser groups and a person reads."""
    predicate = str(triple.predicate)
    return str(triple.subject), predicate != _TYPE, predicate, str(triple.object)


def _cell(term: Term | None) -> str:
    value = python_value(term)
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(term, ox.BlankNode):
        return f"_:{value}"
    text = shorten(value) if isinstance(term, ox.NamedNode) else str(value)
    return " ".join(text.split())


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
