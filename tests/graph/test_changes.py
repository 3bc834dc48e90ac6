"""What a page's changes do to the graph, asked of a real store."""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox
import pytest

from semcrawl.errors import QueryError, StoreError
from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.result_formats import sound_lines
from semcrawl.graph.store import OxigraphStore

A, B = "http://a.test/", "http://b.test/x?y=1&z=%20"


def entry(url: str = A, priority: float = 0.5, **more: object) -> FoundUrl:
    return FoundUrl(url, url.split("/")[2], priority, 1, 0, **more)  # type: ignore[arg-type]


def page(**more: Any) -> dict[str, Any]:
    known: dict[str, Any] = {
        "step": 1,
        "relevance": 0.25,
        "fetch_priority": 0.5,
        "status": 200,
        "fetched_at": 0.0,
        "size": 10,
    }
    return known | more


@pytest.fixture
def store() -> OxigraphStore:
    return OxigraphStore()


def priorities(store: OxigraphStore) -> dict[str, float]:
    return {row["u"]: row["p"] for row in store.query("SELECT ?u ?p { ?u sc:priority ?p }")}


def apply(store: OxigraphStore, changes: Changes) -> None:
    store.update(changes.text(store))


def test_a_found_url_waits_with_a_priority(store: OxigraphStore) -> None:
    changes = Changes()
    changes.found(entry(B, 0.123456, found_on=A))
    apply(store, changes)
    assert priorities(store) == {B: 0.123456}
    assert store.query(f"ASK {{ <{B}> sc:foundOn <{A}> ; sc:order 1 ; sc:depth 0 }}")


def test_a_visited_page_no_longer_waits(store: OxigraphStore) -> None:
    found = Changes()
    found.found(entry())
    apply(store, found)
    changes = Changes()
    changes.left_frontier(entry())
    changes.visited(A, **page(title='A "title"', language="en", links=[B], canonical=B))
    apply(store, changes)
    assert priorities(store) == {}
    assert store.query(
        f'ASK {{ <{A}> a sc:Page ; dcterms:title "A \\"title\\"" ; dcterms:language "en" ; '
        f"sc:relevance 0.25 ; sc:linksTo <{B}> ; sc:canonical <{B}> }}"
    )


def test_a_url_found_raised_and_given_up_at_once_leaves_no_priority(store: OxigraphStore) -> None:
    changes = Changes()
    changes.found(entry(A, 0.1))
    changes.prioritised(A, 0.1, 0.2)
    changes.left_frontier(entry(A, 0.2))
    changes.dropped(A, "FrontierFull")
    apply(store, changes)
    assert priorities(store) == {}
    assert store.query(f"ASK {{ <{A}> sc:droppedBecause sc:FrontierFull }}")


def test_a_priority_raised_twice_is_one_priority(store: OxigraphStore) -> None:
    first = Changes()
    first.found(entry(A, 0.1))
    apply(store, first)
    changes = Changes()
    changes.prioritised(A, 0.1, 0.2)
    changes.prioritised(A, 0.2, 0.3)
    apply(store, changes)
    assert priorities(store) == {A: 0.3}


def test_a_second_chance_takes_the_drop_reason_back(store: OxigraphStore) -> None:
    first = Changes()
    first.dropped(A, "TooDeep")
    apply(store, first)
    changes = Changes()
    changes.taken_back(A, "TooDeep")
    changes.entered_again(entry(A, 0.7))
    apply(store, changes)
    assert not store.query(f"ASK {{ <{A}> sc:droppedBecause ?why }}")
    assert priorities(store) == {A: 0.7}


def test_tries_are_counted_in_one_number(store: OxigraphStore) -> None:
    for tries in (1, 2, 3):
        changes = Changes()
        changes.tried(entry(A, tries=tries))
        apply(store, changes)
    assert [row["n"] for row in store.query(f"SELECT ?n {{ <{A}> sc:tries ?n }}")] == [3]


def test_the_update_is_applied_wholly_or_not_at_all(store: OxigraphStore) -> None:
    changes = Changes()
    changes.found(entry(A))
    with pytest.raises(Exception, match="syntax"):
        store.update(changes.text(store) + " ; INSERT DATA { broken")
    assert priorities(store) == {}


@pytest.mark.parametrize(
    "evil",
    ["urn:a> <urn:b> <urn:c> } ; LOAD <urn:d", "urn:a> <urn:b> <urn:c> .\n<urn:d", "urn:a> <urn:b", "urn:a\\u003e"],
)
def test_statements_that_would_be_read_as_others_are_not_sound(store: OxigraphStore, evil: str) -> None:
    named = "".join(f"\\u{ord(char):04x}" for char in evil)
    store.raw.load(f"<{named}> <urn:p> <urn:o> .", ox.RdfFormat.N_QUADS, lenient=True)
    with pytest.raises(StoreError, match="no IRI can have"):
        sound_lines(store.quads())


def test_sound_statements_are_written_as_they_are(store: OxigraphStore) -> None:
    text = '<urn:a> <urn:p> "\\"> .\\n\\\\u0022"@en <urn:g> .\n<urn:b> <urn:p> "1.50"^^<urn:t> .\n'
    store.raw.load(text, ox.RdfFormat.N_QUADS)
    assert sorted(sound_lines(store.quads()).splitlines()) == sorted(text.splitlines())


@pytest.mark.parametrize(
    "change",
    [
        lambda changes, url: changes.found(entry(url)),
        lambda changes, url: changes.prioritised(url, 0.1, 0.2),
        lambda changes, url: changes.factored(url, 1.0, 0.2),
        lambda changes, url: changes.left_frontier(entry(url)),
        lambda changes, url: changes.dropped(url, "TimedOut", "note"),
        lambda changes, url: changes.redirected(url, A, 301),
        lambda changes, url: changes.visited(url, **page()),
        lambda changes, url: changes.rejudged(url, 0.1, 0.2),
        lambda changes, url: changes.marked(url, True, 0.0),
        lambda changes, url: changes.delivered(url, "[]"),
        lambda changes, url: changes.remove(url, "sc:priority"),
        lambda changes, url: changes.posted(url, A, (0.5, 1, 0)),
    ],
)
def test_a_url_from_a_graph_cannot_end_an_update(store: OxigraphStore, change: Any) -> None:
    # A folder that was unpacked over one's own counts as one's own, and is not looked through.
    def written() -> str:
        changes = Changes()
        change(changes, "http://a.test/> <urn:p> <urn:o> } ; DROP ALL ; INSERT DATA { <urn:x")
        return changes.text(store)

    with pytest.raises(QueryError, match="is no IRI"):
        written()
