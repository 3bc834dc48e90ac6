from __future__ import annotations

import pytest

from semcrawl.errors import ConfigError
from semcrawl.strategies import JudgedPage
from semcrawl.strategies.best_first import BreadthFirst
from semcrawl.strategies.strategy import as_strategy


class Plain:
    """What the documentation asks of a strategy, and no more."""

    batch = 3

    def rank(self, judged: JudgedPage) -> list[float]:
        return [judged.relevance] * len(judged.page.links)


class SparingServers(Plain):
    ordering = "load"
    mood = "careful"


def test_a_strategy_of_ones_own_needs_only_batch_and_rank(judged: JudgedPage) -> None:
    strategy = as_strategy(Plain())
    assert (strategy.batch, strategy.ordering, strategy.learns) == (3, "found", False)
    assert strategy.rank(judged) == [0.9] * 4
    assert (strategy.note(judged), strategy.revise()) == ("", {})
    strategy.close()


def test_what_a_strategy_of_ones_own_has_beyond_that_is_kept() -> None:
    strategy = as_strategy(SparingServers())
    assert strategy.ordering == "load"
    assert strategy.mood == "careful"  # type: ignore[attr-defined]


def test_one_of_ours_is_complete() -> None:
    ours = BreadthFirst()
    assert as_strategy(ours) is ours


def test_what_is_no_strategy_is_told_what_it_lacks() -> None:
    with pytest.raises(ConfigError, match="object is no strategy: it has no rank and no batch"):
        as_strategy(object())  # type: ignore[arg-type]
