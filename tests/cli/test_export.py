from __future__ import annotations

import csv
import io
import urllib.request
from typing import TYPE_CHECKING

import click
import pytest

from semcrawl.cli.query import export as command
from semcrawl.graph.export import FORMATS
from tests.cli.conftest import Ran, write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]


def test_the_command_offers_every_format() -> None:
    [offered] = [one.type for one in command.params if one.name == "form"]
    assert isinstance(offered, click.Choice)
    assert set(offered.choices) == set(FORMATS)


def test_the_ending_of_the_file_tells_the_format(run: Run, crawled: Path, tmp_path: Path) -> None:
    assert run("export", crawled, "-o", "a.csv") == Ran(0, "4 pages written to a.csv\n", "")
    assert (tmp_path / "a.csv").read_text().startswith("url,title,relevance,")


@pytest.mark.parametrize("output", [[], ["-o", "-"]])
def test_the_screen_gets_the_same(run: Run, crawled: Path, output: list[str]) -> None:
    done = run("export", crawled, "--format", "csv", *output)
    assert done.code == 0
    assert len(list(csv.reader(io.StringIO(done.out)))) == 5


def test_an_export_without_pages_says_why(run: Run, crawled: Path, tmp_path: Path) -> None:
    done = run("export", crawled, "-o", "a.csv", "--min-relevance", 1)
    assert done == Ran(0, "0 pages written to a.csv\n", done.err)
    assert "--min-relevance" in done.err
    assert (tmp_path / "a.csv").read_text().count("\n") == 1


def test_a_device_is_written_to_and_not_replaced(run: Run, crawled: Path, tmp_path: Path) -> None:
    device = tmp_path / "device"
    device.symlink_to("/dev/null")
    assert run("export", crawled, "-o", device, "--format", "turtle").code == 0
    assert device.is_char_device()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give a file with -o FILE, or a --format"),
        (["-o", "a.doc"], "'a.doc' does not tell the format"),
        (["-o", "a.csv", "--whole"], "cannot be written as csv: choose an RDF format"),
        (["-o", "a.ttl", "--format", "word"], "'word' is not one of 'turtle'"),
        (["-o", "a.ttl", "--min-relevance", "2"], "2.0 is not in the range"),
        (["-o", "a.ttl", "--min-relevance", "nan"], "nan is no number"),
        (["-o", "a.ttl", "--licence", "mine"], "the licence 'mine' is not known"),
    ],
)
def test_misuse_is_one_line(run: Run, crawled: Path, tmp_path: Path, words: list[str], message: str) -> None:
    run("export", crawled, *words).fails(2, message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["turtle", "csv", "graphml"])
@pytest.mark.parametrize("target", ["gone/a", "file/a", "folder", "/proc/a"])
def test_a_target_that_cannot_be_written_is_a_failure(
    run: Run, crawled: Path, tmp_path: Path, target: str, form: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    run("export", crawled, "-o", target, "--format", form).fails(1, f"cannot write {target}: ")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder"]


def test_statements_that_turtle_cannot_hold_are_told(run: Run, tmp_path: Path) -> None:
    person = '<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ann</b>'
    web = write_web(tmp_path / "web", {"http://a.test/": f"<p>asthma {person}"})
    run("crawl", "wordnet:asthma", "--seed", "http://a.test/", "--replay", web, "--quiet")
    done = run("export", "asthma", "-o", "a.ttl", "--min-relevance", 0)
    assert done.err.startswith("turtle has no named graphs: 2 statements")
    assert run("export", "asthma", "-o", "a.trig", "--min-relevance", 0).err == ""


def test_a_crate_is_a_folder(run: Run, crawled: Path, tmp_path: Path) -> None:
    done = run("export", crawled, "-o", "crate", "--crate", "--licence", "CC0-1.0")
    assert done == Ran(0, "4 pages written to crate\n", "")
    assert (tmp_path / "crate" / "ro-crate-metadata.json").is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--crate", "--licence", "MIT"], "give its name with -o FOLDER"),
        (["--crate", "-o", "c", "--licence", "MIT", "--whole"], "no --format, no --whole"),
        (["--crate", "-o", "c"], "a crate needs a licence"),
        (["-o", "c.wacz"], "nothing that was fetched is kept: crawl with --warc"),
        (["-o", "c.wacz", "--whole"], "no --format, no --whole"),
    ],
)
def test_misuse_of_what_is_deposited(run: Run, crawled: Path, tmp_path: Path, words: list[str], message: str) -> None:
    run("export", crawled, *words).fails(2, message)
    assert list(tmp_path.iterdir()) == []


def test_the_graph_is_sent_to_a_server(run: Run, crawled: Path, sparql_server: str) -> None:
    done = run("export", crawled, "--to", f"{sparql_server}/update", "--into", "urn:crawl")
    assert done.code == 0
    assert done.out.endswith(f" statements sent to {sparql_server}/update\n")
    request = urllib.request.Request(
        f"{sparql_server}/store?graph=urn:crawl", headers={"Accept": "application/n-triples"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        kept = answer.read().count(b"\n")
    assert f"{kept:,} statements" == done.out.partition(" sent")[0]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--to", "http://127.0.0.1:9/store"], 1, "cannot be reached"),
        (["--to", "localhost"], 2, "is no address of a SPARQL server"),
        (["--to", "http://127.0.0.1:9/", "--into", "x y"], 2, "'x y' is no IRI"),
        (["--to", "http://127.0.0.1:9/", "-o", "a.ttl"], 2, "give only --into beside it"),
        (["--into", "urn:x"], 2, "--to ADDRESS sends the whole graph"),
    ],
)
def test_what_cannot_be_sent_is_one_line(run: Run, crawled: Path, words: list[str], code: int, message: str) -> None:
    run("export", crawled, *words).fails(code, message)


_FLU = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://x.test/c1> a skos:Concept ; skos:prefLabel "asthma"@en ."""


def test_the_file_of_the_topic_is_neither_proposed_nor_overwritten(run: Run, web: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.ttl").write_text(_FLU)
    start = ("--seed", "http://a.test/", "--replay", web, "--folder")
    assert "-o mine-pages.ttl\n" in run("crawl", "mine.ttl#asthma", *start, "mine").out
    run("export", "mine", "-o", "mine.ttl").fails(2, "the topic of the crawl is read from mine.ttl: choose another")
    assert (tmp_path / "mine.ttl").read_text() == _FLU
    assert run("export", "mine", "-o", "mine-pages.ttl").code == 0
    # One that comes with the package is not to be hidden by an export.
    assert "-o asthma-pages.ttl\n" in run("crawl", "asthma.ttl#asthma", *start, "asthma").out
    assert "-o other.ttl\n" in run("crawl", "asthma.ttl#asthma", *start, "other").out


def test_a_crate_is_no_zip_file(run: Run, crawled: Path, tmp_path: Path) -> None:
    run("export", crawled, "--crate", "-o", "a.zip", "--licence", "CC0-1.0").fails(2, "a crate is a folder", "zip it")
    assert not (tmp_path / "a.zip").exists()


def test_what_a_table_has_no_place_for_is_told(run: Run, crawled: Path) -> None:
    done = run("export", crawled, "-o", "a.csv", "--title", "Asthma")
    assert done.err == "csv has no place for --title: left out\n"
    assert run("export", crawled, "-o", "a.ttl", "--title", "Asthma").err == ""
