from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page import Link, Page
from semcrawl.relevance.similarities import CosineSimilarity
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.best_first import BestFirstAnchor, BestFirstPage, BestFirstPageAnchor
from semcrawl.text.background import Background
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from semcrawl.strategies import Strategy

# cos(p, q), as in tests/relevance/measures: 2.302585 / 2.472594
PAGE = 0.931243
# cos(a, q) of "asthma car": 4.605170 / sqrt(4.605170² + 0.693147²) = 4.605170 / 4.657042
ANCHOR = 0.988862


def test_by_page_every_link_has_the_cosine_of_the_page(
    topic: Topic, background: Background, judged: JudgedPage
) -> None:
    ranked = BestFirstPage(topic, background).rank(judged)
    assert ranked == pytest.approx([PAGE] * 4, abs=1e-6)


def test_by_anchor_each_link_has_the_cosine_of_its_anchor(
    topic: Topic, background: Background, judged: JudgedPage
) -> None:
    ranked = BestFirstAnchor(topic, background).rank(judged)
    assert ranked == pytest.approx([ANCHOR, 0.0, 0.0, 1.0], abs=1e-6)


@given(st.lists(st.text("asthmcr -'\u00e9\u2003\u65e5", max_size=20), max_size=8))
def test_anchors_read_together_are_as_near_as_one_by_one(texts: list[str]) -> None:
    similarity = CosineSimilarity({"asthma": 1.0, "car": 0.5}, Background.default())
    texts += ["asthma car", "", "cars"]
    assert similarity.of_texts(texts) == [similarity.of_text(text) for text in texts]


def test_by_page_and_anchor_each_link_has_the_mean(topic: Topic, background: Background, judged: JudgedPage) -> None:
    # Eq. 7: (0.931243 + 0.988862) / 2 = 0.960053, (0.931243 + 0) / 2 = 0.465622,
    # (0.931243 + 1) / 2 = 0.965622
    ranked = BestFirstPageAnchor(topic, background).rank(judged)
    assert ranked == pytest.approx([0.960053, 0.465622, 0.465622, 0.965622], abs=1e-6)


@given(st.text(), st.lists(st.text(), max_size=5))
def test_page_and_anchor_is_the_mean_of_the_other_two(text: str, anchors: list[str]) -> None:
    topic = Topic.parse("keywords:asthma")
    background = Background.from_counts({"asthma": 10}, documents=1000)
    links = [Link(f"http://b.test/{n}", anchor) for n, anchor in enumerate(anchors)]
    judged = JudgedPage(Page(url="http://a.test/", pieces=(text,), links=links), 0.0, 0)
    by_page, by_anchor, by_both = (
        kind(topic, background).rank(judged) for kind in (BestFirstPage, BestFirstAnchor, BestFirstPageAnchor)
    )
    assert len(by_both) == len(links)
    assert by_both == pytest.approx([(p + a) / 2 for p, a in zip(by_page, by_anchor, strict=True)])


@pytest.mark.parametrize("kind", [BestFirstPage, BestFirstAnchor, BestFirstPageAnchor])
def test_a_page_without_links_has_no_priorities(
    topic: Topic, background: Background, kind: type[BestFirstPage]
) -> None:
    strategy: Strategy = kind(topic, background)
    assert strategy.rank(JudgedPage(Page(url="http://a.test/", pieces=("asthma",)), 1.0, 0)) == []
    assert strategy.batch == 1
