"""The types of what the HTTP API takes and gives; `semcrawl.serve.openapi` describes them.

Names that end in ``Query`` are parameters of the query string, in ``Request`` bodies of requests, in ``Reply`` whole
replies; jobs are parameters and bodies, too. A field that is UNSET is not sent.

The types of replies are tables of ``replies.toml``. They are Structs as well: missing and
unknown fields are refused when a reply is made, wrong values when a test reads it.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct  # noqa: F401 - for replies.toml

from semcrawl.resources import facts_beside

Count = Annotated[int, Meta(ge=0)]
Url = Annotated[str, Meta(extra_json_schema={"format": "uri"})]
LONGEST_URL = 4_000
MOST_ROWS = 500

PageUrl = Annotated[str, Meta(max_length=LONGEST_URL, extra_json_schema={"format": "uri"}, description="The page.")]
Nodes = Annotated[int, Meta(ge=1, le=2_000, description="How many nodes.")]
_Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
_Graphs = Annotated[str, Meta(description="A graph of the dataset to ask.", extra_json_schema={"format": "uri"})]


class AfterQuery(Struct):
    """What came after a step."""

    after: Annotated[int, Meta(ge=0, description="Only what came after this step.")] = 0


class SiteTableQuery(Struct, kw_only=True):
    """A page of the table of sites."""

    sort: Annotated[str, Meta(max_length=40, description="The column to sort by.")] = ""
    descending: Annotated[str, Meta(description="1 for the highest first.", extra_json_schema={"enum": ["0", "1"]})] = (
        ""
    )
    q: Annotated[str, Meta(max_length=200, description="Only rows with this in the title or URL, in any case.")] = ""
    offset: Annotated[int, Meta(ge=0, le=10**9, description="How many rows to pass over.")] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST_ROWS, description="How many rows.")] = 50


class TableQuery(SiteTableQuery):
    """A page of a table of URLs."""

    site: Annotated[str, Meta(max_length=200, description="Only URLs of the site of exactly this host.")] = ""


_Filter = Annotated[str, Meta(max_length=LONGEST_URL, description="Only pages with this; none: those without.")]
FILTERS = ("relevant", "concept", "depth", "language", "status", "marked")
"""What pages can be filtered by: 1 or 0 for ``relevant``, else a value of the column."""
PageTableQuery: type[TableQuery] = defstruct(  # type: ignore[assignment]
    "PageTableQuery", [(name, _Filter, "") for name in FILTERS], bases=(TableQuery,), kw_only=True
)


class GraphsQuery(Struct, rename="kebab"):
    """The dataset of a SPARQL query."""

    default_graph_uri: _Graphs = ""
    named_graph_uri: _Graphs = ""


class SparqlQuery(GraphsQuery, rename="kebab"):
    """A SPARQL query by GET."""

    query: Annotated[str, Meta(description="The query; without it, the service is described.")] = ""


class ControlRequest(Struct):
    """What the crawl shall do."""

    action: Annotated[str, Meta(extra_json_schema={"enum": ["pause", "resume", "stop"]})]


StateName = Literal["running", "paused", "stopped"]


class QuestionRequest(Struct, forbid_unknown_fields=True):
    """A named query with its parameters, or a text."""

    name: str | None = None
    parameters: dict[str, str | _Whole | float | bool | None] = {}
    text: str | None = None


def _declare(name: str, /, about: str, base: str = "", **fields: Any) -> None:
    """Make a type of ``replies.toml``; its annotations are read among the names of this module."""
    declared: list[Any] = []
    for field, kind in fields.items():
        if isinstance(kind, dict):
            declared.append((field, kind["type"], kind["default"]))
        else:
            declared.append((field, kind, UNSET) if "UnsetType" in kind else (field, kind))
    bases = (globals()[base] if base else Struct,)
    has_defaults = any(len(field) == 3 for field in declared)
    globals()[name] = defstruct(
        name,
        declared,
        bases=bases,
        module=__name__,
        namespace={"__doc__": about},
        # Else those without a default would have to come first.
        kw_only=has_defaults or (base != "" and bool(bases[0].__struct_defaults__)),
    )


for _name, _table in facts_beside(__file__, "replies.toml").items():
    _declare(_name, **_table)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
