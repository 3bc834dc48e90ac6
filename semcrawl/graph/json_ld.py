"""JSON-LD that people can read: a context of its own with short names, collection first.

pyoxigraph writes the statements, pyld makes them compact. What a page says itself is in the
``@graph`` of its URL.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pyoxigraph as ox

from semcrawl.graph.vocabulary import PREFIXES, SC, XSD

_TYPE = PREFIXES["rdf"] + "type"
_PLAIN = (XSD + "string", PREFIXES["rdf"] + "langString")


def json_ld(quads: Iterable[ox.Quad], prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Statements as one JSON-LD document; those of the default graph give the short names."""
    from pyld import jsonld

    quads = list(quads)
    is_one = ox.NamedNode(_TYPE), ox.NamedNode(f"{SC}Collection")
    first = {quad.subject for quad in quads if (quad.predicate, quad.object) == is_one}
    quads.sort(key=lambda quad: (str(quad.graph_name), quad.subject not in first, str(quad)))
    written = ox.serialize(quads, format=ox.RdfFormat.JSON_LD) or b"[]"
    # What pyoxigraph writes is expanded already.
    options = {"graph": True, "skipExpansion": True, "documentLoader": _load_nothing}
    document = jsonld.compact(msgspec.json.decode(written), _context(quads, prefixes), options)
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode()


def _load_nothing(address: str, _: object) -> Any:
    raise ValueError(f"{address} is not fetched")


def _context(quads: list[ox.Quad], prefixes: Mapping[str, str]) -> dict[str, Any]:
    """Short names for the properties of the default graph, with what all their values are."""
    terms = {term.value for quad in quads for term in quad if isinstance(term, ox.NamedNode)}
    # An IRI "schema:Person", which is possible, would be read by the prefix of that name.
    schemes = {term.partition(":")[0] for term in terms} | {"id", "type"}
    kinds: dict[str, set[str]] = defaultdict(set)
    for quad in quads:
        kinds[quad.predicate.value].add(_kind(quad.object))
    own = {quad.predicate.value for quad in quads if quad.graph_name == ox.DefaultGraph()}
    names = {prop: prop.replace("#", "/").rpartition("/")[2] for prop in sorted(own - {_TYPE})}
    times = Counter(names.values())
    short: dict[str, Any] = {
        name: _meaning(prop, kinds[prop])
        for prop, name in names.items()
        if times[name] == 1 and name.isidentifier() and name not in schemes
    }
    used = {name: place for name, place in prefixes.items() if name not in {*schemes, *short}}
    return {"id": "@id", "type": "@type", **used, **short}


def _meaning(prop: str, kinds: set[str]) -> dict[str, str]:
    [kind, *others] = kinds
    return {"@id": prop} if others or kind in _PLAIN else {"@id": prop, "@type": kind}


def _kind(term: object) -> str:
    return term.datatype.value if isinstance(term, ox.Literal) else "@id"
