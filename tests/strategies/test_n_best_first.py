from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.strategies import STRATEGIES
from semcrawl.strategies.best_first import BestFirstAnchor, BestFirstPage, BestFirstPageAnchor, NBestFirst

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic


def test_n_is_the_size_of_the_batch(topic: Topic, background: Background) -> None:
    assert NBestFirst(topic, background).batch == 10
    assert NBestFirst(topic, background, n=50).batch == 50


@pytest.mark.parametrize(
    ("by", "same"), [("page", BestFirstPage), ("anchor", BestFirstAnchor), ("page-anchor", BestFirstPageAnchor)]
)
def test_links_are_ranked_as_by_the_crawler_that_it_names(
    topic: Topic, background: Background, judged: JudgedPage, by: str, same: type[BestFirstPage]
) -> None:
    ranked = NBestFirst(topic, background, by=by).rank(judged)
    assert ranked == same(topic, background).rank(judged)


def test_page_and_anchor_is_the_default(topic: Topic, background: Background, judged: JudgedPage) -> None:
    ranked = NBestFirst(topic, background).rank(judged)
    assert ranked == BestFirstPageAnchor(topic, background).rank(judged)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("n-best-first:n=0", "n must be at least 1, not 0"),
        ("n-best-first:by=title", "by must be one of page, anchor, page-anchor, not 'title'"),
        ("n-best-first:n=many", "option n=many is no int"),
        ("n-best-first:m=3", "has no option 'm'; it takes: n, by"),
    ],
)
def test_wrong_options_are_refused(topic: Topic, background: Background, spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        STRATEGIES.create(spec, topic=topic, background=background)


def test_options_are_given_behind_the_name(topic: Topic, background: Background) -> None:
    made = STRATEGIES.create("n-best-first:n=3,by=page", topic=topic, background=background)
    assert isinstance(made, NBestFirst)
    assert made.batch == 3
