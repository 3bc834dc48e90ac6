from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import semcrawl.text
from semcrawl.text.languages import analyser, find_language, language_code, language_problem, stemmed_languages
from semcrawl.text.terms import ENGLISH, count_terms, terms

STOP_WORD_LISTS = Path(semcrawl.text.__file__).parent / "data" / "stop_words"

LISTED = [path.stem for path in sorted(STOP_WORD_LISTS.glob("*.txt"))]


def test_english_is_what_the_plain_functions_are() -> None:
    assert analyser("en-GB") is analyser("eng") is ENGLISH
    assert (ENGLISH.terms, ENGLISH.count_terms) == (terms, count_terms)


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", "Krankheit Krankheiten"),
        ("fr", "maladie maladies"),
        ("es", "músico músicos"),
        ("it", "malattia malattie"),
        ("pt", "doença doenças"),
        ("nl", "ziekte ziekten"),
        ("ru", "музыка музыки музыку МУЗЫКОЙ"),
        ("sv", "sjukdom sjukdomar"),
        ("da", "sygdom sygdomme"),
        ("nb", "sang sanger"),
        ("fi", "talo talossa talot"),
        ("hu", "betegség betegségek"),
        ("tr", "hastalık HASTALIKLAR"),
        ("ro", "cântec cântece"),
        ("el", "νόσος ΝΌΣΟΥ"),
        ("ar", "مرض المرض"),
        ("hi", "बीमारी बीमारियों"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, forms: str) -> None:
    assert len(set(analyser(language).terms(forms))) == 1


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("de", "Die Ursachen des Asthmas und wie es behandelt wird", 3),
        ("fr", "Les causes de l'asthme et comment on le traite aujourd’hui", 3),
        ("es", "Las causas del asma y cómo se trata", 3),
        ("it", "Le cause dell'asma e come si cura nell’infanzia", 4),
        ("pt", "As causas da asma e como é tratada", 3),
        ("nl", "De oorzaken van astma en hoe het wordt behandeld", 3),
        ("ru", "Причины астмы и как её лечат", 3),
        ("pl", "Przyczyny astmy i jak się ją leczy", 3),
        ("tr", "Astımın nedenleri ve nasıl tedavi edildiği", 4),
        ("el", "Τα αίτια του άσθματος και πώς αντιμετωπίζεται", 3),
        ("ar", "أسباب الربو وكيف يعالج في الأطفال", 5),
    ],
)
def test_function_words_are_no_terms(language: str, text: str, left: int) -> None:
    assert len(analyser(language).terms(text)) == left


@pytest.mark.parametrize("language", LISTED)
def test_stop_words_are_listed_as_the_tokens_of_their_language(language: str) -> None:
    one = analyser(language)
    assert 100 <= len(one.stop_words) <= 420
    assert all(one.tokens(word) == [word] for word in one.stop_words)


def test_an_elided_article_is_cut_off_but_the_letter_stays() -> None:
    french = analyser("fr")
    assert french.tokens("L’asthme d'effort") == ["asthme", "effort"]
    assert french.words("la vitamine C") == ["vitamin", "c"]
    assert terms("rock'n'roll") == ["rock'n'rol"]


def test_the_turkish_i_keeps_its_dot_or_has_none() -> None:
    assert analyser("tr").tokens("ISPARTA İzmir ılık iş") == ["ısparta", "izmir", "ılık", "iş"]


def test_tags_of_one_language_share_an_analyser() -> None:
    for tags in (("fr", "fr-CA", "fra", "FRE"), ("no", "nb", "nn-NO"), ("he", "iw"), ("zh", "cmn")):
        assert len({analyser(tag) for tag in tags}) == 1
        assert {language_code(tag) for tag in tags} == {tags[0]}


def test_a_language_that_nobody_knows_has_words_as_they_are() -> None:
    unknown = analyser("xx-klingon")
    assert unknown.language == "xx"
    assert unknown.terms("The causes of asthma: 3 x") == ["the", "causes", "of", "asthma"]
    assert not unknown.stop_words
    assert find_language("xx") is None


def test_25_languages_and_more_have_stems() -> None:
    assert len(stemmed_languages()) >= 25
    assert {"en", "fr", "ru", "ar", "hi"} <= set(stemmed_languages())


@pytest.mark.parametrize("tag", ["en", "pt-BR", "zh-Hant-TW", "fra", "tlh", "x-private", "DE"])
def test_a_tag_that_may_be_a_language_is_taken(tag: str) -> None:
    assert language_problem(tag) == ""


@pytest.mark.parametrize(
    ("tag", "hint"), [("french", "fr (French)"), ("Germn", "de (German)"), ("xx", "stems for"), ("qqqq", "ISO 639")]
)
def test_a_tag_that_is_no_language_is_told_with_what_to_write(tag: str, hint: str) -> None:
    assert tag in language_problem(tag)
    assert hint in language_problem(tag)


@given(st.text(max_size=30), st.sampled_from([*LISTED, "zh", "th", "xx", ""]))
def test_terms_and_words_agree_in_every_language(text: str, language: str) -> None:
    one = analyser(language)
    assert one.terms_among(one.words(text)) == one.terms(text)
    assert sum(one.count_terms(text).values()) == len(one.terms(text))
