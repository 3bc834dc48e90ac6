"""The types of what the HTTP API takes and gives; `semcrawl.serve.openapi` describes them.

Names that end in ``Query`` are parameters of the query string, in ``Request`` bodies
of requests, in ``Reply`` whole replies. A field that is UNSET is not sent.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Count = Annotated[int, Meta(ge=0)]
Url = Annotated[str, Meta(extra_json_schema={"format": "uri"})]
LONGEST_URL = 4_000
MOST_ROWS = 500

PageUrl = Annotated[
    str, Meta(max_length=LONGEST_URL, extra_json_schema={"format": "uri"}, description="The page.")
]
Nodes = Annotated[int, Meta(ge=1, le=MOST_ROWS, description="How many nodes.")]
_Graphs = Annotated[
    str, Meta(description="A graph of the dataset to ask.", extra_json_schema={"format": "uri"})
]


class AfterQuery(Struct):
    """What came after a step."""

    after: Annotated[int, Meta(ge=0, description="Only what came after this step.")] = 0


class SiteTableQuery(Struct, kw_only=True):
    """A page of the table of sites."""

    sort: Annotated[str, Meta(max_length=40, description="The column to sort by.")] = ""
    descending: Annotated[
        str, Meta(description="1 for the highest first.", extra_json_schema={"enum": ["0", "1"]})
    ] = ""
    q: Annotated[
        str,
        Meta(max_length=200, description="Only rows with this in the title or URL, in any case."),
    ] = ""
    offset: Annotated[int, Meta(ge=0, le=10**9, description="How many rows to pass over.")] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST_ROWS, description="How many rows.")] = 50


class TableQuery(SiteTableQuery):
    """A page of a table of URLs."""

    site: Annotated[
        str, Meta(max_length=200, description="Only URLs of the site of exactly this host.")
    ] = ""


class UrlQuery(Struct):
    """A page, by its URL."""

    url: PageUrl


class GraphsQuery(Struct, rename="kebab"):
    """The dataset of a SPARQL query."""

    default_graph_uri: _Graphs = ""
    named_graph_uri: _Graphs = ""


class SparqlQuery(GraphsQuery, rename="kebab"):
    """A SPARQL query by GET."""

    query: Annotated[str, Meta(description="The query; without it, the service is described.")] = ""


class ErrorReply(Struct):
    """What went wrong; line and column where it is a place in a query."""

    error: str
    line: Count | UnsetType = UNSET
    column: Count | UnsetType = UNSET


class ControlRequest(Struct):
    """What the crawl shall do."""

    action: Annotated[str, Meta(extra_json_schema={"enum": ["pause", "resume", "stop"]})]


StateName = Literal["running", "paused", "stopped"]


class StateReply(Struct):
    """What the crawl does, and why."""

    state: StateName
    reason: str


class CrawlFigures(Struct):
    """How far the crawl is."""

    pages: Count
    relevant: Count
    harvest_rate: float
    waiting: Count
    dropped: Count
    hosts: Count
    pages_per_second: float


class Abilities(Struct):
    """What can be done with the crawl here."""

    control: bool
    explain: Literal["replay", "network"]
    taxonomy: bool
    mark: bool
    mark_pages: bool


class SnapshotNote(Struct):
    """The snapshot that is shown."""

    number: Count
    taken_at: float
    is_live: bool


class CrawlReply(Struct):
    """The crawl, its state and figures."""

    name: str
    topic: str
    folder: str
    state: StateName
    reason: str
    started: str
    ended: str | None
    threshold: float
    window: Count
    settings: dict[str, Any]
    kind: Literal["pages", "sites"]
    progress: CrawlFigures
    can: Abilities
    snapshot: SnapshotNote


class AlarmNote(Struct):
    """An alarm: the steps at which it was raised and ended."""

    kind: str
    raised: Count
    ended: Count | None
    note: str


class ErrorCount(Struct):
    """How many URLs were dropped for a reason."""

    reason: str
    urls: Count


class ConceptCount(Struct):
    """How many pages fit a concept best."""

    concept: str
    label: str
    pages: Count
    relevant: Count


class LatestPage(Struct):
    """A page that was visited of late."""

    step: Count
    url: Url
    title: str
    relevance: float


class MonitorReply(Struct):
    """What the monitor shows."""

    first: Count
    relevances: list[float | None]
    threshold: float
    window: Count
    alarms: list[AlarmNote]
    errors: list[ErrorCount]
    census: list[ConceptCount]
    latest: list[LatestPage]
    times: list[list[float]]


class TableReply(Struct):
    """A page of a table."""

    columns: list[str]
    rows: list[dict[str, Any]]
    total: Count
    offset: Count
    limit: Count
    sort: str
    descending: bool


class PathStep(Struct):
    """A page on the way from a seed."""

    url: Url
    title: str | None
    relevance: float | None
    priority: float | None


class LinkNote(Struct):
    """What is known of a linked URL; ``dropped`` is the name of a reason."""

    url: Url
    title: str | UnsetType = UNSET
    relevance: float | UnsetType = UNSET
    priority: float | UnsetType = UNSET
    dropped: str | UnsetType = UNSET


class LinkCounts(Struct):
    """How many links there are."""

    links_out: Count
    links_in: Count


class OwnThing(Struct):
    """A thing that a page describes; ``number`` where others refer to it."""

    id: str | None
    types: list[str]
    says: list[dict[str, Any]] = []
    number: Count | UnsetType = UNSET


class OwnStatements(Struct):
    """What a page says itself: ``shown`` of ``count`` statements, ``more`` things left out."""

    count: Count
    shown: Count
    problems: list[str]
    things: list[OwnThing]
    more: Count


class PageReply(Struct, kw_only=True):
    """What is known of one page."""

    url: Url
    title: str | None
    description: str | None
    language: str | None
    relevance: float
    is_relevant: bool
    marked: bool | None
    step: Count
    status: Count | None
    size: Count | None
    fetched_at: str | None
    depth: Count | None
    site: str | None
    host: str | None
    concept: str | None
    label: str | None
    fetch_priority: float | None
    hub_score: float | None
    authority_score: float | None
    path: list[PathStep]
    links_out: list[LinkNote]
    links_in: list[LinkNote]
    statements: Count
    own: OwnStatements
    counts: LinkCounts


class UrlRequest(Struct):
    """A page to fetch again."""

    url: Url


class MatchNote(Struct):
    """Words that matched the topic."""

    words: list[str]
    concept: str | None
    label: str
    topic: str
    weight: float
    count: Count
    contribution: float
    path: list[str]
    place: str = "text"  # where on the page: text, beginning or title


class DivisorNote(Struct):
    """A number that the sum is divided by, or that is a part of it, and what it is."""

    name: str
    value: float


class MatchedWords(Struct, kw_only=True):
    """The score of a text, and all that it can be worked out from by hand."""

    score: float
    similarity: str
    matches: list[MatchNote]
    matches_total: Count
    divided_by: list[DivisorNote]
    squashed: bool
    log_odds: list[DivisorNote] = []


class SnippetPiece(Struct):
    """A piece of a passage, and whether it matched."""

    text: str
    match: bool


class ExplanationReply(MatchedWords, kw_only=True):
    """Why a page has its relevance."""

    url: Url
    title: str | None
    relevance: float
    judge: str
    snippet: list[SnippetPiece]
    changed: bool


class ClassConfidence(Struct):
    """How sure a classifier is of a class."""

    name: str
    confidence: float


class SiteBeliefNote(Struct, rename={"site": "name", "site_class": "verdict"}):
    """What is believed of a site, before and after a page of it."""

    site: str
    confidence: float
    site_class: str
    pages: Count
    prior: float
    number: Count
    before: float
    after: float


class LensNote(Struct):
    """What a lens saw in a page."""

    threshold: float
    words: Count
    explanation: MatchedWords | None
    changed: bool


class BestPage(Struct):
    """The page that fits a concept best."""

    url: Url
    title: str | None
    relevance: float


class SiteExplanationReply(BestPage):
    """What a page of a crawl for websites was taken for."""

    judge: str
    classes: list[ClassConfidence]
    site: SiteBeliefNote
    has_words: bool
    lens: LensNote | None


class PictureNode(Struct):
    """A page or site in a picture."""

    id: str
    label: str
    kind: Literal["page", "waiting", "dropped", "unknown", "site"]
    relevance: float | None
    hub: float | None
    size: Count | None


class PictureEdge(Struct):
    """Links from one node to another."""

    source: str
    target: str
    weight: float


class PictureReply(Struct):
    """Nodes and edges; ``left_out`` nodes are not there."""

    nodes: list[PictureNode]
    edges: list[PictureEdge]
    left_out: Count


class KeywordNote(Struct):
    """A keyword of the topic."""

    text: str
    weight: float


class TopicConceptNote(Struct):
    """A concept of the topic, and how many pages fit it best."""

    id: str
    label: str
    parent: str | None
    weight: float | None
    pages: Count
    relevant: Count
    good: bool
    best: BestPage | None


class Coverage(Struct):
    """How many concepts have a relevant page."""

    concepts: Count
    covered: Count
    share: float | None


class TopicReply(Struct):
    """The topic and its concepts."""

    name: str
    keywords: list[KeywordNote]
    concepts: list[TopicConceptNote]
    coverage: Coverage


class CategoryNote(Struct):
    """A category of the taxonomy."""

    id: str
    name: str
    label: str
    path: str
    parent: str | None
    good: bool
    examples: Count
    pages: Count
    relevant: Count


class TaxonomyReply(Struct):
    """The categories that the judge was taught."""

    model: str
    categories: list[CategoryNote]


class DocumentRequest(Struct):
    """A page or a text to classify."""

    url: Url = ""
    text: str = ""


class FittingCategory(Struct):
    """A category that a document fits."""

    category: str
    path: str
    probability: float
    good: bool


class ClassifiedReply(Struct):
    """The categories that a document fits best."""

    categories: list[FittingCategory]
    relevance: float | None


class MarkRequest(Struct):
    """A category to mark good, or to unmark."""

    category: str
    good: bool


class MarkedReply(MarkRequest):
    """What was marked, and all categories that are."""

    marked: list[str]
    note: str


class PageMarkRequest(Struct):
    """A page to mark as right or wrong; null takes its mark away."""

    url: Url
    mark: bool | None


class PageMarkedReply(PageMarkRequest):
    """What was marked, and what came of it."""

    note: str


class QuestionNote(Struct):
    """A page a mark of which would teach much."""

    url: str
    title: str
    relevance: float
    lead: str


class ParameterNote(Struct):
    """A parameter of a named query."""

    name: str
    type: str
    default: str | None
    help: str


class QueryNote(Struct):
    """A named query."""

    name: str
    short: str
    group: str
    title: str
    help: str
    kind: str
    text: str
    parameters: list[ParameterNote]


class QuestionRequest(Struct, forbid_unknown_fields=True):
    """A named query with its parameters, or a text."""

    name: str | None = None
    parameters: dict[str, str | int | float | bool | None] = {}
    text: str | None = None


class AnswerReply(Struct, kw_only=True):
    """The answer to a query: rows, a yes or no, or triples in Turtle."""

    kind: str
    variables: list[str] | UnsetType = UNSET
    rows: list[list[dict[str, Any] | None]] | UnsetType = UNSET
    numeric: list[str] | UnsetType = UNSET
    total: Count | UnsetType = UNSET
    boolean: bool | UnsetType = UNSET
    turtle: str | UnsetType = UNSET
    truncated: bool
    limit: Count
    seconds: float
    text: str
    prefixes: dict[str, str] = {}
