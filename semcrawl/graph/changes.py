"""One page's changes to the crawl graph, collected and written as one transaction.

The model (ontologies/semcrawl.ttl): the URL is the subject. What was known
when a URL was found (order, depth, foundOn, site) stays; ``sc:priority`` is
there exactly as long as the URL waits in the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.graph.literals import date_time, decimal, iri, string
from semcrawl.graph.vocabulary import PREFIX_LINES, site_iri

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Changes", "FoundUrl", "VisitedPage"]


@dataclass(slots=True)
class FoundUrl:
    """A URL that waits in the frontier.

    ``order`` numbers URLs as they were found; ``redirects`` counts the
    redirects that led here; ``tries`` counts the visits that failed so far.
    """

    url: str
    host: str
    priority: float
    order: int
    depth: int
    found_on: str | None = None
    tries: int = 0
    redirects: int = 0


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """What is recorded of a page that was fetched, read and judged."""

    url: str
    step: int
    relevance: float
    fetch_priority: float
    status: int
    fetched_at: float
    size: int
    title: str = ""
    language: str | None = None
    description: str = ""
    canonical: str | None = None
    concept: str | None = None
    digest: str | None = None
    links: Iterable[str] = field(default_factory=tuple)


class Changes:
    """Statements to take out of the graph and to put into it, together.

    A URL may enter the frontier, be raised and leave it within one set of
    changes; of its priority and of its drop reason only the net change is
    written, because an update deletes before it inserts.
    """

    def __init__(self) -> None:
        self._out: list[str] = []
        self._in: list[str] = []
        self._net: dict[str, tuple[str | None, str | None]] = {}

    def found(self, url: FoundUrl) -> None:
        """A URL enters the frontier for the first time."""
        self._change(f"<{url.url}> sc:priority", None, decimal(url.priority))
        self._in.append(
            f"<{url.url}> sc:order {url.order} ; sc:depth {url.depth} ; "
            f"sc:site <{site_iri(url.host)}>"
            + (f" ; sc:foundOn <{url.found_on}>" if url.found_on else " ; a sc:Seed")
            + (f" ; sc:redirects {url.redirects}" if url.redirects else "")
        )

    def entered_again(self, url: FoundUrl) -> None:
        """A URL that was found before and given up enters the frontier again."""
        self._change(f"<{url.url}> sc:priority", None, decimal(url.priority))

    def prioritised(self, url: str, old: float, new: float) -> None:
        """A waiting URL gets another priority."""
        self._change(f"<{url}> sc:priority", decimal(old), decimal(new))

    def left_frontier(self, url: FoundUrl) -> None:
        """A URL no longer waits."""
        self._change(f"<{url.url}> sc:priority", decimal(url.priority), None)

    def _change(self, what: str, before: str | None, after: str | None) -> None:
        first = self._net[what][0] if what in self._net else before
        self._net[what] = (first, after)

    def tried(self, url: FoundUrl) -> None:
        """A visit failed and will be tried again; ``url.tries`` is the new count."""
        if url.tries > 1:
            self._out.append(f"<{url.url}> sc:tries {url.tries - 1}")
        self._in.append(f"<{url.url}> sc:tries {url.tries}")

    def dropped(self, url: str, reason: str, note: str = "") -> None:
        """A URL is given up, for a ``sc:DropReason``."""
        self._change(f"<{url}> sc:droppedBecause", None, f"sc:{reason}")
        if note:
            self._in.append(f"<{url}> sc:note {string(note)}")

    def taken_back(self, url: str, reason: str) -> None:
        """A URL that was dropped for ``reason`` gets another chance."""
        self._change(f"<{url}> sc:droppedBecause", f"sc:{reason}", None)

    def redirected(self, url: str, target: str, status: int) -> None:
        """A URL turned out to redirect."""
        self._in.append(f"<{url}> sc:redirectsTo <{target}> ; sc:status {status}")

    def visited(self, page: VisitedPage) -> None:
        """A page was fetched, read and judged."""
        parts = [
            f"<{page.url}> a sc:Page",
            f"sc:step {page.step}",
            f"sc:relevance {decimal(page.relevance)}",
            f"sc:fetchPriority {decimal(page.fetch_priority)}",
            f"sc:status {page.status}",
            f"sc:fetchedAt {date_time(page.fetched_at)}",
            f"sc:size {page.size}",
        ]
        for name, text in (
            ("dcterms:title", page.title),
            ("dcterms:language", page.language),
            ("dcterms:description", page.description),
            ("sc:digest", page.digest),
        ):
            if text:
                parts.append(f"{name} {string(text)}")
        if page.canonical:
            parts.append(f"sc:canonical <{page.canonical}>")
        if page.concept:
            parts.append(f"sc:bestConcept {iri(page.concept)}")
        if targets := ", ".join(f"<{link}>" for link in page.links):
            parts.append("sc:linksTo " + targets)
        self._in.append(" ; ".join(parts))

    def __bool__(self) -> bool:
        return bool(self._out or self._in or self._net)

    def text(self) -> str:
        """The changes as one SPARQL update, to be applied wholly or not at all."""
        return PREFIX_LINES + self.operations()

    def operations(self) -> str:
        """The same without the prefixes, to stand behind another operation."""
        changed = [(what, *pair) for what, pair in self._net.items() if pair[0] != pair[1]]
        gone = [f"{what} {before}" for what, before, _ in changed if before] + self._out
        new = [f"{what} {after}" for what, _, after in changed if after] + self._in
        steps = []
        if gone:
            steps.append("DELETE DATA {\n" + " .\n".join(gone) + "\n}")
        if new:
            steps.append("INSERT DATA {\n" + " .\n".join(new) + "\n}")
        return " ;\n".join(steps)
