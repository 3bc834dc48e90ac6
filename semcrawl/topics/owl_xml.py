"""OWL/XML, the one syntax that the RDF parser lacks, through owlready2's parser of it.

Only that parser is used, a function from bytes to triples. Loading a file into
an owlready2 world is avoided on purpose: it fetches ``owl:imports`` from the
network and imports Python modules that an ontology names.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semcrawl.errors import TopicError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["parse_owl_xml"]


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
