from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.models.site_classifiers import LensClassifier, relevance_confidence
from semcrawl.page import Page
from semcrawl.relevance.judges import CosineJudge
from semcrawl.text.background import Background
from semcrawl.text.terms import count_terms
from semcrawl.topics import Topic

shares = st.floats(0, 1)


def lens(spec: str = "wordnet:asthma", judge: str = "labels") -> LensClassifier:
    return LensClassifier(Topic.parse(spec), Background.default(), judge)


def test_confidence_by_hand() -> None:
    """r = 0.5 and t = 0.2: 0.4 / (0.4 + 0.1) = 0.8; with 20 words half of that counts."""
    assert relevance_confidence(0.5, 0.2, words=20) == pytest.approx(0.65)
    assert relevance_confidence(0.1, 0.5, words=180) == pytest.approx(0.14)


@given(shares, shares, st.floats(0.01, 0.99), st.integers(0, 10_000))
def test_more_relevance_is_more_confidence(one: float, other: float, threshold: float, words: int) -> None:
    low, high = sorted((one, other))
    below, above = (relevance_confidence(value, threshold, words) for value in (low, high))
    assert 0 <= below <= above <= 1
    assert (below < 0.5) <= (low < threshold)


def test_a_topic_is_enough() -> None:
    classifier = lens()
    about = count_terms("An asthma attack: asthma of the bronchi, wheezing. " * 10)
    cars = count_terms("Wheels, engines and gears of old cars. " * 10)
    assert classifier.classes == ("target", "other")
    assert classifier.confidences(about)[0] > 0.6
    assert classifier.confidences(cars)[0] < 0.2
    assert classifier.confidences({}) == (0.5, 0.5)
    assert 0.3 < classifier.confidences(count_terms("Enter here"))[0] < 0.5


@pytest.mark.parametrize("judge", ["labels", "ssrm"])
def test_phrases_and_acronyms_are_found_in_the_page(judge: str) -> None:
    for topic, text in (
        ("wordnet:heart_attack.n.01", "A heart attack, and after the heart attack. "),
        ("keywords:COPD", "COPD, and what comes after COPD. "),
    ):
        page = Page(url="http://a.test/", pieces=(text * 10,))
        classifier = lens(topic, judge)
        found = classifier.confidences(page.terms, page)[0]
        assert found > 0.6
        assert found > classifier.confidences(page.terms)[0]


def test_a_judge_of_whole_pages_is_an_error(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = tmp_path_factory.mktemp("judge") / "mine.py"
    place.write_text("class Mine:\n    threshold = 0.5\n    def judge(self, page): ...\n")
    with pytest.raises(ConfigError, match="choose another judge"):
        lens(judge=f"{place}:Mine")


def test_an_unknown_judge_and_an_impossible_threshold_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="no judge"):
        lens(judge="nobody")
    monkeypatch.setattr(CosineJudge, "threshold", 2.0)
    with pytest.raises(ConfigError, match=r"in \[0, 1\]"):
        lens(judge="cosine")
