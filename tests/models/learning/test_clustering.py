from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from semcrawl.errors import ConfigError
from semcrawl.models.clustering import bic, k_means, relevant_apart, x_means

if TYPE_CHECKING:
    from numpy.typing import NDArray


def blobs(centres: list[tuple[float, float]], each: int = 30) -> NDArray[np.float64]:
    """Clouds of points, a fiftieth as wide as the distance between them."""
    chance = np.random.default_rng(7)
    return np.concatenate([chance.normal(centre, 0.2, (each, 2)) for centre in centres])


def groups(labels: NDArray[np.int64], each: int = 30) -> set[frozenset[int]]:
    """Which labels each cloud has."""
    return {frozenset(part.tolist()) for part in labels.reshape(-1, each)}


FOUR = blobs([(0, 0), (10, 0), (0, 10), (10, 10)])


def test_k_means_finds_clear_clouds() -> None:
    labels, centres = k_means(FOUR, 4, seed=1)
    assert groups(labels) == {frozenset({n}) for n in range(4)}
    assert sorted(map(tuple, centres.round().tolist())) == [(0, 0), (0, 10), (10, 0), (10, 10)]


def test_sparse_and_dense_points_make_the_same_clusters() -> None:
    assert (k_means(csr_matrix(FOUR), 4, 1)[0] == k_means(FOUR, 4, 1)[0]).all()


def test_the_relevant_pages_are_the_last_cluster_wherever_they_lie() -> None:
    is_relevant = np.zeros(len(FOUR), bool)
    is_relevant[::10] = True
    labels = relevant_apart(csr_matrix(FOUR), is_relevant, clusters=5, seed=1)
    assert set(labels[is_relevant].tolist()) == {4}
    others = np.where(is_relevant, labels[np.arange(len(labels)) // 30 * 30 + 1], labels)
    assert groups(others) == {frozenset({n}) for n in range(4)}


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_x_means_finds_the_number_of_clear_clouds(count: int) -> None:
    points = blobs([(10.0 * n, 10.0 * (n % 3)) for n in range(count)])
    labels, centres = x_means(csr_matrix(points), seed=3)
    assert len(centres) == count
    assert len(groups(labels)) == count


def test_x_means_starts_with_one_cloud_if_told_and_keeps_to_its_limit() -> None:
    one = blobs([(0, 0)], each=60)
    assert len(x_means(one, 0, least=1)[1]) == 1
    assert len(x_means(FOUR, 0, most=3)[1]) == 3


def test_points_that_are_all_the_same_stay_one_cluster() -> None:
    same = np.ones((20, 2))
    assert len(x_means(same, 0, least=1)[1]) == 1


def test_bic_on_paper() -> None:
    # R = 4, M = 1, K = 2: centres 1 and 9, squares 4, variance 4 / (1 (4 - 2)) = 2.
    # 4 ln(1/2) - 4/2 ln(4π) - 2/2 = -2.772589 - 5.062048 - 1 = -8.834637
    # p = 1 + 2 + 1 = 4: - 4/2 ln 4 = -2.772589; in all -11.607226
    points = np.array([[0.0], [2.0], [8.0], [10.0]])
    two = bic(points, np.array([0, 0, 1, 1]), np.array([[1.0], [9.0]]))
    assert two == pytest.approx(-11.607226, abs=1e-6)
    # K = 1: centre 5, squares 68, variance 68 / 3; -2 ln(2π 68/3) - 3/2 - 2/2 ln 4
    # = -9.917545 - 1.5 - 1.386294 = -12.803839
    one = bic(points, np.zeros(4, np.int64), np.array([[5.0]]))
    assert one == pytest.approx(-12.803839, abs=1e-6)
    assert bic(csr_matrix(points), np.zeros(4, np.int64), np.array([[5.0]])) == pytest.approx(one)


def test_the_same_seed_gives_the_same_clusters() -> None:
    chance = np.random.default_rng(0).random((200, 30))
    assert (k_means(chance, 6, 5)[0] == k_means(chance, 6, 5)[0]).all()
    assert (x_means(chance, 5)[0] == x_means(chance, 5)[0]).all()


@pytest.mark.parametrize("make", [np.asarray, csr_matrix])
def test_fewer_different_pages_than_clusters_are_too_few(make: type) -> None:
    points = make(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    with pytest.raises(ConfigError, match="too few pages: 2 different ones cannot make 3"):
        k_means(points, 3, 0)


def test_what_is_no_number_fits_no_cluster() -> None:
    with pytest.raises(ConfigError, match="NaN"):
        k_means(np.array([[np.nan], [1.0]]), 2, 0)


@pytest.mark.parametrize(("least", "most"), [(0, 5), (6, 5)])
def test_x_means_needs_numbers_to_choose_from(least: int, most: int) -> None:
    with pytest.raises(ConfigError, match="no number to find"):
        x_means(FOUR, 0, least=least, most=most)
