from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.models.category_tree import read_tree
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.taxonomy_judge import TaxonomyJudge
from semcrawl.page import read_html
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from pathlib import Path

SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix sc: <https://w3id.org/semcrawl/ns#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix ex: <http://ex.test/> .
"""
THESAURUS = (
    SKOS
    + """
ex:animals a skos:Concept ; skos:prefLabel "Animals"@en, "Tiere"@de .
ex:birds a skos:Concept ; skos:prefLabel "Birds" ; skos:broader ex:animals ;
    sc:example <http://a.test/owl>, "pages/wren.html", <pages/robin.html> .
ex:animals skos:narrower ex:cats . ex:cats skos:prefLabel "Cats" ; foaf:page <http://a.test/cat> .
<http://a.test/lion> dcterms:subject ex:cats .
"""
)


def test_a_thesaurus_names_its_examples_in_three_ways(tmp_path: Path) -> None:
    path = tmp_path / "animals.ttl"
    path.write_text(THESAURUS)
    file = read_tree(path)
    assert [file.tree.path(category) for category in file.tree] == ["Animals", "Animals/Birds", "Animals/Cats"]
    assert file.examples == {
        "http://ex.test/birds": (
            "http://a.test/owl",
            str(tmp_path / "pages" / "wren.html"),
            str(tmp_path / "pages" / "robin.html"),
        ),
        "http://ex.test/cats": ("http://a.test/cat", "http://a.test/lion"),
    }


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("ex:a skos:broader ex:b . ex:b skos:broader ex:c . ex:c skos:broader ex:a .", "a circle"),
        ("ex:a skos:broader ex:b, ex:c .", "'a' stands under 2 concepts .*--first-parent"),
        (
            ('ex:a skos:broader ex:r ; skos:prefLabel "Birds" . ex:b skos:broader ex:r ; skos:prefLabel "birds" .'),
            "two categories under r are named 'birds'",
        ),
    ],
)
def test_a_thesaurus_that_is_no_tree_is_refused(tmp_path: Path, statements: str, message: str) -> None:
    path = tmp_path / "t.ttl"
    path.write_text(SKOS + statements)
    with pytest.raises(TopicError, match=message):
        read_tree(path)


def test_the_first_of_several_parents_can_be_taken(tmp_path: Path) -> None:
    path = tmp_path / "t.ttl"
    path.write_text(SKOS + "ex:a skos:broader ex:b, ex:c .")
    tree = read_tree(path, first_parent=True).tree
    assert tree.parent("http://ex.test/a") == "http://ex.test/b"


def test_paths_in_a_table_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a.html\tX_y\nhttp://a.test/\tX_y/Z\n")
    file = read_tree(tmp_path / "t.tsv")
    assert [file.tree.path(category) for category in file.tree] == ["X_y", "X_y/Z"]
    assert list(file.examples.values()) == [(str(tmp_path / "a.html"),), ("http://a.test/",)]


def test_a_folder_of_folders(folder: Path) -> None:
    file = read_tree(folder)
    assert [file.tree.path(category) for category in file.tree] == [
        "Animals",
        "Animals/Birds",
        "Animals/Mammals",
        "Vehicles",
    ]
    assert file.examples[file.tree.find("Mammals")] == (str(folder / "Animals" / "Mammals" / "cat.txt"),)


def test_two_names_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a\tBirds\nb\tbirds\n")
    with pytest.raises(TopicError, match="two categories at the top are named 'birds'"):
        read_tree(tmp_path / "t.tsv")


def test_examples_and_pages_are_read_in_the_language_of_the_tree(tmp_path: Path) -> None:
    for name, text in {"musique": "les musiciens jouent", "mer": "les bateaux voguent"}.items():
        (tmp_path / "tree" / name).mkdir(parents=True)
        (tmp_path / "tree" / name / "a.txt").write_text(text, encoding="utf-8")
    model = tmp_path / "sea.model"
    Taxonomy.train(tmp_path / "tree", language="fr").save(model)
    judge = TaxonomyJudge(Topic.parse(f"taxonomy:{model}#mer"))
    assert judge.taxonomy.tree.language == "fr"
    found = [judge.judge(read_html(f"<p>{text}", "http://a.test/")).relevance for text in ("un bateau", "le musicien")]
    assert found[0] > 0.6
    assert found[1] < 0.4
