from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import Topic
from semcrawl.topics.topic import Keyword

if TYPE_CHECKING:
    from pathlib import Path


def test_keywords_are_separated_by_commas() -> None:
    topic = Topic.parse("keywords:java  programming, jvm,")
    assert topic.keywords == (Keyword("java programming"), Keyword("jvm"))
    assert topic.name == "java programming, jvm"
    assert topic.counts() == {"java": 0.5, "program": 0.5, "jvm": 1.0}


def test_concepts_give_the_topic_its_name() -> None:
    topic = Topic.parse("wordnet:disease.n.01,medicine.n.01")
    assert topic.name == "disease, medicine"
    assert [(part.id, part.weight) for part in topic.concepts] == [
        ("wordnet:disease.n.01", 1.0),
        ("wordnet:medicine.n.01", 1.0),
    ]


@pytest.mark.parametrize("spec", ["java", "java programming"])
def test_a_plain_phrase_is_refused_with_two_proposals(spec: str) -> None:
    with pytest.raises(TopicError, match=f"'keywords:{spec}' or 'wordnet:{spec}'"):
        Topic.parse(spec)


@pytest.mark.parametrize("spec", ["", "  ", "skos:x", "http://example.org/", "x.txt", "x" * 9999, "a\0.toml", "-", "."])
def test_anything_else_is_refused_with_the_forms(spec: str) -> None:
    with pytest.raises(TopicError, match=r"keywords:WORDS.*wordnet:WORD.*\.ttl or \.toml") as caught:
        Topic.parse(spec)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("spec", ["keywords:", "keywords: ,", "keywords:the", "keywords:42"])
def test_keywords_that_say_nothing_are_refused(spec: str) -> None:
    with pytest.raises(TopicError):
        Topic.parse(spec)


@pytest.mark.parametrize("ending", ["toml", "TOML"])
def test_a_path_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"cats.{ending}"
    path.write_text('\ufeffkeywords = ["cat"]', encoding="utf-8")
    assert Topic.parse(str(path)) == Topic.from_file(path) == Topic.parse("keywords:cat")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "latin.ttl").write_bytes(b"\xff\xfe\xe9")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "cats.json").write_text("{}")
    with (tmp_path / "huge.toml").open("wb") as huge:
        huge.truncate(20_000_000)
    for name in ("none.ttl", "latin.ttl", "folder.toml", "cats.json", "huge.toml"):
        with pytest.raises(TopicError, match=name):
            Topic.from_file(tmp_path / name)
