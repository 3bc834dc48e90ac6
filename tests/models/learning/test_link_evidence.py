"""What came of links that are like another: only what was known before it was followed counts."""

import tracemalloc

import numpy as np

from semcrawl.models.link_evidence import _known_before
from semcrawl.relevance.judges import PageEvidence
from semcrawl.strategies.adaptive import Adaptive
from semcrawl.topics import Topic


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


def test_links_of_many_pages_of_other_shards_are_looked_at_by_and_by() -> None:
    topic, pages, count = Topic.parse("keywords:lung"), 200, 1_000
    strategy = Adaptive(topic, topic.background())
    strategy.begin(None, {})
    links = [(count - 1, "http://a.test/", "lung")]
    told = {f"http://{number}.test/": PageEvidence(0.5, 0.0, count, links) for number in range(pages)}
    tracemalloc.start()
    assert strategy.take_evidence(told)["http://a.test/"] > 0
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300 * count * pages  # bytes; the evidence on a link takes some hundred while it is looked at
