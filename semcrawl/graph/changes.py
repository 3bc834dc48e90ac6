"""Changes to the crawl graph, collected and written as one transaction, by graph/columns.py."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import pyoxigraph as ox

from semcrawl.graph.columns import (
    CHECK,
    CONTENT,
    DROPPED,
    PAGE,
    POLICY_RUN,
    REDIRECT,
    SITE,
    SITE_LINK,
    URL,
    WAITING,
    Column,
)
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import decimal, iri, site_iri, string

Iri = Annotated[str, msgspec.Meta(pattern=r'\A[^\x00-\x20<>"{}|^`\\]+\Z')]

_SITES = "urn:semcrawl:sites"

_Priority = Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]
_Steps = Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]
Way = tuple[_Priority, _Steps, _Steps]
"""What a link gives its target: priority, depth, redirects in a row."""


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
    warc_file: str = ""
    warc_offset: int = 0


class FoundUrl(msgspec.Struct, gc=False):  # of which there may be millions
    """A URL that waits in the frontier; ``known``: it was visited before."""

    url: str
    host: str
    priority: float
    order: int
    depth: int
    found_on: str | None = None
    tries: int = 0  # visits that failed
    redirects: int = 0  # those that led here
    factor: float = 1.0  # what policies multiplied the priority with
    known: KnownPage | None = None
    pick: int = 0  # its number among all picks of the frontier
    recorded: float | None = None  # the priority in the graph, where that is behind

    @property
    def priority_in_graph(self) -> float:
        """The priority that the graph has."""
        return self.priority if self.recorded is None else self.recorded


_PRIORITY = WAITING["priority"].predicate
_FOUND, _FOUND_ON = URL.template("order", "depth", "site"), URL.template("found_on")


class Changes:
    """Statements to take out of the graph and to put into it, together."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._gone: list[str] = []  # single statements that are not stated again
        self._in: list[str] = []
        self._graphs: list[str] = []  # of pages, with what they say
        # Of values that change several times, such as a priority, only the net change counts.
        self._net: dict[str, tuple[str | None, str | None]] = {}
        self._emptied: list[str] = []  # named graphs
        self._blank: list[str] = []  # those with blank nodes: a text made twice must not have twice as many
        self._removed: list[tuple[str, str]] = []  # subjects, each with some properties
        self._posted: dict[str, dict[str, Way]] = {}
        self.evidence: object = None  # what other shards are told of the page, in its outbox

    def posted(self, source: str, target: str, way: Way) -> None:
        """A page links to a URL of another shard: the link waits in the page's outbox."""
        links = self._posted.setdefault(source, {})
        links[target] = max(way, links.get(target, way))

    @property
    def outboxes(self) -> dict[str, str]:
        """The outboxes of pages with links to other shards, as far as they are collected."""
        return {one: msgspec.json.encode((links, self.evidence)).decode() for one, links in self._posted.items()}

    def delivered(self, source: str, outbox: str) -> None:
        """All links of an outbox are handed over."""
        self._gone.append(f"{iri(source)} {URL.write(outbox=[outbox])}")

    def found(self, url: FoundUrl) -> None:
        """A URL enters the frontier for the first time."""
        subject = iri(url.url)
        self._change(f"{subject} {_PRIORITY}", None, decimal(url.priority))
        origin = _FOUND_ON % url.found_on if url.found_on else "a sc:Seed"
        known = _FOUND % (url.order, url.depth, site_iri(url.host))
        self._in.append(f"{subject} {known} ; {origin}")
        if url.redirects:
            self._in.append(f"{subject} {URL.write(redirects=url.redirects)}")

    def entered_again(self, url: FoundUrl) -> None:
        """A URL that was found before and given up enters the frontier again."""
        self._change(f"{iri(url.url)} {_PRIORITY}", None, decimal(url.priority))

    def prioritised(self, url: str, old: float, new: float) -> None:
        """A waiting URL gets another priority."""
        self._change(f"{iri(url)} {_PRIORITY}", decimal(old), decimal(new))

    def reprioritised(self, url: FoundUrl, new: float) -> None:
        """A waiting URL gets this priority in the graph, which is no longer behind then."""
        self.prioritised(url.url, url.priority_in_graph, new)
        url.recorded = None

    def factored(self, url: str, old: float, new: float) -> None:
        """A waiting URL, or a site by its IRI, gets another factor; 1 is not written."""
        before, after = (None if factor == 1.0 else factor for factor in (old, new))
        self.replaced(iri(url), WAITING["factor"], before, after)

    def site_factored_by(self, host: str, policy: str, old: float | None, new: float | None) -> None:
        """One policy says another factor of a site, or none any more."""
        for factor, place in ((old, self._out), (new, self._in)):
            if factor is not None:
                said = SITE.write(factor_by=[f"{decimal(factor)} {policy}"])
                place.append(f"{iri(site_iri(host))} {said}")

    def left_frontier(self, url: FoundUrl) -> None:
        """A URL no longer waits."""
        self._change(f"{iri(url.url)} {_PRIORITY}", decimal(url.priority_in_graph), None)
        url.recorded = None
        if url.factor != 1.0:
            self.factored(url.url, url.factor, 1.0)

    def tried(self, url: FoundUrl) -> None:
        """A visit failed and will be tried again; ``url.tries`` is the new count."""
        if url.tries > 1:
            self._out.append(f"{iri(url.url)} {URL.write(tries=url.tries - 1)}")
        self._in.append(f"{iri(url.url)} {URL.write(tries=url.tries)}")

    def dropped(self, url: str, reason: str, note: str = "", to_beat: float | None = None) -> None:
        """A URL is given up, for a ``sc:DropReason``; ``to_beat``: until a link has more."""
        self.replaced(iri(url), DROPPED["reason"], None, reason)
        self.replaced(iri(url), DROPPED["priority_to_beat"], None, to_beat)
        if note:
            self._in.append(f"{iri(url)} {DROPPED.write(note=note)}")

    def taken_back(self, url: str, reason: str, to_beat: float | None = None) -> None:
        """A URL that was dropped for ``reason`` gets another chance."""
        self.replaced(iri(url), DROPPED["reason"], reason, None)
        self.replaced(iri(url), DROPPED["priority_to_beat"], to_beat, None)

    def redirected(self, url: str, target: str, status: int) -> None:
        """A URL turned out to redirect."""
        self._in.append(f"{iri(url)} {REDIRECT.write(redirects_to=target, status=status)}")

    def visited(self, url: str, /, *, statements: Iterable[ox.Triple] = (), **columns: Any) -> None:
        """A page was fetched, read and judged; ``statements`` are what it says itself."""
        self._in.append(f"{iri(url)} a sc:Page ; {self._content(url, statements, columns)}")

    def visited_again(
        self, url: str, known: KnownPage, when: float, /, *, statements: Iterable[ox.Triple] = (), **columns: Any
    ) -> None:
        """A page has other content now, which replaces the old; other columns stay as they are."""
        self.remove(url, PAGE.removed_by(CONTENT))
        self._emptied.append(url)
        self._check(url, known, when)
        change = PAGE.write(changes=known.changes + 1, changed_at=when)
        new = {name: value for name, value in columns.items() if PAGE[name].revisit == CONTENT}
        self._in.append(f"{iri(url)} {change} ; {self._content(url, statements, new)}")

    def _content(self, url: str, statements: Iterable[ox.Triple], columns: dict[str, Any]) -> str:
        said = PAGE.write(**columns)
        # What the page says itself goes into the named graph of its URL.
        lines = statement_lines(statements)
        if not lines:
            return said
        text = " .\n".join(lines)
        self._graphs.append(f"\nGRAPH {iri(url)} {{\n{text}\n}}")
        if "_:" in text:
            self._blank.append(url)
        return f"{PAGE.write(statement_count=len(lines))} ; {said}"

    def rejudged(self, url: str, before: float, after: float) -> None:
        """A judge that learns gives a visited page another relevance."""
        self.replaced(iri(url), PAGE["relevance"], before, after)

    def marked(self, url: str, mark: bool | None, when: float) -> None:
        """A person marks a visited page as right or wrong; None takes the mark away."""
        self.remove(url, f"{PAGE['marked'].predicate}, {PAGE['marked_at'].predicate}")
        if mark is not None:
            self._in.append(f"{iri(url)} {PAGE.write(marked=mark, marked_at=when)}")

    def found_unchanged(self, url: str, known: KnownPage, when: float) -> None:
        """A page was visited once more and is as it was."""
        self._check(url, known, when)
        if known.changes:
            self._in.append(f"{iri(url)} {PAGE.write(changes=known.changes)}")

    def found_gone(self, url: str, known: KnownPage, when: float) -> None:
        """A page was visited once more and is no longer there."""
        self.found_unchanged(url, known, when)
        self._in.append(f"{iri(url)} {PAGE.write(gone_at=when)}")

    def listed(self, url: str, when: float, changed: float) -> None:
        """A sitemap or feed, read at ``when``, says when a visited page was last changed."""
        self.remove(url, f"{PAGE['listed_at'].predicate}, {PAGE['listed_change'].predicate}")
        self._in.append(f"{iri(url)} {PAGE.write(listed_at=when, listed_change=changed)}")

    def found_unreachable(self, url: str, when: float) -> None:
        """A page could not be had this time, which says nothing of its content."""
        self.remove(url, f"{PAGE['failed_at'].predicate}, {PAGE['revisit_priority'].predicate}")
        self._in.append(f"{iri(url)} {PAGE.write(failed_at=when)}")

    def _check(self, url: str, known: KnownPage, when: float) -> None:
        self.remove(url, PAGE.removed_by(CHECK))
        self._in.append(f"{iri(url)} {PAGE.write(checked_at=when, checks=known.checks + 1)}")

    def remove(self, subject: str, properties: str) -> None:
        """Take out all values that a subject has for some properties, a list of SPARQL."""
        self._removed.append((subject, properties))

    def take_out(self, statements: Iterable[ox.Triple]) -> None:
        """Take out these statements."""
        self._out += statement_lines(statements)

    def revisit_wanted(self, url: str, old: float | None, new: float) -> None:
        """A visited page waits for another visit."""
        self.replaced(iri(url), PAGE["revisit_priority"], old, new)

    def site_found(self, site: str, **columns: Any) -> None:
        """A site is known from now on; one that was found on no page is a seed's."""
        self.state(f"{iri(site_iri(site))} a sc:Site ; {SITE.write(**columns)}")

    def site_states(self, site: str, **columns: Any) -> None:
        """These columns of a site are known from now on."""
        self.state(f"{iri(site_iri(site))} {SITE.write(**columns)}")

    def site_replaced(self, site: str, column: str, before: Any, after: Any) -> None:
        """A column of a site gets another value; None: no value."""
        self.replaced(iri(site_iri(site)), SITE[column], before, after)

    def site_linked(self, source: str, target: str, *, weight: float, pages: int) -> None:
        """So many pages of one site link to another; together they are one edge."""
        start, end = site_iri(source), site_iri(target)
        # No site's name has a "#", so that this names each pair apart.
        edge = f"{start}#{end.removeprefix(site_iri(''))}"
        said = SITE_LINK.write(to_site=end, link_weight=weight, link_pages=pages)
        self.site_states(source, links_to_site=[end], site_link=[edge])
        self.state(f"{iri(edge)} a sc:SiteLink ; {said}")

    def replaced(self, subject: str, column: Column, before: Any, after: Any) -> None:
        """A column of a subject, an IRI in brackets, gets another value; None: no value."""
        terms = (None if value is None else column.term(value) for value in (before, after))
        self._change(f"{subject} {column.predicate}", *terms)

    def _change(self, what: str, before: str | None, after: str | None) -> None:
        first = self._net[what][0] if what in self._net else before
        self._net[what] = (first, after)

    def state(self, statements: str) -> None:
        """State something else: SPARQL triples, escaped, without the last full stop."""
        self._in.append(statements)

    def __bool__(self) -> bool:
        first = self._emptied or self._removed
        return bool(self._out or self._gone or self._in or self._net or self._posted or first)

    def _changed(self) -> tuple[list[str], list[str], list[str]]:
        """Statements that go and that are new, and others that are stated."""
        values = [(what, *pair) for what, pair in self._net.items() if pair[0] != pair[1]]
        gone = self._gone + [f"{what} {before}" for what, before, _ in values if before]
        posted = [f"{iri(one)} {URL.write(outbox=[text])}" for one, text in self.outboxes.items()]
        return gone, [f"{what} {after}" for what, _, after in values if after], self._in + posted

    def write(self, store: OxigraphStore) -> None:
        """Write all to a store, wholly or not at all."""
        if not self:
            return
        gone, new, stated = changed = self._changed()
        must_update = self._out or self._emptied or (store.log and self._blank) or self._removed
        if must_update or not store.keep(gone, new, stated + self._graphs, lambda: self._text(store, *changed)):
            store.update(self._text(store, *changed))

    def text(self, store: OxigraphStore) -> str:
        """The changes as one SPARQL update, to be applied wholly or not at all.

        It names data only: what is removed is looked up in the store that it is for. So it does
        the same to every graph that has these statements, whatever else is in it; made twice, or
        again after later ones that are made again too, it changes nothing more.
        """
        return self._text(store, *self._changed())

    def _text(self, store: OxigraphStore, gone: list[str], new: list[str], stated: list[str]) -> str:
        removed = []
        for subject, properties in self._removed:
            found = f"{iri(subject)} ?p ?o FILTER(?p IN ({properties}))"
            asked = f"CONSTRUCT {{ {iri(subject)} ?p ?o }} WHERE {{ {found} }}"
            removed += statement_lines(store.query(asked).triples)
        gone = removed + gone + self._out
        new = new + stated
        steps = [f"DROP SILENT GRAPH {iri(name)}" for name in dict.fromkeys(self._emptied + self._blank)]
        if gone:
            steps.append("DELETE DATA {\n" + " .\n".join(gone) + "\n}")
        if new:
            # Graphs come last: Virtuoso takes no full stop behind one.
            steps.append(insertion("\n" + " .\n".join(new) + "".join(self._graphs) + "\n"))
        return " ;\n".join(steps)


def insertion(statements: str) -> str:
    """The operation that states something; Virtuoso takes blank nodes in templates only."""
    is_blank = "_:" in statements
    return f"INSERT {{{statements}}} WHERE {{}}" if is_blank else f"INSERT DATA {{{statements}}}"


def statement_lines(triples: Iterable[ox.Triple]) -> list[str]:
    """Triples as SPARQL, each once."""
    text = ox.serialize(dict.fromkeys(triples), format=ox.RdfFormat.N_TRIPLES) or b""
    return [line.removesuffix(" .") for line in text.decode().split("\n") if line]


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


def policy_ran(changes: Changes, crawl: str, number: int, **columns: Any) -> None:
    """A policy ran; ``number`` counts the runs of all policies of a crawl."""
    run = iri(f"{crawl}#policy-run-{number}")
    changes.state(f"{iri(crawl)} sc:policyRun {run} . {run} a sc:PolicyRun ; {POLICY_RUN.write(**columns)}")


def site_settings_noted(changes: Changes, settings: str) -> None:
    """The crawl is one for websites, with these settings of its own from now on."""
    changes.remove(_SITES, "sc:siteSettings")
    changes.state(f"{iri(_SITES)} a sc:SiteCrawl ; sc:siteSettings {string(settings)}")
