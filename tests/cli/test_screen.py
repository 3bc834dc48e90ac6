from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import unicodedata
from contextlib import suppress
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


def on_terminal(words: list[str]) -> str:
    leader, follower = pty.openpty()
    told = b""
    code = "from semcrawl.cli.main import main; main()"
    with subprocess.Popen([sys.executable, "-c", code, *words], stdout=follower) as command:
        os.close(follower)
        with suppress(OSError):  # what the end of a terminal is
            while piece := os.read(leader, 1 << 16):
                told += piece
        os.close(leader)
    assert command.returncode == 0
    return told.decode()


def test_what_is_for_programs_steers_no_terminal_either(run: Callable[..., Ran], tmp_path: Path) -> None:
    title = "asthma \x9b31m\u202e\x1b[31m"
    policy = tmp_path / "mine.rq"
    policy.write_text(f"# Mine {title}.\n# @every 5\nSELECT ?url ?priority {{ ?url sc:priority ?priority }}", "utf-8")
    web = write_web(tmp_path / "web", {"http://a.test/": f"<title>{title}</title>asthma"})
    run("crawl", "wordnet:asthma", "--seed", "http://a.test/", "--folder", "c", "--replay", web)
    commands = [
        *(["query", "c", "best-pages", "--format", form] for form in ("csv", "tsv", "xml")),
        ["query", "c", "CONSTRUCT WHERE { ?s dcterms:title ?o }"],
        *(["export", "c", "--format", form] for form in ("csv", "turtle")),
        ["policy", "show", str(policy)],
        ["topic", "keywords:asthma \u202e"],
        ["topic", "keywords:asthma \u202e", "--as", "toml"],
    ]
    shown = {" ".join(words): on_terminal(words) for words in commands}
    assert all("asthma" in text and "\ufffd" in text for text in shown.values()), shown
    assert not {*"".join(shown.values())} & {"\x9b", "\u202e", "\x1b"}
