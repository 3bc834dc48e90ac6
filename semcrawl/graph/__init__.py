"""The crawl graph: vocabulary, store, recording a page, named queries."""

from semcrawl.graph.answers import Answer
from semcrawl.graph.changes import Changes, FoundUrl, KnownPage, alarm_ended, alarm_raised
from semcrawl.graph.crawl_graph import CrawlDescription, CrawlGraph, require_graph
from semcrawl.graph.export import FORMATS, export, format_of, own_statements_left_out
from semcrawl.graph.queries import NamedQuery, Parameter, find_query, named_queries
from semcrawl.graph.result_formats import RDF_FORMATS
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES, SC

__all__ = [
    "FORMATS",
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
    "alarm_ended",
    "alarm_raised",
    "export",
    "find_query",
    "format_of",
    "named_queries",
    "own_statements_left_out",
    "require_graph",
]
