"""Judges: how relevant a fetched page is to the topic."""

from __future__ import annotations

from semcrawl.judges.cosine import CosineJudge
from semcrawl.judges.judge import JUDGES, Judge, Judgement

__all__ = ["JUDGES", "CosineJudge", "Judge", "Judgement"]
