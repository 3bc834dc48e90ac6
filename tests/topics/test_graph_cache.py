"""Graphs in the user's cache: found again, never trusted when anything has changed."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from semcrawl import user_cache
from semcrawl.errors import TopicError
from semcrawl.topics import ontology as reading
from semcrawl.topics import ontology_files, reasoning
from semcrawl.topics.class_expressions import Named
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.reasoning import kinds_of

from .conftest import PREFIXES, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from semcrawl.topics.file_graph import FileGraph

BEES = ROOT / "ontologies" / "beekeeping.ttl"
O = "http://example.org/o#"  # noqa: E741 - as short as the prefix that it stands for


@pytest.fixture(autouse=True)
def home(no_cache: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, in which small files are kept too."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.delenv("SEMCRAWL_CACHE", raising=False)
    monkeypatch.setattr(reading, "SMALLEST", 0)
    return folder / "semcrawl" / "ontologies"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files or folders that were parsed, one after the other."""
    found: list[str] = []
    parse = ontology_files.add_files

    def add_files(place: Path, *rest: object) -> list[Path]:
        found.append(place.name)
        return parse(place, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(ontology_files, "add_files", add_files)
    return found


def read(path: Path, **options: object) -> FileGraph:
    """Read as another process would."""
    reading._read.cache_clear()
    return read_ontology(path, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["beekeeping.ttl", "asthma.ttl"])
def test_the_second_graph_is_as_the_first(name: str, parsed: list[str]) -> None:
    path = ROOT / "ontologies" / name
    first, second = read(path), read(path)
    assert parsed == [name]
    assert list(second) == list(first)
    for concept in first:
        assert second.labels(concept) == first.labels(concept)
        assert second.broader(concept) == first.broader(concept)
        assert second.narrower(concept) == first.narrower(concept)
        assert second.relations(concept) == first.relations(concept)
    assert second.find("varroa mite") == first.find("varroa mite")
    assert second.notes.axioms == first.notes.axioms
    for part in ("path", "files", "problems", "tops", "mappings", "notations", "properties"):
        assert getattr(second.notes, part) == getattr(first.notes, part)


def test_other_content_and_other_settings_have_entries_of_their_own(
    ontology: Callable[..., Path], parsed: list[str]
) -> None:
    path = ontology(":A a owl:Class .")
    read(path)
    read(path, language="de")
    ontology(":B a owl:Class .")
    assert list(read(path)) == [f"{O}B"]
    assert len(parsed) == 3


def test_a_changed_or_new_import_is_read(ontology: Callable[..., Path], tmp_path: Path, parsed: list[str]) -> None:
    path = ontology("<http://a.test/main> owl:imports <http://a.test/other> . :A a owl:Class .")
    assert len(read(path)) == len(read(path)) == 1
    for label in ("one", "two"):
        (tmp_path / "other.ttl").write_text(PREFIXES + f':B a owl:Class ; rdfs:label "{label}" .')
        assert read(path).label(f"{O}B") == read(path).label(f"{O}B") == label
    assert len(parsed) == 3


@pytest.mark.parametrize("damage", [b"", b"SCCACHE\n", b"x" * 100])
def test_a_damaged_entry_is_made_anew(home: Path, parsed: list[str], damage: bytes) -> None:
    read(BEES)
    [entry] = home.iterdir()
    whole = entry.read_bytes()
    for data in (damage, whole[:-1], whole[:60] + b"?" + whole[61:], whole + b"!"):
        entry.write_bytes(data)
        parsed.clear()
        assert read(BEES)
        assert parsed == ["beekeeping.ttl"]
        assert entry.read_bytes() == whole


def test_an_entry_of_another_kind_is_not_used(home: Path, parsed: list[str]) -> None:
    read(BEES)
    [entry] = home.iterdir()
    for content in (b"\x90", b"\xc1", b"\x81\xa1a\x01"):
        user_cache.store_entry(home, entry.name, content)
        parsed.clear()
        assert read(BEES)
        assert parsed


def test_the_cache_is_the_users_own(home: Path, parsed: list[str]) -> None:
    read(BEES)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    home.chmod(0o777)
    read(BEES)
    assert len(parsed) == 2


def test_the_cache_can_be_turned_off(home: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMCRAWL_CACHE", "off")
    assert read(BEES)
    assert read(BEES)
    assert len(parsed) == 2
    assert not home.exists()


def test_a_cache_that_cannot_be_written_is_done_without(home: Path) -> None:
    home.parent.parent.write_text("a file where the folder should be")
    assert read(BEES)


def test_small_files_are_not_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SMALLEST", 10_000_000)
    read(BEES)
    assert not home.exists()


def test_the_oldest_entries_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_cache, "LARGEST", 1_000)
    for number, key in enumerate("abcd"):
        user_cache.store_entry(tmp_path / "x", key, key.encode() * 250)
        os.utime(tmp_path / "x" / key, (number, number))
    assert bytes(user_cache.load_entry(tmp_path / "x", "b") or b"") == b"b" * 250
    user_cache.store_entry(tmp_path / "x", "e", b"e" * 250)
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == ["b", "d", "e"]
    user_cache.store_entry(tmp_path / "x", "large", b"x" * 2_000)
    assert user_cache.load_entry(tmp_path / "x", "large") is None


@pytest.mark.usefixtures("needs_java")
def test_what_was_inferred_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    brood = "https://w3id.org/semcrawl/beekeeping#BroodDisease"
    first = read(BEES, reason=True)
    kinds = kinds_of(Named(brood), [BEES])
    monkeypatch.setattr(reasoning, "infer", None)
    monkeypatch.setattr(reading, "infer", None)
    again = read(BEES, reason=True)
    assert again.narrower(brood) == first.narrower(brood) != []
    assert kinds_of(Named(brood), [BEES]) == kinds


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.owl")
    with pytest.raises(TopicError, match="no regular file"):
        read(tmp_path / "pipe.owl", reason=True)
