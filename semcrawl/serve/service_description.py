"""What the endpoint says of itself and of its dataset, in Turtle.

By https://www.w3.org/TR/sparql11-service-description/ and https://www.w3.org/TR/void/. The default
graph is the crawl. There is a named graph for each page, with what it says itself, so these
are described as a collection, with a query that lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from semcrawl.graph.vocabulary import PREFIXES, SC, string
from semcrawl.serve.settings import ServeSettings
from semcrawl.serve.sparql_formats import GRAPH_FORMATS, ROW_FORMATS, SD

_PREFIXES = "".join(
    f"@prefix {name}: <{namespace}> .\n" for name, namespace in (PREFIXES | {"sd": SD}).items()
)
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
        formats=_iris(form.iri for form in (*ROW_FORMATS, *GRAPH_FORMATS)),
        seconds=settings.timeout,
        rows=settings.max_rows,
    )
    return _triples(text + _template("pages", **addresses))


def dataset_description(
    base: str, settings: ServeSettings, statistics: dict[str, Any]
) -> list[ox.Triple]:
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
        crawl=statistics["crawl"],
        features=_iris(form.iri for form in GRAPH_FORMATS),
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
        f"_:{kind}{place:03} void:{kind} <{name}> ; void:{unit} {number} .\n"
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


def _iris(names: Iterable[str]) -> str:
    return " , ".join(f"<{name}>" for name in names)


def _triples(text: str) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(_PREFIXES + text, ox.RdfFormat.TURTLE)]
