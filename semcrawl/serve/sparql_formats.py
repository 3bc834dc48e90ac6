"""The formats of the SPARQL endpoint, and which of them a client wants.

`semcrawl.graph.result_formats` writes them; clients say what they want in the Accept
header (RFC 9110, 12.5.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SD = "http://www.w3.org/ns/sparql-service-description#"

_FORMATS = "http://www.w3.org/ns/formats/"
_UTF_8 = "; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Format:
    """A format that answers are written in.

    Attributes:
        name: its name here, as in ``semcrawl query --format``.
        media_types: what clients call it; the first is its own.
        words: what ``format=`` calls it beside these.
        ending: of a file with it.
        iri: its name in the W3C's list of formats, for the service description.
        is_text: whether the header shall name the character set, which is UTF-8.
    """

    name: str
    media_types: tuple[str, ...]
    words: tuple[str, ...]
    ending: str
    iri: str
    is_text: bool = False

    def header(self, media_type: str) -> str:
        """The Content-Type of a reply, for a client that wants this media type."""
        return media_type + _UTF_8 if self.is_text else media_type

    def is_called(self, word: str) -> bool:
        """Whether ``format=word`` means it."""
        return word in (self.name, self.ending, *self.words, *self.media_types)


ROW_FORMATS = (
    Format(
        "json",
        ("application/sparql-results+json", "application/json"),
        ("sparql-json",),
        "json",
        _FORMATS + "SPARQL_Results_JSON",
    ),
    Format(
        "xml",
        ("application/sparql-results+xml", "application/xml", "text/xml"),
        ("sparql-xml",),
        "xml",
        _FORMATS + "SPARQL_Results_XML",
    ),
    Format("csv", ("text/csv",), (), "csv", _FORMATS + "SPARQL_Results_CSV", is_text=True),
    Format(
        "tsv",
        ("text/tab-separated-values",),
        (),
        "tsv",
        _FORMATS + "SPARQL_Results_TSV",
        is_text=True,
    ),
)

GRAPH_FORMATS = (
    Format(
        "turtle",
        # Turtle is N3 too, and has had other names.
        ("text/turtle", "application/turtle", "application/x-turtle", "text/n3", "text/rdf+n3"),
        ("n3",),
        "ttl",
        _FORMATS + "Turtle",
        is_text=True,
    ),
    Format("ntriples", ("application/n-triples",), ("n-triples",), "nt", _FORMATS + "N-Triples"),
    Format(
        "jsonld",
        ("application/ld+json", "application/json"),
        ("json", "json-ld"),
        "jsonld",
        _FORMATS + "JSON-LD",
    ),
    Format(
        "rdfxml",
        ("application/rdf+xml", "application/xml", "text/xml"),
        ("xml", "rdf+xml"),
        "rdf",
        _FORMATS + "RDF_XML",
    ),
    Format("trig", ("application/trig",), (), "trig", _FORMATS + "TriG"),
    Format("nquads", ("application/n-quads",), ("n-quads",), "nq", _FORMATS + "N-Quads"),
)


_MOST_RANGES = 100


class _Range(NamedTuple):
    kind: str
    subkind: str
    quality: float

    def fit(self, media_type: str) -> int:
        """How exactly a media type is meant: 0 not at all, 1 by ``*/*``, 2 by ``text/*``, 3."""
        kind, _, subkind = media_type.partition("/")
        if self.kind == "*":
            return 1
        if self.kind != kind:
            return 0
        return 2 if self.subkind == "*" else 3 * (self.subkind == subkind)


def choose(accept: str, offers: Sequence[str]) -> str | None:
    """Return the media type that a client likes best by its Accept header, None for none.

    Among those it likes equally, one that it named goes before one that it
    covered by ``*``, and then the first of the offers. Who says nothing gets
    the first.

    >>> choose("text/csv;q=0.5, text/*;q=0.2, */*;q=0.1", ["application/json", "text/csv"])
    'text/csv'
    >>> choose("image/png", ["text/csv"]) is None
    True
    """
    ranges = list(_ranges(accept)) if accept.strip() else [_Range("*", "*", 1.0)]
    ranked = [(_liking(ranges, offer), -place, offer) for place, offer in enumerate(offers)]
    (quality, _), _, best = max(ranked, default=((0.0, 0), 0, ""))
    return best if quality > 0 else None


def _liking(ranges: list[_Range], media_type: str) -> tuple[float, int]:
    """Quality and exactness of the range that means a media type most exactly."""
    fits = [(one.fit(media_type), one.quality) for one in ranges]
    exactness, quality = max(fits, default=(0, 0.0))
    return (quality, exactness) if exactness else (0.0, 0)


def _ranges(accept: str) -> Iterator[_Range]:
    """The first ranges of a header; what cannot be understood is passed over."""
    for part in accept.lower().split(",", _MOST_RANGES)[:_MOST_RANGES]:
        name, *parameters = (piece.strip() for piece in part.split(";"))
        kind, slash, subkind = name.partition("/")
        quality = _quality(parameters)
        if slash and kind and subkind and quality is not None:
            yield _Range(kind, subkind, quality)


def _quality(parameters: list[str]) -> float | None:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                quality = float(value)
            except ValueError:
                return None
            return quality if 0 <= quality <= 1 else None
    return 1.0
