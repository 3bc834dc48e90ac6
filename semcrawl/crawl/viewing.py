"""How a recorded crawl looks at texts, for queries that ask how near a text is to its topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.beside.functions import View, query_functions
from semcrawl.crawl.settings import Settings

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph

__all__ = ["give_functions", "view_of"]


def view_of(graph: CrawlGraph) -> View:
    """The topic, judge and background of a crawl."""
    about = graph.describe()
    settings = Settings.from_json(about.settings)
    return View(about.topic, settings.judge, settings.background)


def give_functions(graph: CrawlGraph) -> None:
    """Let queries over a crawl graph call ``sc:similarity``."""
    graph.store.functions = query_functions(lambda: view_of(graph))
