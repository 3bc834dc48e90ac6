"""Concepts in the crawl graph: what the topic is made of, so that pages can be counted by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph.literals import iri, string

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.graph.changes import Changes

__all__ = ["concept_noted"]


def concept_noted(
    changes: Changes, concept: str, label: str, broader: Sequence[str] = (), *, good: bool = False
) -> None:
    """A concept has this label, and stands below these; ``good`` marks a category looked for."""
    parts = [f"{iri(concept)} a skos:Concept ; skos:prefLabel {string(label)}"]
    if broader:
        parts.append("skos:broader " + ", ".join(iri(one) for one in broader))
    if good:
        parts.append("sc:good true")
    changes.state(" ; ".join(parts))
