"""Words by number are those that the analyser gives one by one."""

import threading
from collections import Counter

import numpy as np
import pytest

from semcrawl.text import vocabulary
from semcrawl.text.languages import analyser
from semcrawl.text.vocabulary import ByWord

UGLY = [
    "",
    "   ",
    "The 3 causes of asthma, and how asthma is treated",
    "Alzheimer's patients don't e-mail: 2 x Caf\u00e9",
    "a\u00a0hard\u00a0space\u3000and a wide one",
    "\u65e5\u672c\u8a9e Ver. 2 \u65e5\u672c",
    "Donaudampfschifffahrtsgesellschaftskapit\u00e4n " + "x" * 24 + " " + "x" * 25,
    "k" * 5_000 + " " + "\u0431\u043e\u043b\u0435\u0437\u043d\u044c " * 3,
    "co\u00adoperation \ufeffzero\u200bwidth \ud800 surrogate",
    " ".join(f"word{number} word{number}s {number}" for number in range(3_000)),
]


@pytest.mark.parametrize("language", ["en", "fr", "ja", "ru", "tr"])
def test_words_by_number_are_those_of_the_text_each_time(language: str) -> None:
    words = analyser(language)
    for text in [*UGLY, *UGLY, " ".join(UGLY)]:
        found = words.read(text)
        assert list(found) == words.words(text)
        assert list(found.count_terms().items()) == list(Counter(words.terms(text)).items())
        assert found.vocabulary.texts_of(found.terms) == list(found.count_terms())


@pytest.mark.parametrize("language", ["en", "ja", "tr"])
def test_texts_that_are_read_together_have_the_words_and_terms_of_each(language: str) -> None:
    words = analyser(language)
    found = words.read_all(UGLY)
    terms, counts = found.words.vocabulary.texts_of(found.words.terms), found.words.counts.tolist()
    for place, text in enumerate(UGLY):
        assert found.words_of(place) == words.words(text)
        own = [number for number, owner in enumerate(found.text_of_term.tolist()) if owner == place]
        assert [(terms[one], counts[one]) for one in own] == list(Counter(words.terms(text)).items())
    assert found.size == len(UGLY)


def test_words_that_were_found_before_give_the_same() -> None:
    words = analyser("en")
    text = "Cats and dogs and cats"
    assert words.number(words.words(text)).count_terms() == words.read(text).count_terms()


def test_a_full_vocabulary_is_replaced_and_earlier_texts_stay_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MOST_WORDS", 100)
    words = analyser("sv")
    lengths = ByWord(len, int)
    first = words.read(" ".join(f"ord{number}" for number in range(100)))
    second = words.read("ord5 ord5 hund")
    assert second.vocabulary is not first.vocabulary
    assert first[5] == second[0] == "ord5"
    assert lengths.of(second).tolist() == [4, 4]
    assert lengths.of(first)[:11].tolist() == [*[4] * 10, 5]


def test_pairs_that_begin_with_words() -> None:
    found = analyser("en").read("cats chase dogs and dogs chase birds")
    pairs = found.pairs_of(["dog", "bird", "never-met"])
    assert list(pairs) == [(2, "dog", "dog"), (3, "dog", "chase")]  # birds are the last word


def test_two_threads_may_ask_for_values_at_once() -> None:
    # Shards of one process share what is known of words.
    reader = analyser("en")
    words = reader.read(" ".join(f"thread{number}" for number in range(2_000)))
    others = list[threading.Thread]()

    def length(word: str) -> float:
        if not others:
            others.append(threading.Thread(target=lambda: values.of_all(words)))
            others[0].start()
            others[0].join(0.2)  # it may have to wait for us
        return len(word)

    values = ByWord(length, float)
    found = values.of_all(words).tolist()
    others[0].join()
    assert found == values.of_all(words).tolist() == list(map(len, words))
    later = reader.read("words of other lengths that are found when both are done")
    assert values.of_all(later).tolist() == list(map(len, later))


def test_words_made_for_one_slot_by_a_factor_that_is_known_are_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = np.random.default_rng(1).integers(97, 123, (1_000_000, 8), np.uint8)
    pieces = letters.view("<u8").ravel()
    with monkeypatch.context() as known:
        known.setattr(vocabulary, "_FACTOR", np.uint64(0x9E3779B97F4A7C15))
        chosen = pieces[vocabulary._mixed(pieces) % np.uint64(1 << 12) == 0]
    slots = vocabulary._mixed(chosen) % np.uint64(1 << 12)
    assert len(chosen) > 150
    assert np.unique(slots).size > 100
