"""Scores back into the crawl graph, as triples."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from semcrawl.graph.literals import iri
from semcrawl.graph.vocabulary import PREFIX_LINES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from semcrawl.distill.distillation import Distillation
    from semcrawl.graph import CrawlGraph

__all__ = ["record"]


def record(graph: CrawlGraph, distillation: Distillation, best: int = 1000) -> int:
    """Write the scores of the best pages into the graph; how many were written.

    The ``best`` hubs and as many authorities are written (0: all), in place of
    what an earlier distillation by the same method wrote, in one transaction.
    An empty distillation takes the old scores away.
    """
    update, count = _update(distillation, best)
    graph.store.update(update)
    return count


def _update(found: Distillation, best: int) -> tuple[str, int]:
    kept = best or None
    written = [
        (name, dict(islice(scores.items(), kept)), number)
        for name, scores, number in _properties(found)
    ]
    operations = [f"DELETE WHERE {{ ?page {name} ?score }}" for name, _, _ in written]
    lines = [_lines(name, scores, number) for name, scores, number in written]
    operations.append("INSERT DATA {\n" + "".join(lines) + "}")
    if found.method == "hits":
        operations += [
            "DELETE WHERE { ?crawl sc:distilledAtStep ?step }",
            f"INSERT {{ ?crawl sc:distilledAtStep {found.step} }} WHERE {{ ?crawl a sc:Crawl }}",
        ]
    return PREFIX_LINES + " ;\n".join(operations), sum(len(scores) for _, scores, _ in written)


def _properties(
    found: Distillation,
) -> list[tuple[str, Mapping[str, float], Callable[[float], str]]]:
    """The properties that a method writes, the scores, and how one is written."""
    if found.method == "pagerank":
        return [("sc:pageRank", found.authorities, _double)]
    if found.method == "in-degree":
        return [("sc:inDegree", found.authorities, lambda links: str(int(links)))]
    return [
        ("sc:hubScore", found.hubs, _double),
        ("sc:authorityScore", found.authorities, _double),
    ]


def _lines(name: str, scores: Mapping[str, float], number: Callable[[float], str]) -> str:
    return "".join(f"{iri(url)} {name} {number(score)} .\n" for url, score in scores.items())


def _double(score: float) -> str:
    """A number with an exponent, which makes it an xsd:double; as exact as it was computed."""
    return f"{score:.16e}"
