"""``semcrawl validate``, on what the demo makes and on what was spoilt since."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from semcrawl.demo.run import run_demo
from tests.cli.conftest import Ran

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]

pytest.importorskip("pyshacl", reason="pyshacl is not installed: extra 'validate'")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small demo."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    run_demo(folder, 20, lambda _: None)
    return folder


@pytest.mark.parametrize("name", ["adaptive", "best-first-page-anchor", "breadth-first"])
def test_the_crawls_of_the_demo_are_valid(run: Run, demo: Path, name: str) -> None:
    assert run("validate", demo / name) == Ran(0, "a valid crawl graph of 20 pages\n", "")


@pytest.mark.parametrize("ending", ["ttl", "nt", "nq", "trig", "jsonld", "rdf"])
def test_the_collection_of_the_demo_is_valid(run: Run, demo: Path, ending: str) -> None:
    about = ("--creator", "Ann", "--licence", "MIT", "--contact", "https://a.test/")
    pages = run("export", demo / "adaptive", "-o", f"a.{ending}", *about).out.partition(" written")[0]
    assert run("validate", f"a.{ending}") == Ran(0, f"a valid collection of {pages}\n", "")


def test_the_whole_graph_and_a_crate_are_valid(run: Run, demo: Path) -> None:
    run("export", demo / "adaptive", "-o", "all.nq", "--whole")
    assert run("validate", "all.nq").out == "a valid crawl graph of 20 pages\n"
    run("export", demo / "adaptive", "-o", "crate", "--crate", "--licence", "MIT")
    assert run("validate", "crate").out.startswith("a valid collection of ")


def test_a_collection_without_pages_is_valid(run: Run, demo: Path) -> None:
    run("export", demo / "adaptive", "-o", "a.ttl", "--min-relevance", 1)
    assert run("validate", "a.ttl") == Ran(0, "a valid collection of 0 pages\n", "")


def test_the_report_names_the_page_and_what_is_wrong(run: Run, demo: Path, tmp_path: Path) -> None:
    run("export", demo / "adaptive", "-o", "a.ttl")
    text = (tmp_path / "a.ttl").read_text(encoding="utf-8")
    lines = text.splitlines()
    place = next(n for n, line in enumerate(lines) if "sc:Page ;" in line)
    page = lines[place].partition(" ")[0].strip("<>")
    end = next(n for n in range(place, len(lines)) if "sc:relevance" in lines[n])
    lines[end] = "\tsc:relevance 1.5 ;"
    lines[place:end] = [line for line in lines[place:end] if "sc:depth" not in line]
    (tmp_path / "a.ttl").write_text("\n".join(lines), encoding="utf-8")
    done = run("validate", "a.ttl")
    assert done.code == 1
    assert f"{page}\n  sc:depth: is missing\n  sc:relevance: '1.5' is more than '1.0'\n" in done.out
    assert done.out.splitlines()[-1].startswith("2 violations in a collection of ")
    assert run("validate", "a.ttl", "--quiet") == Ran(1, "", "")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ttl", "junk", "a.ttl cannot be read as turtle"),
        ("a.jsonld", "{", "a.jsonld cannot be read as jsonld"),
        ("a.csv", "url\n", "a.csv does not tell its format"),
        ("a.nt", "<http://a/> <http://a/> <http://a/> .", "no sc:Crawl and no sc:Collection"),
        ("gone.ttl", None, "cannot read gone.ttl"),
        ("nowhere", None, "nowhere is not there"),
    ],
)
def test_what_cannot_be_checked_is_misuse(
    run: Run, tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    run("validate", name).fails(2, message)


def test_a_folder_without_a_crawl_is_misuse(run: Run, tmp_path: Path) -> None:
    run("validate", tmp_path).fails(2, "no crawl")


def test_without_pyshacl_it_says_how_to_get_it(run: Run, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)
    run("validate", demo / "adaptive").fails(2, "pip install 'semcrawl[validate]'")


def test_values_that_are_none_are_told_and_steer_no_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "forged.ttl"
    file.write_text(
        "@prefix sc: <https://w3id.org/semcrawl/ns#> .\n"
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        '<urn:c> a sc:Crawl ; sc:threshold "much"^^xsd:decimal .\n'
        r'<urn:p> a sc:Page ; sc:fetchedAt "\u001B[31m\u009B31m\u202E"^^xsd:dateTime .'
    )
    found = run("validate", file)
    assert (found.code, found.err) == (1, "")
    assert "sc:threshold: 'much' is no xsd:decimal" in found.out
    assert "sc:fetchedAt" in found.out
    assert not {*found.out} & {"\x1b", "\x9b", "\u202e"}
