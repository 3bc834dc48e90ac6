from __future__ import annotations

import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.category_tree import CategoryTree
from semcrawl.models.site_training import SiteSample, TrainingSet, set_of_samples, set_of_taxonomy
from semcrawl.models.taxonomy import Taxonomy


def site(name: str, *words: str) -> SiteSample:
    pages = {f"http://{name}/{word}": {word: 1} for word in words}
    missing = {} if words else {f"http://{name}/": "TimedOut"}
    return SiteSample(f"http://{name}/", name if words else "", dict(pages), missing)


def test_the_pages_of_sites_are_labelled_by_class() -> None:
    lesson = set_of_samples(
        {"target": [site("a", "x", "y")], "other": [site("b", "z"), site("c", "z", "w"), site("d")]}
    )
    assert lesson.classes == ("target", "other")
    assert (lesson.sites_of_classes(), lesson.pages_of_classes()) == ((1, 2), (2, 3))
    assert [(page.label, page.site) for page in lesson.pages][1:3] == [(0, "a"), (1, "b")]


def test_a_site_that_two_homepages_lead_to_counts_once() -> None:
    lesson = set_of_samples({"target": [site("a", "x", "y"), site("a", "x", "y")], "other": [site("b", "z", "w")]})
    assert lesson.pages_of_classes() == (2, 2)


def test_two_classes_of_the_same_name_are_an_error() -> None:
    with pytest.raises(ConfigError, match="two classes have the same name: cats, cats"):
        TrainingSet(("cats", "cats"), ())


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        ({"target": [], "other": [site("b", "z")]}, "no site of the class 'target' is given"),
        ({"target": [site("a"), site("b")]}, "'target' gave a page with words .http://a/: Timed"),
        ({"target": [site("a", "x", "y")]}, "one class of sites only"),
        ({"t": [site("a", "x")], "o": [site("a", "x")]}, "the site a is among those of 't' and"),
    ],
)
def test_what_cannot_be_learnt_from_is_an_error(samples: dict[str, list[SiteSample]], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        set_of_samples(samples)


def taxonomy() -> Taxonomy:
    tree = CategoryTree("pets")
    cats, big, dogs = (tree.add(path) for path in ("Cats", "Cats/Big", "Dogs"))
    found = Taxonomy(tree, good=[cats])
    for source, category in (
        ("http://a.test/1", cats),
        ("http://a.test/2", big),
        ("http://b.test/", dogs),
        ("notes.txt", dogs),
        ("http://a.test/1", dogs),
    ):
        found.examples.add(source, category, {source[-5:]: 2})
    return found


def test_the_examples_of_good_categories_are_the_target_class() -> None:
    known = taxonomy()
    lesson = set_of_taxonomy(known, known.good)
    found = [(page.label, page.site, dict(page.terms)) for page in lesson.pages]
    assert found == [
        (0, "a.test", {"est/1": 2}),
        (0, "a.test", {"est/2": 2}),
        (1, "b.test", {"test/": 2}),
        (1, "notes.txt", {"s.txt": 2}),
    ]


def test_a_taxonomy_without_other_examples_is_an_error() -> None:
    known = taxonomy()
    with pytest.raises(ConfigError, match="'other' has no page"):
        set_of_taxonomy(known, list(known.tree))
    with pytest.raises(ConfigError, match="one class"):
        TrainingSet(("target",), ())
