"""Whatever ends a command that writes, what was there before is whole, or the new is.

Ended by a kill at every change of a file, and by a disk that is full after so many bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.models.apprentice import load_apprentice
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.text.background import Background
from tests.cli.conftest import crawled, web, write_web  # noqa: F401 - fixtures
from tests.cli.test_mark import judged  # noqa: F401 - a fixture
from tests.models.test_model_files import a_taxonomy
from tests.started import Started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks and limits are POSIX")
COMMAND = "import json, sys; from tests.crash.forking import run; run(json.loads(sys.argv[1]))"
MOST_KILLS = 40  # after which a command must have come to its end


def run(words: tuple[str, ...], folder: Path, **how: int) -> tuple[int, str]:
    """Run a command that is ended at some moment; its exit code and what it said."""
    job = {"words": words, "folder": str(folder), **how}
    reading, writing = os.pipe()
    with os.fdopen(reading, encoding="utf-8") as said, os.fdopen(writing, "w") as there:
        process = Started(COMMAND, json.dumps(job), stdout=there, stderr=there)
        there.close()
        text = said.read()
        return process.wait(), text


@dataclass(frozen=True)
class Writer:
    """A command that writes, and how what it wrote is read: equal values, equal states."""

    words: tuple[str, ...]
    read: Callable[[Path], object]


def scores(folder: Path) -> object:
    """The scores of hubs and authorities, and that the crawl is whole."""
    with CrawlGraph.read(folder / "crawl") as graph:
        assert len(graph.query("harvest")) == 6
        asked = "SELECT ?u ?p ?s { ?u ?p ?s FILTER(?p IN (sc:hubScore, sc:authorityScore)) }"
        return sorted(map(str, graph.query(asked)))


def marks(folder: Path) -> object:
    """The marks by hand, and that the crawl is whole."""
    with CrawlGraph.read(folder / "judged") as graph:
        assert len(graph.query("harvest")) == 6
        return sorted(map(str, graph.query("analyse/marks")))


def model(folder: Path) -> object:
    """The links that a model has learnt from; None before there is one."""
    path = folder / "links.model"
    return load_apprentice(path).model.links.tolist() if path.exists() else None


def text_of(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).read_bytes() if (folder / name).exists() else None


def names_in(name: str) -> Callable[[Path], object]:
    """The files of a folder, none before it is there."""
    return lambda folder: sorted(path.name for path in (folder / name).rglob("*"))


WRITERS = {
    "export-turtle": Writer(("export", "crawl", "-o", "a.ttl"), text_of("a.ttl")),
    "export-csv": Writer(("export", "crawl", "-o", "a.csv"), text_of("a.csv")),
    "export-whole": Writer(("export", "crawl", "-o", "a.rdf", "--whole"), lambda folder: (folder / "a.rdf").exists()),
    "crate": Writer(("export", "crawl", "-o", "crate", "--crate", "--licence", "CC-BY-4.0"), names_in("crate")),
    "distill": Writer(("distill", "crawl", "--across", "pages"), scores),
    "marks": Writer(
        ("taxonomy", "mark", "pets.tax", "A"), lambda folder: sorted(map(str, Taxonomy.load(folder / "pets.tax").good))
    ),
    "mark": Writer(("mark", "judged", "http://a.test/cars", "yes", "--trust"), marks),
    "model": Writer(("train", "apprentice", "linked", "-o", "links.model", "--trust"), model),
    "background": Writer(("replay", "idf", "web", "-o", "idf"), lambda folder: len(Background.load(folder / "idf"))),
}


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of pages that all link to each other, enough to learn from."""
    place = tmp_path_factory.mktemp("linked")
    texts = [("asthma of the lungs", "cars and vans")[number % 2] for number in range(10)]
    links = "".join(f'<a href="/{number}">{text}</a>' for number, text in enumerate(texts))
    pages = {f"http://a.test/{number}": text + links for number, text in enumerate(texts)}
    replay = (str(write_web(place / "web", pages)),)
    with Crawl("keywords:asthma", ["http://a.test/0"], place / "crawl", replay=replay) as crawl:
        crawl.run()
    return place / "crawl"


@pytest.fixture
def folder(
    tmp_path: Path,
    crawled: Path,  # noqa: F811
    judged: Path,  # noqa: F811
    linked: Path,
    web: Path,  # noqa: F811
) -> Path:
    shutil.copytree(crawled, tmp_path / "crawl")
    shutil.copytree(judged, tmp_path / "judged")
    shutil.copytree(linked, tmp_path / "linked")
    shutil.copytree(web, tmp_path / "web")
    a_taxonomy().save(tmp_path / "pets.tax")
    Background.from_terms([["old"]]).save(tmp_path / "idf")
    return tmp_path


@pytest.mark.parametrize("writer", WRITERS.values(), ids=list(WRITERS))
def test_a_kill_at_any_change_of_a_file_leaves_the_old_or_the_new(folder: Path, writer: Writer) -> None:
    states = [writer.read(folder)]
    for number in range(1, MOST_KILLS):
        code, said = run(writer.words, folder, kill=number)
        states.append(writer.read(folder))
        if code == 0:
            break
        assert code == -9, said
    assert code == 0, f"not at its end after {MOST_KILLS} changes"
    assert number > 1, "no change of a file was seen"
    assert all(state in (states[0], states[-1]) for state in states)
    assert states[0] != states[-1]


@pytest.mark.parametrize("limit", [0, 60])
@pytest.mark.parametrize("writer", WRITERS.values(), ids=list(WRITERS))
def test_a_full_disk_is_said_in_a_line_and_leaves_what_was_there(folder: Path, writer: Writer, limit: int) -> None:
    before, files = writer.read(folder), {*folder.iterdir()}
    code, said = run(writer.words, folder, limit=limit)
    assert code == 1, said
    assert said.startswith("semcrawl: error: ")
    assert said.count("\n") == 1
    assert writer.read(folder) == before
    assert {*folder.iterdir()} == files
    code, said = run(writer.words, folder, kill=10_000)
    assert code == 0, said


@pytest.mark.parametrize("words", [("resume", "crawl", "--trust"), ("revisit", "crawl", "--trust")])
def test_of_two_writers_the_second_is_told_of_the_first(folder: Path, words: tuple[str, ...]) -> None:
    with CrawlGraph.open(folder / "crawl") as graph:
        before = sorted(map(str, graph.store.quads()))
        code, said = run(words, folder, kill=10_000)
        assert sorted(map(str, graph.store.quads())) == before
    assert code == 1, said
    assert "is open in" in said
