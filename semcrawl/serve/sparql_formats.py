"""The formats of the SPARQL endpoint, and which of them a client accepts (RFC 9110, 12.5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

SD = "http://www.w3.org/ns/sparql-service-description#"
_JSON = ("application/json",)
_XML = ("application/xml", "text/xml")
_MOST_RANGES = 100


@dataclass(frozen=True, slots=True)
class Format:
    """A format as ``semcrawl query --format`` names it; the first media type is its own."""

    name: str
    ending: str
    w3c_name: str
    media_types: tuple[str, ...]
    words: tuple[str, ...] = ()

    @property
    def iri(self) -> str:
        """Its IRI, for the service description."""
        return "http://www.w3.org/ns/formats/" + self.w3c_name

    def header(self, media_type: str) -> str:
        """The Content-Type of a reply, for a client that wants this media type."""
        is_text = self.media_types[0].startswith("text/")
        return f"{media_type}; charset=utf-8" if is_text else media_type

    def is_called(self, word: str) -> bool:
        """Whether ``format=word`` means it."""
        return word in (self.name, self.ending, *self.words, *self.media_types)


_SPARQL_RESULTS = "application/sparql-results+"
_TURTLE = ("text/turtle", "application/turtle", "application/x-turtle", "text/n3", "text/rdf+n3")

ROW_FORMATS = (
    Format(
        "json", "json", "SPARQL_Results_JSON", (_SPARQL_RESULTS + "json", *_JSON), ("sparql-json",)
    ),
    Format("xml", "xml", "SPARQL_Results_XML", (_SPARQL_RESULTS + "xml", *_XML), ("sparql-xml",)),
    Format("csv", "csv", "SPARQL_Results_CSV", ("text/csv",)),
    Format("tsv", "tsv", "SPARQL_Results_TSV", ("text/tab-separated-values",)),
)
GRAPH_FORMATS = (
    Format("turtle", "ttl", "Turtle", _TURTLE, ("n3",)),
    Format("ntriples", "nt", "N-Triples", ("application/n-triples",), ("n-triples",)),
    Format("jsonld", "jsonld", "JSON-LD", ("application/ld+json", *_JSON), ("json", "json-ld")),
    Format("rdfxml", "rdf", "RDF_XML", ("application/rdf+xml", *_XML), ("xml", "rdf+xml")),
    Format("trig", "trig", "TriG", ("application/trig",)),
    Format("nquads", "nq", "N-Quads", ("application/n-quads",), ("n-quads",)),
)


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

    Of equal quality, one that is named goes before one that ``*`` covers, then the first
    offer. An empty header accepts all.

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
    """Quality and exactness of the range that fits a media type most exactly."""
    fits = [(one.fit(media_type), one.quality) for one in ranges]
    exactness, quality = max(fits, default=(0, 0.0))
    return (quality, exactness) if exactness else (0.0, 0)


def _ranges(accept: str) -> Iterator[_Range]:
    """The first ranges of a header, without those that cannot be understood."""
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
