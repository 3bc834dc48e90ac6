from __future__ import annotations

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics.wordnet import describe_sense, senses_of


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


def test_a_gloss_is_text_or_missing() -> None:
    [sense] = senses_of("asthma")
    assert sense.gloss is None or "respiratory disorder" in sense.gloss


def test_unknown_words_have_no_senses_and_unknown_ids_are_refused() -> None:
    assert senses_of("qwzx") == []
    with pytest.raises(TopicError, match="no concept"):
        describe_sense("wordnet:qwzx.n.01")
