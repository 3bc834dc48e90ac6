"""What ``semcrawl topic FILE`` and ``--search`` say of a file of concepts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix : <http://t.test/> .\n"
MUSIQUE = f"""{PREFIX}
:c1 a skos:Concept ; skos:prefLabel "Musique"@fr, "Music"@en .
:c2 a skos:Concept ; skos:broader :c1 ; skos:prefLabel "Musicien"@fr, "Musicians"@en .
:c3 a skos:Concept ; skos:broader :c1 ; skos:prefLabel "Trompette"@fr .
"""


def test_a_file_is_shown_by_its_size_its_languages_and_its_top_concepts(run: Run) -> None:
    assert run("topic", "asthma.ttl").out.splitlines() == [
        "asthma.ttl: 42 concepts, 100 labels",
        "labels by language: en 71, de 27, fr 2",
        "relations: related",
        "",
        "5 top concepts, with the number of narrower ones:",
        "asthma.ttl#airway-disease  airway disease  11",
        "asthma.ttl#trigger         asthma trigger  10",
        "asthma.ttl#treatment       treatment of asthma  9",
        "asthma.ttl#symptom         symptom of asthma  5",
        "asthma.ttl#test            lung function test  2",
        "",
        "Find a concept:  semcrawl topic asthma.ttl --search WORD",
        "Look at one:     semcrawl topic asthma.ttl#airway-disease --lens",
    ]


def test_below_a_single_top_concept_the_next_ones_are_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "music.ttl"
    path.write_text(MUSIQUE, encoding="utf-8")
    out = run("topic", str(path)).out
    assert "1 top concept and those below, with" in out
    assert "#c2" in out


def test_of_many_top_concepts_the_largest_are_shown_or_all(run: Run, tmp_path: Path) -> None:
    tops = "\n".join(f':t{n} a skos:Concept ; skos:prefLabel "top {n}"@en .' for n in range(30))
    below = ':below a skos:Concept ; skos:prefLabel "below"@en ; skos:broader :t29 .'
    scheme = "".join(f":t{n} skos:topConceptOf :scheme .\n" for n in range(30))
    path = tmp_path / "many.ttl"
    path.write_text(f"{PREFIX}{tops}\n{below}\n{scheme}", encoding="utf-8")
    lines = run("topic", str(path)).out.splitlines()
    first = lines.index("30 top concepts, with the number of narrower ones:") + 1
    assert lines[first].endswith("top 29  1")
    assert "… and 10 more: --all" in lines
    assert "top 17" in run("topic", str(path), "--all").out


def test_a_language_that_no_label_has_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "music.ttl"
    path.write_text(MUSIQUE, encoding="utf-8")
    assert (
        "no label is in de, which is looked for: say --language fr" in run("topic", str(path), "--language", "de").err
    )
    assert run("topic", str(path)).err == ""


def test_a_search_shows_the_label_in_the_language_of_the_topic(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "music.ttl"
    path.write_text(MUSIQUE, encoding="utf-8")
    found = run("topic", str(path), "--search", "musici").out
    assert found.endswith("  Musicians; a kind of Music\n")
    found = run("topic", str(path), "--search", "musicien").out
    assert found.endswith("  Musicien (fr) for Musicians; a kind of Music\n")


def test_a_topic_of_many_top_concepts_is_noted(run: Run, tmp_path: Path) -> None:
    tops = "\n".join(f':t{n} a skos:Concept ; skos:prefLabel "top {n}"@en .' for n in range(21))
    path = tmp_path / "many.ttl"
    path.write_text(f"{PREFIX}{tops}\n", encoding="utf-8")
    assert "the topic is all 21 top concepts" in run("topic", str(path), "--as", "toml").err


def test_a_topic_file_says_what_its_concepts_are_called(run: Run) -> None:
    written = run("topic", "asthma.ttl#allergen!", "--as", "toml").out
    assert written.endswith('#allergen>!" = 1.0  # allergen\n')
