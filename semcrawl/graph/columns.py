"""The columns of a crawl graph: all that is recorded of pages, URLs, sites and the crawl.

What a visit finds out about a page is written, and replaced by a revisit, from the line of its
column alone. ``scripts/columns.py`` writes shapes, vocabulary and the table in docs/querying.md.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from semcrawl.graph.vocabulary import PREFIXES, date_time, decimal, double, iri, string


class _Type(NamedTuple):
    datatype: str
    write: Callable[[Any], str]
    shape: str = ""


_TYPES = {
    "boolean": _Type("boolean", lambda value: "true" if value else "false"),
    "dateTime": _Type("dateTime", date_time),
    "decimal": _Type("decimal", decimal),
    "iri": _Type("iri", iri, "sh:nodeKind sh:IRI"),
    "integer": _Type("integer", str),
    "name": _Type("iri", lambda value: f"sc:{value}"),
    "natural": _Type("integer", str, "sh:minInclusive 0"),
    "positive": _Type("integer", str, "sh:minInclusive 1"),
    "score": _Type("double", double, "sh:maxInclusive 1.0e0"),
    "share": _Type("decimal", decimal, "sh:minInclusive 0.0 ; sh:maxInclusive 1.0"),
    "string": _Type("string", string),
    "url": _Type("iri", lambda value: f"<{value}>", "sh:nodeKind sh:IRI"),
}
# An ``iri`` is checked, a ``url`` is canonical already; a ``name`` is one of the vocabulary.

CONTENT, CHECK = "content", "check"
"""What removes a value: a visit that finds other content; each further visit."""


@dataclass(frozen=True)
class Column:
    """A property of the crawl graph."""

    name: str
    type: str  # a key of _TYPES
    meaning: str
    predicate: str = ""  # sc: and the name where none is given
    count: str = "?"  # of values: 1, ? (one or none) or *
    revisit: str = ""  # when a revisit removes it: CONTENT, CHECK or never
    shape: str = ""  # further constraints, in SHACL
    tables: tuple[str, ...] = ()  # the tables of the browser that show it
    # Where a visit (PageVisit in semcrawl/crawl/kind.py) has its value: an attribute, dotted,
    # or a function of the visit. Columns without are written when something else happens.
    source: str | Callable[[Any], Any] = ""

    def __post_init__(self) -> None:
        if not self.predicate:
            first, *others = self.name.split("_")
            local = first + "".join(word.capitalize() for word in others)
            object.__setattr__(self, "predicate", f"sc:{local}")

    @property
    def iri(self) -> str:
        """The property in full."""
        prefix, _, local = self.predicate.partition(":")
        return PREFIXES[prefix] + local

    @property
    def datatype(self) -> str:
        """The local name of its XML Schema datatype, or ``iri``."""
        return _TYPES[self.type].datatype

    @property
    def constraints(self) -> str:
        """What SHACL says of its values, but for their number."""
        kind = f"sh:datatype xsd:{self.datatype}" if self.datatype != "iri" else ""
        return " ; ".join(filter(None, (kind, _TYPES[self.type].shape, self.shape)))

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return self.datatype in ("decimal", "double", "integer")

    @cached_property
    def read(self) -> Callable[[Any], Any]:
        """Reads its value from a visit."""
        return attrgetter(self.source) if isinstance(self.source, str) else self.source

    @cached_property
    def term(self) -> Callable[[Any], str]:
        """Writes a value, or all values, as SPARQL; "" for none at all."""
        write = _TYPES[self.type].write
        if self.count != "*":
            return write
        return _urls if self.type == "url" else lambda values: ", ".join(map(write, values))


class Columns:
    """The columns of one kind of subject, by name.

    >>> PAGE["relevance"].predicate, URL.write(order=3, depth=1, found_on=None)
    ('sc:relevance', 'sc:order 3 ; sc:depth 1')
    """

    def __init__(self, shape: str, *columns: Column) -> None:
        self.shape = shape
        self._columns = {column.name: column for column in columns}

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[Column]:
        return iter(self._columns.values())

    def write(self, **values: Any) -> str:
        """Predicates and objects in order, without None, empty lists and empty optional texts."""
        return _joined((self._columns[name] for name in values), values.values())

    def template(self, *names: str) -> str:
        """Predicates with a ``%s`` for each value, which must be a number or a URL.

        >>> URL.template("order", "site")
        'sc:order %s ; sc:site <%s>'
        """
        return " ; ".join(f"{self[name].predicate} {self[name].term('%s')}" for name in names)

    def read(self, visit: object) -> dict[str, Any]:
        """The values of all columns that have a source, by name."""
        return {column.name: column.read(visit) for column in self if column.source}

    def removed_by(self, *revisits: str) -> str:
        """The properties that such a revisit removes, as a list of SPARQL."""
        return ", ".join(column.predicate for column in self if column.revisit in revisits)


def _joined(columns: Iterable[Column], values: Iterable[Any]) -> str:
    parts = []
    for column, value in zip(columns, values, strict=True):
        if value is None or (value == "" and column.count != "1"):
            continue
        if written := column.term(value):
            parts.append(f"{column.predicate} {written}")
    return " ; ".join(parts)


def _urls(urls: Iterable[str]) -> str:
    text = ">, <".join(urls)
    return f"<{text}>" if text else ""


# fmt: off
URL = Columns(
    "FoundUrl",
    Column("order", "positive", "its number in the order found", count="1"),
    Column("depth", "natural", "links between a seed and it, on the way first found", count="1",
           tables=("pages", "waiting")),
    Column("site", "url", "the site it belongs to", count="1",
           shape='sh:pattern "^urn:semcrawl:site:"', tables=("pages", "hubs", "authorities")),
    Column("found_on", "url", "the page it was first found on; seeds have none",
           tables=("waiting",)),
    Column("tries", "positive", "visits that failed and will be repeated"),
    Column("redirects", "positive", "redirects in a row that led to it"),
)

WAITING = Columns(
    "WaitingUrl",
    Column("priority", "decimal", "how promising it is; exactly the URLs that wait have it",
           tables=("waiting",)),
    Column("factor", "decimal", "what policies multiply its priority with",
           shape="sh:minInclusive 0.0"),
)

DROPPED = Columns(
    "DroppedUrl",
    Column("reason", "name", "why it was given up", "sc:droppedBecause", tables=("dropped",)),
    Column("note", "string", "what happened, in words", tables=("dropped",)),
    Column("priority_to_beat", "decimal", "the priority of the links to it when a policy dropped "
           "it: a better one brings it back"),
)

REDIRECT = Columns(
    "Redirect",
    Column("redirects_to", "url", "where it redirects to"),
    Column("status", "integer", "the HTTP status", count="1",
           shape="sh:minInclusive 300 ; sh:maxExclusive 400"),
)

PAGE = Columns(
    "Page",
    Column("step", "positive", "its number in the order of the visits", count="1",
           tables=("pages",), source="step"),
    Column("fetch_priority", "decimal", "the priority it had when it was taken", count="1",
           source="entry.priority"),
    Column("fetched_at", "dateTime", "when it was first fetched", count="1",
           source="response.fetched_at"),
    Column("memo", "string", "what the strategy noted, for the links of the page", source="memo"),
    Column("relevance", "share", "how much it is about the topic", count="1", revisit=CONTENT,
           tables=("pages", "hubs", "authorities"), source="judgement.relevance"),
    Column("first_relevance", "share", "how relevant a judge that learns held it when it was "
           "fetched; else that is its relevance", revisit=CONTENT, source="first_relevance"),
    Column("marked", "boolean", "whether a person has marked it as right, or as wrong",
           tables=("pages",)),
    Column("marked_at", "dateTime", "when it was marked"),
    Column("status", "integer", "the HTTP status", count="1", revisit=CONTENT,
           shape="sh:minInclusive 100 ; sh:maxExclusive 600", source="response.status"),
    Column("size", "natural", "bytes read", count="1", revisit=CONTENT,
           source=lambda visit: len(visit.response.body)),
    Column("title", "string", "its title", "dcterms:title", revisit=CONTENT,
           tables=("pages", "hubs", "authorities"), source="page.title"),
    Column("language", "string", "its language", "dcterms:language", revisit=CONTENT,
           source="page.language"),
    Column("description", "string", "its description", "dcterms:description", revisit=CONTENT,
           source="page.description"),
    Column("digest", "string", "hash of its bytes; equal digests mean equal pages", revisit=CONTENT,
           shape='sh:pattern "^[0-9a-f]{32}$"', source="response.digest"),
    Column("etag", "string", "the server's tag of the content", revisit=CONTENT,
           source=lambda visit: visit.response.headers.get("etag")),
    Column("last_modified", "string", "when the server says it was changed", revisit=CONTENT,
           source=lambda visit: visit.response.headers.get("last-modified")),
    Column("warc_file", "string", "the WARC file that keeps the answer", revisit=CONTENT,
           source=lambda visit: visit.response.kept_at and visit.response.kept_at.file),
    Column("warc_offset", "natural", "the byte of that file at which its record begins",
           revisit=CONTENT,
           source=lambda visit: visit.response.kept_at and visit.response.kept_at.offset),
    Column("log_relevance", "decimal", "logarithm of the relevance, from probabilistic judges",
           revisit=CONTENT, shape="sh:maxInclusive 0.0", source="judgement.log_relevance"),
    Column("on_topic", "boolean", "whether it is on topic, where the judge says so itself",
           revisit=CONTENT, source="judgement.on_topic"),
    Column("canonical", "url", "the URL that it prefers for itself", revisit=CONTENT,
           source="page.canonical"),
    Column("concept", "iri", "the concept that it fits best", "sc:bestConcept", revisit=CONTENT,
           tables=("pages",), source="judgement.concept"),
    Column("bands", "string", "sketch of its words; near duplicates share one", "sc:band", "*",
           CONTENT, 'sh:pattern "^[0-7]:[0-9a-f]{12}$"', source="bands"),
    Column("statement_count", "positive", "statements in its own named graph", "sc:statements",
           revisit=CONTENT),
    Column("statement_problems", "string", "what of its own statements could not be read",
           "sc:statementProblem", "*", CONTENT, source="statements.problems"),
    Column("links", "url", "the URLs that it links to", "sc:linksTo", "*", CONTENT,
           source=lambda visit: dict.fromkeys(link.url for link in visit.page.links)),
    Column("changed_at", "dateTime", "when a revisit last found other content", revisit=CONTENT),
    Column("checked_at", "dateTime", "when it was last visited again", revisit=CHECK),
    Column("checks", "positive", "how often it was visited again", revisit=CHECK),
    Column("changes", "positive", "how many of the checks found other content", revisit=CHECK),
    Column("gone_at", "dateTime", "when a revisit found that it is gone", revisit=CHECK),
    Column("failed_at", "dateTime", "when another visit last failed", revisit=CHECK),
    Column("revisit_priority", "decimal", "how much it is worth another visit", revisit=CHECK),
    Column("hub_score", "score", "how well it leads to authorities", tables=("hubs",)),
    Column("authority_score", "score", "how well hubs speak of it", tables=("authorities",)),
    Column("page_rank", "score", "its PageRank among the visited pages"),
    Column("in_degree", "positive", "visited pages that link to it"),
)

SITE = Columns(
    "Site",
    Column("site_number", "positive", "its number in the order found"),
    Column("depth", "natural", "links between a seed and it"),
    Column("homepage", "iri", "the URL at which it begins"),
    Column("entry_page", "iri", "the URL by which it was first found"),
    Column("found_on", "iri", "the page it was first found on"),
    Column("factor", "decimal", "what policies multiply the priorities of its URLs with",
           shape="sh:minInclusive 0.0"),
    Column("factor_by", "string", "the factor of one policy, and its name", count="*"),
    Column("last_pick", "positive", "the number of the last URL picked of it, where hosts rotate"),
    Column("opening_number", "positive", "its number in the order of opening"),
    Column("opened_at_step", "natural", "pages visited when it was opened"),
    Column("opening_rank", "share", "the rank it was chosen with"),
    Column("site_prior", "decimal", "probability that it is relevant, before its pages",
           shape="sh:minExclusive 0.0 ; sh:maxExclusive 1.0"),
    Column("site_confidence", "share", "probability that it is relevant, by its pages"),
    Column("pages_read", "positive", "pages of it that were read"),
    Column("failures_in_a_row", "positive", "connections failed since its last answer"),
    Column("note", "string", "what failed first, in words", count="*"),
    Column("site_class", "string", "its class, as the page classifier names it"),
    Column("moved_to", "iri", "the site that its homepage redirects to"),
    Column("site_stopped_because", "name", "why nothing more is read of it"),
    Column("closed_at_step", "natural", "pages visited when it was done with"),
    Column("closing_number", "positive", "its number in the order of closing"),
    Column("links_to_site", "iri", "another site that a page of it links to", count="*"),
    Column("site_link", "iri", "the edge to another site", count="*"),
)

SITE_LINK = Columns(
    "SiteLink",
    Column("to_site", "iri", "the site that is linked to", count="1"),
    Column("link_weight", "share", "the weight of the edge", count="1"),
    Column("link_pages", "positive", "pages with such a link", count="1"),
)

CRAWL = Columns(
    "Crawl",
    Column("title", "string", "the name of its topic", "dcterms:title", "1"),
    Column("topic", "iri", "its topic", count="1"),
    Column("topic_file", "string", "the topic as TOML, for a resume", count="1"),
    Column("settings", "string", "its settings as JSON, for a resume", count="1"),
    Column("threshold", "share", "the relevance from which on a page is relevant", count="1"),
    Column("software_version", "string", "the version of semcrawl that it last ran with"),
    Column("started_at", "dateTime", "when it began", "prov:startedAtTime", "1"),
    Column("ended_at", "dateTime", "when it stopped", "prov:endedAtTime"),
    Column("stopped_because", "name", "why it stopped"),
    Column("distilled_at_step", "natural", "the step of the last distillation"),
    Column("rejudgements", "positive", "how often its judge has judged earlier pages anew"),
    Column("policy_run", "iri", "a run of a policy", count="*"),
    Column("alarm", "iri", "an alarm", count="*"),
)

POLICY_RUN = Columns(
    "PolicyRun",
    Column("policy_name", "string", "name or file of the policy", count="1"),
    Column("at_step", "natural", "pages visited when it ran", count="1"),
    Column("urls_changed", "natural", "URLs or sites that it changed", count="1"),
    Column("note", "string", "what went wrong, in words"),
)

ALARM = Columns(
    "Alarm",
    Column("raised_at_step", "positive", "the page with which it began", count="1"),
    Column("ended_at_step", "positive", "the page with which it was over"),
    Column("started_at", "dateTime", "when it began", "prov:startedAtTime", "1"),
    Column("note", "string", "what was seen, in words", count="1"),
)
# fmt: on

ALL = (URL, WAITING, DROPPED, REDIRECT, PAGE, SITE, SITE_LINK, CRAWL, POLICY_RUN, ALARM)


def shown_in(table: str) -> list[Column]:
    """The columns that a table of the browser shows."""
    return [column for columns in ALL for column in columns if table in column.tables]
