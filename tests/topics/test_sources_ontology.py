"""References to ontology files, alone and in topic files."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import TopicError
from semcrawl.topics import Topic
from semcrawl.topics.sources import OntologySource, ReadOptions, read_concepts

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOLDER = ROOT / "ontologies"
ASTHMA = "https://w3id.org/semcrawl/asthma#"
BEES = "https://w3id.org/semcrawl/beekeeping#"


def parts(reference: str, **options: object) -> list[str]:
    found = read_concepts(reference, ReadOptions(folder=FOLDER, **options))  # type: ignore[arg-type]
    return [concept.rpartition("#")[2] for concept, _ in found]


@pytest.mark.parametrize(
    ("reference", "concepts"),
    [
        ("asthma.ttl#asthma", ["asthma"]),
        ("asthma.ttl#house-dust-mite", ["house-dust-mite"]),
        ("asthma.ttl#House Dust MITE", ["house-dust-mite"]),
        ("asthma.ttl#Hausstaubmilbe", ["house-dust-mite"]),
        ("asthma.ttl#astma", ["asthma"]),
        ("asthma.ttl#J45", ["asthma"]),
        (f"asthma.ttl#<{ASTHMA}asthma>", ["asthma"]),
        (f"asthma.ttl#{ASTHMA}asthma", ["asthma"]),
        ("asthma.ttl#asthma, hay fever,asthma", ["asthma", "allergic-rhinitis"]),
        ("asthma.ttl#'asthma'", ["asthma"]),
        ("asthma.ttl#cough,beekeeping.ttl#Bee,Hive", ["cough", "Bee", "Hive"]),
        ("asthma.ttl", ["airway-disease", "trigger", "treatment", "test", "symptom"]),
        ("beekeeping.ttl#(BeeDisease and affects some Larva)", ["AmericanFoulbrood", "Chalkbrood"]),
        ("beekeeping.ttl#('bee disease' and 'caused by' some 'varroa mite'),Queen", ["Varroosis", "Queen"]),
        ("beekeeping.ttl?#Bee", ["Bee"]),
        ("beekeeping.ttl#bk:Bee", ["Bee"]),
        ("beekeeping.ttl#(bk:BeeDisease and bk:affects some bk:Larva)", ["AmericanFoulbrood", "Chalkbrood"]),
    ],
)
def test_references(reference: str, concepts: list[str]) -> None:
    assert parts(reference) == concepts


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("asthma.ttl#asthmma", "no concept 'asthmma' in asthma.ttl; did you mean asthma"),
        ("asthma.ttl#quetzalcoatl", "no concept 'quetzalcoatl' in asthma.ttl; look"),
        ("asthma.ttl#<http://a.test/>", "no concept <http://a.test/> in asthma.ttl"),
        ("asthma.ttl#", "asthma.ttl# names no concept"),
        ("asthma.ttl# , ", "asthma.ttl# names no concept"),
        (f"asthma.ttl#{'x' * 999}", "a name of 999 letters"),
        ("asthma.ttl?fast#asthma", "no option 'fast'; the options are reason, wordnet"),
        ("nowhere.owl#x", "cannot read .*nowhere.owl: No such file"),
        ("beekeeping.ttl#(Bee and", "a class is missing"),
        ("beekeeping.ttl#(Bee and Wasp)", "no concept 'Wasp'"),
        ("beekeeping.ttl#(Bee and bites some Egg)", "no property 'bites'; .*affects"),
        ("beekeeping.ttl#(Bee and afects some Egg)", "no property 'afects'; its classes are related by: affects$"),
        ("beekeeping.ttl#Bee and affects some Egg", r"in parentheses: .*beekeeping.ttl#\(Bee and affects some Egg\)"),
        ("beekeeping.ttl#http://other.test/Bee", "no concept 'http://other.test/Bee'"),
        ("beekeeping.ttl#(Bee and Hive)", r"no concept of beekeeping.ttl fits .*\?reason#"),
        ("beekeeping.ttl#(Bee and not Queen)", r"can only be inferred: add \?reason"),
    ],
)
def test_what_is_not_there_is_refused_with_advice(reference: str, message: str) -> None:
    with pytest.raises(TopicError, match=message) as caught:
        parts(reference)
    assert "\n" not in str(caught.value)


def test_an_ambiguous_label_is_refused_with_ids_and_paths(ontology: Callable[..., Path]) -> None:
    path = ontology(
        ':river rdfs:label "bank" ; rdfs:subClassOf :land . :money rdfs:label "Bank" ; '
        'rdfs:subClassOf :firm . :land rdfs:label "land" . :firm rdfs:label "firm" .'
    )
    with pytest.raises(TopicError, match=r"'bank' means 2 concepts .*river \(land > bank\), money \(firm > Bank\)"):
        read_concepts(f"{path}#bank")
    assert len(read_concepts(f"{path}#river")) == 1


@pytest.mark.parametrize(("language", "meant"), [("en", "present"), ("de", "poison")])
def test_a_label_means_what_it_means_in_the_language(ontology: Callable[..., Path], language: str, meant: str) -> None:
    path = ontology(':present a owl:Class ; rdfs:label "gift"@en . :poison a owl:Class ; rdfs:label "Gift"@de .')
    [(concept, _)] = read_concepts(f"{path}#gift", ReadOptions(languages=(language,)))
    assert concept.endswith(meant)


def test_a_preferred_label_comes_before_a_synonym(ontology: Callable[..., Path]) -> None:
    path = ontology(':a a owl:Class ; rdfs:label "flu" . :b a owl:Class ; rdfs:label "cold" ; skos:altLabel "flu" .')
    assert [concept[-1] for concept, _ in read_concepts(f"{path}#flu")] == ["a"]


def test_a_label_may_hold_a_comma(ontology: Callable[..., Path]) -> None:
    path = ontology(':a a owl:Class ; rdfs:label "nose, running" . :b a owl:Class .')
    assert len(read_concepts(f"{path}#nose, running")) == 1
    assert len(read_concepts(f"{path}#'nose, running',b")) == 2


@pytest.mark.parametrize(
    "reference", ["http://a.test/b.owl#c", "a b c", "x.txt", "none.unknown#x", "", "#", "?", "a\0.owl#b", "doid:1"]
)
def test_other_texts_are_not_taken_for_references(reference: str) -> None:
    assert not OntologySource().accepts(reference, ReadOptions())


@given(st.text(st.sampled_from("asthmacough.tl#?,()<>'\"& {}\0"), max_size=25))
def test_any_reference_is_read_or_refused(text: str) -> None:
    with suppress(TopicError):
        assert parts(f"asthma.ttl#{text}")


def test_a_topic_is_named_by_its_concepts() -> None:
    topic = Topic.parse(f"{FOLDER}/asthma.ttl#asthma,cough", language="de")
    assert (topic.name, topic.language) == ("Asthma, Husten", "de")
    assert topic.labels() == [("asthma", 1.0), ("asthma bronchiale", 1.0), ("husten", 1.0)]
    many = Topic.parse(f"{FOLDER}/beekeeping.ttl")
    assert many.name.endswith("beekeeping equipment and 2 more")


def test_concepts_of_one_file_share_one_graph() -> None:
    topic = Topic.parse(f"{FOLDER}/asthma.ttl#asthma,cough")
    assert topic.concepts[0].graph is topic.concepts[1].graph


def test_a_thesaurus_in_turtle_is_not_taken_for_a_topic_file() -> None:
    assert len(Topic.parse(f"{FOLDER}/asthma.ttl").concepts) == 5


def test_paths_in_a_topic_file_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "bees.ttl").write_bytes((FOLDER / "beekeeping.ttl").read_bytes())
    (tmp_path / "topic.toml").write_text('[concepts]\n"bees.ttl#honey" = 0.5\n"bees.ttl#Hive" = 1\n')
    (tmp_path / "topic.ttl").write_text(
        "@prefix sc: <https://w3id.org/semcrawl/ns#> . <#t> a sc:Topic ; sc:source 'bees.ttl' ;"
        f" sc:interest [ sc:concept 'honey' ; sc:weight 0.5 ] ; sc:concept <{BEES}Hive> ."
    )
    for name in ("topic.toml", "topic.ttl"):
        topic = Topic.parse(str(tmp_path / name))
        weights = {part.id: part.weight for part in topic.concepts}
        assert weights == {f"{BEES}Honey": 0.5, f"{BEES}Hive": 1.0}


def test_sources_of_a_turtle_file_are_tried_in_order_beside_wordnet(tmp_path: Path) -> None:
    text = f"""@prefix sc: <https://w3id.org/semcrawl/ns#> .
        <#t> a sc:Topic ; sc:source "{FOLDER}/asthma.ttl", "{FOLDER}/beekeeping.ttl" ;
        sc:concept <{BEES}Hive>, <{ASTHMA}asthma>, "{FOLDER}/asthma.ttl#cough",
            <https://w3id.org/semcrawl/wordnet/asthma.n.01> ."""
    topic = Topic.from_turtle(text)
    assert [part.id for part in topic.concepts] == [
        f"{BEES}Hive",
        f"{ASTHMA}asthma",
        f"{ASTHMA}cough",
        "wordnet:asthma.n.01",
    ]
    with pytest.raises(TopicError, match=r"no concept <http://a\.test/> in asthma\.ttl"):
        Topic.from_turtle(text.replace(f"{BEES}Hive", "http://a.test/"))


