from __future__ import annotations

import pytest

from semcrawl.topics import wordnet


@pytest.mark.parametrize(
    ("word", "pos", "base"),
    [
        ("dogs", "n", "dog"),
        ("churches", "n", "church"),
        ("aardwolves", "n", "aardwolf"),
        ("abaci", "n", "abacus"),
        ("Banks", "v", "bank"),
        ("ran", "v", "run"),
        ("hotter", "a", "hot"),
        ("hotter", "s", "hot"),
        ("book", "n", "book"),
        ("book", "a", None),
        ("hardrock", "r", None),
        ("governors general", "n", "governor general"),
    ],
)
def test_base_forms(word: str, pos: str, base: str | None) -> None:
    assert next(iter(wordnet().base_forms(word, pos)), None) == base


def test_a_word_in_the_exception_list_is_not_cut_by_rules() -> None:
    assert wordnet().base_forms("axe", "n") == ["axe"]
    assert wordnet().base_forms("axes", "n") == ["ax", "axis"]
