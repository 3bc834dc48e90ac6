from __future__ import annotations

import threading
from collections import Counter

import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.text.languages import analyser
from semcrawl.text.terms import ENGLISH, Remembered, count_terms, stem, terms, tokens
from semcrawl.topics import wordnet

TEXTS = st.text(
    st.one_of(st.characters(), st.sampled_from("abs'’ \u00ad-_0\u0301ſﬁİ㎐ßΣ \n\ud800日本ｶﾞのหืา\u200b")), max_size=40
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("   \n\t ", []),
        ("!!! -- ...", []),
        ("Hello, World", ["hello", "world"]),
        ("e-mail first_aid", ["e", "mail", "first", "aid"]),
        ("don't", ["don't"]),
        ("don’t", ["don't"]),
        ("Alzheimer's disease", ["alzheimer", "disease"]),
        ("ALZHEIMER’S DISEASE", ["alzheimer", "disease"]),
        ("the dogs' tails", ["the", "dogs", "tails"]),
        ("'quoted' words", ["quoted", "words"]),
        ("rock'n'roll O'Reilly", ["rock'n'roll", "o'reilly"]),
        ("it's's", ["it", "s"]),
        ("''''", []),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ﬁle", ["file"]),
        ("cafe\u0301 café", ["café", "café"]),
        ("hy\u00adphen", ["hyphen"]),
        ("non\u00a0breaking", ["non", "breaking"]),
        ("“smart”–quotes…", ["smart", "quotes"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("العَرَبِيَّة", ["العَرَبِيَّة"]),
        ("日本語", ["日本", "本語"]),
        ("本 日本's", ["本", "日本"]),
        ("日本語v2の", ["日本", "本語", "v2", "の"]),
        ("日本'x", ["日本", "x"]),
        ("ｶﾞｽ", ["ガス"]),
        ("โรคหืด", ["โร", "รค", "คหื", "หืด"]),
        ("ពាក្យ", ["ពាក្", "ក្យ"]),
        ("ជំងឺ\u200bហឺត", ["ជំងឺ", "ងឺហឺ", "ហឺត"]),
        ("မြန်မာ", ["မြန်", "န်မာ"]),
        ("ລາວ ๒๕", ["ລາ", "າວ", "๒๕"]),
        ("ПРИВЕТ мир", ["привет", "мир"]),
        ("CO2 H2O 3.14", ["co2", "h2o", "3", "14"]),
        ("\ud800broken\udfff", ["broken"]),
        ("a\0b", ["a", "b"]),
    ],
)
def test_tokens_of_ugly_text(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(TEXTS)
def test_tokens_of_tokens_are_the_same_tokens(text: str) -> None:
    found = tokens(text)
    assert tokens(" ".join(found)) == found


@given(TEXTS, TEXTS)
def test_a_space_separates_whatever_stands_around_it(left: str, right: str) -> None:
    assert tokens(f"{left} {right}") == tokens(left) + tokens(right)


@given(TEXTS)
def test_counted_terms_are_the_terms_counted(text: str) -> None:
    assert count_terms(text) == Counter(terms(text))


def test_stop_words_numbers_single_letters_and_endless_tokens_are_no_terms() -> None:
    assert terms("The cat and 42 x " + "ab" * 40 + " sat") == ["cat", "sat"]


@given(TEXTS)
def test_terms_are_the_words_that_are_no_numbers_and_no_single_characters(text: str) -> None:
    assert ENGLISH.terms_among(ENGLISH.words(text)) == terms(text)


def test_words_keep_numbers_and_single_letters_for_labels_that_need_them() -> None:
    assert ENGLISH.words("Type 2 diabetes, X-rays of the vitamin C") == [
        *("type", "2", "diabet", "x", "rai", "vitamin", "c")
    ]


def test_a_stem_that_would_be_a_number_or_a_single_letter_is_not_taken() -> None:
    assert terms("the 1990s, an AED, MS") == ["1990s", "aed", "ms"]


HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=30)


@given(HAN, st.data())
def test_a_label_without_spaces_is_a_run_of_the_terms_of_every_text_that_holds_it(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    stop = data.draw(st.integers(start + 2, len(text)))
    label = terms(text[start:stop])
    assert len(label) == stop - start - 1
    assert terms(f"in {text}, 2")[start : start + len(label)] == label


@given(HAN, HAN)
def test_what_is_a_run_of_the_terms_is_in_the_text(text: str, label: str) -> None:
    found, wanted = terms(text), terms(label)
    runs = [found[place : place + len(wanted)] for place in range(len(found))]
    assert (wanted in runs) == (label in text)


def test_stop_words_are_tokens_as_the_tokenizer_gives_them() -> None:
    assert 180 <= len(ENGLISH.stop_words) <= 300
    assert all(tokens(word) == [word] for word in ENGLISH.stop_words)


def test_stems_join_the_forms_of_a_word() -> None:
    assert {stem(word) for word in ("connect", "connected", "connecting", "connections")} == {"connect"}


def test_stems_equal_the_original_algorithm_on_words_of_wordnet() -> None:
    from nltk.stem.porter import PorterStemmer

    original = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM)
    graph = wordnet().graph
    labels = (graph.label(concept) for concept in graph.ids[::35])
    words = {token for label in labels for token in tokens(label)}
    assert len(words) > 3000
    assert [word for word in sorted(words) if stem(word) != original.stem(word)] == []


def test_stems_are_the_same_from_many_threads() -> None:
    words = [f"threadings{number}ations" for number in range(3000)]
    expected = Stemmer.Stemmer("porter").stemWords(words)
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append([stem(word) for word in words])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == expected for result in results)
    assert len(results) == 4


def test_the_cache_stays_bounded_and_right() -> None:
    cache = Remembered(str.upper, size=10, longest=64)
    assert [cache[f"w{number}"] for number in range(50)] == [f"W{n}" for n in range(50)]
    assert len(cache) <= 10
    assert cache["x" * 1000] == "X" * 1000
    assert "x" * 1000 not in cache


def test_a_word_without_end_is_no_term_and_takes_no_time() -> None:
    # The Tamil stemmer would take ten minutes, the square of the length.
    tamil = analyser("ta")
    endless = "ல்" * 1_000_000
    assert tamil.terms(f"{endless} நுரையீரல்") == tamil.terms("நுரையீரல்")
    assert tamil.stem(endless) == endless


def test_words_of_several_parts_are_put_together_in_one_go() -> None:
    # Minutes, if what follows each were moved for it.
    assert len(ENGLISH.words("日本語 " * 1_000_000)) == 2_000_000
