from __future__ import annotations

import pytest

from semcrawl.page import read_html
from semcrawl.page.page import detect_language, primary_subtag

URL = "http://a.test/"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en", "en"),
        (" EN-gb ", "en"),
        ("zh-Hant-TW", "zh"),
        ("pt_BR", "pt"),
        ("nds", "nds"),
        ("en, de", None),
        ("english", None),
        ("x-default", None),
        ("", None),
        (None, None),
        ("<script>", None),
    ],
)
def test_primary_subtag_of_what_pages_declare(tag: str | None, language: str | None) -> None:
    assert primary_subtag(tag) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The lungs are the main organs of breathing in many animals, including us.", "en"),
        ("Les poumons sont les organes principaux de la respiration chez l'homme.", "fr"),
        ("肺は空気呼吸を行う脊椎動物が持つ呼吸器官であり、胸の中に左右一対ある。", "ja"),
        ("The lungs\nare the main organs\nof breathing in many animals", "en"),
        ("ok", None),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25", None),
        ("", None),
    ],
)
def test_language_is_guessed_where_there_are_words_enough(text: str, language: str | None) -> None:
    assert detect_language(text) == language


def test_only_the_beginning_of_a_text_is_looked_at() -> None:
    english = "The lungs are the main organs of breathing in many animals. " * 20
    assert detect_language(english + "Die Lunge ist ein Organ der Atmung. " * 500) == "en"


RUSSIAN = "<p>Астма и аллергия: причины болезней и лечение детей в больнице"
FRENCH = "<p>Les maladies de l'appareil respiratoire chez les enfants et leurs traitements"


def test_a_page_is_read_in_the_only_language_of_the_topic() -> None:
    page = read_html("<html lang=en>" + FRENCH, URL, languages=("fr-CA",))
    assert page.reading_language == "fr"
    assert page.terms["malad"] == 1
    assert "appareil" in page.terms


@pytest.mark.parametrize(
    ("html", "language"),
    [
        (RUSSIAN, "ru"),
        (FRENCH, "fr"),
        ("<html lang=ru-RU>" + FRENCH, "ru"),  # what is declared goes first
        ("<html lang=rus><p>1", "ru"),
        ("<html lang=de>" + RUSSIAN, "ru"),  # none of the topic's
        ("<p>Die Krankheiten der Atemwege bei Kindern und ihre Behandlung", "fr"),
        ("<p>?", "fr"),
    ],
)
def test_of_several_languages_the_pages_own_is_taken_else_the_first(html: str, language: str) -> None:
    assert read_html(html, URL, languages=("fr", "ru")).reading_language == language


def test_terms_words_and_links_of_a_page_are_in_its_language() -> None:
    page = read_html(RUSSIAN + " 2 <a href=x>болезни</a>", URL, languages=("ru",))
    assert page.word_sequence[-2:] == ["2", "болезн"]
    assert page.term_sequence == [word for word in page.word_sequence if word != "2"]
    assert page.terms["болезн"] == 2
    assert ("болезн", 0) in page.offsets(page.links[0])


def test_terms_are_the_same_whatever_was_asked_for_first() -> None:
    counted, ordered, spelled = (read_html(FRENCH, URL, languages=("fr",)) for _ in range(3))
    _ = ordered.term_sequence, spelled.word_sequence
    assert counted.terms == ordered.terms == spelled.terms
    assert ordered.term_sequence == spelled.term_sequence


def test_a_page_can_be_read_in_other_languages() -> None:
    page = read_html(FRENCH, URL)
    assert page.read_in(("en",)) is page
    assert page.read_in(("fr",)).terms != page.terms
