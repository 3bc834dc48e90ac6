from __future__ import annotations

import math

import pytest

from semcrawl.crawl.sites import SiteProgress
from semcrawl.crawl.sites.progress import EffortWatch


def test_pages_per_relevant_site_are_infinite_before_the_first() -> None:
    assert math.isinf(SiteProgress(pages=10).pprs)
    assert "pprs" not in SiteProgress(pages=10).to_dict()
    progress = SiteProgress(pages=10, sites=5, relevant_sites=4)
    assert (progress.pprs, progress.site_harvest_rate) == (2.5, 0.8)
    assert progress.to_dict()["pprs"] == 2.5


@pytest.mark.parametrize(
    ("closed", "risen"),
    [
        ([(2, True), (2, True)], False),
        ([(2, True), (2, True), (9, True)], False),  # 11 / 2 against 2
        ([(2, True), (2, True), (10, True)], True),  # 12 / 2 is three times as much
        ([(2, True), (2, False), (2, False)], True),  # none of late
        ([(2, False)] * 9, False),  # none ever: nothing has risen
    ],
)
def test_the_effort_has_risen_when_the_latest_sites_cost_too_much(closed: list[tuple[int, bool]], risen: bool) -> None:
    watch = EffortWatch(window=2, rise=3.0)
    for pages, is_relevant in closed:
        watch.closed(pages, is_relevant=is_relevant)
    assert watch.has_risen is risen


def test_without_a_window_nothing_is_watched() -> None:
    watch = EffortWatch(window=0, rise=3.0)
    for pages in (1, 1000):
        watch.closed(pages, is_relevant=True)
    assert not watch.has_risen
