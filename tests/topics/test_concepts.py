from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import TopicError
from semcrawl.topics import ConceptGraph, ConceptGraphBuilder

CYCLES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


def test_concepts_are_found_by_id(animals: ConceptGraph) -> None:
    assert animals.label("ex:cat") == "cat"
    assert "ex:cat" in animals
    assert "ex:unicorn" not in animals
    assert len(animals) == len(list(animals)) == 5


def test_an_unknown_id_is_said_with_the_graph(animals: ConceptGraph) -> None:
    with pytest.raises(TopicError, match="'ex:unicorn' in animals"):
        animals.broader("ex:unicorn")


def test_broader_and_narrower(animals: ConceptGraph) -> None:
    assert animals.broader("ex:cat") == ["ex:mammal", "ex:pet"]
    assert animals.narrower("ex:animal") == ["ex:mammal", "ex:pet"]
    assert animals.roots() == ["ex:animal"]


def test_relations_have_names_and_inverses(animals: ConceptGraph) -> None:
    assert animals.relations("ex:paw") == [("part-of", "ex:cat")]
    assert animals.relations("ex:cat") == [("has-part", "ex:paw")]
    assert animals.relations("ex:cat", "part-of") == []
    assert list(animals.relation_ends) == ["has-part", "part-of"]
    assert animals.relation("part-of").of(animals.position("ex:paw")) == [animals.position("ex:cat")]
    assert len(animals.relation("unknown")) == 0


def test_ancestors_are_at_their_shortest_distance(animals: ConceptGraph) -> None:
    assert animals.ancestors("ex:cat") == {"ex:cat": 0, "ex:mammal": 1, "ex:pet": 1, "ex:animal": 2}


def test_the_path_runs_from_the_root_down_by_the_first_parent(animals: ConceptGraph) -> None:
    assert animals.path_to_root("ex:cat") == ["ex:animal", "ex:mammal", "ex:cat"]
    assert animals.path_to_root("ex:animal") == ["ex:animal"]


def test_a_cycle_ends_a_path() -> None:
    builder = ConceptGraphBuilder("cycle")
    builder.add("inhibit", broader=["restrain"])
    builder.add("restrain", broader=["inhibit"])
    builder.add("rein", broader=["restrain"])
    graph = builder.build()
    assert graph.path_to_root("rein") == ["inhibit", "restrain", "rein"]
    assert graph.ancestors("rein") == {"rein": 0, "restrain": 1, "inhibit": 2}


@given(CYCLES)
def test_no_graph_however_tangled_stops_the_walk(pairs: list[tuple[int, int]]) -> None:
    builder = ConceptGraphBuilder("tangle")
    for number in range(6):
        builder.add(str(number))
    for child, parent in pairs:
        builder.add(str(child), broader=[str(parent)])
    graph = builder.build()
    for concept in graph:
        path, ancestors = graph.path_to_root(concept), graph.ancestors(concept)
        assert path[-1] == concept
        assert [ancestors[step] for step in reversed(path)] == list(range(len(path)))
        roots = [far for one, far in ancestors.items() if not graph.broader(one)]
        assert len(path) - 1 == min(roots, default=max(ancestors.values()))


def test_a_path_is_found_where_there_are_more_than_can_be_tried() -> None:
    builder = ConceptGraphBuilder("ladder")
    builder.add("0a")
    builder.add("0b")
    for level in range(1, 60):
        for side in "ab":
            builder.add(f"{level}{side}", broader=[f"{level - 1}a", f"{level - 1}b"])
    assert builder.build().path_to_root("59a") == [f"{level}a" for level in range(60)]


def test_an_empty_graph_is_a_graph() -> None:
    graph = ConceptGraphBuilder("nothing").build()
    assert (len(graph), graph.roots(), graph.find("cat"), graph.near_labels("cat")) == (0, [], [], [])


@given(st.lists(st.lists(st.sampled_from(["a", "A", "a b", "b", "a_b", "ab", "ß"]), max_size=3)))
def test_a_few_labels_are_found_as_by_the_index(labels: list[list[str]]) -> None:
    builder = ConceptGraphBuilder("x")
    for number, texts in enumerate(labels):
        builder.add(f"x:{number}", *texts)
    graph, indexed = builder.build(), builder.build()
    assert indexed.near_labels("a") is not None  # makes the index
    for text in ("a", "a b", "ab", "b", "ss", "c", ""):
        assert graph.find(text) == indexed.find(text)
