"""What the endpoint says of itself and of its dataset, in Turtle.

By https://www.w3.org/TR/sparql11-service-description/ and https://www.w3.org/TR/void/. The default
graph is the crawl. There is a named graph for each page, with what it says itself, so these
are described as a collection, with a query that lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox

from semcrawl.graph.vocabulary import PREFIXES, SC, string
from semcrawl.serve.sparql_formats import GRAPH_FORMATS, ROW_FORMATS, SD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from semcrawl.serve.settings import ServeSettings

_PREFIXES = "".join(
    f"@prefix {name}: <{namespace}> .\n" for name, namespace in (PREFIXES | {"sd": SD}).items()
)
_EVERYTHING = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
_NAMED_GRAPHS = f"SELECT ?page ?statements WHERE {{ ?page <{SC}statements> ?statements }}"

_SERVICE = """
<{endpoint}#service> a sd:Service ;
    sd:endpoint <{endpoint}> ;
    sd:supportedLanguage sd:SPARQL11Query ;
    sd:resultFormat {formats} ;
    sd:extensionFunction sc:similarity ;
    sd:defaultDataset <{void}#dataset> ;
    sd:availableGraphs <{void}#pages> ;
    rdfs:seeAlso <{void}> , <{limit}> .
sc:similarity a sd:Function .
<{void}#dataset> a sd:Dataset ; sd:defaultGraph <{void}#crawl> .
<{void}#crawl> a sd:Graph .
<{limit}> rdfs:comment "A query may take {seconds:g} s and then fails. An answer has at most \
{rows} rows or triples. One that was cut there has the header X-SPARQL-MaxRows and refers to \
this resource."@en .
"""

_COLLECTION = """
<{void}#pages> a sd:GraphCollection ;
    rdfs:seeAlso <{named_graphs}> ;
    rdfs:comment "What pages say themselves, in JSON-LD, Microdata or RDFa. The statements of a \
page are the named graph of its URL, which GRAPH, FROM and FROM NAMED take. The query of \
rdfs:seeAlso lists these graphs. They are not part of the default graph. Their number and size, \
where told, are what sc:statements of the pages adds up to."@en .
"""

_DATASET = """
<{void}> a void:DatasetDescription ; foaf:primaryTopic <{void}#dataset> .
<{void}#dataset> a void:Dataset ;
    void:sparqlEndpoint <{endpoint}> ;
    void:triples {triples} ;
    dcterms:title {title} ;
    prov:wasGeneratedBy <{crawl}> ;
    void:feature {features} ;
    void:subset <{void}#crawl> , <{void}#pages> .
<{void}#crawl> a void:Dataset ;
    void:sparqlEndpoint <{endpoint}> ;
    void:triples {in_crawl} ;
    dcterms:title "The crawl: the default graph"@en ;
    void:vocabulary <{vocabulary}> ;
    void:classes {classes} ;
    void:properties {properties} .
<{void}#pages> a void:Dataset ;
    void:sparqlEndpoint <{endpoint}> ;
    void:triples {in_pages} ;
    void:documents {documents} .
"""


def limit_of(base: str) -> str:
    """Return what a cut answer refers to, which the service description explains."""
    return f"{base}/sparql#limit"


def service_description(base: str, settings: ServeSettings) -> list[ox.Triple]:
    """Describe the endpoint: language, formats, limits, and where the dataset is."""
    text = _SERVICE.format(
        **_addresses(base),
        formats=_iris(form.iri for form in (*ROW_FORMATS, *GRAPH_FORMATS)),
        seconds=settings.timeout,
        rows=settings.max_rows,
    )
    return _triples(text + _COLLECTION.format(**_addresses(base)))


def dataset_description(
    base: str, settings: ServeSettings, statistics: dict[str, Any]
) -> list[ox.Triple]:
    """Describe the dataset and its parts with VoID, by the counts of a StatisticsJob."""
    of_pages, classes = statistics["of_pages"], statistics["classes"]
    properties = statistics["properties"]
    in_crawl = sum(number for _, number in properties)
    in_pages = of_pages["statements"] or 0
    addresses = _addresses(base)
    text = _DATASET.format(
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
    return _triples(text + _COLLECTION.format(**addresses))


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
