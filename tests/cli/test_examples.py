from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


def test_examples_are_listed_with_what_they_show(run: Run) -> None:
    lines = run("examples").out.splitlines()
    assert any(line.startswith("examples/patience.rq ") and "Patience" in line for line in lines)
    assert any(line.startswith("ontologies/asthma.ttl ") and "asthma" in line for line in lines)
    # Every file says itself what it is.
    assert all(len(line.split()) > 1 for line in lines)


def test_examples_are_copied_all_or_by_name(run: Run, tmp_path: Path) -> None:
    assert run("examples", "patience.rq", "asthma.ttl", "--copy", "new").out == (
        "2 files copied to new/examples, new/ontologies\n"
    )
    assert (tmp_path / "new" / "examples" / "patience.rq").is_file()
    assert (tmp_path / "new" / "ontologies" / "asthma.ttl").is_file()
    run("examples", "--copy", ".")
    assert (tmp_path / "examples" / "lab" / "demo-classic.toml").is_file()
    again = run("examples", "asthma.ttl", "--copy", ".").out
    assert again == "0 files copied to ontologies, 1 there already\n"


def test_a_file_of_the_user_is_never_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "patience.rq").write_text("mine")
    run("examples", "--copy", ".").fails(2, "examples/patience.rq is there already")
    assert not (tmp_path / "ontologies").exists()


def test_what_is_no_example_is_one_line(run: Run, tmp_path: Path) -> None:
    run("examples", "nope").fails(2, "no example is called 'nope'; 'semcrawl examples' lists them")
    (tmp_path / "file").touch()
    run("examples", "--copy", "file").fails(2, "cannot copy to file")


def test_a_file_of_the_user_is_taken_before_the_shipped_one(run: Run, tmp_path: Path) -> None:
    shipped = run("topic", "asthma.ttl#asthma")
    assert "bronchial asthma" in shipped.out
    assert shipped.err == "note: there is no asthma.ttl here; this is the one of semcrawl\n"
    (tmp_path / "asthma.ttl").write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<http://x.test/asthma> a skos:Concept ; skos:prefLabel "household asthma"@en .\n'
    )
    mine = run("topic", "asthma.ttl#asthma")
    assert mine.out.startswith("household asthma\n")
    assert mine.err == ""
