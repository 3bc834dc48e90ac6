"""The columns of a crawl graph: all that is recorded of pages, URLs, sites and the crawl.

They are declared in ``columns.toml``, whose head says what a line has. What a visit finds out
about a page is written, and replaced by a revisit, from the line of its column alone.
``scripts/columns.py`` writes shapes, vocabulary and a table of the docs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from semcrawl.graph.vocabulary import PREFIXES, date_time, decimal, double, iri, string
from semcrawl.resources import facts_beside


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


@dataclass(frozen=True, eq=False)
class Column:
    """A property of the crawl graph; columns.toml says what the fields are."""

    name: str
    type: str
    meaning: str
    predicate: str = ""
    count: str = "?"
    revisit: str = ""
    shape: str = ""
    tables: Sequence[str] = ()
    source: str | Callable[[Any], Any] = ""  # or a function of the visit

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
        parts = []
        for name, value in values.items():
            column = self._columns[name]
            if value is None or (value == "" and column.count != "1"):
                continue
            if written := column.term(value):
                parts.append(f"{column.predicate} {written}")
        return " ; ".join(parts)

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


def _urls(urls: Iterable[str]) -> str:
    text = ">, <".join(urls)
    return f"<{text}>" if text else ""


ALL = tuple(
    Columns(shape, *(Column(name, **row) for name, row in rows.items()))
    for shape, rows in facts_beside(__file__, "columns.toml").items()
)
URL, WAITING, DROPPED, REDIRECT, PAGE, SITE, SITE_LINK, CRAWL, POLICY_RUN, ALARM = ALL


def shown_in(table: str) -> list[Column]:
    """The columns that a table of the browser shows."""
    return [column for columns in ALL for column in columns if table in column.tables]
