"""What a query answers: rows of a SELECT, a yes or no, or triples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import pyoxigraph as ox

from semcrawl.errors import ConfigError, QueryError
from semcrawl.graph.result_formats import Term, aligned, write_answer
from semcrawl.graph.sparql_text import columns_in_order
from semcrawl.graph.vocabulary import PREFIXES, XSD, shorten
from semcrawl.notebook import table

if TYPE_CHECKING:
    import pandas as pd
    import rdflib
    import rdflib.query

T = TypeVar("T")

_READERS: dict[str, Callable[[str], Any]] = {
    XSD + "integer": int,
    XSD + "decimal": float,
    XSD + "double": float,
    XSD + "boolean": lambda text: text in ("true", "1"),
    XSD + "dateTime": datetime.fromisoformat,
}


def python_value(term: Term | None) -> Any:
    """The Python value that an RDF term stands for: str, int, float, bool, datetime or None.

    >>> python_value(ox.Literal(3)), python_value(ox.NamedNode("http://a/"))
    (3, 'http://a/')
    """
    if not isinstance(term, ox.Literal):
        return None if term is None else getattr(term, "value", str(term))
    try:
        return _READERS.get(term.datatype.value, str)(term.value)
    except ValueError:  # an ill-formed literal is still a text
        return term.value


class Answer:
    """The answer of one query, held in memory: all of it, or the first ``most`` rows or triples.

    ``text`` is the query, which says in which order the columns of ``SELECT *`` come. ``is_cut`` tells whether there
    are more rows or triples. Iterating gives a dict per row, or the triples.
    """

    def __init__(
        self, raw: ox.QuerySolutions | ox.QueryBoolean | Iterable[ox.Triple], most: int | None = None, text: str = ""
    ) -> None:
        self.is_cut = False
        self.variables: tuple[str, ...] = ()
        self.rows: list[tuple[Term | None, ...]] = []
        self.triples: list[ox.Triple] = []
        self.boolean: bool | None = None
        if isinstance(raw, ox.QueryBoolean):
            self.kind = "ask"
            self.boolean = bool(raw)
        elif isinstance(raw, ox.QuerySolutions):
            self.kind = "select"
            self.variables = columns_in_order(text, [variable.value for variable in raw.variables])
            self.rows = self._first((tuple(row[name] for name in self.variables) for row in raw), most)
        else:
            self.kind = "construct"
            self.triples = self._first(raw, most)

    def _first(self, found: Iterable[T], most: int | None) -> list[T]:
        # The engine finds as it is asked: what is left out costs nothing.
        first = list(islice(found, None if most is None else most + 1))
        self.is_cut = most is not None and len(first) > most
        return first[:most]

    def __iter__(self) -> Iterator[Any]:
        if self.kind == "construct":
            return iter(self.triples)
        return (dict(zip(self.variables, map(python_value, row), strict=True)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.triples) if self.kind == "construct" else len(self.rows)

    def __bool__(self) -> bool:
        return self.boolean if self.boolean is not None else len(self) > 0

    @property
    def found_nothing(self) -> bool:
        """Whether it is a no, has no rows or triples, or one row of zeros, as a COUNT of nothing."""
        return not self or (self.kind == "select" and len(self) == 1 and not any(next(iter(self)).values()))

    def value(self) -> Any:
        """The first value of the first row, or None."""
        return python_value(self.rows[0][0]) if self.rows and self.rows[0] else None

    def to_rdflib(self) -> rdflib.Graph | rdflib.query.Result:
        """The answer as rdflib has it: a Graph of triples, else a Result of rows or of a yes."""
        from rdflib import Graph
        from rdflib.query import Result

        if self.kind != "construct":
            return Result.parse(BytesIO(write_answer(self, "json")), format="json")
        graph = Graph()
        for name, namespace in PREFIXES.items():
            graph.bind(name, namespace)
        return graph.parse(data=write_answer(self, "ntriples"), format="nt")

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a DataFrame of Python values; of triples, subject, predicate and object.

        Raises ConfigError: pandas is not installed; QueryError: the answer is a yes or no.
        """
        if self.kind == "ask":
            raise QueryError("a yes or no is no table: use bool(answer)")
        try:
            import pandas as pd
        except ImportError:
            raise ConfigError("a DataFrame needs pandas: install it with pip install 'semcrawl[pandas]'") from None
        rows = [tuple(map(python_value, row)) for row in self.triples or self.rows]
        names = self.variables if self.kind == "select" else ("subject", "predicate", "object")
        return pd.DataFrame(rows, columns=list(names))

    def serialize(self, form: str) -> str:
        """The answer as text: table, csv, json, tsv or xml; triples in RDF. QueryError if unfit."""
        if form == "table" and self.kind != "construct":
            return self._table()
        written = write_answer(self, form, exact=False)
        if form == "json":
            written = msgspec.json.format(written, indent=1)
        return written.decode()

    def _table(self) -> str:
        if self.kind == "ask":
            return "yes\n" if self.boolean else "no\n"
        lines = [list(self.variables), *([_cell(term) for term in row] for row in self.rows)]
        return "".join(f"{line}\n" for line in aligned(lines, left=len(self.variables)))

    def __repr__(self) -> str:
        if self.kind == "ask":
            return f"<Answer: {'yes' if self.boolean else 'no'}>"
        noun = "rows" if self.kind == "select" else "triples"
        return f"<Answer: {len(self):,} {noun}>"

    def __str__(self) -> str:
        note = "(no rows)\n" if self.kind == "select" and not self.rows else ""
        return self.serialize("turtle" if self.kind == "construct" else "table") + note

    def _repr_html_(self) -> str:
        if self.kind == "ask":
            return "yes" if self.boolean else "no"
        names = self.variables if self.kind == "select" else ("subject", "predicate", "object")
        rows = self.rows if self.kind == "select" else self.triples
        return table(names, ([_cell(term) for term in row] for row in rows))


def _cell(term: Term | None) -> str:
    value = python_value(term)
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(term, ox.BlankNode):
        return f"_:{value}"
    plain = value.replace(microsecond=0) if isinstance(value, datetime) else value
    text = shorten(value) if isinstance(term, ox.NamedNode) else str(plain)
    return " ".join(text.split())
