"""What the endpoint says of itself, and of the dataset behind it.

The words are those of SPARQL 1.1 Service Description
(https://www.w3.org/TR/sparql11-service-description/) and of VoID
(https://www.w3.org/TR/void/).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox

from semcrawl.graph.vocabulary import DCTERMS, PREFIXES, PROV, SC
from semcrawl.serve.results_formats import GRAPH_FORMATS, ROW_FORMATS, SD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.serve.context import ServeSettings

__all__ = ["dataset_description", "endpoint_of", "limit_of", "service_description"]

VOID = PREFIXES["void"]
FOAF = PREFIXES["foaf"]
RDFS = PREFIXES["rdfs"]
_TYPE = PREFIXES["rdf"] + "type"
_EVERYTHING = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"


def endpoint_of(base: str) -> str:
    """The address of the endpoint of a server."""
    return f"{base}/sparql"


def limit_of(base: str) -> str:
    """What a cut answer refers to; the service description tells what it means."""
    return f"{endpoint_of(base)}#limit"


def service_description(base: str, settings: ServeSettings) -> list[ox.Triple]:
    """The description of the endpoint: language, formats, limits, and where the dataset is."""
    return list(_service(base, settings))


def dataset_description(
    base: str, settings: ServeSettings, statistics: dict[str, Any]
) -> list[ox.Triple]:
    """The VoID description of the crawl graph, by what a StatisticsJob has counted."""
    return list(_dataset(base, settings, statistics))


def _service(base: str, settings: ServeSettings) -> Iterator[ox.Triple]:
    service = ox.NamedNode(endpoint_of(base) + "#service")
    dataset = _of_dataset(base)
    graph = ox.NamedNode(_void_of(base) + "#graph")
    limit = ox.NamedNode(limit_of(base))
    function = ox.NamedNode(SC + "similarity")
    yield _said(service, _TYPE, SD + "Service")
    yield _said(service, SD + "endpoint", endpoint_of(base))
    yield _said(service, SD + "supportedLanguage", SD + "SPARQL11Query")
    for form in (*ROW_FORMATS, *GRAPH_FORMATS):
        yield _said(service, SD + "resultFormat", form.iri)
    yield _said(service, SD + "extensionFunction", function)
    yield _said(function, _TYPE, SD + "Function")
    yield _said(service, SD + "defaultDataset", dataset)
    yield _said(dataset, _TYPE, SD + "Dataset")
    yield _said(dataset, SD + "defaultGraph", graph)
    yield _said(graph, _TYPE, SD + "Graph")
    yield _said(service, RDFS + "seeAlso", _void_of(base))
    yield _said(service, RDFS + "seeAlso", limit)
    yield _said(
        limit,
        RDFS + "comment",
        ox.Literal(
            f"A query may take {settings.timeout:g} s and then fails. An answer has at most "
            f"{settings.max_rows} rows or triples. One that was cut there has the header "
            "X-SPARQL-MaxRows and refers to this resource.",
            language="en",
        ),
    )


def _dataset(base: str, settings: ServeSettings, statistics: dict[str, Any]) -> Iterator[ox.Triple]:
    description, dataset = ox.NamedNode(_void_of(base)), _of_dataset(base)
    classes, properties = statistics["classes"], statistics["properties"]
    triples = sum(number for _, number in properties)
    yield _said(description, _TYPE, VOID + "DatasetDescription")
    yield _said(description, FOAF + "primaryTopic", dataset)
    yield _said(dataset, _TYPE, VOID + "Dataset")
    yield _said(dataset, DCTERMS + "title", ox.Literal(statistics["name"]))
    yield _said(dataset, PROV + "wasGeneratedBy", statistics["crawl"])
    yield _said(dataset, VOID + "sparqlEndpoint", endpoint_of(base))
    yield _said(dataset, VOID + "vocabulary", SC)
    for form in GRAPH_FORMATS:
        yield _said(dataset, VOID + "feature", form.iri)
    for name, number in (
        ("triples", triples),
        ("classes", len(classes)),
        ("properties", len(properties)),
    ):
        yield _said(dataset, VOID + name, ox.Literal(number))
    yield from _partitions(dataset, "class", "entities", classes)
    yield from _partitions(dataset, "property", "triples", properties)
    # A dump that would be cut is none.
    if triples <= settings.max_rows:
        yield _said(dataset, VOID + "dataDump", _dump_of(base))


def _partitions(
    dataset: ox.NamedNode, kind: str, unit: str, counts: list[tuple[str, int]]
) -> Iterator[ox.Triple]:
    for place, (name, number) in enumerate(counts, start=1):
        part = ox.BlankNode(f"{kind}{place:03}")
        yield _said(dataset, f"{VOID}{kind}Partition", part)
        yield _said(part, VOID + kind, name)
        yield _said(part, VOID + unit, ox.Literal(number))


def _dump_of(base: str) -> str:
    return f"{endpoint_of(base)}?query={quote(_EVERYTHING, safe='')}&format=ntriples"


def _void_of(base: str) -> str:
    return f"{base}/.well-known/void"


def _of_dataset(base: str) -> ox.NamedNode:
    return ox.NamedNode(_void_of(base) + "#crawl")


def _said(
    subject: ox.NamedNode | ox.BlankNode,
    name: str,
    thing: str | ox.NamedNode | ox.BlankNode | ox.Literal,
) -> ox.Triple:
    """A triple; a text as its object is an IRI."""
    return ox.Triple(
        subject, ox.NamedNode(name), ox.NamedNode(thing) if isinstance(thing, str) else thing
    )
