"""What words around links tell, on a web of a few pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from semcrawl.lab.metrics import ScoredRun
from semcrawl.lab.page_measures import FARTHEST, information_gain, information_gains, mean_gains
from semcrawl.lab.records import RunRecord, Visit
from tests.lab.pet_web import CATS, DOGS, HOME, opened, write_experiment

if TYPE_CHECKING:
    from pathlib import Path


def crawled(relevances: dict[str, float]) -> ScoredRun:
    visits = tuple(Visit(url, relevance, 0.5, 0, 1) for url, relevance in relevances.items())
    record = RunRecord(key="k", contender="one", topic="cats", visits=visits)
    return ScoredRun(
        contender="one",
        topic="cats",
        repetition=0,
        strategy="soft-focus",
        record=record,
        visits=visits,
        hits=(True,) * len(visits),
        targets=8,
    )


def test_chakrabarti_2002_figure_8_gain_is_what_a_term_tells_of_the_bucket() -> None:
    """Chakrabarti et al. 2002, section 3.4: of four links, half of them high, in bits."""
    present = np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 1.0]])
    surprise = 0.75 * (np.log2(3) - 2 / 3)  # of 2 and 1 of one bucket and the other
    expected = [1.0, 0.0, 1.0 - surprise]
    assert information_gain(present, np.array([2, 2])) == pytest.approx(expected)


def test_chakrabarti_2002_figure_8_anchors_tell_more_than_what_is_far(tmp_path: Path) -> None:
    """Chakrabarti et al. 2002, figure 8: gain by DOM offset, here cats among dogs."""
    judged = {HOME: 0.5, **dict.fromkeys(CATS, 0.9), **dict.fromkeys(DOGS, 0.1)}
    with opened(write_experiment(tmp_path)) as (_, web, _):
        gains = mean_gains([crawled(judged)], web)
        assert len(gains) == 2 * FARTHEST + 1
        assert gains[FARTHEST] > gains[0]
        assert max(gains) <= 1
        assert information_gains(crawled(dict.fromkeys(judged, 0.5)), web) is None
