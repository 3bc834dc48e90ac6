"""p_err: how often a page classifier is wrong about pages that it was not trained with."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from semcrawl.sites.classifier import PageClassifier
    from semcrawl.sites.training_set import LabelledPage

    Trainer = Callable[[Sequence[LabelledPage]], PageClassifier]

__all__ = ["FOLDS", "class_errors", "cross_validated_errors", "folds", "wrongness"]

FOLDS = 10
"""How many parts the training pages are cut into, as in Ester 2004, section 4.3.3."""


def cross_validated_errors(
    pages: Sequence[LabelledPage], classes: int, train: Trainer, *, most: int = FOLDS, seed: int = 0
) -> tuple[float, ...]:
    """The error of each class, of classifiers that were trained without the pages they tell.

    p_err is the mean of these: each class counts alike, because the list of
    other sites can be as long as one likes. Ester 2004, section 4.3.3.

    Args:
        pages: the training pages.
        classes: how many classes there are.
        train: makes a classifier of some pages.
        most: how many folds at most.
        seed: of the shuffling.
    """
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

    >>> class_errors([1.0, 0.0], [8, 2])
    (0.2, 0.25)
    """
    return tuple((one + 1) / (pages + 2) for one, pages in zip(wrong, number, strict=True))


def wrongness(confidences: Sequence[float], label: int) -> float:
    """0 where the class of a page has the highest confidence, 1 where another has.

    Where several have it, one of them would be guessed.

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
    """Cut training pages into folds, each with a part of every class.

    The pages of a site are in one fold: they have so much in common that the
    error would come out too low otherwise. Of a class with one site only, its
    pages are spread. There are as many folds as the smallest class has sites or
    such pages, and at most ``most``; a class with a single page is in none, and always
    trained with.
    """
    random = Random(seed)
    stacks = [_units(pages, label, random) for label in range(classes)]
    number = min([most, *[len(units) for units in stacks if len(units) > 1]])
    for fold in range(number):
        yield [
            page
            for units in stacks
            if len(units) > 1
            for unit in units[fold::number]
            for page in unit
        ]


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
