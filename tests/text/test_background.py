from __future__ import annotations

import gzip
from math import log
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, StoreError
from semcrawl.text import Background
from semcrawl.text.background import GrowingBackground

if TYPE_CHECKING:
    from pathlib import Path


def test_a_document_counts_once_however_often_it_has_a_term() -> None:
    background = Background.from_texts(["cat cat cats", "a dog", "cat and dog", ""])
    assert (background.documents, background.df("cat"), background.df("dog")) == (4, 2, 2)
    assert background.idf("cat") == pytest.approx(log(2))


def test_an_unseen_term_is_as_rare_as_one_seen_once() -> None:
    background = Background.from_texts(["cat", "dog", "dog"])
    assert "unseen" not in background
    assert background.idf("unseen") == background.idf("cat") == pytest.approx(log(3))


def test_an_empty_background_gives_no_weight() -> None:
    assert Background.from_texts([]).idf("cat") == 0.0


def test_the_shipped_table_is_of_all_wordnet_and_read_once() -> None:
    background = Background.default()
    assert background is Background.default()
    assert background.documents == 117_659
    assert len(background) > 60_000


def test_the_shipped_table_tells_rare_words_from_common_ones() -> None:
    background = Background.default()
    assert background.idf("asthma") > background.idf("diseas") > background.idf("person")
    assert background.idf("the") == background.idf("qqqq")  # stop words are not in the table


def test_saving_and_loading_keeps_the_table(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv.gz"
    Background.from_counts({"first aid": 2, "ärzt": 1}, documents=7).save(path)
    loaded = Background.load(path)
    assert (loaded.documents, loaded.df("first aid"), loaded.df("ärzt")) == (7, 2, 1)
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.tsv.gz"]


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    Background.from_counts({"a": 1, "b": 2}, documents=3).save(tmp_path / "1")
    Background.from_counts({"b": 2, "a": 1}, documents=3).save(tmp_path / "2")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@given(
    st.dictionaries(st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"])), st.integers(1, 50))
)
def test_any_table_survives_the_file(tmp_path_factory: pytest.TempPathFactory, df: dict[str, int]) -> None:
    path = tmp_path_factory.mktemp("tables") / "t"
    Background.from_counts(df, documents=50).save(path)
    loaded = Background.load(path)
    assert {term: loaded.df(term) for term in df} == df
    assert len(loaded) == len(df)


def packed(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not gzip at all",
        packed(""),
        packed("some other file\n"),
        packed("semcrawl-background\t2\ndocuments\t3\na\t1\n"),
        packed("semcrawl-background\t1\n"),
        packed("semcrawl-background\t1\ndocuments\tmany\na\t1\n"),
        packed("semcrawl-background\t1\ndocuments\t3\na\tb\n"),
        packed("semcrawl-background\t1\ndocuments\t3\na\n"),
        packed("semcrawl-background\t1\ndocuments\t3\na\t9\n"),
        packed("semcrawl-background\t1\ndocuments\t3\na\t0\n"),
        packed("semcrawl-background\t1\ndocuments\t3\na\t1\n")[:-5],
        gzip.compress(b"semcrawl-background\t1\ndocuments\t3\n\xff\t1\n", mtime=0),
    ],
)
def test_a_bad_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.gz"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=r"bad\.gz|background of 3 documents"):
        Background.load(path)


def test_a_missing_file_and_an_unwritable_place_are_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        Background.load(tmp_path / "none")
    with pytest.raises(StoreError, match="cannot write"):
        Background.from_texts(["a cat"]).save(tmp_path / "no" / "such" / "folder")


@pytest.mark.parametrize(
    ("df", "documents"), [({"a": 3}, 2), ({"a": 0}, 2), ({}, -1), ({"a\tb": 1}, 2), ({"a": 1}, 10**400)]
)
def test_impossible_counts_are_refused(df: dict[str, int], documents: int) -> None:
    with pytest.raises(ConfigError):
        Background.from_counts(df, documents)


def test_a_growing_background_changes_at_powers_of_two_and_keeps_its_mapping() -> None:
    background = GrowingBackground()
    idfs, versions = background.idfs, []
    for _ in range(9):
        background.add(["cat", "dog"])
        versions.append(background.version)
    assert versions == [1, 2, 2, 3, 3, 3, 3, 4, 4]
    assert background.idfs is idfs
    assert (background.documents, background.df("cat")) == (8, 8)


def test_a_growing_background_is_never_zero_and_knows_rare_from_common() -> None:
    background = GrowingBackground([["cat"]])
    assert 0 < background.idf("cat") < background.idf("dog")
    for number in range(64):
        background.add(["cat", "dog", f"name{number}"])
    assert 0 < background.idf("cat") <= background.idf("dog") < background.idf("name1")
    assert background.idf("name1") < background.idf("unseen")


def test_a_growing_background_is_full_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GrowingBackground, "most", 3)
    background = GrowingBackground()
    for _ in range(10):
        background.add(["cat"])
    assert background.is_full
    assert (background.documents, background.version) == (3, 3)


def test_one_background_for_several_languages_leaves_the_shipped_one_alone() -> None:
    russian = GrowingBackground()
    both = Background.of_languages({"en": Background.default(), "ru": russian})
    assert both.of("ru-RU") is russian
    assert both.of("eng") is both
    assert both.idf("asthma") == Background.default().idf("asthma")
    assert Background.default().of("ru") is Background.default()


def test_long_terms_are_looked_through_once() -> None:
    # Hours if each letter were tried as the first before a tab.
    assert Background.from_counts({"a" * 2_000_000: 1}, 2).df("a") == 0
    with pytest.raises(ConfigError, match=r"'b\\tc' holds a tab"):
        Background.from_counts({"a" * 2_000_000: 1, "b\tc": 1}, 2)
