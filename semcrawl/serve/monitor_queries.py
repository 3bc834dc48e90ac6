"""What the monitor asks of a snapshot: facts of the crawl, new pages, and counts."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from semcrawl.graph.vocabulary import DCTERMS, SC
from semcrawl.serve.api_types import AlarmNote, ConceptCount, ErrorCount, LatestPage
from semcrawl.serve.rows import cut_title, label_of, later_pages, local_name, url_at_step
from semcrawl.serve.worker import Job, plain

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph

_LATEST_PAGES = 20


class CrawlFacts(Job, frozen=True):
    """The crawl itself and its alarms: little to read, however large the crawl is."""

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Name, topic, settings, begin and end, alarms."""
        about = graph.describe()
        return {
            "name": about.name,
            "topic": about.topic,
            "settings": json.loads(about.settings),
            "threshold": about.threshold,
            "started": about.started.timestamp(),
            "started_text": about.started.isoformat(),
            "ended": plain(about.ended),
            "stopped": about.stopped and about.stopped.rpartition("#")[2],
            "kind": "sites" if graph.is_site_crawl else "pages",
            "alarms": [
                AlarmNote(local_name(row["kind"]).lower(), row["raised"], row["ended"], row["note"])
                for row in graph.query("monitor/alarms")
            ],
        }


class CrawlCounts(Job, frozen=True):
    """The numbers of waiting URLs, hosts, dropped URLs by reason, and pages by concept."""

    threshold: float

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Count."""
        census = graph.query("serve/pages-by-concept", min_relevance=self.threshold, limit=50)
        concepts: dict[str, ConceptCount] = {}
        for row in census:
            # A concept with labels in several languages has a row for each.
            concept, label = row["concept"], label_of(row["label"], row["concept"])
            concepts.setdefault(
                concept, ConceptCount(concept, label, row["pages"], row["relevant"])
            )
        (counts,) = graph.query("serve/waiting-count")
        return {
            **counts,
            "errors": [
                ErrorCount(local_name(row["reason"]), row["urls"])
                for row in graph.query("monitor/errors")
            ],
            "census": list(concepts.values()),
        }


class NewPages(Job, frozen=True):
    """Relevances and times of the steps after ``after``, and the latest pages.

    None stands for a step that has no page any more. All pages are read by one query; the
    few that a running crawl has added, step by step.
    """

    after: int

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Read them."""
        found = _new_pages(graph, self.after) if self.after else _all_pages(graph)
        steps = range(self.after + 1, max(found, default=self.after) + 1)
        rows = [found.get(step, (None, None)) for step in steps]
        return {
            "relevances": [relevance for relevance, _ in rows],
            "times": [moment for _, moment in rows],
            "latest": [
                page
                for step in reversed(steps[-_LATEST_PAGES:])
                if step in found and (page := _page(graph, step))
            ],
        }


def _all_pages(graph: CrawlGraph) -> dict[int, tuple[float, float]]:
    """All pages by their steps; terms are read here, which takes half of the time."""
    read = datetime.fromisoformat
    return {
        int(step.value): (float(relevance.value), read(time.value).timestamp())
        for step, relevance, time in graph.query("serve/history").rows
        if isinstance(step, ox.Literal)
        and isinstance(relevance, ox.Literal)
        and isinstance(time, ox.Literal)
    }


def _new_pages(graph: CrawlGraph, after: int) -> dict[int, tuple[float, float]]:
    found = {}
    for step, url in later_pages(graph, after):
        fetched = graph.store.value(url, SC + "fetchedAt")
        moment = fetched.timestamp() if isinstance(fetched, datetime) else 0.0
        found[step] = graph.store.value(url, SC + "relevance"), moment
    return found


def _page(graph: CrawlGraph, step: int) -> LatestPage | None:
    url = url_at_step(graph, step)
    if url is None:
        return None
    title = graph.store.value(url, DCTERMS + "title")
    relevance = graph.store.value(url, SC + "relevance")
    return LatestPage(step, url, cut_title(title or ""), relevance)
