"""What holds for every measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, TopicError
from semcrawl.relevance import MEASURES, Measure
from semcrawl.relevance.measures import (
    BaseMeasure,
    Ehrig,
    LeacockChodorow,
    Li,
    Lin,
    NearKinds,
    Path,
    Related,
    Resnik,
    Synonyms,
    WuPalmer,
)

from . import pairs
from .graphs import build, hierarchies

if TYPE_CHECKING:
    from semcrawl.topics import ConceptGraph

FORMULAS: list[tuple[BaseMeasure, pairs.Formula]] = [
    (Ehrig(), pairs.by_path(lambda far: 0.5**far)),
    (Ehrig(factor=0.7, virtual_root=True), pairs.by_path(lambda far: 0.7**far, virtual_root=True)),
    (Li(), pairs.li()),
    (Li(root_depth=1), pairs.li(root_depth=1)),
    (Li(root_depth=1, alpha=0), pairs.li(root_depth=1, alpha=0)),
    (Li(root_depth=0, common="deepest"), pairs.li(root_depth=0, deepest=True)),
    (Path(), pairs.by_path(lambda far: 1 / (1 + far))),
    (Path(virtual_root=True), pairs.by_path(lambda far: 1 / (1 + far), virtual_root=True)),
    (LeacockChodorow(), pairs.leacock_chodorow()),
    (LeacockChodorow(normalised=False), pairs.leacock_chodorow(normalised=False)),
    (LeacockChodorow(virtual_root=True), pairs.leacock_chodorow(virtual_root=True)),
    (WuPalmer(), pairs.wu_palmer()),
    (WuPalmer(virtual_root=True), pairs.wu_palmer(virtual_root=True)),
    (Resnik(), pairs.resnik),
    (Lin(), pairs.lin),
    (Synonyms(), pairs.by_path(lambda far: float(far == 0))),
    (Related(), pairs.related),
    (NearKinds(), pairs.by_path(lambda far: float(far <= 2))),
]
ALL = [measure for measure, _ in FORMULAS]
NAMES = [f"{type(measure).__name__}-{number}" for number, measure in enumerate(ALL)]
BOUNDED = [measure for number, measure in enumerate(ALL) if number != 9]


@given(graph=hierarchies(), data=st.data())
def test_one_sweep_gives_what_pair_by_pair_gives(graph: ConceptGraph, data: st.DataObject) -> None:
    concept = data.draw(st.sampled_from(list(graph)))
    for (measure, formula), name in zip(FORMULAS, NAMES, strict=True):
        one_by_one = [formula(graph, graph.position(concept), other) for other in range(len(graph))]
        swept = measure.spread(graph, concept)
        np.testing.assert_allclose(swept, one_by_one, rtol=1e-12, atol=1e-15, err_msg=name)


@given(graph=hierarchies(), data=st.data())
def test_similarities_are_symmetric_and_between_0_and_1(graph: ConceptGraph, data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(list(graph))) for _ in range(2))
    for measure in BOUNDED:
        value = measure.similarity(graph, a, b)
        assert value == pytest.approx(measure.similarity(graph, b, a)), measure
        assert 0 <= value <= 1, measure


@pytest.mark.parametrize("measure", [Ehrig(), Li(root_depth=3), Path(), LeacockChodorow(), WuPalmer(), Resnik(), Lin()])
def test_concepts_that_nothing_connects_have_nothing_in_common(measure: BaseMeasure) -> None:
    graph = build(4, [(1, 0), (3, 2)], [])
    assert measure.similarity(graph, "x:1", "x:3") == 0
    assert measure.spread(graph, "x:1")[[2, 3]].tolist() == [0, 0]


@pytest.mark.parametrize("measure", ALL, ids=NAMES)
def test_an_unknown_concept_is_an_error(measure: BaseMeasure, lungs: ConceptGraph) -> None:
    with pytest.raises(TopicError, match="x:none"):
        measure.similarity(lungs, "x:none", "x:flu")
    with pytest.raises(TopicError, match="x:none"):
        measure.spread(lungs, "x:none")


def test_values_of_the_formulas(lungs: ConceptGraph) -> None:
    a, b = "x:asthma", "x:flu"  # two edges apart, by way of x:lung-disease at depth 2
    assert Ehrig().similarity(lungs, a, b) == 0.25
    assert Path().similarity(lungs, a, b) == pytest.approx(1 / 3)
    assert Li(root_depth=0).similarity(lungs, a, b) == pytest.approx(np.exp(-0.2 * 2) * np.tanh(0.6 * 2))
    assert Li().similarity(lungs, a, b) == pytest.approx(np.exp(-0.2 * 2) * np.tanh(0.6 * 1))
    assert WuPalmer().similarity(lungs, a, b) == pytest.approx(2 * 3 / (2 + 2 * 3))
    assert LeacockChodorow(normalised=False).similarity(lungs, a, b) == pytest.approx(-np.log(3 / (2 * 3)))


def test_relevance_sets(lungs: ConceptGraph) -> None:
    def near(measure: Measure) -> set[str]:
        return {lungs.ids[n] for n in np.flatnonzero(measure.spread(lungs, "x:asthma")).tolist()}

    assert near(Synonyms()) == {"x:asthma"}
    assert near(Related()) == {"x:asthma", "x:lung-disease", "x:allergy", "x:inhaler"}
    assert near(NearKinds()) == {"x:asthma", "x:lung-disease", "x:allergy", "x:disease", "x:flu"}


def test_the_depth_of_a_topic_near_the_root_is_raised_for_a_lens(lungs: ConceptGraph) -> None:
    assert Li().similarity(lungs, "x:thing", "x:disease") == 0
    assert Li().fitted(lungs, "x:thing").similarity(lungs, "x:thing", "x:disease") > 0.7


@pytest.mark.parametrize(
    "make",
    [
        lambda: Ehrig(factor=1.0),
        lambda: Ehrig(factor=float("nan")),
        lambda: Li(alpha=-1),
        lambda: Li(beta=float("nan")),
        lambda: Li(common="some"),
        lambda: LeacockChodorow(depth=-1),
        lambda: NearKinds(distance=-1),
    ],
)
def test_options_out_of_range_are_refused(make: type) -> None:
    with pytest.raises(ConfigError):
        make()


def test_every_measure_has_its_name() -> None:
    built_in = {"ehrig", "li", "path", "wu-palmer", "leacock-chodorow", "resnik", "lin"}
    built_in |= {"synonyms", "related-1", "is-a-2"}
    assert built_in <= set(MEASURES.names())
    assert isinstance(MEASURES.create("li:alpha=0.3,common=deepest"), Li)
