"""Training a page classifier on the pages of sites; needs scikit-learn for the centroids."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct

from semcrawl.arrays import Floats
from semcrawl.errors import ConfigError, FetchError, PageError
from semcrawl.models import clustering, site_classifiers
from semcrawl.models.category_tree import TreeFile
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_options import SiteTrainingOptions
from semcrawl.models.training_pages import PageSource, is_url, listed_addresses
from semcrawl.text.background import Background
from semcrawl.web.urls import SiteName, canonical, canonical_at

FOLDS = 10  # as in Ester 2004, section 4.3.3
FIRST_PAGES = 25  # of a site, as in Ester 2004, section 5.2
TARGET, OTHER = "target", "other"
_TRIES_PER_PAGE = 4
_PAGES_PER_CENTROID = 10
_SHOWN = 3
# What may stand without http:// before it; mailto:someone@a.test would be a host, too.
_BARE = re.compile(r"[^\s:/@]+(?::[0-9]+)?(?:[/?#].*)?", re.DOTALL)
_NAMED = re.compile(r"([\w.-]{1,60})=(.+)", re.DOTALL)


def cross_validated_errors(
    pages: Sequence[LabelledPage],
    classes: int,
    train: Callable[[Sequence[LabelledPage]], site_classifiers.PageClassifier],
    *,
    most: int = FOLDS,
    seed: int = 0,
) -> tuple[float, ...]:
    """The error of each class by cross-validation; p_err is their mean (Ester 2004, sec. 4.3.3)."""
    wrong = [0.0] * classes
    number = [0] * classes
    for held_out in folds(pages, classes, most=most, seed=seed):
        apart = {id(page) for page in held_out}
        classifier = train([page for page in pages if id(page) not in apart])
        for page in held_out:
            wrong[page.label] += wrongness(classifier.confidences(page.terms), page.label)
            number[page.label] += 1
    return class_errors(wrong, number)


def class_errors(wrong: Sequence[float], number: Sequence[int]) -> tuple[float, ...]:
    """The errors by class, (wrong + 1) / (pages + 2): a few right answers are no certainty.

    The error of a class whose only page cannot be held out is 1/2.

    >>> class_errors([1.0, 0.0], [8, 2])
    (0.2, 0.25)
    """
    return tuple((one + 1) / (pages + 2) for one, pages in zip(wrong, number, strict=True))


def wrongness(confidences: Sequence[float], label: int) -> float:
    """0 where the class of a page has the highest confidence, 1 where another has; or between.

    >>> wrongness((0.6, 0.4), 0), wrongness((0.6, 0.4), 1), wrongness((0.5, 0.5), 1)
    (0.0, 1.0, 0.5)
    """
    highest = max(confidences)
    if confidences[label] < highest:
        return 1.0
    return 1.0 - 1.0 / sum(value == highest for value in confidences)


def folds(
    pages: Sequence[LabelledPage], classes: int, *, most: int = FOLDS, seed: int = 0
) -> Iterator[list[LabelledPage]]:
    """Cut training pages into at most ``most`` folds, each with a part of every class.

    The pages of a site are in one fold, or the error would come out too low, except where it is
    the only site of its class. A class with a single page is in none.
    """
    random = Random(seed)
    stacks = [_units(pages, label, random) for label in range(classes)]
    number = min([most, *[len(units) for units in stacks if len(units) > 1]])
    for fold in range(number):
        parts = [units[fold::number] for units in stacks if len(units) > 1]
        yield [page for part in parts for unit in part for page in unit]


def _units(pages: Sequence[LabelledPage], label: int, random: Random) -> list[list[LabelledPage]]:
    """What is kept together of a class: its sites, or the pages of its only one; shuffled."""
    by_site: dict[str, list[LabelledPage]] = {}
    for page in pages:
        if page.label == label:
            by_site.setdefault(page.site, []).append(page)
    units = list(by_site.values())
    if len(units) == 1:
        units = [[page] for page in units[0]]
    random.shuffle(units)
    return units


def train_site_model(
    lesson: TrainingSet,
    options: SiteTrainingOptions | None = None,
    *,
    background: Background | None = None,
    topic: str = "",
    site_by: str = "",
) -> site_classifiers.SiteModel:
    """Train a classifier of pages, and find out by cross-validation how often it errs.

    Document frequencies are by default those of the training pages. ``site_by`` is what a site was,
    such as ``host``; a crawl with other sites refuses the model. Raises ConfigError: a class has no
    page that any word of counts in, or scikit-learn is missing.
    """
    options = options or SiteTrainingOptions()
    train = partial(_classifier, classes=lesson.classes, options=options, background=background)
    number = len(lesson.classes)
    errors = cross_validated_errors(lesson.pages, number, train, most=options.folds, seed=options.seed)
    error = sum(errors) / number
    classifier = train(lesson.pages, error=error)
    own: dict[str, Any] = {"smoothing": options.smoothing, "length": options.length}
    if isinstance(classifier, site_classifiers.CentroidClassifier):
        sizes = tuple(np.bincount(classifier.owners).tolist())
        own = {"centroids": sizes, "terms": options.terms, "softness": options.softness}
    facts = site_classifiers.SiteFacts(
        topic=topic,
        site_by=site_by,
        classifier=options.classifier,
        classes=lesson.classes,
        error=error,
        errors=errors,
        sites=lesson.sites_of_classes(),
        pages=lesson.pages_of_classes(),
        seed=options.seed,
        **own,
    )
    return site_classifiers.SiteModel(classifier, facts)


def _classifier(
    pages: Sequence[LabelledPage],
    classes: tuple[str, ...],
    options: SiteTrainingOptions,
    background: Background | None,
    error: float = 0.0,
) -> site_classifiers.CentroidClassifier | site_classifiers.NaiveBayesClassifier:
    if options.classifier == "centroids":
        background = background or Background.from_terms(page.terms for page in pages)
        return _centroids(pages, classes, options, background, error)
    terms = sorted({term for page in pages for term in page.terms})
    column = {term: number for number, term in enumerate(terms)}
    counts = np.zeros((len(classes), len(terms)))
    for page in pages:
        for term, times in page.terms.items():
            counts[page.label, column[term]] += times
    return site_classifiers.NaiveBayesClassifier(
        classes, terms, counts, error, smoothing=options.smoothing, length=options.length
    )


def _centroids(
    pages: Sequence[LabelledPage],
    classes: tuple[str, ...],
    options: SiteTrainingOptions,
    background: Background,
    error: float,
) -> site_classifiers.CentroidClassifier:
    vectors = [clustering.heaviest_terms(page.terms, background, options.terms) for page in pages]
    terms = sorted({term for vector in vectors for term in vector})
    labels = np.array([page.label for page in pages])
    matrix = clustering.vector_matrix(vectors, {term: number for number, term in enumerate(terms)})
    filled = np.diff(matrix.indptr) > 0
    parts = []
    for label, name in enumerate(classes):
        rows = np.flatnonzero((labels == label) & filled)
        if not len(rows):
            raise ConfigError(
                f"no page of the class {name!r} has a word that is not on every page: give other "
                "sites of it, or document frequencies of a larger collection"
            )
        parts.append(_class_centroids(matrix[rows], options))
    # What a single page says is no habit of its class, and would be half of the file.
    kept = np.flatnonzero(matrix.getnnz(axis=0) > 1)
    kept = kept if len(kept) else np.arange(len(terms))
    return site_classifiers.CentroidClassifier(
        classes,
        tuple(terms[column] for column in kept),
        np.concatenate(parts)[:, kept].astype(np.float32),
        np.repeat(np.arange(len(parts)), [len(part) for part in parts]),
        background,
        error,
        most=options.terms,
        softness=options.softness,
    )


def _class_centroids(points: Any, options: SiteTrainingOptions) -> Floats:
    number = max(1, min(options.centroids, points.shape[0] // _PAGES_PER_CENTROID))
    number = clustering.different_rows(points, number)
    centres = clustering.k_means(points, number, options.seed)[1]
    lengths = np.sqrt((centres**2).sum(axis=1, keepdims=True))
    return np.asarray(centres / np.maximum(lengths, 1e-12))


class LabelledPage(Struct, frozen=True, eq=False):
    """A page to learn from: its term counts, the number of its class, and its site."""

    terms: Mapping[str, int]
    label: int
    site: str


class TrainingSet(Struct, frozen=True, eq=False):
    """The classes, target first, and their pages; ConfigError for too few or equal names."""

    classes: tuple[str, ...]
    pages: tuple[LabelledPage, ...]

    def __post_init__(self) -> None:
        if len(self.classes) < 2:
            raise ConfigError(
                "there is one class of sites only: give other sites too, which the relevant ones are to be told from"
            )
        if len(set(self.classes)) < len(self.classes):
            raise ConfigError(f"two classes have the same name: {', '.join(self.classes)}")
        for name, pages in zip(self.classes, self.pages_of_classes(), strict=True):
            if not pages:
                raise ConfigError(f"the class {name!r} has no page: give sites of it")

    def pages_of_classes(self) -> tuple[int, ...]:
        """How many pages each class has."""
        labels = [page.label for page in self.pages]
        return tuple(labels.count(number) for number in range(len(self.classes)))

    def sites_of_classes(self) -> tuple[int, ...]:
        """How many sites each class has."""
        labels = [label for label, _ in {(page.label, page.site) for page in self.pages}]
        return tuple(labels.count(number) for number in range(len(self.classes)))


def set_of_samples(samples: Mapping[str, Sequence[SiteSample]]) -> TrainingSet:
    """The pages of sites that were read, by class, the target first; ConfigError as TrainingSet."""
    owner: dict[str, str] = {}
    pages: list[LabelledPage] = []
    for label, (name, sites) in enumerate(samples.items()):
        if not sites:
            raise ConfigError(f"no site of the class {name!r} is given: list some homepages of it")
        if not any(sample.pages for sample in sites):
            why = [f"{sample.homepage}: {sample.problem}" for sample in sites[:_SHOWN]]
            more = ", …" if len(sites) > _SHOWN else ""
            raise ConfigError(
                f"no site of the class {name!r} gave a page with words ({', '.join(why)}{more}); "
                "give other sites, or the recorded web that they are in"
            )
        for sample in sites:
            if not sample.pages or owner.get(sample.site) == name:
                continue
            if sample.site in owner:
                raise ConfigError(
                    f"the site {sample.site} is among those of {owner[sample.site]!r} and of "
                    f"{name!r}: leave it out of one"
                )
            owner[sample.site] = name
            pages += [LabelledPage(terms, label, sample.site) for terms in sample.pages.values()]
    return TrainingSet(tuple(samples), tuple(pages))


def set_of_taxonomy(taxonomy: Taxonomy, good: Collection[str], *, name: SiteName | None = None) -> TrainingSet:
    """The examples of a taxonomy, good ones and the rest; an example not a URL is its own site."""
    name = name or SiteName()
    wanted = {below for category in good for below in taxonomy.tree.below(category)}
    words = taxonomy.examples.vocabulary
    found: dict[str, LabelledPage] = {}
    for example in taxonomy.examples:
        label = 0 if example.category in wanted else 1
        if label and example.source in found:
            continue
        terms = [words[number] for number in example.terms.tolist()]
        counts = dict(zip(terms, example.counts.tolist(), strict=True))
        site = name.of(canonical(example.source)) if is_url(example.source) else example.source
        found[example.source] = LabelledPage(counts, label, site)
    return TrainingSet((TARGET, OTHER), tuple(found.values()))


class SiteSample(Struct):
    """What was read of a site: term counts by URL, and why there was no page."""

    homepage: str
    site: str = ""  # the name of where the homepage led; "" where it led nowhere
    pages: dict[str, Mapping[str, int]] = {}
    missing: dict[str, str] = {}

    @property
    def problem(self) -> str:
        """Why the site gave no page with words."""
        return next(iter(self.missing.values()), "no words")


def read_site(
    homepage: str, source: PageSource, name: SiteName | None = None, *, most: int = FIRST_PAGES
) -> SiteSample:
    """Read the first pages of a site, following links inside it breadth-first.

    A homepage that redirects to another site stands for it; other pages that do are left out.
    Pages without words are not counted. At most four requests are made for each page wanted; where
    one is, the homepage alone is read, as for a homepage classifier (Ester 2004, section 5.2).
    """
    name = name or SiteName()
    sample = SiteSample(homepage)
    waiting, known, tries = deque([homepage]), {homepage}, 0
    most_tries = _TRIES_PER_PAGE * most if most > 1 else 1
    while waiting and len(sample.pages) < most and tries < most_tries:
        url = waiting.popleft()
        tries += 1
        try:
            page = source.page(url)
        except (FetchError, PageError) as error:
            sample.missing[url] = str(error.reason)
            continue
        if sample.site and name.of(page.url) != sample.site:
            continue
        sample.site = sample.site or name.of(page.url)
        known.add(page.url)
        if page.terms and page.url not in sample.pages:
            sample.pages[page.url] = page.terms
        inside = (link for link in page.links if name.of(link.url) == sample.site)
        new = dict.fromkeys(link.url for link in inside if not link.nofollow)
        waiting.extend(url for url in new if url not in known)
        known.update(new)
    return sample


def class_and_file(given: str, name: str) -> tuple[str, Path]:
    """Read ``NAME=FILE`` or ``FILE``; ``name`` is that of the class where none is given.

    >>> class_and_file("cars=lists/cars.txt", "other")[0], class_and_file("cars.txt", "other")[0]
    ('cars', 'other')
    """
    named = _NAMED.fullmatch(given)
    if named is None or Path(given).exists():
        return name, Path(given)
    return named[1], Path(named[2])


def read_homepages(path: str | Path) -> list[str]:
    """The homepages of a file, ``http://`` may be left out; ConfigError if it lists none."""
    place = Path(path)
    lines = listed_addresses(place)
    found = list(dict.fromkeys(_homepage(one, f"{place}, line {n}") for n, one in lines))
    if not found:
        raise ConfigError(f"{place} lists no site: write the URL of a homepage a line")
    return found


def _homepage(address: str, where: str) -> str:
    return canonical_at(where, f"http://{address}" if _BARE.fullmatch(address) else address)


def homepages_of_tree(file: TreeFile, categories: Sequence[str]) -> dict[str, list[str]]:
    """The homepages of some categories, and the ``other`` ones; ConfigError if one is a file."""
    tree = file.tree
    wanted = {below for name in categories for below in tree.below(tree.find(name))}
    found: dict[str, dict[str, None]] = {TARGET: {}, OTHER: {}}
    for category, places in file.examples.items():
        for place in places:
            if not is_url(place):
                raise ConfigError(
                    f"{tree.place}: the example {place} of {tree.path(category)} is no homepage; "
                    "train a taxonomy with files first ('semcrawl taxonomy train'), and give that"
                )
            side = TARGET if category in wanted else OTHER
            found[side][_homepage(place, f"{tree.place}, {tree.path(category)}")] = None
    target = list(found[TARGET])
    return {TARGET: target, OTHER: [url for url in found[OTHER] if url not in found[TARGET]]}
