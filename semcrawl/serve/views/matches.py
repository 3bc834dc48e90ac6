"""An explanation as the page has it: what matched, and what the sum is divided by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semcrawl.similarity.explanation import Explanation, Match

__all__ = ["told_matches"]

_MOST = 200


def told_matches(explanation: Explanation) -> dict[str, Any]:
    """The score, and all that it can be worked out from by hand."""
    return {
        "score": explanation.score,
        "similarity": explanation.similarity,
        "matches": [_match(match) for match in explanation.matches[:_MOST]],
        "matches_total": len(explanation.matches),
        "divided_by": [
            {"name": normaliser.name, "value": normaliser.value}
            for normaliser in explanation.normalisers
        ],
        "squashed": explanation.squashed,
    }


def _match(match: Match) -> dict[str, Any]:
    return {
        "words": match.words,
        "concept": match.concept,
        "label": match.label,
        "topic": match.topic_label,
        "weight": match.topic_weight * match.similarity * match.label_weight,
        "count": match.count,
        "contribution": match.contribution,
        "path": match.path,
    }
