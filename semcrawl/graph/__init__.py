"""The crawl graph: vocabulary, store, recording a page, named queries."""

from semcrawl.graph.answers import Answer
from semcrawl.graph.changes import Changes, FoundUrl
from semcrawl.graph.crawl_graph import CrawlGraph, require_graph
from semcrawl.graph.export import export
from semcrawl.graph.queries import named_queries
from semcrawl.graph.vocabulary import SC

__all__ = ["SC", "Answer", "Changes", "CrawlGraph", "FoundUrl", "export", "named_queries", "require_graph"]
