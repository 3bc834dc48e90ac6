"""The formulas, by hand, and against a plain naive Bayes written out here."""

from __future__ import annotations

from collections import Counter
from math import exp, isclose, log

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from semcrawl.models.category_classifier import ExampleSet
from semcrawl.models.category_tree import CategoryTree
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_options import TaxonomyOptions

LAPLACE = TaxonomyOptions(smoothing=1.0, features=0)
POOLED = TaxonomyOptions(smoothing=1.0, features=0, mixture=False)


def taught(
    documents: list[tuple[str, dict[str, int]]], options: TaxonomyOptions = LAPLACE, good: tuple[str, ...] = ()
) -> Taxonomy:
    """A taxonomy of documents given as (path, counts)."""
    tree, examples = CategoryTree("t"), ExampleSet()
    for number, (path, counts) in enumerate(documents):
        examples.add(f"d{number}", tree.add(path), counts)
    return Taxonomy(tree, examples, options, [tree.find(name) for name in good])


def chances(taxonomy: Taxonomy, terms: dict[str, int]) -> dict[str, float]:
    """Pr[c|d] by path."""
    logs = taxonomy.classifier.log_probabilities(terms)
    ids = taxonomy.classifier.layout.ids
    return {taxonomy.tree.path(c): exp(value) for c, value in zip(ids, logs, strict=True)}


def test_two_levels_by_hand() -> None:
    # Animals has birds (fly 2, egg 1) and cats (purr 1); Cars has (wheel 2).
    taxonomy = taught(
        [("Animals/Birds", {"fly": 2, "egg": 1}), ("Animals/Cats", {"purr": 1}), ("Cars", {"wheel": 2})],
        POOLED,
        ("Birds",),
    )
    # Top, 4 terms: Pr[fly|Animals] = (2+1)/(4+4), Pr[fly|Cars] = (0+1)/(2+4); priors 2/3, 1/3.
    animals, cars = 2 / 3 * 3 / 8, 1 / 3 * 1 / 6
    # Below Animals, 3 terms: (2+1)/(3+3) and (0+1)/(1+3); priors 1/2 each.
    birds, cats = 1 / 2 * 3 / 6, 1 / 2 * 1 / 4
    found = chances(taxonomy, {"fly": 1, "unheard": 7})
    assert isclose(found["Animals"], animals / (animals + cars))
    assert isclose(found["Animals/Birds"], found["Animals"] * birds / (birds + cats))
    said = taxonomy.classify({"fly": 1})
    assert isclose(said.relevance, found["Animals/Birds"])
    assert isclose(said.log_relevance, log(found["Animals/Birds"]))
    assert [taxonomy.tree.path(step) for step in said.path] == ["Animals", "Animals/Birds"]
    assert said.on_good_path


def test_a_mixture_by_hand() -> None:
    taxonomy = taught([("Animals/Birds", {"fly": 2, "egg": 1}), ("Animals/Cats", {"purr": 1}), ("Cars", {"wheel": 2})])
    # Each category has a coin of its own over the four terms; each prior is 1/3.
    birds, cats, cars = (2 + 1) / (3 + 4), (0 + 1) / (1 + 4), (0 + 1) / (2 + 4)
    found = chances(taxonomy, {"fly": 1})
    assert isclose(found["Animals"], (birds + cats) / (birds + cats + cars))


def test_examples_of_an_inner_category_count_above_it_only() -> None:
    base = [("A/B", {"x": 1}), ("A/C", {"y": 1}), ("D", {"z": 1})]
    for options in (LAPLACE, POOLED):
        without, with_own = taught(base, options), taught([*base, ("A", {"w": 5})], options)
        before, after = chances(without, {"w": 1, "x": 1}), chances(with_own, {"w": 1, "x": 1})
        assert after["A"] > before["A"]
        assert isclose(after["A/B"] / after["A"], before["A/B"] / before["A"])


def test_a_good_category_counts_once_with_all_below_it() -> None:
    documents = [("A/B", {"x": 1}), ("A/C", {"y": 1}), ("D", {"z": 1})]
    upper = taught(documents, good=("A",)).classify({"x": 1})
    both = taught(documents, good=("A", "B")).classify({"x": 1})
    parts = taught(documents, good=("B", "C")).classify({"x": 1})
    assert upper.relevance == both.relevance
    assert isclose(upper.relevance, parts.relevance)
    assert upper.on_good_path
    assert not taught(documents, good=("D",)).classify({"x": 1}).on_good_path


