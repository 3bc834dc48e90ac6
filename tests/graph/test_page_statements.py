"""Statements of strangers, written into an update: all of them, and nothing else."""

from __future__ import annotations

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph.changes import KnownPage, statement_lines
from semcrawl.graph.store import OxigraphStore

PAGE = "http://a.test/?q=1"


def _is_iri(text: str) -> bool:
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return True


names = st.builds(
    ox.NamedNode, st.from_regex(r"(http://|urn:)[a-z\u00e0-\u00ff0-9/?#=&'().-]{1,20}", fullmatch=True).filter(_is_iri)
)
blanks = st.sampled_from([ox.BlankNode("a"), ox.BlankNode("b1"), ox.BlankNode()])
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
literals = st.one_of(
    st.builds(ox.Literal, texts),
    st.builds(lambda text: ox.Literal(text, language="de-at"), texts),
    st.builds(lambda text, kind: ox.Literal(text, datatype=kind), texts, names),
)
triples = st.builds(ox.Triple, st.one_of(names, blanks), names, st.one_of(names, blanks, literals))


def canonical(statements: list[ox.Triple]) -> set[str]:
    dataset = ox.Dataset(ox.Quad(one.subject, one.predicate, one.object) for one in statements)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}


@given(st.lists(triples, max_size=12))
def test_what_is_said_is_what_is_stored(said: list[ox.Triple]) -> None:
    with CrawlGraph.create() as graph:
        changes = Changes()
        changes.visited(PAGE, step=1, statements=said)
        graph.apply(changes)
        stored = graph.store.quads(ox.NamedNode(PAGE))
        assert canonical([quad.triple for quad in stored]) == canonical(said)
        again = Changes()
        again.visited_again(PAGE, KnownPage(1, 0.5), 1.0, relevance=0.5)
        graph.apply(again)
        assert {str(quad.graph_name) for quad in graph.store.quads()} == {"DEFAULT"}


def test_a_text_cannot_leave_its_place() -> None:
    evil = ox.Literal('x" } } ; DROP ALL ; INSERT DATA { <urn:a> <urn:b> "\\u0022 } #')
    with CrawlGraph.create() as graph:
        triple = ox.Triple(ox.NamedNode("urn:a"), ox.NamedNode("urn:b"), evil)
        changes = Changes()
        changes.visited(PAGE, step=1, statements=[triple])
        graph.apply(changes)
        assert [quad.object for quad in graph.store.quads(ox.NamedNode(PAGE))] == [evil]


def test_no_statements_are_no_text() -> None:
    changes = Changes()
    changes.visited(PAGE, step=1)
    assert "GRAPH" not in changes.text(OxigraphStore())


def test_what_is_said_twice_is_one_line() -> None:
    triple = ox.Triple(ox.BlankNode("a"), ox.NamedNode("urn:b"), ox.Literal("c"))
    assert statement_lines([triple, triple]) == ['_:a <urn:b> "c"']
