"""What a page says itself, in the named graph of its URL.

There it can claim what it likes: no query over the crawl sees it, unless it
names the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from semcrawl.errors import QueryError
from semcrawl.graph.literals import iri, string

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["forget_statements", "state_in_graph", "statement_lines"]

_STRING = "http://www.w3.org/2001/XMLSchema#string"


def statement_lines(triples: Iterable[ox.Triple]) -> list[str]:
    """Triples as SPARQL, each once, with blank nodes that are named together.

    What cannot be written is left out: one bad term must not cost the page.
    """
    names: dict[ox.BlankNode, str] = {}
    lines = dict.fromkeys(_line(triple, names) for triple in triples)
    return [line for line in lines if line]


def state_in_graph(url: str, lines: list[str]) -> str:
    """Such lines as data of an update, in the named graph of a page; "" for none."""
    text = " .\n".join(lines)
    return f"GRAPH <{url}> {{\n{text}\n}}" if text else ""


def forget_statements(url: str) -> str:
    """An update's operation that takes away all that a page has said."""
    return f"DROP SILENT GRAPH <{url}>"


def _line(triple: ox.Triple, names: dict[ox.BlankNode, str]) -> str:
    parts = (triple.subject, triple.predicate, triple.object)
    try:
        return " ".join(_term(part, names) for part in parts)
    except QueryError:
        return ""


def _term(term: object, names: dict[ox.BlankNode, str]) -> str:
    if isinstance(term, ox.NamedNode):
        return iri(term.value)
    if isinstance(term, ox.BlankNode):
        # Names of their own: a page chooses its names as it likes.
        return names.setdefault(term, f"_:s{len(names)}")
    if isinstance(term, ox.Literal):
        if term.language:
            return string(term.value, term.language)
        kind = term.datatype.value
        return string(term.value) + ("" if kind == _STRING else f"^^{iri(kind)}")
    raise QueryError(f"{term} cannot be written")
