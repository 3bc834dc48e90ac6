from __future__ import annotations

import subprocess
import sys

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics.wordnet import Sense, describe_sense, frequent_senses


def senses_of(word: str, limit: int | None = None) -> list[Sense]:
    return [describe_sense(concept) for concept in frequent_senses(word)[:limit]]


def test_the_senses_of_a_word_tell_themselves_apart() -> None:
    slope, institution = senses_of("bank", limit=2)
    assert (slope.name, slope.path[-2:]) == ("bank.n.01", ("slope", "bank"))
    assert "banking company" in institution.synonyms
    assert institution.path[0] == "entity"


def test_a_sense_name_gives_that_sense_only() -> None:
    [sense] = senses_of("bank.n.03")
    assert sense.id == "wordnet:bank.n.03"


def test_a_verb_without_hypernym_is_its_own_path() -> None:
    [sense] = senses_of("breathe.v.01")
    assert sense.path == ("breathe",)


def test_a_sense_has_its_definition_without_the_examples() -> None:
    [sense] = senses_of("asthma")
    assert sense.definition == ("respiratory disorder characterized by wheezing; usually of allergic origin")
    [quality] = senses_of("quality.n.01")
    assert quality.definition.endswith("of something or someone")


def test_the_most_frequent_sense_comes_first_whatever_its_part_of_speech() -> None:
    names = [sense.name for sense in senses_of("cold", limit=3)]
    assert names == ["cold.a.01", "cold.a.02", "cold.n.01"]
    assert [sense.name for sense in senses_of("banks", limit=1)] == ["bank.n.01"]


def test_unknown_words_have_no_senses_and_unknown_ids_are_refused() -> None:
    assert senses_of("qwzx") == []
    with pytest.raises(TopicError, match="no concept"):
        describe_sense("wordnet:qwzx.n.01")


def test_nltk_is_not_loaded_for_senses_and_definitions_only_when_asked_for() -> None:
    program = (
        "import sys; from semcrawl.topics import Topic, wordnet; from semcrawl.topics.wordnet import frequent_senses\n"
        "Topic.parse('wordnet:asthma')\n"
        "assert '_definitions' not in vars(wordnet())\n"
        "assert frequent_senses('bank') and 'nltk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
