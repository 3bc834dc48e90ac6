from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from semcrawl import Topic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


def test_the_senses_of_a_word_are_listed_to_pick_one(run: Run) -> None:
    done = run("topic", "wordnet:bank")
    assert done.out.startswith("bank has 18 senses:\n")
    assert "wordnet:depository_financial_institution.n.01\n" in done.out
    assert done.out.endswith("Pick one:  semcrawl crawl wordnet:bank.n.01 …\n")


def test_the_senses_as_json(run: Run) -> None:
    senses = json.loads(run("topic", "wordnet:bank", "--as", "json").out)
    assert len(senses) == 18
    assert senses[0]["id"] == "wordnet:bank.n.01"


def test_one_sense_is_shown_with_its_words_and_weights(run: Run) -> None:
    lines = run("topic", "wordnet:asthma").out.splitlines()
    assert lines[0] == "asthma"
    assert "    words  asthma, asthma attack, bronchial asthma" in lines
    assert any(line.startswith("bronchial asthma") and line.endswith(" 1") for line in lines)


@pytest.mark.parametrize(("form", "name"), [("toml", "a.toml"), ("turtle", "a.ttl")])
def test_a_topic_is_written_as_a_file_to_start_from(
    run: Run, tmp_path: Path, form: str, name: str
) -> None:
    (tmp_path / name).write_text(run("topic", "wordnet:asthma", "--as", form).out)
    assert Topic.parse(str(tmp_path / name)) == Topic.parse("wordnet:asthma")
    assert run("topic", name).out.splitlines()[0] == "asthma"


def test_keywords_as_json(run: Run) -> None:
    shown = json.loads(run("topic", "keywords:first aid", "--as", "json").out)
    assert shown["name"] == "first aid"
    assert shown["labels"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["wordnet:asthmma"], "did you mean asthma"),
        (["wordnet:asthma.n.09"], "has no sense 'asthma.n.09'"),
        (["wordnet:bank", "--as", "toml"], "'bank' has 18 senses in WordNet; say which"),
        (["wordnet:"], "names no word"),
        (["keywords:"], "is followed by no word"),
        (["keywords:the"], "stop words"),
        ([""], "'' is no topic"),
        (["gone.ttl"], "cannot read the topic file gone.ttl"),
        (["keywords:first", "aid"], "unexpected extra argument (aid)"),
    ],
)
def test_what_is_no_topic_is_one_line(run: Run, words: list[str], message: str) -> None:
    run("topic", *words).fails(2, message)
