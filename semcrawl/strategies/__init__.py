"""Strategies: which link to follow next. One file per crawler or family of crawlers."""

from __future__ import annotations

from semcrawl.strategies.best_first import BestFirstAnchor, BestFirstPage, BestFirstPageAnchor
from semcrawl.strategies.breadth_first import BreadthFirst
from semcrawl.strategies.n_best_first import NBestFirst
from semcrawl.strategies.strategy import STRATEGIES, JudgedPage, Strategy

__all__ = [
    "STRATEGIES",
    "BestFirstAnchor",
    "BestFirstPage",
    "BestFirstPageAnchor",
    "BreadthFirst",
    "JudgedPage",
    "NBestFirst",
    "Strategy",
]
