from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl.sites.belief import SiteBelief, corrected, running_prior
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

shares = st.floats(0, 1)


def after(pages: Sequence[tuple[float, ...]], error: float = 0.1, prior: float = 0.5) -> SiteBelief:
    belief = SiteBelief(error, prior)
    for page in pages:
        belief.add(page)
    return belief


def test_two_pages_by_hand() -> None:
    """0.9 · 0.8 + 0.1 · 0.2 = 0.74 and 0.9 · 0.3 + 0.1 · 0.7 = 0.34 for the target class."""
    belief = after([(0.8, 0.2), (0.3, 0.7)])
    target, other = 0.74 * 0.34, 0.26 * 0.66
    assert belief.probability == pytest.approx(target / (target + other))
    assert belief.pages == 2


def test_the_prior_by_hand() -> None:
    """With one site in four relevant so far, a page of 0.74 against 0.26 is no majority."""
    belief = after([(0.8, 0.2)], prior=0.25)
    assert belief.probability == pytest.approx(0.25 * 0.74 / (0.25 * 0.74 + 0.75 * 0.26))
    assert not belief.is_relevant


def test_three_classes_by_hand() -> None:
    """Half of the error goes to each of the other two, and they share the rest of the prior."""
    belief = after([(0.5, 0.3, 0.2)], error=0.2, prior=0.4)
    weights = (0.4 * 0.45, 0.3 * 0.31, 0.3 * 0.24)
    assert belief.probabilities == pytest.approx([one / sum(weights) for one in weights])


def test_a_homepage_of_frames_is_outvoted_by_the_pages_behind_it() -> None:
    """Figure 4 of the paper: the first page speaks for the wrong class."""
    belief = after([(0.4, 0.6)])
    assert not belief.is_relevant
    for _ in range(3):
        belief.add((0.8, 0.2))
    assert belief.verdict(0.9) is True


def test_even_a_certain_page_decides_no_more_than_the_error_allows() -> None:
    assert after([(1.0, 0.0)]).probability == pytest.approx(0.9)
    assert after([(1.0, 0.0)], error=0.0).probability == pytest.approx(1.0)


def test_a_classifier_that_errs_more_than_a_guess_says_nothing() -> None:
    assert after([(1.0, 0.0)], error=0.9).probability == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("pages", "threshold", "verdict"),
    [
        ([], 0.5, None),
        ([(0.5, 0.5)], 0.7, None),
        ([(0.9, 0.1)], 0.7, True),
        ([(0.1, 0.9)], 0.7, False),
        ([(0.9, 0.1)], 0.9, None),
    ],
)
def test_the_verdict_waits_until_it_is_sure(
    pages: list[tuple[float, ...]], threshold: float, verdict: bool | None
) -> None:
    assert after(pages).verdict(threshold) is verdict


def test_before_the_first_page_there_is_the_prior_only() -> None:
    belief = SiteBelief(error=0.1, prior=0.3)
    assert belief.probability == pytest.approx(0.3)
    assert belief.verdict(0.6) is None


def test_thousands_of_pages_leave_a_number() -> None:
    assert after([(0.0, 1.0)] * 5000 + [(1.0, 0.0)] * 5001).probability == pytest.approx(0.9)
    assert after([(0.0, 1.0)] * 5000, error=0.0).probability == 0.0


@given(st.lists(shares, max_size=30), shares, st.floats(0.01, 0.99))
def test_the_order_of_pages_does_not_matter_and_the_classes_sum_to_one(
    targets: list[float], error: float, prior: float
) -> None:
    pages = [(share, 1 - share) for share in targets]
    one, other = after(pages, error, prior), after(pages[::-1], error, prior)
    assert one.probability == pytest.approx(other.probability, abs=1e-9)
    assert sum(one.probabilities) == pytest.approx(1)


@given(st.lists(shares, min_size=2, max_size=6), shares)
def test_the_correction_keeps_the_sum_and_the_order(values: list[float], error: float) -> None:
    found = corrected(values, error)
    assert sum(found) == pytest.approx(sum(values))
    for value, result in zip(values, found, strict=True):
        for other, its in zip(values, found, strict=True):
            assert value >= other or result <= its + 1e-9


@pytest.mark.parametrize(
    ("error", "prior", "page", "words"),
    [
        (1.5, 0.5, (1.0, 0.0), "error of a page classifier"),
        (float("nan"), 0.5, (1.0, 0.0), "error of a page classifier"),
        (0.1, 1.0, (1.0, 0.0), "prior of a target site"),
        (0.1, 0.5, (1.0,), "two classes or more"),
        (0.1, 0.5, (float("nan"), 0.5), "numbers of 0 or more"),
    ],
)
def test_what_is_no_probability_is_an_error(error: float, prior: float, page: tuple[float, ...], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        after([page], error, prior)


def test_pages_with_different_classes_are_an_error() -> None:
    with pytest.raises(ConfigError, match="in 3 classes, and those before it in 2"):
        after([(0.5, 0.5), (0.2, 0.3, 0.5)])


def test_the_running_prior_is_the_share_of_relevant_sites() -> None:
    assert running_prior(relevant=2, sites=6) == pytest.approx(3 / 8)


@pytest.mark.parametrize(("relevant", "value"), [(1000, 0.65), (0, 0.35)])
def test_the_running_prior_decides_no_site_alone(relevant: int, value: float) -> None:
    prior = running_prior(relevant, sites=1000)
    assert prior == pytest.approx(value)
    belief = SiteBelief(error=0.1, prior=prior)
    belief.add((0.5, 0.5))
    assert belief.verdict(0.7) is None
