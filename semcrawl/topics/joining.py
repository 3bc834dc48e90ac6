"""Joining two concept graphs: WordNet for general words, an ontology for the terms of a field."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import TopicError
from semcrawl.topics.concepts import ConceptGraph, Edges
from semcrawl.topics.labels import normal_label
from semcrawl.topics.ontology import FileGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

if TYPE_CHECKING:
    IntArray = NDArray[np.int64]


_WAYS = ("label", "mapping")


def join_graphs(
    first: ConceptGraph, second: ConceptGraph, by: Sequence[str] = _WAYS
) -> ConceptGraph:
    """Return one graph with the concepts, labels and edges of both.

    Concepts of the two that mean the same become one, which keeps the id and the
    preferred label of the first graph; :func:`same_concepts` says which do.
    """
    same = same_concepts(first, second, by)
    ids = [*first.ids, *(concept for concept in second if concept not in same)]
    number = {concept: position for position, concept in enumerate(ids)}
    here = np.arange(len(first))
    there = np.asarray([number[same.get(concept, concept)] for concept in second], np.int64)
    relations = {}
    for name in dict.fromkeys((*first.relation_names(), *second.relation_names())):
        relations[name] = _both(first.relation(name), second.relation(name), here, there)
    labels = first._labels.joined(second._labels, there, len(ids))
    is_a = Edges(*_both(first.is_a, second.is_a, here, there), size=len(ids))
    return ConceptGraph(f"{first.name} + {second.name}", ids, labels, is_a, relations)


def _both(
    first: Edges, second: Edges, here: IntArray, there: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the edges of two graphs between the new positions, each once, without loops."""
    source = np.concatenate((here[first.sources()], there[second.sources()]))
    target = np.concatenate((here[first.target], there[second.target]))
    pairs = np.stack((source, target))
    _, once = np.unique(pairs, axis=1, return_index=True)
    kept = np.sort(once[source[once] != target[once]])
    return source[kept], target[kept]


def same_concepts(
    first: ConceptGraph, second: ConceptGraph, by: Sequence[str] = _WAYS
) -> dict[str, str]:
    """Return the concepts of the second graph that are in the first, with their ids there.

    ``mapping``: the same id, or declared equal by skos:exactMatch,
    owl:equivalentClass or owl:sameAs. ``label``: the same preferred label,
    whatever its case, if it is the preferred label of one concept only in
    each graph. A label that several concepts share tells nothing.
    """
    unknown = [way for way in by if way not in _WAYS]
    if unknown:
        raise TopicError(f"graphs are joined by label or by mapping, not by {unknown[0]!r}")
    found: dict[str, str] = {}
    if "mapping" in by:
        found |= {concept: concept for concept in second if concept in first}
        for concept, others in _mappings(second).items():
            for other in others:
                if other in first:
                    found.setdefault(concept, other)
        for concept, others in _mappings(first).items():
            for other in others:
                if other in second:
                    found.setdefault(other, concept)
    if "label" in by:
        taken = set(found.values())
        labels = _unique_labels(first)
        for label, concept in _unique_labels(second).items():
            partner = labels.get(label)
            if partner and partner not in taken:
                found.setdefault(concept, partner)
    return found


@lru_cache(maxsize=2)
def joined_with_wordnet(graph: FileGraph) -> FileGraph:
    """Return a file's graph joined with WordNet; its notes are kept."""
    from semcrawl.topics.wordnet import wordnet

    joint = "&wordnet" if graph.notes.options else "?wordnet"
    notes = replace(graph.notes, options=graph.notes.options + joint)
    return FileGraph(join_graphs(graph, wordnet().graph), notes)


def _mappings(graph: ConceptGraph) -> dict[str, tuple[str, ...]]:
    return dict(graph.notes.mappings) if isinstance(graph, FileGraph) else {}


def _unique_labels(graph: ConceptGraph) -> dict[str, str]:
    """Return the preferred labels that only one concept has."""
    found: dict[str, str | None] = {}
    for concept in graph:
        label = normal_label(graph.label(concept))
        found[label] = None if label in found else concept
    return {label: concept for label, concept in found.items() if concept is not None}
