from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.cli.screen import harmless, harmless_json, one_line
from tests.cli.conftest import write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran


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


@given(st.text())
def test_harmless_json_says_the_same(text: str) -> None:
    shown = harmless_json(json.dumps([text], ensure_ascii=False, indent=1))
    assert json.loads(shown) == [text]
    assert {c for c in shown if unicodedata.category(c) == "Cc"} <= {"\n"}


def test_json_of_commands_says_what_a_page_said_and_steers_no_terminal(run: Callable[..., Ran], tmp_path: Path) -> None:
    title = "asthma \x9b31m\u202e\x7f"
    web = write_web(tmp_path / "web", {"http://a.test/": f"<title>{title}</title>asthma"})
    words = ["crawl", "wordnet:asthma", "--seed", "http://a.test/", "--folder", "c", "--json"]
    told = run(*words, "--replay", web).out
    assert title in [json.loads(line).get("title") for line in told.splitlines()]
    for more in (("query", "c", "best-pages"), ("explain", "c", "http://a.test/")):
        told += run(*more, "--format", "json").out
    assert not {*told} & {"\x9b", "\u202e", "\x7f"}
