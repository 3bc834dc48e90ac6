from __future__ import annotations

from semcrawl.topics import ConceptGraphBuilder, Topic
from semcrawl.topics.topic import ConceptNote, TopicConcept, outline


def test_an_outline_names_what_is_narrower_and_stays_inside() -> None:
    builder = ConceptGraphBuilder("pets")
    builder.add("ex:animal", "animal")
    builder.add("ex:pet", "pet", broader=["ex:animal"])
    builder.add("ex:cat", "cat", broader=["ex:pet"])
    builder.add("ex:lynx", "lynx", broader=["ex:cat", "ex:animal"])
    topic = Topic("pets", (TopicConcept("ex:pet", 1.0, builder.build()),))
    assert outline(topic) == [
        ConceptNote("ex:pet", "pet"),
        ConceptNote("ex:cat", "cat", ("ex:pet",)),
        ConceptNote("ex:lynx", "lynx", ("ex:cat",)),
    ]
    assert len(outline(topic, limit=2)) == 2


def test_a_cycle_ends() -> None:
    builder = ConceptGraphBuilder("circle")
    builder.add("ex:a", "a", broader=["ex:b"])
    builder.add("ex:b", "b", broader=["ex:a"])
    topic = Topic("circle", (TopicConcept("ex:a", 1.0, builder.build()),))
    assert [note.iri for note in outline(topic)] == ["ex:a", "ex:b"]


def test_concepts_have_iris_and_keywords_no_outline() -> None:
    [asthma, *_] = outline(Topic.parse("wordnet:asthma"))
    assert asthma.iri == "https://w3id.org/semcrawl/wordnet/asthma.n.01"
    assert outline(Topic.parse("keywords:asthma")) == []
