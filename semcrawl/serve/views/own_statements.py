"""What a page says itself, as things with properties: for people, who do not read triples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from semcrawl.serve.jobs import known_query
from semcrawl.serve.views.own_things import Node, Said, Things

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph

__all__ = ["own_statements"]

_MOST_READ = 1_000
"""A page has no more statements (``semcrawl.page.embedded``)."""


def own_statements(graph: CrawlGraph, url: str) -> dict[str, Any]:
    """The things that a page describes: how many statements, what went wrong, and the things.

    ``shown`` of the ``count`` statements are in ``things``; ``more`` things were
    left out. What a thing is like, and which are left out, says `Things`.
    """
    query = known_query("analyse/own-statements").bind({"url": url, "limit": _MOST_READ})
    by_thing: dict[Node, Said] = {}
    read = 0
    for subject, predicate, value in graph.store.query(query).rows:
        if isinstance(subject, Node) and isinstance(predicate, ox.NamedNode):
            by_thing.setdefault(subject, {}).setdefault(predicate.value, []).append(value)  # type: ignore[arg-type]
            read += 1
    facts = known_query("serve/statement-facts").bind({"url": url})
    known = list(graph.store.query(facts))
    recorded = known[0]["statements"] or 0 if known else 0
    things = Things(by_thing, url)
    shown = things.all()
    return {
        # A graph from elsewhere need not have counted.
        "count": max(recorded, read),
        "shown": things.statements,
        "problems": sorted({row["problem"] for row in known if row["problem"]}),
        "things": shown,
        "more": things.more,
    }
