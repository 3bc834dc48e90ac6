from __future__ import annotations

from random import Random

import pytest

from scripts.demo_web.prose import SUBJECTS, Composer, Subject, listed, sentence_case


@pytest.fixture(params=sorted(SUBJECTS))
def subject(request: pytest.FixtureRequest) -> Subject:
    return SUBJECTS[request.param]


def test_a_subject_has_enough_concepts_with_labels_of_their_own(subject: Subject) -> None:
    labels = [subject.graph.label(concept).casefold() for concept in subject.concepts]
    assert len(labels) >= 25
    assert len(set(labels)) == len(labels)
    assert subject.spec not in subject.concepts


def test_every_concept_can_be_written_about(subject: Subject) -> None:
    writer = Composer(subject, Random("any"))
    for concept in (subject.spec, *subject.concepts):
        text = " ".join([*writer.article(concept, 1.0), *writer.personal(concept)])
        assert writer.name(concept) in text
        assert "{" not in text
        assert all(sentence[0].isupper() for sentence in text.split(". ")), text


def test_the_same_random_numbers_give_the_same_text(subject: Subject) -> None:
    concept = subject.concepts[3]
    first, second = (Composer(subject, Random("same")).article(concept, 0.7) for _ in range(2))
    assert first == second


def test_a_dense_article_tells_more_than_a_sparse_one(subject: Subject) -> None:
    concept = subject.concepts[0]
    dense = Composer(subject, Random("x")).article(concept, 1.0)
    sparse = Composer(subject, Random("x")).article(concept, 0.1)
    assert len(" ".join(dense)) > len(" ".join(sparse))


def test_things_with_a_name_of_their_own_take_no_article() -> None:
    writer = Composer(SUBJECTS["sky"], Random("x"))
    vega = next(c for c in SUBJECTS["sky"].concepts if c.startswith("wordnet:vega."))
    text = " ".join(writer.article(vega, 1.0))
    assert "Vega" in text
    assert "the Vega" not in text
    assert "a Vega" not in text


@pytest.mark.parametrize(
    ("items", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (list("abc"), "a, b and c")]
)
def test_lists_read_as_prose(items: list[str], text: str) -> None:
    assert listed(items) == text


def test_sentences_begin_with_a_capital() -> None:
    assert [sentence_case(text) for text in ("asthma", "DOS", "")] == ["Asthma", "DOS", ""]
