"""Judges: how relevant a fetched page is to the topic."""

from __future__ import annotations

from semcrawl.judges.cosine import CosineJudge
from semcrawl.judges.judge import JUDGES, Judge, Judgement, explaining
from semcrawl.judges.semantic import EhrigJudge, MihalceaJudge, SsrmJudge, SynonymSetsJudge
from semcrawl.judges.taxonomy import TaxonomyJudge

__all__ = [
    "JUDGES",
    "CosineJudge",
    "EhrigJudge",
    "Judge",
    "Judgement",
    "MihalceaJudge",
    "SsrmJudge",
    "SynonymSetsJudge",
    "TaxonomyJudge",
    "explaining",
]
