"""At a terminal a person is asked what an ambiguous name means; elsewhere it is an error."""

from __future__ import annotations

import os
import pty
from contextlib import chdir
from typing import TYPE_CHECKING

import pytest

from tests.started import COMMAND, Started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://example.org/> .
:island a skos:Concept ; skos:prefLabel "Java"@en ; skos:broader :place .
:language a skos:Concept ; skos:prefLabel "java"@en .
:place a skos:Concept ; skos:prefLabel "place"@en .
"""


def answered(folder: Path, answer: str, *words: str) -> tuple[int, str, str]:
    """Run a command at a terminal, answer its question; exit code, output, what was asked."""
    person, terminal = pty.openpty()
    with chdir(folder):
        command = Started(COMMAND, *words, stdin=terminal, stderr=terminal)
    os.close(terminal)
    with command:
        asked = b""
        while not asked.rstrip().endswith(b"or a name:"):
            asked += os.read(person, 4096)
        os.write(person, "".join(f"{line}\n" for line in answer.split()).encode())
        out, _ = command.communicate(timeout=60)
    os.close(person)
    return command.wait(), out, asked.decode()


def test_a_person_chooses_a_sense_by_its_number(tmp_path: Path) -> None:
    code, out, asked = answered(tmp_path, "2", "topic", "wordnet:asthma, bank", "--as", "toml")
    assert code == 0
    assert "'bank' has 18 senses in WordNet. Which one?" in asked
    assert "  3  bank.n.03  a long ridge or pile" in asked
    assert "  All: 'semcrawl topic wordnet:bank --all'" in asked
    assert '"wordnet:depository_financial_institution.n.01" = 1.0' in out
    assert '"wordnet:asthma.n.01" = 1.0' in out


def test_a_number_that_is_not_in_the_list_is_asked_for_again(tmp_path: Path) -> None:
    code, out, _ = answered(tmp_path, "99 0 3", "topic", "wordnet:bank", "--as", "toml")
    assert (code, '"wordnet:bank.n.03"' in out) == (0, True)


def test_a_person_names_a_sense_that_is_not_in_the_short_list(tmp_path: Path) -> None:
    code, out, _ = answered(tmp_path, "bank.n.09", "topic", "wordnet:bank", "--as", "toml")
    assert (code, '"wordnet:bank.n.09"' in out) == (0, True)


def test_a_person_chooses_a_concept_of_an_ontology(tmp_path: Path) -> None:
    (tmp_path / "j.ttl").write_text(TURTLE)
    code, out, asked = answered(tmp_path, "1", "topic", "j.ttl#JAVA", "--as", "toml")
    assert (code, "j.ttl#<http://example.org/island>" in out) == (0, True)
    assert "  1  island  place > Java" in asked


@pytest.mark.parametrize("command", ["crawl", "sites"])
def test_nobody_is_asked_where_there_is_no_terminal(run: Run, command: str) -> None:
    done = run(command, "wordnet:bank", "--seed", "http://a.test/")
    done.fails(2, "has 18 senses", "bank.n.01 (sloping land", "semcrawl topic wordnet:bank")


def test_a_file_that_may_be_meant_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "java.ttl").write_text(TURTLE)
    run("topic", "java").fails(2, "did you mean 'java.ttl' or 'keywords:java' or 'wordnet:java'?")
    (tmp_path / "terms.csv").write_text("java,island\n")
    refused = run("topic", "terms.csv")
    refused.fails(2, "'terms.csv' is no topic: its format is not read; RDF (.ttl", "keywords:TERM,TERM")
    run("topic", "terms.csv#java").fails(2, "terms.csv is no ontology or thesaurus in RDF or OBO")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("wordnt:asthma", "wordnet:asthma"),
        ("keyword:asthma, lungs", "keywords:asthma, lungs"),
        ("http://a.test/lungs.html", "examples:http://a.test/lungs.html"),
        ("lungs.html", "examples:lungs.html"),
    ],
)
def test_a_kind_of_topic_that_may_be_meant_is_named(run: Run, written: str, meant: str) -> None:
    run("topic", written).fails(2, f"{written!r} is no topic; did you mean {meant!r}?")


def test_an_address_may_be_that_of_a_page_or_of_a_concept(run: Run) -> None:
    address = "http://a.test/concept7"
    run("topic", address).fails(2, f"did you mean 'examples:{address}' or 'FILE#{address}'?")