def test_the_logarithm_stays_exact_where_the_probability_vanishes() -> None:
    taxonomy = taught([("A", {"x": 1}), ("B", {"y": 1})], good=("B",))
    said = taxonomy.classify({"x": 10_000})
    # Pr[x|A] = 2/3, Pr[x|B] = 1/3: the ratio is 2 for each occurrence.
    assert said.relevance == 0.0
    assert isclose(said.log_relevance, -10_000 * log(2), rel_tol=1e-9)


def test_without_known_words_the_numbers_of_examples_decide() -> None:
    taxonomy = taught([("A", {"x": 1}), ("A", {"x": 1}), ("B", {"y": 1})])
    found = chances(taxonomy, {})
    assert isclose(found["A"], 2 / 3)
    assert found == chances(taxonomy, {"never": 3})


def test_without_good_categories_nothing_is_relevant() -> None:
    said = taught([("A", {"x": 1}), ("B", {"y": 1})]).classify({"x": 1})
    assert (said.relevance, said.log_relevance, said.on_good_path) == (0.0, float("-inf"), False)


def test_length_keeps_long_documents_from_certainty() -> None:
    documents = [("A", {"x": 1}), ("B", {"y": 1})]
    short = chances(taught(documents), {"x": 4})["A"]
    tempered = chances(taught(documents, TaxonomyOptions(1.0, 0, length=4.0)), {"x": 400})["A"]
    assert isclose(tempered, short)


counts = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9), max_size=8)
documents = st.lists(
    st.tuples(st.sampled_from(["A/B", "A/C", "A/C/D", "A", "E", "F/G"]), counts), min_size=1, max_size=12
)
options = st.builds(
    TaxonomyOptions,
    smoothing=st.sampled_from([0.01, 1.0]),
    features=st.sampled_from([0, 1, 3]),
    length=st.sampled_from([0.0, 5.0]),
    mixture=st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(documents, options, counts)
def test_siblings_share_what_their_parent_has(
    given_documents: list[tuple[str, dict[str, int]]], chosen: TaxonomyOptions, text: dict[str, int]
) -> None:
    taxonomy = taught(given_documents, chosen)
    layout = taxonomy.classifier.layout
    shares = np.exp(taxonomy.classifier.log_probabilities(text))
    for group, start in enumerate(layout.starts.tolist()):
        parent = int(layout.parent[start])
        whole = 1.0 if parent < 0 else shares[parent]
        assert isclose(shares[layout.group == group].sum(), whole, rel_tol=1e-9, abs_tol=1e-300)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("ABC"), counts), min_size=1, max_size=12), st.sampled_from([0.1, 1.0]), counts
)
def test_one_level_is_the_flat_multinomial_naive_bayes(
    given_documents: list[tuple[str, dict[str, int]]], alpha: float, text: dict[str, int]
) -> None:
    found = chances(taught(given_documents, TaxonomyOptions(alpha, 0)), text)
    expected = flat(given_documents, alpha, text)
    assert found.keys() == expected.keys()
    for name, chance in expected.items():
        assert isclose(found[name], chance, rel_tol=1e-9, abs_tol=1e-12)


def flat(given_documents: list[tuple[str, dict[str, int]]], alpha: float, text: dict[str, int]) -> dict[str, float]:
    """Multinomial naive Bayes in a few lines, as textbooks have it."""
    words = {term for _, terms in given_documents for term in terms}
    joint = {}
    for name in dict.fromkeys(name for name, _ in given_documents):
        own = [terms for other, terms in given_documents if other == name]
        sums: Counter[str] = Counter()
        for terms in own:
            sums.update(terms)
        total = sum(sums.values()) + alpha * len(words)
        likelihood = sum(count * log((sums[term] + alpha) / total) for term, count in text.items() if term in words)
        joint[name] = log(len(own) / len(given_documents)) + likelihood
    highest = max(joint.values())
    scale = sum(exp(value - highest) for value in joint.values())
    return {name: exp(value - highest) / scale for name, value in joint.items()}


def test_the_chosen_terms_are_those_that_tell_apart() -> None:
    spread = [("A", {"x": 5, "the": 5}), ("A", {"x": 4, "the": 6}), ("B", {"y": 5, "the": 5})]
    classifier = taught(spread, TaxonomyOptions(1.0, 2)).classifier
    assert set(classifier.weights.rows) == {"x", "y"}


def test_an_only_child_has_all_of_its_parent() -> None:
    found = chances(taught([("A/B", {"x": 1})]), {"x": 3})
    assert found == {"A": 1.0, "A/B": 1.0}
