"""Strategies: which link to follow next. One file per crawler or family of crawlers."""

from __future__ import annotations

from semcrawl.strategies.best_first import BestFirstAnchor, BestFirstPage, BestFirstPageAnchor
from semcrawl.strategies.breadth_first import BreadthFirst
from semcrawl.strategies.ehrig import EhrigStrategy
from semcrawl.strategies.focus import HardFocus, SoftFocus
from semcrawl.strategies.mihalcea import MihalceaStrategy
from semcrawl.strategies.n_best_first import NBestFirst
from semcrawl.strategies.ssrm import SsrmStrategy
from semcrawl.strategies.strategy import STRATEGIES, JudgedPage, Strategy
from semcrawl.strategies.synonym_sets import SynonymSets

__all__ = [
    "STRATEGIES",
    "BestFirstAnchor",
    "BestFirstPage",
    "BestFirstPageAnchor",
    "BreadthFirst",
    "EhrigStrategy",
    "HardFocus",
    "JudgedPage",
    "MihalceaStrategy",
    "NBestFirst",
    "SoftFocus",
    "SsrmStrategy",
    "Strategy",
    "SynonymSets",
]
