from __future__ import annotations

import pytest

from semcrawl.topics import wordnet
from semcrawl.topics.wordnet import Morphology


@pytest.mark.parametrize(
    ("word", "pos", "base"),
    [
        ("dogs", None, "dog"),
        ("churches", None, "church"),
        ("aardwolves", None, "aardwolf"),
        ("abaci", None, "abacus"),
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
def test_base_forms(word: str, pos: str | None, base: str | None) -> None:
    assert wordnet().morphy(word, pos) == base


def test_a_word_in_the_exception_list_is_not_cut_by_rules() -> None:
    morphology = Morphology(["n axes ax axis"], lambda word, pos: word in ("ax", "axe", "axis"))
    assert morphology.base_forms("axes", "n") == ["ax", "axis"]
