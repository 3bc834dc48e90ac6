"""What the monitor asks of a snapshot: the crawl itself, new pages, and counts."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from semcrawl.graph.vocabulary import DCTERMS, SC
from semcrawl.serve.jobs import Job, known_query, plain
from semcrawl.serve.titles import cut_title
from semcrawl.serve.views.rows import label_of, later_pages, url_at_step

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph

__all__ = ["AboutLook", "CountsLook", "HistoryLook"]

_MOST_CONCEPTS = 50
_LATEST = 20


class AboutLook(Job, frozen=True):
    """The crawl itself and its alarms: little to read, however large the crawl is."""

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Name, topic, settings, begin and end, alarms."""
        about = graph.describe()
        alarms = graph.store.query(known_query("monitor/alarms").text)
        sites = graph.store.query(known_query("sites/site-settings").text)
        return {
            "name": about.name,
            "topic": about.topic,
            "settings": json.loads(about.settings),
            "threshold": about.threshold,
            "started": about.started.timestamp(),
            "started_text": about.started.isoformat(),
            "ended": plain(about.ended),
            "stopped": about.stopped and about.stopped.rpartition("#")[2],
            "kind": "sites" if len(sites) else "pages",
            "alarms": [
                {
                    "kind": row["kind"].rpartition("#")[2].lower(),
                    "raised": row["raised"],
                    "ended": row["ended"],
                    "note": row["note"],
                }
                for row in alarms
            ],
        }


class CountsLook(Job, frozen=True):
    """What has to be counted: URLs that wait, hosts, URLs dropped by reason, pages by concept."""

    threshold: float

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Count."""
        store = graph.store
        census = known_query("serve/pages-by-concept").bind(
            {"min_relevance": self.threshold, "limit": _MOST_CONCEPTS}
        )
        concepts: dict[str, dict[str, Any]] = {}
        for row in store.query(census):
            # A concept with labels in several languages has a row for each.
            concepts.setdefault(
                row["concept"],
                {
                    "concept": row["concept"],
                    "label": label_of(row["label"], row["concept"]),
                    "pages": row["pages"],
                    "relevant": row["relevant"],
                },
            )
        counts = next(iter(store.query(known_query("serve/waiting-count").text)))
        return {
            "waiting": counts["waiting"],
            "hosts": counts["hosts"],
            "errors": [
                {"reason": row["reason"].rpartition("#")[2], "urls": row["urls"]}
                for row in store.query(known_query("monitor/errors").text)
            ],
            "census": list(concepts.values()),
        }


class HistoryLook(Job, frozen=True):
    """The pages of later steps than ``after``: relevance and time of each.

    The answer has lists side by side, with None where a step has no page any
    more, and the latest pages with URL and title. All pages are read by one
    query; the few that a running crawl has added, by looking each step up.
    """

    after: int

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Look."""
        found = _new_pages(graph, self.after) if self.after else _all_pages(graph)
        last = max(found, default=self.after)
        steps = range(self.after + 1, last + 1)
        empty = (None, None)
        rows = [found.get(step, empty) for step in steps]
        return {
            "relevances": [row[0] for row in rows],
            "times": [row[1] for row in rows],
            "latest": [
                page
                for step in reversed(steps[-_LATEST:])
                if step in found and (page := _page(graph, step))
            ],
        }


_Row = tuple[float, float]


def _all_pages(graph: CrawlGraph) -> dict[int, _Row]:
    """All pages by their steps; terms are read by hand, which takes half of the time."""
    read = datetime.fromisoformat
    return {
        int(step.value): (float(relevance.value), read(time.value).timestamp())
        for step, relevance, time in graph.store.query(known_query("serve/history").text).rows
        if isinstance(step, ox.Literal)
        and isinstance(relevance, ox.Literal)
        and isinstance(time, ox.Literal)
    }


def _new_pages(graph: CrawlGraph, after: int) -> dict[int, _Row]:
    value = graph.store.value
    return {
        step: (value(url, SC + "relevance"), _seconds(value(url, SC + "fetchedAt")))
        for step, url in later_pages(graph, after)
    }


def _page(graph: CrawlGraph, step: int) -> dict[str, Any] | None:
    url = url_at_step(graph, step)
    if url is None:
        return None
    title = graph.store.value(url, DCTERMS + "title")
    relevance = graph.store.value(url, SC + "relevance")
    return {"step": step, "url": url, "title": cut_title(title or ""), "relevance": relevance}


def _seconds(time: Any) -> float:
    return time.timestamp() if isinstance(time, datetime) else 0.0
