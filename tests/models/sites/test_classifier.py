from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl.sites.belief import SiteBelief
from semcrawl.models.site_classifiers import CentroidClassifier, LensClassifier, NaiveBayesClassifier
from semcrawl.text.background import Background
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from semcrawl.models.site_classifiers import PageClassifier

PLAIN = Background.from_counts({"sail": 1, "goal": 1}, documents=10)
TABLE = ("sail", "goal"), np.eye(2, dtype=np.float32), np.array([0, 1])
BEHIND_THE_SEAM: list[PageClassifier] = [
    CentroidClassifier(("target", "other"), *TABLE, PLAIN, error=0.1),
    NaiveBayesClassifier(("target", "other"), ("sail", "goal"), np.eye(2), error=0.1),
    LensClassifier(Topic.parse("keywords:sail"), PLAIN, "cosine"),
]
pages = st.dictionaries(st.sampled_from(["sail", "goal", "tree"]), st.integers(1, 1000))


@pytest.mark.parametrize("classifier", BEHIND_THE_SEAM, ids=lambda one: type(one).__name__)
@given(page=pages)
def test_every_classifier_gives_shares_and_is_undecided_of_an_empty_page(
    classifier: PageClassifier, page: dict[str, int]
) -> None:
    shares = classifier.confidences(page)
    assert len(shares) == len(classifier.classes)
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
    assert classifier.confidences({}) == (0.5, 0.5)


@pytest.mark.parametrize("classifier", BEHIND_THE_SEAM, ids=lambda one: type(one).__name__)
def test_a_site_is_believed_by_any_of_them(classifier: PageClassifier) -> None:
    belief = SiteBelief(classifier.error, prior=0.5)
    for _ in range(10):
        belief.add(classifier.confidences({"sail": 30}))
    assert belief.verdict(0.9) is True
