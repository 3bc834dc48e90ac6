from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.models.site_training import LabelledPage, cross_validated_errors, folds, wrongness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def pages(*sites: tuple[int, str, int]) -> list[LabelledPage]:
    """So many pages of each site, as (class, site, number)."""
    return [LabelledPage({f"{site}{n}": 1}, label, site) for label, site, number in sites for n in range(number)]


class Constant:
    """A classifier that remembers nothing and always says the same."""

    classes = ("a", "b")
    error = 0.0

    def __init__(self, trained: Sequence[LabelledPage]) -> None:
        self.known = {term for page in trained for term in page.terms}

    def confidences(self, terms: Mapping[str, int], page: object = None) -> tuple[float, ...]:
        """The first class, unless it was trained with the page, which must not be."""
        assert page is None
        assert not self.known & terms.keys()
        return 0.9, 0.1


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4)), min_size=1, max_size=40), st.integers(0, 9))
def test_every_page_is_held_out_once_with_all_of_its_site(sites: list[tuple[int, int]], seed: int) -> None:
    given_sites = [(label, f"s{n}", number) for n, (label, number) in enumerate(sites)]
    by_class = [[one for one in given_sites if one[0] == label] for label in range(3)]
    alone = {label for label in range(3) if sum(n for _, _, n in by_class[label]) < 2}
    all_pages = pages(*given_sites)
    found = list(folds(all_pages, 3, seed=seed))
    assert len(found) <= 10
    held = [id(page) for fold in found for page in fold]
    if len(found) > 1:
        assert sorted(held) == sorted(id(page) for page in all_pages if page.label not in alone)
    for label in range(3):
        if len(by_class[label]) > 1:
            for _, site, _ in by_class[label]:
                assert sum(any(page.site == site for page in fold) for fold in found) == 1


def test_there_are_ten_folds_or_as_many_as_the_smallest_class_has_sites() -> None:
    many = pages(*((n % 2, f"s{n}", 2) for n in range(40)))
    assert len(list(folds(many, 2))) == 10
    few = pages((0, "a", 5), (0, "b", 5), (0, "c", 1), *((1, f"s{n}", 2) for n in range(20)))
    assert len(list(folds(few, 2))) == 3
    assert all({page.label for page in fold} == {0, 1} for fold in folds(few, 2))


def test_the_same_seed_gives_the_same_folds() -> None:
    many = pages(*((n % 2, f"s{n}", 1) for n in range(40)))

    def sites(seed: int) -> list[list[str]]:
        return [[page.site for page in fold] for fold in folds(many, 2, seed=seed)]

    assert sites(3) == sites(3) != sites(4)


def test_the_errors_by_hand() -> None:
    """Of class 0 none of 8 is wrong: 1 / 10; of class 1 all of 4: 5 / 6."""
    known = pages((0, "a", 4), (0, "b", 4), (1, "c", 2), (1, "d", 2))
    assert cross_validated_errors(known, 2, Constant) == pytest.approx((1 / 10, 5 / 6))


@pytest.mark.parametrize(
    ("shares", "label", "wrong"),
    [((0.6, 0.4), 0, 0), ((0.6, 0.4), 1, 1), ((1 / 3,) * 3, 2, 2 / 3), ((0.4, 0.4, 0.2), 1, 0.5)],
)
def test_a_tie_is_a_guess(shares: tuple[float, ...], label: int, wrong: float) -> None:
    assert wrongness(shares, label) == pytest.approx(wrong)
