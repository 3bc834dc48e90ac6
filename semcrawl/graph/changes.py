"""One page's changes to the crawl graph, collected and written as one transaction.

The model (ontologies/semcrawl.ttl): the URL is the subject. What was known
when a URL was found (order, depth, foundOn, site) stays; ``sc:priority`` is
there exactly as long as the URL waits in the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semcrawl.errors import QueryError
from semcrawl.graph.vocabulary import PREFIX_LINES, date_time, decimal, iri, site_iri, string

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyoxigraph import Triple

# What a page says itself, in the named graph of its URL.
#
# There it can claim what it likes: no query over the crawl sees it, unless it
# names the graph.


_STRING = "http://www.w3.org/2001/XMLSchema#string"


def statement_lines(triples: Iterable[ox.Triple]) -> list[str]:
    """Triples as SPARQL, each once, with blank nodes that are named together.

    What cannot be written is left out: one bad term must not cost the page.
    """
    names: dict[ox.BlankNode, str] = {}
    lines = dict.fromkeys(_line(triple, names) for triple in triples)
    return [line for line in lines if line]


def state_in_graph(url: str, lines: list[str]) -> str:
    """Such lines as data of an update, in the named graph of a page; "" for none."""
    text = " .\n".join(lines)
    return f"GRAPH <{url}> {{\n{text}\n}}" if text else ""


def forget_statements(url: str) -> str:
    """An update's operation that takes away all that a page has said."""
    return f"DROP SILENT GRAPH <{url}>"


def _line(triple: ox.Triple, names: dict[ox.BlankNode, str]) -> str:
    parts = (triple.subject, triple.predicate, triple.object)
    try:
        return " ".join(_term(part, names) for part in parts)
    except QueryError:
        return ""


