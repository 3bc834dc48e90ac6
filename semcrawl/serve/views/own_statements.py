"""What a page says itself, as things with properties: for people, who do not read triples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from semcrawl.graph.vocabulary import PREFIXES, XSD, shorten
from semcrawl.serve.jobs import known_query

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph

__all__ = ["own_statements"]

_MOST = 300
"""Statements that are shown; all are in the graph."""

_DEPTH = 8
_MOST_TEXT = 500
_RDF = PREFIXES["rdf"]
_TYPE, _FIRST, _REST, _NIL = (_RDF + name for name in ("type", "first", "rest", "nil"))
_PLAIN = (XSD + "string", _RDF + "langString")
_MORE = {
    "og": "http://ogp.me/ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xhv": "http://www.w3.org/1999/xhtml/vocab#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "article": "http://ogp.me/ns/article#",
    "cc": "http://creativecommons.org/ns#",
}

_Node = ox.NamedNode | ox.BlankNode
_Said = dict[str, list[ox.NamedNode | ox.BlankNode | ox.Literal]]


def own_statements(graph: CrawlGraph, url: str) -> dict[str, Any]:
    """The things that a page describes: how many statements, what went wrong, and the things.

    A thing has ``id`` (None for one without a name), ``types`` and ``says``: a
    list of properties with their values. A value is a text, a URL, or another
    thing inside, which is then not shown a second time. Things that no other
    mentions come first, the page itself before all.
    """
    query = known_query("analyse/own-statements").bind({"url": url, "limit": _MOST})
    by_thing: dict[_Node, _Said] = {}
    for subject, predicate, value in graph.store.query(query).rows:
        if isinstance(subject, _Node) and isinstance(predicate, ox.NamedNode):
            by_thing.setdefault(subject, {}).setdefault(predicate.value, []).append(value)  # type: ignore[arg-type]
    facts = known_query("serve/statement-facts").bind({"url": url})
    known = list(graph.store.query(facts))
    return {
        "count": known[0]["statements"] or 0 if known else 0,
        "problems": sorted({row["problem"] for row in known if row["problem"]}),
        "things": _Tree(by_thing, url).roots(),
    }


class _Tree:
    def __init__(self, by_thing: dict[_Node, _Said], page: str) -> None:
        self._by_thing = by_thing
        self._page = page
        self._shown: set[_Node] = set()

    def roots(self) -> list[dict[str, Any]]:
        """All things, those that are inside of others there."""
        inside = {
            value
            for said in self._by_thing.values()
            for values in said.values()
            for value in values
            if value in self._by_thing
        }
        first = sorted(
            self._by_thing,
            key=lambda thing: (thing.value != self._page, thing in inside, _name(thing)),
        )
        return [self._thing(thing, 0) for thing in first if thing not in self._shown]

    def _thing(self, thing: _Node, depth: int) -> dict[str, Any]:
        self._shown.add(thing)
        said = self._by_thing[thing]
        return {
            "id": thing.value if isinstance(thing, ox.NamedNode) else None,
            "types": [_short(value.value) for value in said.get(_TYPE, [])],
            "says": [
                {
                    "property": _short(name),
                    "iri": name,
                    "values": [one for value in said[name] for one in self._values(value, depth)],
                }
                for name in sorted(said)
                if name != _TYPE
            ],
        }

    def _values(self, value: Any, depth: int) -> list[dict[str, Any]]:
        if isinstance(value, ox.Literal):
            return [_text(value)]
        if (items := self._list(value)) is not None:
            return [one for item in items for one in self._values(item, depth)]
        if value in self._by_thing and value not in self._shown and depth < _DEPTH:
            return [{"thing": self._thing(value, depth + 1)}]
        # A thing without a name that is shown elsewhere has nothing more to show here.
        return [{"url": value.value}] if isinstance(value, ox.NamedNode) else []

    def _list(self, value: Any) -> list[Any] | None:
        """The items of an RDF list, None for what is none."""
        items: list[Any] = []
        while value in self._by_thing and value not in self._shown:
            said = self._by_thing[value]
            if set(said) != {_FIRST, _REST}:
                break
            self._shown.add(value)
            items += said[_FIRST]
            value = said[_REST][0]
        return items if items or getattr(value, "value", "") == _NIL else None


def _text(value: ox.Literal) -> dict[str, Any]:
    text = value.value
    shown: dict[str, Any] = {"text": text[:_MOST_TEXT] + ("…" if len(text) > _MOST_TEXT else "")}
    if value.language:
        shown["language"] = value.language
    elif value.datatype.value not in _PLAIN:
        shown["datatype"] = _short(value.datatype.value)
    return shown


def _name(thing: _Node) -> str:
    return thing.value if isinstance(thing, ox.NamedNode) else "~"


def _short(iri: str) -> str:
    """A name as people know it: with a prefix, where there is a usual one."""
    for prefix, namespace in _MORE.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return shorten(iri)
