"""Strategies: which link to follow next. One file per crawler or family of crawlers."""

from semcrawl.strategies.strategy import STRATEGIES, BaseStrategy, JudgedPage, Learner, Strategy

__all__ = ["STRATEGIES", "BaseStrategy", "JudgedPage", "Learner", "Strategy"]