def _term(term: object, names: dict[ox.BlankNode, str]) -> str:
    if isinstance(term, ox.NamedNode):
        return iri(term.value)
    if isinstance(term, ox.BlankNode):
        # Names of their own: a page chooses its names as it likes.
        return names.setdefault(term, f"_:s{len(names)}")
    if isinstance(term, ox.Literal):
        if term.language:
            return string(term.value, term.language)
        kind = term.datatype.value
        return string(term.value) + ("" if kind == _STRING else f"^^{iri(kind)}")
    raise QueryError(f"{term} cannot be written")


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What a revisit needs to know of the last visit."""

    step: int
    relevance: float
    digest: str = ""
    etag: str = ""
    last_modified: str = ""
    checks: int = 0
    changes: int = 0


@dataclass(slots=True)
class FoundUrl:
    """A URL that waits in the frontier.

    ``order`` numbers URLs as they were found; ``redirects`` counts the
    redirects that led here; ``tries`` counts the visits that failed so far;
    ``factor`` is what a policy has multiplied the priority with; ``known`` is
    there where the URL was visited before.
    """

    url: str
    host: str
    priority: float
    order: int
    depth: int
    found_on: str | None = None
    tries: int = 0
    redirects: int = 0
    factor: float = 1.0
    known: KnownPage | None = None


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
    log_relevance: float | None = None
    on_topic: bool | None = None
    etag: str = ""
    last_modified: str = ""
    bands: tuple[str, ...] = ()
    memo: str = ""
    statements: Sequence[Triple] = ()
    statement_problems: tuple[str, ...] = ()
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
        self._first: list[str] = []

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

    def factored(self, url: str, old: float, new: float) -> None:
        """A waiting URL gets another factor; its priority is changed beside it."""
        self._change_factor(f"<{url}>", old, new)

    def site_factored(self, host: str, old: float, new: float) -> None:
        """A site gets another factor, the product of what all policies say."""
        self._change_factor(f"<{site_iri(host)}>", old, new)

    def site_factored_by(
        self, host: str, policy: str, old: float | None, new: float | None
    ) -> None:
        """One policy says another factor of a site, or none any more."""
        for factor, place in ((old, self._out), (new, self._in)):
            if factor is not None:
                said = string(f"{decimal(factor)} {policy}")
                place.append(f"<{site_iri(host)}> sc:factorBy {said}")

    def _change_factor(self, subject: str, old: float, new: float) -> None:
        before, after = (None if factor == 1.0 else decimal(factor) for factor in (old, new))
        self._change(f"{subject} sc:factor", before, after)

    def left_frontier(self, url: FoundUrl) -> None:
        """A URL no longer waits."""
        self._change(f"<{url.url}> sc:priority", decimal(url.priority), None)
        if url.factor != 1.0:
            self.factored(url.url, url.factor, 1.0)

    def _change(self, what: str, before: str | None, after: str | None) -> None:
        first = self._net[what][0] if what in self._net else before
        self._net[what] = (first, after)

    def replaced(self, what: str, before: str | None, after: str | None) -> None:
        """A property gets another value: subject and property, and two terms, None for none."""
        self._change(what, before, after)

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
        self._in.append(
            f"<{page.url}> a sc:Page ; sc:step {page.step} ; "
            f"sc:fetchPriority {decimal(page.fetch_priority)} ; "
            f"sc:fetchedAt {date_time(page.fetched_at)} ; {self._content(page)}"
            + (f" ; sc:memo {string(page.memo)}" if page.memo else "")
        )

    def visited_again(self, page: VisitedPage, known: KnownPage, when: float) -> None:
        """A page was visited once more and has other content now, which replaces the old."""
        self._forget(page.url, _CONTENT)
        self._first.append(forget_statements(page.url))
        self._check(page.url, known, date_time(when))
        self._in.append(
            f"<{page.url}> sc:changes {known.changes + 1} ; sc:changedAt {date_time(when)} ; "
            + self._content(page)
        )

    def _content(self, page: VisitedPage) -> str:
        """What is said of the page; what it says itself goes into its own graph."""
        lines = statement_lines(page.statements)
        if not lines:
            return _content(page)
        self._in.append(state_in_graph(page.url, lines))
        return f"sc:statements {len(lines)} ; {_content(page)}"

    def found_unchanged(self, url: str, known: KnownPage, when: float) -> None:
        """A page was visited once more and is as it was."""
        self._check(url, known, date_time(when))
        if known.changes:
            self._in.append(f"<{url}> sc:changes {known.changes}")

    def found_gone(self, url: str, known: KnownPage, when: float) -> None:
        """A page was visited once more and is no longer there."""
        self.found_unchanged(url, known, when)
        self._in.append(f"<{url}> sc:goneAt {date_time(when)}")

    def found_unreachable(self, url: str, when: float) -> None:
        """A page could not be had this time, which says nothing of its content."""
        self._forget(url, "sc:failedAt, sc:revisitPriority")
        self._in.append(f"<{url}> sc:failedAt {date_time(when)}")

    def _check(self, url: str, known: KnownPage, when: str) -> None:
        self._forget(url, _CHECK)
        self._in.append(f"<{url}> sc:checkedAt {when} ; sc:checks {known.checks + 1}")

    def _forget(self, url: str, properties: str) -> None:
        self._first.append(
            f"DELETE {{ <{url}> ?p ?o }} WHERE {{ <{url}> ?p ?o FILTER(?p IN ({properties})) }}"
        )

    def revisit_wanted(self, url: str, old: float | None, new: float) -> None:
        """A visited page waits for another visit."""
        before = None if old is None else decimal(old)
        self._change(f"<{url}> sc:revisitPriority", before, decimal(new))

    def state(self, statements: str) -> None:
        """State something else: SPARQL triples, escaped, without the last full stop."""
        self._in.append(statements)

    def __bool__(self) -> bool:
        return bool(self._out or self._in or self._net or self._first)

    def text(self) -> str:
        """The changes as one SPARQL update, to be applied wholly or not at all."""
        return PREFIX_LINES + self.operations()

    def operations(self) -> str:
        """The same without the prefixes, to stand behind another operation."""
        changed = [(what, *pair) for what, pair in self._net.items() if pair[0] != pair[1]]
        gone = [f"{what} {before}" for what, before, _ in changed if before] + self._out
        new = [f"{what} {after}" for what, _, after in changed if after] + self._in
        steps = list(self._first)
        if gone:
            steps.append("DELETE DATA {\n" + " .\n".join(gone) + "\n}")
        if new:
            steps.append("INSERT DATA {\n" + " .\n".join(new) + "\n}")
        return " ;\n".join(steps)


_CONTENT = (
    "dcterms:title, dcterms:language, dcterms:description, sc:relevance, sc:logRelevance, "
    "sc:status, sc:size, sc:digest, sc:etag, sc:lastModified, sc:canonical, sc:bestConcept, "
    "sc:band, sc:linksTo, sc:changedAt, sc:onTopic, sc:statements, sc:statementProblem"
)
_CHECK = "sc:checkedAt, sc:checks, sc:changes, sc:goneAt, sc:failedAt, sc:revisitPriority"


def _content(page: VisitedPage) -> str:
    """What is said of a page that another visit can change."""
    parts = [
        f"sc:relevance {decimal(page.relevance)}",
        f"sc:status {page.status}",
        f"sc:size {page.size}",
    ]
    for name, text in (
        ("dcterms:title", page.title),
        ("dcterms:language", page.language),
        ("dcterms:description", page.description),
        ("sc:digest", page.digest),
        ("sc:etag", page.etag),
        ("sc:lastModified", page.last_modified),
    ):
        if text:
            parts.append(f"{name} {string(text)}")
    if page.log_relevance is not None:
        parts.append(f"sc:logRelevance {decimal(page.log_relevance)}")
    if page.on_topic is not None:
        parts.append(f"sc:onTopic {'true' if page.on_topic else 'false'}")
    if page.canonical:
        parts.append(f"sc:canonical <{page.canonical}>")
    if page.concept:
        parts.append(f"sc:bestConcept {iri(page.concept)}")
    if page.bands:
        parts.append("sc:band " + ", ".join(map(string, page.bands)))
    if page.statement_problems:
        parts.append("sc:statementProblem " + ", ".join(map(string, page.statement_problems)))
    if targets := ", ".join(f"<{link}>" for link in page.links):
        parts.append("sc:linksTo " + targets)
    return " ; ".join(parts)


# Concepts in the crawl graph: what the topic is made of, so that pages can be counted by it.


def concept_noted(
    changes: Changes, concept: str, label: str, broader: Sequence[str] = (), *, good: bool = False
) -> None:
    """A concept has this label, and stands below these; ``good`` marks a category looked for."""
    parts = [f"{iri(concept)} a skos:Concept ; skos:prefLabel {string(label)}"]
    if broader:
        parts.append("skos:broader " + ", ".join(iri(one) for one in broader))
    if good:
        parts.append("sc:good true")
    changes.state(" ; ".join(parts))


# Runs of policies in the crawl graph: what ran, when, and what it changed.


def policy_ran(
    changes: Changes,
    crawl: str,
    *,
    number: int,
    name: str,
    step: int,
    changed: int,
    error: str = "",
) -> None:
    """A policy ran after the page of this step and changed so many URLs or sites.

    ``number`` counts the runs of all policies of a crawl.
    """
    run = iri(f"{crawl}#policy-run-{number}")
    changes.state(
        f"{iri(crawl)} sc:policyRun {run} . {run} a sc:PolicyRun ; sc:policyName {string(name)} ; "
        f"sc:atStep {step} ; sc:urlsChanged {changed}"
        + (f" ; sc:note {string(error)}" if error else "")
    )


# Alarms in the crawl graph: a node of their own each, tied to the crawl.


def alarm_raised(
    changes: Changes, crawl: str, *, number: int, kind: str, step: int, note: str, now: float
) -> None:
    """The crawl's alarm of this number begins with the page of this step.

    ``kind`` is the local name of a subclass of ``sc:Alarm``.
    """
    alarm = _alarm(crawl, number)
    changes.state(
        f"{iri(crawl)} sc:alarm {alarm} . {alarm} a sc:{kind} ; sc:raisedAtStep {step} ; "
        f"prov:startedAtTime {date_time(now)} ; sc:note {string(note)}"
    )


def alarm_ended(changes: Changes, crawl: str, *, number: int, step: int) -> None:
    """The crawl's alarm of this number is over with the page of this step."""
    changes.state(f"{_alarm(crawl, number)} sc:endedAtStep {step}")


def _alarm(crawl: str, number: int) -> str:
    return iri(f"{crawl}#alarm-{number}")
