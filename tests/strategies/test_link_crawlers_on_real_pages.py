"""The crawlers that read links on real pages: an encyclopedia of 2007."""

from __future__ import annotations

import os
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import PageError
from semcrawl.page import Page, read_page
from semcrawl.relevance import CosineJudge
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.dom import Dom, HubSeeking
from semcrawl.strategies.fish_search import FishSearch, SharkSearch
from semcrawl.strategies.link_counts import BacklinkCount, PageRank
from semcrawl.strategies.semantic import OntologyFocus
from semcrawl.strategies.strategy import Learner
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.relevance import Judge
    from semcrawl.strategies import Strategy

ROOT = Path(__file__).resolve().parent.parent.parent
TOPIC = "wordnet:disease.n.01,medicine.n.01"
SEEDS = ["http://schools-wikipedia.test/wp/a/Asthma.htm", "http://schools-wikipedia.test/wp/h/HIV.htm"]
BUILDERS: dict[str, Callable[[Topic, Judge], Strategy]] = {
    "dom": lambda topic, judge: Dom(topic, Background.default(), judge),
    "dom:words=20": lambda topic, judge: Dom(topic, Background.default(), judge, words=20),
    "hub-seeking": lambda topic, judge: HubSeeking(topic, Background.default(), judge, seeds=SEEDS, seeds_by="pages"),
    "fish-search": lambda topic, judge: FishSearch(),
    "shark-search": lambda topic, judge: SharkSearch(topic, Background.default(), judge),
    "backlink-count": lambda topic, judge: BacklinkCount(),
    "pagerank": lambda topic, judge: PageRank(every=7),
    "ontology-focus": lambda topic, judge: OntologyFocus(topic),
}


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    data = Path(os.environ.get("SEMCRAWL_DATA", ROOT.parent / "shared" / "data"))
    warc = data / "schools-wikipedia" / "pages.warc.gz"
    if not warc.exists():
        pytest.skip(f"there is no recorded web at {warc}; set SEMCRAWL_DATA")
    web = open_replay(warc)
    found = []
    for url in islice(web.urls(), 0, 4000, 200):
        try:
            found.append(read_page(web.fetch(url)))
        except PageError:
            continue
    return found


@pytest.mark.data
@pytest.mark.parametrize("name", BUILDERS)
def test_every_link_has_a_finite_priority_or_is_not_followed(name: str, pages: list[Page]) -> None:
    topic = Topic.parse(TOPIC)
    judge = CosineJudge(topic, Background.default())
    strategy = BUILDERS[name](topic, judge)
    memo = ""
    for page in pages:
        judged = JudgedPage(page, judge.judge(page).relevance, 1, memo=memo)
        ranked = strategy.rank(judged)
        assert len(ranked) == len(page.links)
        assert all(priority is None or isfinite(priority) for priority in ranked)
        if isinstance(strategy, Learner):
            memo = strategy.note(judged)
            strategy.observe(judged)
            assert all(map(isfinite, strategy.revise().values()))
