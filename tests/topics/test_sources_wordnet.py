from __future__ import annotations

import pytest

from semcrawl.errors import AmbiguousTopicError, TopicError
from semcrawl.topics.sources import read_concepts


@pytest.mark.parametrize(
    ("reference", "concepts"),
    [
        ("wordnet:asthma", ["asthma.n.01"]),
        ("wordnet: asthma ", ["asthma.n.01"]),
        ("wordnet:diseases", ["disease.n.01"]),
        ("wordnet:first aid", ["first_aid.n.01"]),
        ("wordnet:first_aid.n.01", ["first_aid.n.01"]),
        ("wordnet:bank.n.01", ["bank.n.01"]),
        ("wordnet:bank.n.2", ["depository_financial_institution.n.01"]),
        ("wordnet:disease.n.01,medicine.n.01", ["disease.n.01", "medicine.n.01"]),
        ("wordnet:disease.n.01 medicine.n.01", ["disease.n.01", "medicine.n.01"]),
        ("wordnet:asthma, first aid,", ["asthma.n.01", "first_aid.n.01"]),
        ("wordnet:asthma,asthma.n.01", ["asthma.n.01"]),
    ],
)
def test_references(reference: str, concepts: list[str]) -> None:
    assert [concept for concept, _ in read_concepts(reference)] == [f"wordnet:{concept}" for concept in concepts]


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("wordnet:", "names no word"),
        ("wordnet: , ,", "names no word"),
        ("wordnet:bank", r"'bank' has 18 senses.*bank\.n\.03 \(a long ridge or pile\).*and 12 more"),
        ("wordnet:bank", "for example wordnet:bank.n.01"),
        ("wordnet:asthmma", "no word 'asthmma'; did you mean asthma"),
        ("wordnet:asthmma", "keywords:asthmma"),
        ("wordnet:qxqxqx", "no word 'qxqxqx'; to look for a part.*--search"),
        ("wordnet:bank.n.99", r"no sense 'bank\.n\.99'; the senses of 'bank' are"),
        ("wordnet:asthmma.n.01", "did you mean asthma"),
        ("wordnet:" + "a" * 100_000, "no word of 100000 letters"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_help(reference: str, message: str) -> None:
    with pytest.raises(TopicError, match=message):
        read_concepts(reference)


def test_an_ambiguous_word_offers_its_most_frequent_senses() -> None:
    with pytest.raises(AmbiguousTopicError) as caught:
        read_concepts("wordnet:asthma, bank")
    error = caught.value
    assert (error.name, len(error.choices)) == ("bank", 6)
    assert error.choices[2] == ("bank.n.03", "a long ridge or pile")
    assert all(read_concepts(f"wordnet:{name}") for name, _ in error.choices)
