"""Hierarchical naive Bayes beside scikit-learn's MultinomialNB, on schools-wikipedia.

The articles are those that have exactly one of the 20 categories with the most
articles, so that there is one right answer. Half of them, drawn by a fixed seed,
are learnt, the other half are classified. Both sides get the same terms
(Porter stems of the visible text). Ours knows the tree above the categories
and chooses its terms; scikit-learn's does not, and is shown with its default smoothing
and with ours. Beside it: CPU per page, and a tree of all categories.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.checks import Check
from semcrawl.models.category_classifier import ExampleSet
from semcrawl.models.category_tree import CategoryTree
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_options import TaxonomyOptions
from semcrawl.page import read_page
from semcrawl.web import open_replay

__all__ = ["run"]

FOLDER = "schools-wikipedia"
LARGEST = 20
SEED = 1999
OTHER_SEEDS = (2000, 2001, 2002)


class _Article(NamedTuple):
    url: str
    category: str
    terms: dict[str, int]


def run(*, quick: bool) -> list[Check]:
    """Classify the held-out half with both; compare the shares of right answers."""
    folder = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / FOLDER
    if not (folder / "labels.tsv").is_file():
        print(f"left out: there is no {FOLDER} in $SEMCRAWL_DATA")
        return []
    if find_spec("sklearn") is None:
        print("left out: scikit-learn is not installed")
        return []
    labels = _labels(folder / "labels.tsv")
    articles = _articles(folder / "pages.warc.gz", _single(labels))
    print(f"{len(articles):,} articles with one of the {LARGEST} largest categories")
    figures = [_split(articles, seed) for seed in ((SEED,) if quick else (SEED, *OTHER_SEEDS))]
    ours, theirs = figures[0]
    for mine, best in figures[1:]:
        print(f"  another split: {mine:.4f} beside {best:.4f}")
    _speed(articles)
    return [Check("accuracy, less that of the better MultinomialNB", ours - theirs, "at least", 0.0)]


def _labels(path: Path) -> dict[str, list[str]]:
    """The categories of every article that has some."""
    rows = (line.rstrip("\n").split("\t") for line in path.open(encoding="utf-8"))
    return {row[0]: row[2].split("|") for row in rows if row[1] == "article" and row[2]}


def _single(labels: dict[str, list[str]]) -> dict[str, str]:
    """The articles with exactly one of the largest categories, and that one."""
    sizes = Counter(category for found in labels.values() for category in found)
    largest = {category for category, _ in sizes.most_common(LARGEST)}
    kept = {url: [one for one in found if one in largest] for url, found in labels.items()}
    return {url: found[0] for url, found in kept.items() if len(found) == 1}


def _articles(recording: Path, categories: dict[str, str]) -> list[_Article]:
    replay = open_replay(recording)
    return [_Article(url, category, read_page(replay.fetch(url)).terms) for url, category in categories.items()]


def _split(articles: list[_Article], seed: int) -> tuple[float, float]:
    shuffled = sorted(articles)
    random.Random(seed).shuffle(shuffled)
    half = len(shuffled) // 2
    learnt, held_out = shuffled[:half], shuffled[half:]
    ours = _accuracy(_taxonomy(learnt, TaxonomyOptions()), held_out)
    pooled = _accuracy(_taxonomy(learnt, TaxonomyOptions(mixture=False)), held_out)
    all_terms = _accuracy(_taxonomy(learnt, TaxonomyOptions(features=0)), held_out)
    smoothing = TaxonomyOptions().smoothing
    theirs = {alpha: _multinomial(learnt, held_out, alpha) for alpha in (1.0, smoothing)}
    print(f"seed {seed}: {len(learnt)} learnt, {len(held_out)} held out")
    print(f"  ours {ours:.4f}; with all terms {all_terms:.4f}; with pooled examples {pooled:.4f}")
    for alpha, accuracy in theirs.items():
        print(f"  MultinomialNB, smoothing {alpha:g}: {accuracy:.4f}")
    return ours, max(theirs.values())


def _taxonomy(articles: list[_Article], options: TaxonomyOptions) -> Taxonomy:
    tree, examples = CategoryTree(FOLDER), ExampleSet()
    for article in articles:
        examples.add(article.url, tree.add(article.category.replace(".", "/")), article.terms)
    return Taxonomy(tree, examples, options)


def _accuracy(taxonomy: Taxonomy, articles: list[_Article]) -> float:
    tree = taxonomy.tree
    right = sum(
        tree.path(taxonomy.classify(article.terms).best) == article.category.replace(".", "/") for article in articles
    )
    return right / len(articles)


def _multinomial(learnt: list[_Article], held_out: list[_Article], alpha: float) -> float:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.naive_bayes import MultinomialNB

    vectors = DictVectorizer()
    table = vectors.fit_transform([article.terms for article in learnt])
    model = MultinomialNB(alpha=alpha).fit(table, [article.category for article in learnt])
    return float(
        model.score(
            vectors.transform([article.terms for article in held_out]), [article.category for article in held_out]
        )
    )


def _speed(articles: list[_Article]) -> None:
    taxonomy = _taxonomy(articles, TaxonomyOptions())
    classifier = taxonomy.classifier
    pages = [article.terms for article in articles[:300]]
    rounds = []
    for _ in range(3):
        started = time.process_time()
        for terms in pages:
            classifier.classify(terms)
        rounds.append((time.process_time() - started) / len(pages) * 1e3)
    mean = sum(map(len, pages)) / len(pages)
    print(
        f"  {min(rounds):.2f} ms of CPU a page of {mean:.0f} different terms, {len(classifier.layout.ids)} categories"
    )
