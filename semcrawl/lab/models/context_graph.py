"""Layers of pages by their clicks to a topic's pages (Diligenti 2000, named in Batsakis 2007)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from semcrawl.lab.models.browsed_pages import browsed_pages
from semcrawl.lab.models.lesson import many
from semcrawl.lab.models.options import context_graph_options
from semcrawl.learning.browsing import click_distances
from semcrawl.learning.context_graph import train_context_graph
from semcrawl.learning.context_graph_file import save_context_graph
from semcrawl.learning.origin import topic_digest

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.models.lesson import Lesson

__all__ = ["train_context_graph_model"]


def train_context_graph_model(lesson: Lesson, path: Path) -> str:
    """Train with the clicks on browsing paths, the training pages of the topic being the targets.

    Returns what it was trained on.

    Raises:
        SemcrawlError: there is too little to learn from.
    """
    paths, pages = browsed_pages(lesson)
    topic = lesson.topic
    distances = click_distances(paths, lesson.targets)
    graph = train_context_graph(
        {url: far for url, far in distances.items() if url in pages},
        pages.get,
        lesson.web.background,
        topic=topic.name,
        options=context_graph_options(lesson.plan),
    )
    save_context_graph(replace(graph, topic_digest=topic_digest(topic)), path)
    layers = ", ".join(f"{layer.pages:,}" for layer in graph.layers)
    return (
        f"context-graph from {many(len(paths), 'path')}, layers of {layers} pages, "
        f"training pages of {lesson.run.topic.name} as targets"
    )
