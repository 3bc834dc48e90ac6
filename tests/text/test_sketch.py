from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.text.terms import ENGLISH
from semcrawl.text.vectors import BANDS
from semcrawl.text.vectors import bands as bands_of

WORDS = st.lists(st.text("abcäöß", min_size=3, max_size=8), min_size=1, max_size=60)


def bands(words: list[str]) -> tuple[str, ...]:
    return bands_of(ENGLISH.number(words))


def test_a_known_sketch() -> None:
    """Other values here would part the pages of old crawls from those of new ones."""
    assert bands(["asthma", "lung"]) == (
        "0:5d9cdec04a0a",
        "1:4c061c70eae3",
        "2:e5e5c5f502f1",
        "3:89f9cd26b662",
        "4:b7bc135b1661",
        "5:350bc8f39573",
        "6:a7cbacf04735",
        "7:88bebc9280f5",
    )


@given(WORDS, st.randoms())
def test_the_order_and_number_of_words_do_not_matter(words: list[str], random: object) -> None:
    shuffled = words * 2
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert bands(shuffled) == bands(words)
    assert len(set(bands(words))) == BANDS


@given(WORDS)
def test_texts_without_a_common_word_share_no_band(words: list[str]) -> None:
    others = [f"{word}x" for word in set(words)]
    if not set(words) & set(others):
        assert not set(bands(words)) & set(bands(others))


@given(st.integers(0, 10_000))
def test_texts_that_differ_in_one_word_of_two_hundred_share_bands(start: int) -> None:
    words = [f"w{start + number}" for number in range(200)]
    assert len(set(bands(words)) & set(bands([*words[1:], "other"]))) >= BANDS // 2


def test_texts_that_share_half_of_their_words_seldom_share_a_band() -> None:
    def text(number: int, own: str) -> list[str]:
        common = [f"c{number}-{word}" for word in range(200)]
        return common + [f"{own}{number}-{word}" for word in range(100)]

    met = sum(bool(set(bands(text(n, "a"))) & set(bands(text(n, "b")))) for n in range(200))
    assert met < 20  # 0.03 of them are to be expected


@given(WORDS.map(" ".join))
def test_a_text_has_the_bands_of_its_terms(written: str) -> None:
    assert bands_of(ENGLISH.read(written)) == bands(ENGLISH.terms(written))


def test_no_words_no_bands() -> None:
    assert bands([]) == ()


@pytest.mark.parametrize("seed", ["0", "1234"])
def test_every_process_makes_the_same_bands(seed: str) -> None:
    code = "from tests.text.test_sketch import bands; print(*bands(list({'asthma', 'lung', 'Straße'})))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    assert tuple(done.stdout.split()) == bands(["lung", "Straße", "asthma"])
