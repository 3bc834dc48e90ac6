"""OBO files are read as the OWL that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.topics import Topic, read_ontology
from semcrawl.topics.obo import obo_triples

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OBO = r"""format-version: 1.2
ontology: doid
idspace: EX http://example.org/ex/ "examples"
! a comment

[Term]
id: DOID:4
name: disease

[Term]
id: DOID:2841 ! asthma
name: asthma {source="x"} ! not "cold"
namespace: disease_ontology
alt_id: DOID:2842
def: "A \"bronchial\" disease." [url:http\://example.org/]
synonym: "bronchial asthma" EXACT [MTH:1]
synonym: "wheezing\, with \"noise\"" RELATED []
synonym: "cardiac asthma" NARROW CLINICAL [] ! rarely
synonym: "breath trouble" []
exact_synonym: "asthma bronchiale" []
xref: ICD10CM:J45
is_a: DOID:4 {is_inferred="true"} ! disease
relationship: located_in EX:7 ! bronchus

[Term]
id: EX:7
name: bronchus

[Term]
id: DOID:9
name: old disease
is_obsolete: true
replaced_by: DOID:4

[Term]
id: DOID:10
name: diseased bronchus
intersection_of: EX:7 ! bronchus
intersection_of: located_in DOID:4

[Typedef]
id: located_in
name: is located in
is_a: part_of

[Instance]
id: EX:patient
name: patient
instance_of: DOID:2841 ! asthma
"""
DOID = "http://purl.obolibrary.org/obo/DOID_"


def test_terms_become_concepts(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(OBO, "doid.obo"))
    assert f"{DOID}9" not in graph
    assert graph.broader(f"{DOID}2841") == [f"{DOID}4"]
    assert graph.narrower(f"{DOID}2841") == ["http://example.org/ex/patient"]
    assert graph.relations(f"{DOID}2841") == [("is located in", "http://example.org/ex/7")]
    assert graph.broader(f"{DOID}10") == ["http://example.org/ex/7"]
    assert graph.problems == ()


def test_synonyms_weigh_by_their_scope(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(OBO, "doid.obo"))
    assert [(label.text, label.weight) for label in graph.labels(f"{DOID}2841")] == [
        ("asthma", 1.0),
        ("bronchial asthma", 1.0),
        ("asthma bronchiale", 1.0),
        ("cardiac asthma", 0.7),
        ('wheezing, with "noise"', 0.5),
        ("breath trouble", 0.5),
    ]


@pytest.mark.parametrize("name", ["DOID:2841", "DOID_2841", "DOID:2842", "bronchial asthma"])
def test_a_term_is_found_by_id_old_id_or_name(ontology: Callable[..., Path], name: str) -> None:
    [concept] = Topic.parse(f"{ontology(OBO, 'anything.dat')}#{name}").concepts
    assert concept.id == f"{DOID}2841"


PIECES = ["[Term]\n", "id: A:1\n", "synonym: ", "is_a: ", "intersection_of: ", '"', "\\", "\n"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=30).map("".join))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(list(obo_triples(text)), list)


@given(st.text(max_size=40))
def test_any_value_is_read(value: str) -> None:
    rows = [f"{tag}: {value}" for tag in ("name", "synonym", "is_a", "relationship", "union_of")]
    assert list(obo_triples("\n".join(["[Term]", "id: A:1", *rows])))
