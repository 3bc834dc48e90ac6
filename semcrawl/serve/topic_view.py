"""The topic: its keywords and concepts with weights, and how many pages fit each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.serve.api_types import BestPage, ConceptNote, Coverage, KeywordNote, TopicReply
from semcrawl.serve.connection_limits import while_connected
from semcrawl.serve.replies import json_reply
from semcrawl.serve.rows import by_url, label_of, rows_of
from semcrawl.serve.table_index import index_of
from semcrawl.serve.worker import Job

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.context import ServerContext


class ConceptCounts:
    """How many pages fit each concept best, how many of those are relevant, and which is best."""

    def __init__(self) -> None:
        self.pages: Counter[str] = Counter()
        self.relevant: Counter[str] = Counter()
        self.best: dict[str, tuple[float, str]] = {}

    def add(self, concept: str, url: str, relevance: float, *, is_relevant: bool) -> None:
        """Count a page."""
        self.pages[concept] += 1
        self.relevant[concept] += is_relevant
        if concept not in self.best or relevance > self.best[concept][0]:
            self.best[concept] = relevance, url


def concept_counts(graph: CrawlGraph, *, is_final: bool) -> ConceptCounts:
    """Count the pages of a crawl by their best concepts."""
    counts = ConceptCounts()
    threshold = graph.describe().threshold
    index = index_of(graph, "pages", is_final=is_final)
    relevances = index.column(graph, "relevance")
    for row, concept in enumerate(index.column(graph, "concept")):
        if concept is not None:
            relevance = relevances[row]
            is_relevant = relevance >= threshold
            counts.add(concept, index.urls[row], relevance, is_relevant=is_relevant)
    return counts


class TopicView(Job, frozen=True):
    """The topic with the tree of its concepts; JSON.

    A concept that is narrower than several stands under the first of them.
    """

    is_final: bool

    def do(self, graph: CrawlGraph) -> bytes:
        """Read the topic, and count."""
        parts = rows_of(graph, "serve/topic-parts")
        weights = {row["concept"]: row["weight"] for row in parts if row["concept"]}
        counts = concept_counts(graph, is_final=self.is_final)
        concepts = _concepts(graph, weights, counts)
        covered = sum(concept.relevant > 0 for concept in concepts)
        return msgspec.json.encode(
            TopicReply(
                name=graph.describe().name,
                keywords=[
                    KeywordNote(row["keyword"], row["weight"]) for row in parts if row["keyword"]
                ],
                concepts=concepts,
                coverage=Coverage(
                    len(concepts), covered, covered / len(concepts) if concepts else None
                ),
            )
        )


def _concepts(
    graph: CrawlGraph, weights: dict[str, float], counts: ConceptCounts
) -> list[ConceptNote]:
    tree: dict[str, dict[str, Any]] = {}
    for row in rows_of(graph, "serve/concept-tree"):
        tree.setdefault(row["concept"], row)
    # Pages may fit concepts that are near the topic and not below it.
    for concept in (*weights, *counts.pages):
        tree.setdefault(concept, {"label": None, "broader": None, "good": None})
    titles = by_url(graph, "serve/url-notes", [url for _, url in counts.best.values()])
    return [
        ConceptNote(
            id=concept,
            label=label_of(row["label"], concept),
            parent=None if _is_circular(tree, concept) else row["broader"],
            weight=weights.get(concept),
            pages=counts.pages[concept],
            relevant=counts.relevant[concept],
            good=bool(row["good"]),
            best=_best(counts, concept, titles),
        )
        for concept, row in tree.items()
    ]


def _best(
    counts: ConceptCounts, concept: str, titles: dict[str, dict[str, Any]]
) -> BestPage | None:
    if concept not in counts.best:
        return None
    relevance, url = counts.best[concept]
    return BestPage(url, titles.get(url, {}).get("title"), relevance)


def _is_circular(tree: dict[str, dict[str, Any]], concept: str) -> bool:
    """Whether one comes back to a concept by going up from it."""
    seen, step = {concept}, tree[concept]["broader"]
    while step is not None and step in tree:
        if step == concept:
            return True
        if step in seen:
            return False
        seen.add(step)
        step = tree[step]["broader"]
    return False


async def topic(context: ServerContext, request: Request) -> Response:
    """The topic and its concepts."""
    answer = context.table_pool.ask(TopicView(await context.is_final()))
    return json_reply(await while_connected(request, answer))
