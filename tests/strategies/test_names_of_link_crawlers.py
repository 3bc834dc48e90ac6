"""The crawlers that read links are found by their names, with their options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.strategies import STRATEGIES

if TYPE_CHECKING:
    from semcrawl.strategies import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

SEEDS = ["http://a.test/", "http://b.test/"]


@pytest.mark.parametrize(
    "spec",
    [
        "dom:level=2,by=ssrm,measure=wu-palmer,min_weight=0.4",
        "dom:words=20,by=tf,alpha=0.5",
        "hub-seeking:seeds_by=pages,by=ehrig",
        "fish-search:width=5,depth=2,stretch=2,threshold=0.1",
        "shark-search:decay=0.3,beta=0.5,gamma=0.2,depth=0",
        "backlink-count",
        "pagerank:every=25,damping=0.8",
        "ontology-focus:measure=is-a-2",
    ],
)
def test_each_is_built_from_its_spec_and_ranks_a_page(
    spec: str, diseases: Topic, collection: Background, sick: JudgedPage
) -> None:
    given = {"topic": diseases, "background": collection, "judge": None, "seeds": SEEDS}
    ranked = STRATEGIES.create(spec, **given).rank(sick)
    assert len(ranked) == len(sick.page.links)


@pytest.mark.parametrize(
    "spec",
    ["dom:level=two", "dom:by=nearness", "hub-seeking:seeds_by=sites", "fish-search:width=0",
     "shark-search:decay=2", "pagerank:every=0", "context-graph", "context-graph:model=gone.model"],
)  # fmt: skip
def test_bad_options_are_said_before_the_crawl(spec: str, diseases: Topic, collection: Background) -> None:
    given = {"topic": diseases, "background": collection, "judge": None, "seeds": SEEDS}
    with pytest.raises(ConfigError):
        STRATEGIES.create(spec, **given)
