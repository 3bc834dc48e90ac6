from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.pack_wordnet import Prose, Steps, pack_columns
from semcrawl.topics.wordnet import ColumnFile, ColumnFileError

NUMBERS = st.lists(st.integers(-(2**31) + 1, 2**31 - 1), max_size=30)
WORDS = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=5)


@given(NUMBERS, st.lists(st.integers(0, 2**30)), st.binary(), st.lists(WORDS, min_size=1))
def test_columns_come_back_as_they_were(ints: list[int], steps: list[int], small: bytes, texts: list[str]) -> None:
    data = pack_columns({"ints": ints, "steps": Steps(steps), "small": small, "texts": texts, "prose": Prose(texts)})
    file = ColumnFile(data)
    assert file.ints("ints").tolist() == ints
    assert file.ints("steps").tolist() == steps
    assert file.small_ints("small").tobytes() == small
    assert file.texts("texts") == file.texts("prose") == texts


def test_the_same_columns_give_the_same_bytes() -> None:
    assert pack_columns({"a": [1, 2], "b": ["x"]}) == pack_columns({"a": [1, 2], "b": ["x"]})


def test_every_damaged_byte_is_noticed() -> None:
    data = pack_columns({"a": [1, 2, 3], "b": ["x", "y"]})
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x20
        with pytest.raises(ColumnFileError):
            ColumnFile(bytes(damaged))


def test_every_cut_is_noticed() -> None:
    data = pack_columns({"a": [1, 2, 3]})
    for size in range(len(data)):
        with pytest.raises(ColumnFileError):
            ColumnFile(data[:size])


def test_a_missing_column_and_a_wrong_kind_are_said() -> None:
    file = ColumnFile(pack_columns({"a": [1]}))
    with pytest.raises(ColumnFileError, match="'b'"):
        file.ints("b")
    with pytest.raises(ColumnFileError, match="text"):
        file.texts("a")


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="31 bits"):
        pack_columns({"a": [2**31]})