@pytest.mark.parametrize(
    ("spec", "absolute"),
    [("asthma.ttl#asthma,cough", True), ("asthma.ttl#asthma,cough", False), ("beekeeping.ttl?wordnet#Hive", False)],
)
def test_a_topic_of_an_ontology_there_and_back(
    spec: str, absolute: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(FOLDER)
    topic = Topic.parse(spec)
    toml, turtle = topic.to_toml(absolute=absolute), topic.to_turtle(absolute=absolute)
    if absolute:
        monkeypatch.chdir(tmp_path)
    assert Topic.from_toml(toml) == Topic.from_turtle(turtle) == topic


def test_joined_with_wordnet_a_concept_has_the_words_of_both() -> None:
    [(concept, graph)] = read_concepts("asthma.ttl?wordnet#asthma", ReadOptions(folder=FOLDER))
    texts = [label.text for label in graph.labels(concept)]
    assert texts[0] == "asthma"
    assert {"asthme", "asthma attack"} <= set(texts)
    assert "wordnet:respiratory_disease.n.01" in graph.broader(concept)


@pytest.mark.usefixtures("needs_java")
def test_a_defined_class_has_the_kinds_that_a_reasoner_infers() -> None:
    reference = "beekeeping.ttl?reason#BroodDisease"
    [(concept, graph)] = read_concepts(reference, ReadOptions(folder=FOLDER))
    kinds = [kind.removeprefix(BEES) for kind in graph.narrower(concept)]
    assert sorted(kinds) == ["AmericanFoulbrood", "Chalkbrood", "Varroosis"]
    assert parts("beekeeping.ttl#(BroodDisease and affects some Pupa)", reason=True) == ["Varroosis"]
    with pytest.raises(TopicError, match="contradicts the ontology"):
        parts("beekeeping.ttl?reason#(Bee and not Bee)")
