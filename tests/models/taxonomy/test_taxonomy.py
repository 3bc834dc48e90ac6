from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, TopicError
from semcrawl.models.category_classifier import ExampleSet, compare, telling_terms
from semcrawl.models.category_tree import CategoryTree
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_options import TaxonomyOptions

from .conftest import EXAMPLES, write_tree

if TYPE_CHECKING:
    from pathlib import Path

EAGLE = {"eagl": 1, "bird": 2, "wing": 1}


def test_a_trained_taxonomy_knows_its_categories(taxonomy: Taxonomy) -> None:
    best = taxonomy.ranking(EAGLE, 2)
    assert taxonomy.tree.path(best[0][0]) == "Animals/Birds"
    assert best[0][1] > 0.9 > best[1][1]
    assert len(taxonomy.examples) == len(EXAMPLES)


def test_adding_is_the_same_as_training_on_all(tmp_path: Path, taxonomy: Taxonomy) -> None:
    some = dict(list(EXAMPLES.items())[::2])
    later = {name: text for name, text in EXAMPLES.items() if name not in some}
    grown = Taxonomy.train(write_tree(tmp_path / "some" / "tree", some))
    for name, text in reversed(later.items()):
        path = write_tree(tmp_path / "later", {name: text}) / name
        grown.add(name.rpartition("/")[0], str(path))
    assert sorted(grown.tree) == sorted(taxonomy.tree)
    one, other = grown.classifier, taxonomy.classifier
    page = {"bird": 2, "wheel": 1, "fur": 1, "nothing": 4}
    of = dict(zip(one.layout.ids, one.log_probabilities(page), strict=True))
    for category, value in zip(other.layout.ids, other.log_probabilities(page), strict=True):
        assert of[category] == pytest.approx(value, rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(6)), st.sampled_from([0, 2]))
def test_the_order_of_learning_does_not_matter(order: list[int], features: int) -> None:
    rows = [
        ("A", {"x": 3, "z": 1}),
        ("A", {"x": 1}),
        ("B", {"y": 3, "z": 1}),
        ("B", {"y": 1}),
        ("C", {"z": 2}),
        ("C", {"x": 1, "z": 2}),
    ]
    results = []
    for sequence in (range(6), order):
        tree, examples = CategoryTree("t"), ExampleSet()
        for name in "ABC":
            tree.add(name)
        for number in sequence:
            examples.add(str(number), tree.find(rows[number][0]), rows[number][1])
        taxonomy = Taxonomy(tree, examples, TaxonomyOptions(features=features))
        results.append(taxonomy.classifier.log_probabilities({"x": 1, "z": 2}))
    assert np.array_equal(results[0], results[1])


def test_categories_without_examples_are_named(tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "tree")
    (folder / "Animals" / "Fish").mkdir()
    (folder / "Plants").mkdir()
    (folder / "Plants" / "rose.bin").write_bytes(b"\0")
    with pytest.raises(TopicError, match=r"no example for Animals/Fish, Plants; 1 could not") as told:
        Taxonomy.train(folder)
    assert "rose.bin" in str(told.value)
    trained = Taxonomy.train(folder, skip_empty=True)
    assert [trained.tree.path(c) for c in trained.empty_categories()] == ["Animals/Fish", "Plants"]
    assert trained.tree.path(trained.classify(EAGLE).best) == "Animals/Birds"
    assert [place for place, _ in trained.unread] == [str(folder / "Plants" / "rose.bin")]


def test_who_waits_is_told_of_every_example(folder: Path) -> None:
    (folder / "Vehicles" / "bus.bin").write_bytes(b"\0")
    told: list[tuple[int, int]] = []
    trained = Taxonomy.train(folder, each=lambda *figures: told.append(figures))
    assert told == [(number, 6) for number in range(1, 7)]
    assert (len(trained.examples), len(trained.unread)) == (5, 1)


def test_nothing_to_learn_from_is_an_error_even_so(tmp_path: Path) -> None:
    (tmp_path / "tree" / "A").mkdir(parents=True)
    with pytest.raises(TopicError, match="no example for A"):
        Taxonomy.train(tmp_path / "tree", skip_empty=True)


def test_marks_are_inherited_and_can_be_widened(taxonomy: Taxonomy) -> None:
    tree = taxonomy.tree
    assert [tree.path(c) for c in taxonomy.mark("Birds")] == ["Animals/Birds"]
    assert taxonomy.mark("Birds") == ()
    narrow = taxonomy.classify({"fur": 1}).relevance
    assert [tree.path(c) for c in taxonomy.mark(widen="siblings")] == ["Animals/Mammals"]
    assert taxonomy.classify({"fur": 1}).relevance > narrow
    assert [tree.path(c) for c in taxonomy.mark(widen="parents")] == ["Animals"]
    assert len(taxonomy.unmark("Mammals")) == 1
    assert taxonomy.is_good(tree.find("Mammals"))
    assert len(taxonomy.unmark()) == 2
    assert not taxonomy.is_good(tree.find("Birds"))


def test_marking_needs_a_category_with_something_above(taxonomy: Taxonomy) -> None:
    with pytest.raises(TopicError, match="name a category"):
        taxonomy.mark()
    with pytest.raises(TopicError, match="above it is everything"):
        taxonomy.mark("Vehicles", widen="parents")


