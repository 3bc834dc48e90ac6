"""An explanation in lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.similarity.explanation import Explanation, Match

__all__ = ["explanation_lines"]

_SHOWN = 15


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """The largest contributions, each with its words, concept and path, then the normalisers."""
    if not explanation.matches:
        yield "no word of the text has to do with the topic"
        return
    total = sum(match.contribution for match in explanation.matches)
    # Where words speak against the topic too, shares of the sum would mislead.
    is_signed = any(match.contribution < 0 for match in explanation.matches)
    yield f"{'weight' if is_signed else 'share':>6} words                          near   concept"
    for match in explanation.matches[:_SHOWN]:
        share = match.contribution / total if total else 0.0
        given = f"{match.contribution:+6.1f}" if is_signed else f"{share:6.1%}"
        words = ", ".join(match.words)
        times = f" ×{match.count}" if match.count > 1 else ""
        shown = (words if len(words) <= 25 else words[:24] + "…") + times
        yield f"{given} {shown:<30} {match.similarity:.2f}   {_concept(match)}"
    if len(explanation.matches) > _SHOWN:
        yield f"… and {len(explanation.matches) - _SHOWN} more"
    for normaliser in explanation.normalisers:
        yield f"divided by {normaliser.value:.4f}, the {normaliser.name}"
    if explanation.squashed:
        yield "then x / (1 + x), to lie between 0 and 1"


def _concept(match: Match) -> str:
    if len(match.path) > 1:
        return " – ".join(match.path)
    if match.label == match.topic_label:
        return match.label
    return f"{match.label} (of {match.topic_label})"
