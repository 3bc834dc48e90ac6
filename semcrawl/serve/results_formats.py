"""The formats that an endpoint offers: their media types and names; graph/result_formats writes."""

from __future__ import annotations

from dataclasses import dataclass

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
