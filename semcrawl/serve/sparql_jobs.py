"""Queries of people and programs, as jobs for the workers: answered, cut, and written out."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import msgspec
import pyoxigraph as ox

from semcrawl.errors import RequestError
from semcrawl.graph.answer import json_term, triples_text
from semcrawl.graph.sparql_text import undeclared_prefixes
from semcrawl.graph.vocabulary import PREFIXES, XSD
from semcrawl.serve.jobs import Job, known_query
from semcrawl.serve.results_formats import write_answer

if TYPE_CHECKING:
    from semcrawl.graph import Answer, CrawlGraph

__all__ = ["AskJob", "SparqlJob", "StatisticsJob", "is_fickle"]

_FICKLE = re.compile(r"\b(?:RAND|NOW|UUID|STRUUID|BNODE)\s*\(", re.IGNORECASE)
_NUMBERS = {XSD + name for name in ("integer", "decimal", "double", "float", "int", "long")}


def is_fickle(text: str) -> bool:
    """Whether a query may answer otherwise each time; on the safe side.

    >>> is_fickle("SELECT (RAND() AS ?chance) {}"), is_fickle("SELECT ?random {}")
    (True, False)
    """
    return _FICKLE.search(text) is not None


class SparqlJob(Job, frozen=True):
    """A query of the endpoint. The answer is ``{"kind", "body", "is_cut"}``.

    ``row_format`` and ``graph_format`` are the formats that the client takes
    for either kind of answer, "" where it takes none.
    """

    text: str
    row_format: str
    graph_format: str
    most: int
    more: str
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Ask, and write the answer out."""
        answer = graph.store.query(
            self.text,
            most=self.most,
            default_graphs=self.default_graphs,
            named_graphs=self.named_graphs,
        )
        form = self.graph_format if answer.kind == "construct" else self.row_format
        if not form:
            raise RequestError(f"this answer ({answer.kind}) cannot be had in that format", 406)
        body = write_answer(answer, form, self.more)
        return {"kind": answer.kind, "body": body, "is_cut": answer.is_cut}


class AskJob(Job, frozen=True):
    """A query of the page. The answer is the JSON that the page gets."""

    text: str
    most: int

    def do(self, graph: CrawlGraph) -> bytes:
        """Ask, and write the answer out."""
        began = time.perf_counter()
        answer = graph.store.query(self.text, most=self.most)
        seconds = time.perf_counter() - began
        used = undeclared_prefixes(self.text)
        return msgspec.json.encode(
            {
                "kind": answer.kind,
                **_content(answer),
                "truncated": answer.is_cut,
                "limit": self.most,
                "seconds": round(seconds, 4),
                "text": self.text,
                "prefixes": {name: PREFIXES[name] for name in used if name in PREFIXES},
            }
        )


def _content(answer: Answer) -> dict[str, Any]:
    if answer.kind == "ask":
        return {"boolean": answer.boolean}
    if answer.kind == "construct":
        turtle = triples_text(answer.triples, "turtle")
        return {"turtle": turtle, "total": len(answer.triples)}
    rows = [[None if term is None else json_term(term) for term in row] for row in answer.rows]
    return {
        "variables": answer.variables,
        "rows": rows,
        "total": len(rows),
        "numeric": _numeric(answer),
    }


def _numeric(answer: Answer) -> list[str]:
    """The variables that hold numbers and nothing else: what bars can be drawn of."""
    columns = zip(answer.variables, zip(*answer.rows, strict=True), strict=False)
    return [
        name
        for name, column in columns
        if any(column)
        and all(
            term is None or (isinstance(term, ox.Literal) and term.datatype.value in _NUMBERS)
            for term in column
        )
    ]


class StatisticsJob(Job, frozen=True):
    """What a dataset holds, for its description."""

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Count the triples by property, the entities by class, and what pages say themselves."""
        about = graph.describe()
        (of_pages,) = graph.store.query(known_query("statements-of-pages").bind())
        return {
            "crawl": about.id,
            "name": about.name,
            "classes": _counts(graph, "class-counts"),
            "properties": _counts(graph, "property-counts"),
            "of_pages": of_pages,
        }


def _counts(graph: CrawlGraph, name: str) -> list[tuple[str, int]]:
    answer = graph.store.query(known_query(name).bind())
    return [tuple(row.values()) for row in answer]
