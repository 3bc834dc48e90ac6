from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.models.adaptive_judge import AdaptiveJudge
from semcrawl.models.link_features import ClassPaths
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.taxonomy_judge import TaxonomyJudge
from semcrawl.page import read_html
from semcrawl.relevance.judges import LabelsJudge, SsrmJudge
from semcrawl.text.background import Background
from semcrawl.topics import ConceptGraphBuilder, Topic
from semcrawl.topics.sources import concept_iri
from semcrawl.topics.topic import TopicConcept
from tests.models.taxonomy.conftest import write_tree

if TYPE_CHECKING:
    from pathlib import Path


def test_a_concept_comes_with_all_above_it() -> None:
    builder = ConceptGraphBuilder("diseases")
    builder.add("x:disease", "disease")
    builder.add("x:lung", "lung disease", broader=["x:disease"])
    builder.add("x:asthma", "asthma", broader=["x:lung"])
    paths = ClassPaths(Topic("asthma", (TopicConcept("x:asthma", 1.0, builder.build()),)))
    assert paths.of("x:asthma") == ("x:asthma", "x:disease", "x:lung")
    assert paths.of("x:disease") == ("x:disease",)
    assert paths.of("y:elsewhere") == ("y:elsewhere",)
    assert paths.of(None) == ()


def test_2002_section_3_8_prefixes_come_from_the_tree_of_the_judge(tmp_path: Path) -> None:
    """Chakrabarti et al. 2002, section 3.8: all prefixes, of several top-scoring classes."""
    write_tree(tmp_path / "tree")
    taxonomy = Taxonomy.train(tmp_path / "tree")
    taxonomy.mark("Animals")
    taxonomy.save(tmp_path / "model")
    topic = Topic.parse("keywords:birds")
    judge = TaxonomyJudge(topic, str(tmp_path / "model"))
    page = read_html("<p>birds and their feathers", "http://a.test/")
    judgement = judge.judge(page)
    tree = judge.taxonomy.tree
    assert len(judgement.classes) > 1
    assert judgement.classes[0] == judgement.concept
    above = {step for one in judgement.classes for step in tree.trail(one)}
    assert above > set(judgement.classes)
    paths = ClassPaths(topic, judge)
    assert set(paths.of(judgement.concept, *judgement.classes)) == above


def test_2002_section_3_8_the_concepts_of_a_lens_have_prefixes_too() -> None:
    for spec in ("wordnet:asthma", "keywords:asthma"):
        topic = Topic.parse(spec)
        judge = SsrmJudge(topic, Background.default())
        judgement = judge.judge(read_html("<p>bronchitis, pneumonia, emphysema", "http://a.test/"))
        assert len(judgement.classes) == 3
        disease = concept_iri("wordnet:respiratory_disease.n.01")
        assert disease in ClassPaths(topic, judge).of(*judgement.classes)


def test_2002_section_3_8_the_default_judge_gives_several_classes() -> None:
    topic = Topic.parse("wordnet:respiratory_disease.n.01")
    page = read_html("<p>bronchitis, pneumonia, emphysema", "http://a.test/")
    for judge in (LabelsJudge(topic), AdaptiveJudge(topic, Background.default())):
        judgement = judge.judge(page)
        assert len(judgement.classes) == 3
        assert judgement.concept == judgement.classes[0]


def test_what_no_graph_knows_has_nothing_above() -> None:
    for topic in (None, Topic.parse("keywords:asthma")):
        assert ClassPaths(topic).of("x:asthma") == ("x:asthma",)
