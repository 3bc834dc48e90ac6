"""What came of links that are like another: only what was known before it was followed counts."""

import numpy as np

from semcrawl.models.link_evidence import _known_before


def test_only_outcomes_before_a_link_was_followed_count() -> None:
    groups = np.array([7, 7, 7, 7, 3, 3])
    rows = np.array([4, 2, -1, 4, 0, 9])  # two links to the page 4, one that nobody followed
    relevance = np.array([1.0, 0.5, 0.0, 1.0, 0.25, 0.0])
    known = np.full(6, 2.5), np.full(6, 3.0)
    good, count = _known_before(groups, rows, relevance, known)
    assert good.tolist() == [0.5, 0.0, 2.5, 0.5, 0.0, 0.25]
    assert count.tolist() == [1.0, 0.0, 3.0, 1.0, 0.0, 1.0]


def test_of_no_links_nothing_is_known() -> None:
    nothing = np.zeros(0)
    numbers = np.zeros(0, np.int64)
    good, count = _known_before(numbers, numbers, nothing, (nothing, nothing))
    assert len(good) == len(count) == 0
