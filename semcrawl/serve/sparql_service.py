"""What the SPARQL endpoint offers: its formats, those a client accepts, and its description.

Media types are chosen by RFC 9110, 12.5.1. The endpoint and its dataset are described in Turtle by
https://www.w3.org/TR/sparql11-service-description/ and https://www.w3.org/TR/void/. The default
graph is the crawl. There is a named graph for each page, with what it says itself, so these
are described as a collection, with a query that lists them.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox
from msgspec import Struct

from semcrawl.graph.vocabulary import PREFIXES, SC, iri, string
from semcrawl.resources import facts_beside
from semcrawl.serve.settings import ServeSettings

SD = "http://www.w3.org/ns/sparql-service-description#"
_MOST_RANGES = 100
_QUALITY = re.compile(r";\s*q\s*=([^;]*)")


class Format(Struct, frozen=True):
    """A format as ``semcrawl query --format`` names it; the first media type is its own."""

    name: str
    ending: str
    w3c_name: str
    media_types: Sequence[str]
    words: Sequence[str] = ()

    def header(self, media_type: str) -> str:
        """The Content-Type of a reply, for a client that wants this media type."""
        return f"{media_type}; charset=utf-8" if self.media_types[0].startswith("text/") else media_type

    def is_called(self, word: str) -> bool:
        """Whether ``format=word`` means it."""
        return word in (self.name, self.ending, *self.words, *self.media_types)


_FORMATS = facts_beside(__file__, "sparql_formats.toml")
ROW_FORMATS = tuple(Format(**facts) for facts in _FORMATS["rows"])
GRAPH_FORMATS = tuple(Format(**facts) for facts in _FORMATS["graphs"])


def choose(accept: str, offers: Sequence[str]) -> str | None:
    """Return the media type that a client likes best by its Accept header, None for none.

    Of equal quality, one that is named goes before one that ``*`` covers, then the first
    offer. An empty header accepts all.

    >>> choose("text/csv;q=0.5, text/*;q=0.2, */*;q=0.1", ["application/json", "text/csv"])
    'text/csv'
    >>> choose("image/png", ["text/csv"]) is None
    True
    """
    ranges = _ranges(accept) if accept.strip() else {"*/*": 1.0}
    ranked = []
    for place, offer in enumerate(offers):
        # The range that fits a media type most exactly tells its quality.
        fitting = ("*/*", f"{offer.partition('/')[0]}/*", offer)
        exactness = max((number for number, name in enumerate(fitting) if name in ranges), default=None)
        if exactness is not None:
            ranked.append((ranges[fitting[exactness]], exactness, -place, offer))
    quality, *_, best = max(ranked, default=(0.0, 0, 0, ""))
    return best if quality > 0 else None


def _ranges(accept: str) -> dict[str, float]:
    """The qualities of the first ranges of a header, without those that cannot be understood."""
    found: dict[str, float] = {}
    for part in accept.lower().split(",", _MOST_RANGES)[:_MOST_RANGES]:
        name = part.partition(";")[0].strip()
        kind, _, subkind = name.partition("/")
        told = _QUALITY.search(part)
        with suppress(ValueError):
            quality = float(told[1]) if told else 1.0
            if kind and subkind and 0 <= quality <= 1:
                name = "*/*" if kind == "*" else name
                found[name] = max(quality, found.get(name, 0.0))
    return found


_PREFIXES = "".join(f"@prefix {name}: <{namespace}> .\n" for name, namespace in (PREFIXES | {"sd": SD}).items())
_EVERYTHING = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
_NAMED_GRAPHS = f"SELECT ?page ?statements WHERE {{ ?page <{SC}statements> ?statements }}"


def _template(name: str, **values: object) -> str:
    """The text of ``descriptions/NAME.ttl`` with values in place of ``{key}``."""
    path = Path(__file__).parent / "descriptions" / f"{name}.ttl"
    return path.read_text(encoding="utf-8").format(**values)


def limit_of(base: str) -> str:
    """Return what a cut answer refers to, which the service description explains."""
    return f"{base}/sparql#limit"


def service_description(base: str, settings: ServeSettings) -> list[ox.Triple]:
    """Describe the endpoint: language, formats, limits, and where the dataset is."""
    addresses = _addresses(base)
    text = _template(
        "service",
        **addresses,
        formats=_format_iris(form.w3c_name for form in (*ROW_FORMATS, *GRAPH_FORMATS)),
        seconds=settings.timeout,
        rows=settings.max_rows,
    )
    return _triples(text + _template("pages", **addresses))


def dataset_description(base: str, settings: ServeSettings, statistics: dict[str, Any]) -> list[ox.Triple]:
    """Describe the dataset and its parts with VoID, by the counts of a StatisticsJob."""
    of_pages, classes = statistics["of_pages"], statistics["classes"]
    properties = statistics["properties"]
    in_crawl = sum(number for _, number in properties)
    in_pages = of_pages["statements"] or 0
    addresses = _addresses(base)
    text = _template(
        "dataset",
        **addresses,
        triples=in_crawl + in_pages,
        in_crawl=in_crawl,
        in_pages=in_pages,
        title=string(statistics["name"]),
        crawl=iri(statistics["crawl"]),
        features=_format_iris(form.w3c_name for form in GRAPH_FORMATS),
        vocabulary=SC,
        classes=len(classes),
        properties=len(properties),
        documents=of_pages["pages"],
    )
    text += _partitions(addresses["void"], "class", "entities", classes)
    text += _partitions(addresses["void"], "property", "triples", properties)
    # Else the dump would be cut.
    if in_crawl <= settings.max_rows:
        dump = _asked(base, _EVERYTHING, "ntriples")
        text += f"<{addresses['void']}#crawl> void:dataDump <{dump}> .\n"
    return _triples(text + _template("pages", **addresses))


def _partitions(void: str, kind: str, unit: str, counts: list[tuple[str, int]]) -> str:
    return "".join(
        f"<{void}#crawl> void:{kind}Partition _:{kind}{place:03} .\n"
        f"_:{kind}{place:03} void:{kind} {iri(name)} ; void:{unit} {number} .\n"
        for place, (name, number) in enumerate(counts, start=1)
    )


def _addresses(base: str) -> dict[str, str]:
    return {
        "endpoint": f"{base}/sparql",
        "limit": limit_of(base),
        "void": f"{base}/.well-known/void",
        "named_graphs": _asked(base, _NAMED_GRAPHS, "json"),
    }


def _asked(base: str, text: str, form: str) -> str:
    """The address of the answer to a query."""
    return f"{base}/sparql?query={quote(text, safe='')}&format={form}"


def _format_iris(names: Iterable[str]) -> str:
    return " , ".join(f"<http://www.w3.org/ns/formats/{name}>" for name in names)


def _triples(text: str) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(_PREFIXES + text, ox.RdfFormat.TURTLE)]
