"""The crawl graph: vocabulary, store, recording a page, named queries."""

from __future__ import annotations

from semcrawl.graph.alarm_changes import alarm_ended, alarm_raised
from semcrawl.graph.answer import RDF_FORMATS, Answer
from semcrawl.graph.changes import Changes, FoundUrl, KnownPage, VisitedPage
from semcrawl.graph.crawl_graph import CrawlDescription, CrawlGraph
from semcrawl.graph.queries import NamedQuery, Parameter, find_query, named_queries
from semcrawl.graph.store import OxigraphStore, Store
from semcrawl.graph.vocabulary import PREFIXES, SC

__all__ = [
    "PREFIXES",
    "RDF_FORMATS",
    "SC",
    "Answer",
    "Changes",
    "CrawlDescription",
    "CrawlGraph",
    "FoundUrl",
    "KnownPage",
    "NamedQuery",
    "OxigraphStore",
    "Parameter",
    "Store",
    "VisitedPage",
    "alarm_ended",
    "alarm_raised",
    "find_query",
    "named_queries",
]
