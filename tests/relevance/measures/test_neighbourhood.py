from __future__ import annotations

from math import exp, tanh
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, TopicError
from semcrawl.relevance import Lens
from semcrawl.relevance.concept_tree import Branch, neighbourhood, tree_text
from semcrawl.topics import ConceptGraph, ConceptGraphBuilder, Topic
from semcrawl.topics.topic import TopicConcept

from .graphs import hierarchies

if TYPE_CHECKING:
    from collections.abc import Iterator


def flat(branch: Branch) -> Iterator[Branch]:
    yield branch
    for child in branch.branches:
        yield from flat(child)


def star(kinds: int) -> ConceptGraph:
    """A concept with so many kinds, so many relations, and one broader concept."""
    builder = ConceptGraphBuilder("star")
    builder.add("x:top", "top")
    builder.add("x:middle", "middle", broader=["x:top"])
    for n in range(kinds):
        builder.add(f"x:kind{n}", f"kind {n}", broader=["x:middle"])
        builder.add(f"x:part{n}", f"part {n}")
        builder.relate("x:middle", "has part", f"x:part{n}")
    return builder.build()


def test_broader_narrower_and_related_concepts_hang_on_the_topic(lungs: ConceptGraph) -> None:
    assert tree_text(neighbourhood(lungs, "x:asthma", "ehrig")).splitlines() == [
        "1.00  asthma  x:asthma",
        "0.50  ├─ broader: allergy  x:allergy",
        "0.25  │  └─ broader: disease  x:disease",
        "0.50  └─ broader: respiratory disease  x:lung-disease",
    ]
    assert tree_text(neighbourhood(lungs, "x:inhaler", "ehrig")).splitlines() == [
        "1.00  inhaler  x:inhaler",
        "0.00  └─ treats: asthma  x:asthma",
    ]


def test_levels_are_limited_both_ways(lungs: ConceptGraph) -> None:
    tree = neighbourhood(lungs, "x:disease", "ehrig", up=0, down=1)
    assert [branch.label for branch in tree.branches] == ["allergy", "respiratory disease"]
    assert all(not branch.branches for branch in tree.branches)


def test_what_is_too_many_is_counted_and_not_shown() -> None:
    tree = neighbourhood(star(5), "x:middle", "ehrig", width=3)
    relations = [branch.relation for branch in tree.branches]
    assert relations == ["broader"] + ["narrower"] * 3 + ["has part"] * 3
    assert tree.left_out == 4
    assert tree_text(tree).splitlines()[-1] == "      └─ … 4 more"
    assert neighbourhood(star(5), "x:middle", "ehrig", width=5).left_out == 0


def test_weights_are_shares_of_the_topic_s_own_in_a_lens(lungs: ConceptGraph) -> None:
    # A topic just below the root would have no weight at all by the depths of WordNet.
    topic = Topic("disease", (TopicConcept("x:disease", 1.0, lungs),))
    lens = Lens.compile(topic, "li", min_weight=0)
    tree = neighbourhood(lungs, "x:disease", "li")
    own = tanh(0.6 * 3)
    assert tree.similarity == 1
    assert tree.branches[0].similarity == pytest.approx(exp(-0.2) * tanh(0.6 * 2) / own)
    for branch in flat(tree):
        if branch.id != "x:flu":  # "cold" is a label of two concepts
            assert branch.similarity == pytest.approx(lens.weight(branch.label) / own)


@given(graph=hierarchies(), data=st.data())
def test_every_concept_is_shown_once_whatever_the_graph(graph: ConceptGraph, data: st.DataObject) -> None:
    concept = data.draw(st.sampled_from(list(graph)))
    tree = neighbourhood(graph, concept, "ehrig", up=9, down=9)
    hierarchical = [one.id for one in flat(tree) if one.relation in ("broader", "narrower")]
    assert len(hierarchical) == len(set(hierarchical))
    assert concept not in hierarchical
    assert len(tree_text(tree).splitlines()) == len(list(flat(tree)))


def test_unknown_measures_and_concepts_are_said(lungs: ConceptGraph) -> None:
    with pytest.raises(ConfigError, match="there is no measure 'nope'"):
        neighbourhood(lungs, "x:asthma", "nope")
    with pytest.raises(TopicError, match="x:gone"):
        neighbourhood(lungs, "x:gone")
