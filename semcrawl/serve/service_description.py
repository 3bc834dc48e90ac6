"""What the endpoint says of itself, and of the dataset behind it.

The words are those of SPARQL 1.1 Service Description
(https://www.w3.org/TR/sparql11-service-description/) and of VoID
(https://www.w3.org/TR/void/).

The dataset has two parts. The default graph is the crawl. The named graphs are what
pages say themselves, each by the URL of its page. There are as many as pages, so
they are described as a collection, with a query that lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox

from semcrawl.graph.vocabulary import DCTERMS, PREFIXES, PROV, SC
from semcrawl.serve.results_formats import GRAPH_FORMATS, ROW_FORMATS, SD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.serve.settings import ServeSettings

VOID = PREFIXES["void"]
FOAF = PREFIXES["foaf"]
RDFS = PREFIXES["rdfs"]
_TYPE = PREFIXES["rdf"] + "type"
_EVERYTHING = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
_NAMED_GRAPHS = f"SELECT ?page ?statements WHERE {{ ?page <{SC}statements> ?statements }}"


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
    """The VoID description of the dataset and its parts, by what a StatisticsJob has counted."""
    return list(_dataset(base, settings, statistics))


def _service(base: str, settings: ServeSettings) -> Iterator[ox.Triple]:
    service = ox.NamedNode(endpoint_of(base) + "#service")
    dataset, crawl, pages = _parts(base)
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
    yield _said(dataset, SD + "defaultGraph", crawl)
    yield _said(crawl, _TYPE, SD + "Graph")
    yield _said(service, SD + "availableGraphs", pages)
    yield from _collection(base, pages)
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


def _collection(base: str, pages: ox.NamedNode) -> Iterator[ox.Triple]:
    yield _said(pages, _TYPE, SD + "GraphCollection")
    yield _said(pages, RDFS + "seeAlso", _asked(base, _NAMED_GRAPHS, "json"))
    yield _said(
        pages,
        RDFS + "comment",
        ox.Literal(
            "What pages say themselves, in JSON-LD, Microdata or RDFa. The statements of a page "
            "are the named graph of its URL, which GRAPH, FROM and FROM NAMED take. The query "
            "of rdfs:seeAlso lists these graphs. They are not part of the default graph. Their "
            "number and size, where told, are what sc:statements of the pages adds up to.",
            language="en",
        ),
    )


def _dataset(base: str, settings: ServeSettings, statistics: dict[str, Any]) -> Iterator[ox.Triple]:
    description, (dataset, crawl, pages) = ox.NamedNode(_void_of(base)), _parts(base)
    of_pages = statistics["of_pages"]
    in_crawl = sum(number for _, number in statistics["properties"])
    in_pages = of_pages["statements"] or 0
    yield _said(description, _TYPE, VOID + "DatasetDescription")
    yield _said(description, FOAF + "primaryTopic", dataset)
    for part, triples in ((dataset, in_crawl + in_pages), (crawl, in_crawl), (pages, in_pages)):
        yield _said(part, _TYPE, VOID + "Dataset")
        yield _said(part, VOID + "sparqlEndpoint", endpoint_of(base))
        yield _said(part, VOID + "triples", ox.Literal(triples))
    yield _said(dataset, DCTERMS + "title", ox.Literal(statistics["name"]))
    yield _said(dataset, PROV + "wasGeneratedBy", statistics["crawl"])
    for form in GRAPH_FORMATS:
        yield _said(dataset, VOID + "feature", form.iri)
    yield _said(dataset, VOID + "subset", crawl)
    yield _said(dataset, VOID + "subset", pages)
    yield from _crawl(crawl, statistics)
    # A dump that would be cut is none.
    if in_crawl <= settings.max_rows:
        yield _said(crawl, VOID + "dataDump", _asked(base, _EVERYTHING, "ntriples"))
    yield _said(pages, VOID + "documents", ox.Literal(of_pages["pages"]))
    yield from _collection(base, pages)


def _crawl(crawl: ox.NamedNode, statistics: dict[str, Any]) -> Iterator[ox.Triple]:
    classes, properties = statistics["classes"], statistics["properties"]
    yield _said(crawl, DCTERMS + "title", ox.Literal("The crawl: the default graph", language="en"))
    yield _said(crawl, VOID + "vocabulary", SC)
    yield _said(crawl, VOID + "classes", ox.Literal(len(classes)))
    yield _said(crawl, VOID + "properties", ox.Literal(len(properties)))
    yield from _partitions(crawl, "class", "entities", classes)
    yield from _partitions(crawl, "property", "triples", properties)


def _partitions(
    dataset: ox.NamedNode, kind: str, unit: str, counts: list[tuple[str, int]]
) -> Iterator[ox.Triple]:
    for place, (name, number) in enumerate(counts, start=1):
        part = ox.BlankNode(f"{kind}{place:03}")
        yield _said(dataset, f"{VOID}{kind}Partition", part)
        yield _said(part, VOID + kind, name)
        yield _said(part, VOID + unit, ox.Literal(number))


def _asked(base: str, text: str, form: str) -> str:
    """The address of the answer to a query."""
    return f"{endpoint_of(base)}?query={quote(text, safe='')}&format={form}"


def _void_of(base: str) -> str:
    return f"{base}/.well-known/void"


def _parts(base: str) -> tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]:
    """The dataset, the crawl in it, and what pages say themselves."""
    dataset, crawl, pages = (
        ox.NamedNode(f"{_void_of(base)}#{name}") for name in ("dataset", "crawl", "pages")
    )
    return dataset, crawl, pages


def _said(
    subject: ox.NamedNode | ox.BlankNode,
    name: str,
    thing: str | ox.NamedNode | ox.BlankNode | ox.Literal,
) -> ox.Triple:
    """A triple; a text as its object is an IRI."""
    return ox.Triple(
        subject, ox.NamedNode(name), ox.NamedNode(thing) if isinstance(thing, str) else thing
    )
