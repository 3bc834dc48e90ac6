"""JSON-LD that people can read: short names in a context of its own, nodes in a sensible order.

What a page says itself is the ``@graph`` of its node. Nodes without a name stand inside the
node that refers to them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pyoxigraph as ox

from semcrawl.graph.vocabulary import PREFIXES, XSD

_TYPE = PREFIXES["rdf"] + "type"
_LANG_STRING = PREFIXES["rdf"] + "langString"
_FIRST = (
    "sc:Collection", "sc:Crawl", "prov:Plan", "sc:Topic", "skos:Concept", "sc:Site", "sc:Page"
)  # fmt: skip
_EXACT = re.compile(r"0|-?[1-9]\d{0,14}")  # an integer that every reader of JSON keeps

Node = dict[str, Any]


def json_ld(quads: Iterable[ox.Quad], prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Statements as one JSON-LD document; those of the default graph give the short names."""
    graphs: dict[str, list[ox.Quad]] = defaultdict(list)
    for quad in sorted(quads, key=_reading_order):
        graphs[getattr(quad.graph_name, "value", "")].append(quad)
    every = [quad for found in graphs.values() for quad in found]
    names = _Names(every, graphs[""], prefixes)
    inner = _inner_nodes(every)
    nodes = {node["id"]: node for node in _nodes(graphs.pop(""), names, inner)}
    for graph, said in graphs.items():
        name = names.short(graph)
        nodes.setdefault(name, {"id": name})["@graph"] = _nodes(said, names, inner)
    ordered = sorted(nodes.values(), key=_place)
    return msgspec.json.format(
        msgspec.json.encode({"@context": names.context(), "@graph": ordered}), indent=1
    ).decode()


def _reading_order(quad: ox.Quad) -> tuple[str, bool, str]:
    return str(quad.subject), quad.predicate.value != _TYPE, str(quad)


def _place(node: Node) -> int:
    kinds = node.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return min((_FIRST.index(kind) for kind in kinds if kind in _FIRST), default=len(_FIRST))


class _Names:
    """Short names for the IRIs of a document."""

    def __init__(
        self, quads: list[ox.Quad], own: list[ox.Quad], prefixes: Mapping[str, str]
    ) -> None:
        terms = {term.value for quad in quads for term in quad if isinstance(term, ox.NamedNode)}
        # An IRI "schema:Person", which is possible, would be read by the prefix of that name.
        schemes = {term.partition(":")[0] for term in terms} | {"id", "type"}
        self._prefixes = {n: place for n, place in prefixes.items() if n not in schemes}
        self._used: set[str] = set()
        self._kinds: dict[str, set[str]] = defaultdict(set)
        for quad in quads:
            self._kinds[quad.predicate.value].add(_kind(quad.object))
        names = {prop: self.short(prop).rpartition(":")[2] for prop in _properties(own)}
        times = Counter(names.values())
        self._terms = {
            prop: name
            for prop, name in names.items()
            if times[name] == 1 and name.isidentifier() and name not in schemes
        }

    def short(self, iri: str) -> str:
        """An IRI with a prefix where there is one."""
        for name, place in self._prefixes.items():
            local = iri[len(place) :]
            if iri.startswith(place) and local and "/" not in local and "#" not in local:
                self._used.add(name)
                return f"{name}:{local}"
        return iri

    def key(self, prop: str) -> str:
        """The key of a property."""
        return self._terms.get(prop) or self.short(prop)

    def coercion(self, prop: str) -> str:
        """What all values of a property are: ``@id``, a datatype, or nothing in common."""
        kinds = self._kinds[prop]
        if prop not in self._terms or len(kinds) != 1:
            return ""
        [kind] = kinds
        plain = (XSD + "string", XSD + "boolean", XSD + "integer", _LANG_STRING)
        return "" if kind in plain else kind

    def context(self) -> Node:
        """The context of the document."""
        terms: Node = {}
        for prop, name in sorted(self._terms.items(), key=lambda pair: pair[1]):
            kind = self.coercion(prop)
            said = {"@id": self.short(prop), "@type": kind if kind == "@id" else self.short(kind)}
            terms[name] = said if kind else said["@id"]
        used = {name: self._prefixes[name] for name in sorted(self._used)}
        return {"id": "@id", "type": "@type", **used, **terms}


def _properties(quads: list[ox.Quad]) -> list[str]:
    return sorted({quad.predicate.value for quad in quads} - {_TYPE})


def _kind(term: Any) -> str:
    return term.datatype.value if isinstance(term, ox.Literal) else "@id"


def _nodes(quads: list[ox.Quad], names: _Names, inner: set[Any]) -> list[Node]:
    found: dict[Any, Node] = {}
    for subject in dict.fromkeys(quad.subject for quad in quads):
        found[subject] = {"id": _name(subject, names)}
    for quad in quads:
        node, prop, value = found[quad.subject], quad.predicate.value, quad.object
        if prop == _TYPE and not isinstance(value, ox.Literal):
            _add(node, "type", _name(value, names))
        elif value in inner:
            _add(node, names.key(prop), found[value])
        else:
            _add(node, names.key(prop), _value(value, names.coercion(prop), names))
    for term in inner & found.keys():
        del found[term]["id"]
    return [node for term, node in found.items() if term not in inner]


def _inner_nodes(quads: list[ox.Quad]) -> set[Any]:
    """The blank nodes that one node of their graph refers to, once, and that are in no circle."""
    times = Counter(quad.object for quad in quads)
    places = defaultdict(set)
    for quad in quads:
        for term in (quad.subject, quad.object):
            places[term].add(quad.graph_name)
    described = {quad.subject for quad in quads}
    owners = {
        quad.object: quad.subject
        for quad in quads
        if isinstance(quad.object, ox.BlankNode)
        and quad.predicate.value != _TYPE
        and quad.object in described
        and times[quad.object] == len(places[quad.object]) == 1
    }
    return {node for node in owners if _has_root(node, owners)}


def _has_root(node: Any, owners: dict[Any, Any]) -> bool:
    seen = set()
    while node in owners and node not in seen:
        seen.add(node)
        node = owners[node]
    return node not in seen


def _add(node: Node, key: str, value: object) -> None:
    if key not in node:
        node[key] = value
    elif isinstance(node[key], list):
        node[key].append(value)
    else:
        node[key] = [node[key], value]


def _name(term: Any, names: _Names) -> str:
    return names.short(term.value) if isinstance(term, ox.NamedNode) else str(term)


def _value(term: Any, coercion: str, names: _Names) -> object:
    if not isinstance(term, ox.Literal):
        name = _name(term, names)
        return name if coercion == "@id" else {"@id": name}
    if term.language:
        return {"@value": term.value, "@language": term.language}
    kind = term.datatype.value
    if coercion or kind == XSD + "string":
        return term.value
    if kind == XSD + "boolean" and term.value in ("true", "false"):
        return term.value == "true"
    if kind == XSD + "integer" and _EXACT.fullmatch(term.value):
        return int(term.value)
    return {"@value": term.value, "@type": names.short(kind)}
