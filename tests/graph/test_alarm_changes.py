from __future__ import annotations

from datetime import UTC, datetime

import pytest
import rdflib

from semcrawl.errors import QueryError
from semcrawl.graph import SC, Changes, CrawlGraph
from semcrawl.graph.changes import alarm_ended, alarm_raised
from semcrawl.resources import ontologies_folder

CRAWL = "urn:uuid:1"
HOSTILE = 'a "note" } ; DROP ALL ; INSERT DATA { \\ \n'


def raised(number: int = 1, kind: str = "Stagnation", note: str = "few") -> Changes:
    changes = Changes()
    alarm_raised(changes, CRAWL, number=number, kind=kind, step=120, note=note, now=0.0)
    return changes


def test_an_alarm_is_told_from_the_graph_until_and_after_it_is_over() -> None:
    with CrawlGraph.create() as graph:
        graph.apply(raised())
        begun = {
            "alarm": "urn:uuid:1#alarm-1",
            "kind": SC + "Stagnation",
            "raised": 120,
            "ended": None,
            "time": datetime(1970, 1, 1, tzinfo=UTC),
            "note": "few",
        }
        assert list(graph.query("monitor/alarms")) == [begun]
        over = Changes()
        alarm_ended(over, CRAWL, number=1, step=300)
        graph.apply(over)
        assert list(graph.query("monitor/alarms")) == [{**begun, "ended": 300}]


def test_alarms_share_the_transaction_of_a_page() -> None:
    with CrawlGraph.create() as graph:
        changes = raised()
        alarm_raised(changes, CRAWL, number=2, kind="Diffusion", step=120, note="low", now=0.0)
        assert changes.text(graph.store).count("INSERT DATA") == 1
        graph.apply(changes)
        kinds = [row["kind"].removeprefix(SC) for row in graph.query("monitor/alarms")]
        assert kinds == ["Diffusion", "Stagnation"]


def test_a_note_is_only_ever_a_text() -> None:
    with CrawlGraph.create() as graph:
        graph.apply(raised(note=HOSTILE))
        assert [row["note"] for row in graph.query("monitor/alarms")] == [HOSTILE]


def test_a_crawl_that_is_no_iri_is_refused() -> None:
    with pytest.raises(QueryError, match="no IRI"):
        alarm_ended(Changes(), "a b", number=1, step=3)


@pytest.mark.parametrize(
    ("extra", "conforms"),
    [
        ("", True),
        ("sc:endedAtStep 300", True),
        ("sc:endedAtStep 300, 301", False),
        ("sc:raisedAtStep 7", False),
        ("a sc:Diffusion", False),
        ('sc:note "twice"', False),
    ],
)
def test_an_alarm_has_the_shape_of_one(extra: str, conforms: bool) -> None:
    pyshacl = pytest.importorskip("pyshacl", reason="pyshacl is not installed: extra 'validate'")
    with CrawlGraph.create() as graph:
        graph.apply(raised())
        if extra:
            graph.store.update(f"INSERT DATA {{ <{CRAWL}#alarm-1> {extra} }}")
        found = graph.query("CONSTRUCT WHERE { ?s ?p ?o }").serialize("ntriples")
    shapes = rdflib.Graph().parse(ontologies_folder() / "semcrawl-shapes.ttl")
    data = rdflib.Graph().parse(data=found, format="nt")
    assert pyshacl.validate(data, shacl_graph=shapes)[0] is conforms
