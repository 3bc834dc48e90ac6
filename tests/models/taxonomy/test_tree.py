from __future__ import annotations

import pytest

from semcrawl.errors import TopicError
from semcrawl.models.category_tree import CategoryTree
from semcrawl.topics.category_files import CATEGORY_IRI, Category


@pytest.fixture
def tree() -> CategoryTree:
    tree = CategoryTree("t")
    for path in ("Science/Biology/Birds", "Science/Physics", "Sport/Cycling", "Shops/Cycling"):
        tree.add(path)
    return tree


def test_a_path_makes_what_is_missing(tree: CategoryTree) -> None:
    assert [tree.path(category) for category in tree] == [
        "Science",
        "Science/Biology",
        "Science/Biology/Birds",
        "Science/Physics",
        "Sport",
        "Sport/Cycling",
        "Shops",
        "Shops/Cycling",
    ]
    assert tree.find("Birds") == f"{CATEGORY_IRI}t/Science/Biology/Birds"
    assert tree.add("science/biology/BIRDS") == tree.find("Birds")


@pytest.mark.parametrize("name", ["Birds", "birds", "Science/Biology/Birds", "Science.Biology.Birds"])
def test_names_by_which_a_category_is_found(tree: CategoryTree, name: str) -> None:
    assert tree.path(tree.find(name)) == "Science/Biology/Birds"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Cycling", "means 2 categories in t; name one by its path: Sport/Cycling, Shops/Cycling$"),
        ("Brids", r"no category 'Brids' in t; did you mean Science/Biology/Birds\?"),
        ("science/biology/brids", r"did you mean Science/Biology/Birds\?"),
        ("Cyclin", r"did you mean Sport/Cycling, Shops/Cycling\?"),
        ("Nosuch", "no category 'Nosuch' in t; 'semcrawl taxonomy show' lists them"),
        ("<urn:x>", "no category <urn:x> in t"),
        ("x" * 501, "t has no category with a name of 501 letters"),
    ],
)
def test_names_that_do_not_mean_one(tree: CategoryTree, name: str, message: str) -> None:
    with pytest.raises(TopicError, match=message):
        tree.find(name)


@pytest.mark.parametrize("path", ["", "/", "a//b"])
def test_what_is_no_path(tree: CategoryTree, path: str) -> None:
    with pytest.raises(TopicError, match="no path"):
        tree.add(path)


def test_a_moved_category_keeps_its_iri_and_takes_along_what_is_below(tree: CategoryTree) -> None:
    biology, birds = tree.find("Biology"), tree.find("Birds")
    tree.move(biology, None)
    assert tree.path(birds) == "Biology/Birds"
    assert tree.find("Biology") == biology
    again = tree.add("Science/Biology")
    assert again not in {biology, birds}


def test_no_category_goes_below_itself(tree: CategoryTree) -> None:
    with pytest.raises(TopicError, match="cannot be moved under"):
        tree.move(tree.find("Science"), tree.find("Birds"))


def test_a_move_that_makes_two_of_one_name_is_undone(tree: CategoryTree) -> None:
    before = [tree.path(category) for category in tree]
    with pytest.raises(TopicError, match="named 'Cycling'"):
        tree.move(tree.find("Sport/Cycling"), tree.find("Shops"))
    assert [tree.path(category) for category in tree] == before


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        ([Category("ex:a", "A", parent="ex:b"), Category("ex:b", "B", parent="ex:a")], "in a circle: A < B < A"),
        ([Category("ex:a", "A", parent="ex:a")], "in a circle: A < A"),
        ([Category("ex:a", "A", parent="ex:gone")], "under an unknown category"),
        ([Category("ex:a", "Birds"), Category("ex:b", "birds")], "two categories at the top"),
    ],
)
def test_what_is_no_tree_is_told(categories: list[Category], message: str) -> None:
    with pytest.raises(TopicError, match=message):
        CategoryTree("t", categories)