def test_example_pages_suggest_what_to_mark(taxonomy: Taxonomy) -> None:
    suggested = taxonomy.suggest([EAGLE, {"owl": 1, "egg": 1}, {"fur": 1, "milk": 1}])
    shown = [(taxonomy.tree.path(one.category), one.documents) for one in suggested]
    assert shown == [("Animals", 3), ("Animals/Birds", 2), ("Animals/Mammals", 1)]


def test_a_new_category_is_made_by_its_path(taxonomy: Taxonomy, tmp_path: Path) -> None:
    (tmp_path / "frog.txt").write_text("frogs and toads with wet skin")
    taxonomy.add("Animals/Amphibians", str(tmp_path / "frog.txt"))
    best = taxonomy.classify({"frog": 1, "skin": 1}).best
    assert taxonomy.tree.path(best) == "Animals/Amphibians"


def test_adding_nothing_readable_makes_no_category(taxonomy: Taxonomy) -> None:
    with pytest.raises(TopicError, match=r"no example could be read: gone\.html"):
        taxonomy.add("Animals/Amphibians", "gone.html")
    with pytest.raises(TopicError, match="no category 'Amphibians' in tree"):
        taxonomy.tree.find("Amphibians")


def test_an_example_is_corrected(taxonomy: Taxonomy, folder: Path) -> None:
    cat = {"cat": 1, "fur": 1}
    left = taxonomy.move_example("cat.txt", "Birds")
    assert taxonomy.tree.path(left) == "Animals/Mammals"
    assert taxonomy.tree.path(taxonomy.classify(cat).best) == "Animals/Birds"
    assert [taxonomy.tree.path(c) for c in taxonomy.empty_categories()] == ["Animals/Mammals"]
    assert len(taxonomy.remove_example(str(folder / "Animals" / "Mammals" / "cat.txt"))) == 1
    with pytest.raises(TopicError, match=r"there is no example 'cat\.txt'"):
        taxonomy.find_example("cat.txt")


def test_a_page_of_two_categories_leaves_the_one_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("words")
    (tmp_path / "t.tsv").write_text("x.txt\tA\nx.txt\tB\n")
    taxonomy = Taxonomy.train(tmp_path / "t.tsv")
    taxonomy.tree.add("C")
    with pytest.raises(TopicError, match="is an example of A, B; say which"):
        taxonomy.move_example("x.txt", "C")
    taxonomy.move_example("x.txt", "C", leaving="B")
    of = taxonomy.examples.categories_of(str(tmp_path / "x.txt"))
    assert [taxonomy.tree.path(category) for category in of] == ["A", "C"]


def test_a_category_moves_with_its_examples(taxonomy: Taxonomy) -> None:
    taxonomy.mark("Birds")
    taxonomy.move_category("Birds", "Vehicles")
    said = taxonomy.classify(EAGLE)
    assert [taxonomy.tree.path(step) for step in said.path] == ["Vehicles", "Vehicles/Birds"]
    assert said.on_good_path


def test_a_category_that_is_there_already_is_not_moved(taxonomy: Taxonomy) -> None:
    classifier = taxonomy.classifier
    assert not taxonomy.move_category("Birds", "Animals")
    assert not taxonomy.move_category("Animals", None)
    assert taxonomy.classifier is classifier
    assert taxonomy.move_category("Birds", None)


def test_errors_name_the_file_of_the_model(taxonomy: Taxonomy, tmp_path: Path) -> None:
    taxonomy.save(tmp_path / "birds.tax")
    loaded = Taxonomy.load(tmp_path / "birds.tax")
    with pytest.raises(TopicError, match=r"no category 'Nosuch' in birds\.tax; 'semcrawl tax"):
        loaded.mark("Nosuch")
    top = loaded.tree.add("Birds")
    with pytest.raises(TopicError, match=r"birds\.tax: two categories under Animals"):
        loaded.move_category(top, "Animals")


def test_what_decided_adds_up_to_the_odds(taxonomy: Taxonomy) -> None:
    pooled = Taxonomy(taxonomy.tree, taxonomy.examples, TaxonomyOptions(mixture=False))
    pooled.mark("Animals")
    text = {"bird": 2, "wheel": 1}
    found = compare(pooled.classifier, text)
    assert found is not None
    assert [one.term for one in found.terms] == ["bird", "wheel"]
    odds = found.log_prior + sum(one.count * one.log_ratio for one in found.terms)
    relevance = pooled.classify(text).relevance
    assert odds == pytest.approx(np.log(relevance / (1 - relevance)))


def test_nothing_is_compared_where_all_or_none_are_good(taxonomy: Taxonomy) -> None:
    assert compare(taxonomy.classifier, EAGLE) is None
    taxonomy.mark("Animals", "Vehicles")
    assert compare(taxonomy.classifier, EAGLE) is None


def test_the_telling_words_of_a_category(taxonomy: Taxonomy) -> None:
    birds = telling_terms(taxonomy.classifier, taxonomy.tree.find("Birds"), 3)
    assert {one.term for one in birds} == {"bird", "feather", "wing"}
    assert telling_terms(taxonomy.classifier, "ex:unknown") == []


@pytest.mark.parametrize(
    "options", [{"smoothing": 0.0}, {"smoothing": float("nan")}, {"features": -1}, {"length": -1.0}]
)
def test_options_that_cannot_be(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        TaxonomyOptions(**options)  # type: ignore[arg-type]
