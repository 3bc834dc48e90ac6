"""Strategies: which link to follow next. One file per crawler or family of crawlers."""

from semcrawl.strategies.best_first import (
    BestFirstAnchor,
    BestFirstPage,
    BestFirstPageAnchor,
    BreadthFirst,
    HardFocus,
    NaiveBestFirst,
    NBestFirst,
    SoftFocus,
    Unfocused,
)
from semcrawl.strategies.semantic import EhrigStrategy, MihalceaStrategy, SsrmStrategy, SynonymSets
from semcrawl.strategies.strategy import STRATEGIES, BaseStrategy, JudgedPage, Learner, Strategy, as_strategy

__all__ = [
    "STRATEGIES",
    "BaseStrategy",
    "BestFirstAnchor",
    "BestFirstPage",
    "BestFirstPageAnchor",
    "BreadthFirst",
    "EhrigStrategy",
    "HardFocus",
    "JudgedPage",
    "Learner",
    "MihalceaStrategy",
    "NBestFirst",
    "NaiveBestFirst",
    "SoftFocus",
    "SsrmStrategy",
    "Strategy",
    "SynonymSets",
    "Unfocused",
    "as_strategy",
]
