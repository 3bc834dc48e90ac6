from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.cli.screen import harmless, one_line


@given(st.text())
def test_no_control_character_gets_through(text: str) -> None:
    shown = harmless(text)
    assert len(shown) == len(text)
    assert {c for c in shown if unicodedata.category(c) == "Cc"} <= {"\n"}


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


def test_the_direction_of_a_line_cannot_be_turned() -> None:
    assert harmless("a\u202egnp.exe") == "a\ufffdgnp.exe"


def test_letters_of_all_scripts_stay() -> None:
    assert harmless("Asthma café 喘息 الربو") == "Asthma café 喘息 الربو"
