"""The types of what the HTTP API takes and gives; `semcrawl.serve.openapi` describes them.

Names that end in ``Query`` are parameters of the query string, in ``Request`` bodies of requests, in ``Reply`` whole
replies; jobs are parameters and bodies, too. A field that is UNSET is not sent.

Most types are tables of ``api_types.toml``. They are Structs as well: missing and unknown
fields are refused when a reply is made, wrong values when a test reads it.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct  # noqa: F401 - for api_types.toml

from semcrawl.resources import facts_beside

Count = Annotated[int, Meta(ge=0)]
Url = Annotated[str, Meta(extra_json_schema={"format": "uri"})]
LONGEST_URL = 4_000

PageUrl = Annotated[str, Meta(max_length=LONGEST_URL, extra_json_schema={"format": "uri"}, description="The page.")]
Nodes = Annotated[int, Meta(ge=1, le=2_000, description="How many nodes.")]
_Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
GraphName = Annotated[str, Meta(description="A graph of the dataset to ask.", extra_json_schema={"format": "uri"})]
Filter = Annotated[str, Meta(max_length=LONGEST_URL, description="Only pages with this; none: those without.")]


StateName = Literal["running", "paused", "stopped"]


class QuestionRequest(Struct, forbid_unknown_fields=True):
    """A named query with its parameters, or a text."""

    name: str | None = None
    parameters: dict[str, str | _Whole | float | bool | None] = {}
    text: str | None = None


def _declare(name: str, /, about: str, base: str = "", rename: Any = None, **fields: Any) -> None:
    """Make a type of ``api_types.toml``; its annotations are read among the names of this module."""
    declared: list[Any] = []
    for field, said in fields.items():
        facts = {**said} if isinstance(said, dict) else {"type": said}
        kind = facts.pop("type")
        defaults = [facts.pop("default")] if "default" in facts else [UNSET] if "UnsetType" in kind else []
        declared.append((field, f"Annotated[{kind}, Meta(**{facts})]" if facts else kind, *defaults))
    bases = (globals()[base] if base else Struct,)
    has_defaults = any(len(field) == 3 for field in declared)
    globals()[name] = defstruct(
        name,
        declared,
        bases=bases,
        module=__name__,
        namespace={"__doc__": about},
        rename=rename,
        # Else those without a default would have to come first.
        kw_only=has_defaults or (base != "" and bool(bases[0].__struct_defaults__)),
    )


for _name, _table in facts_beside(__file__, "api_types.toml").items():
    _declare(_name, **_table)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
