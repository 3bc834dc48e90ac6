from __future__ import annotations

import pytest

from semcrawl.page.page import detect_language, primary_subtag


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
