from __future__ import annotations

from datetime import UTC, datetime

import pytest
import rdflib

from semcrawl.errors import QueryError
from semcrawl.graph import SC, Changes, CrawlGraph
from semcrawl.resources import ontologies_folder
from semcrawl.steering.alarms import Alarm, AlarmKind

CRAWL = "urn:uuid:1"
HOSTILE = 'a "note" } ; DROP ALL ; INSERT DATA { \\ \n'


def raised(note: str = "few") -> Changes:
    changes = Changes()
    Alarm(AlarmKind.STAGNATION, 1, 120, 0.0, 0.1, note).record(changes, CRAWL, 0.0)
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
        Alarm(AlarmKind.STAGNATION, 1, 120, 0.2, 0.1, "few", ended=300).record(over, CRAWL, 1.0)
        graph.apply(over)
        assert list(graph.query("monitor/alarms")) == [{**begun, "ended": 300}]


def test_alarms_share_the_transaction_of_a_page() -> None:
    with CrawlGraph.create() as graph:
        changes = raised()
        Alarm(AlarmKind.DIFFUSION, 2, 120, 0.0, 0.1, "low").record(changes, CRAWL, 0.0)
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
        Alarm(AlarmKind.STAGNATION, 1, 1, 0.2, 0.1, "few", ended=3).record(Changes(), "a b", 0.0)


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
