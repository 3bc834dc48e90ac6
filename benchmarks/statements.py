"""What it costs to read the statements of a page, beside reading the page.

A page of the generated web (24 KB, 40 links) is given what real pages have: Open
Graph in its head, a block of JSON-LD, a list of Microdata items, RDFa as a content
management system writes it. Measured is CPU in this process: reading the page, the
quick look whether it may make statements, and reading the statements. Rounds in
turn; the best of each counts. Beside it, a Turtle document of 5,000 statements is read
as a page and written into a crawl graph on disk, and parsed and stored by pyoxigraph alone.

    python -m benchmarks statements
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from benchmarks.checks import Check
from benchmarks.generated_web import GeneratedWeb
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.page import read_page
from semcrawl.page.embedded.statements import embedded_statements, syntaxes_in
from semcrawl.page.rdf_document import DataReading
from semcrawl.web import Response

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["run"]

ROUNDS, TIMES = 7, 40
LOOK, USUAL, DOCUMENT = 0.1, 1.5, 3.0

OPEN_GRAPH = "".join(
    f'<meta property="og:{name}" content="Some words about {name}">'
    for name in ("title", "type", "url", "image", "description", "site_name", "locale", "audio")
)
ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "Lungs and how to keep them",
    "datePublished": "2024-05-01",
    "author": [{"@type": "Person", "name": name, "url": f"/by/{name}"} for name in ("Ann", "Bo")],
    "publisher": {
        "@type": "Organization",
        "name": "The Chest",
        "logo": {"@type": "ImageObject", "url": "/logo.png", "width": 600, "height": 60},
    },
    "image": ["/a.jpg", "/b.jpg", "/c.jpg"],
    "mainEntityOfPage": "/lungs",
    "description": "What lungs need, in a few hundred words. " * 5,
}
JSON_LD = f'<script type="application/ld+json">{json.dumps(ARTICLE)}</script>'
PRODUCT = (
    '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Inhaler {0}</b>'
    '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
    '<meta itemprop="priceCurrency" content="EUR"><span itemprop="price">{0}.50</span>'
    '<link itemprop="availability" href="https://schema.org/InStock"></div></div>'
)
ITEM = (
    '<div about="/node/{0}" typeof="sioc:Item foaf:Document"><h2 property="dc:title">Node {0}</h2>'
    '<span property="dc:date" datatype="xsd:date" content="2024-05-01">May</span>'
    '<span rel="sioc:has_creator"><a about="/u/{0}" typeof="sioc:UserAccount" property="foaf:name"'
    ' href="/u/{0}">Ann</a></span></div>'
)
KINDS = {
    "nothing": ("", ""),
    "Open Graph": (OPEN_GRAPH, ""),
    "Open Graph and JSON-LD": (OPEN_GRAPH + JSON_LD, ""),
    "20 items of Microdata": ("", "".join(PRODUCT.format(number) for number in range(20))),
    "20 nodes of RDFa": ("", "".join(ITEM.format(number) for number in range(20))),
}


def run(*, quick: bool) -> list[Check]:
    """Read pages of all kinds."""
    rounds = 2 if quick else ROUNDS
    web = GeneratedWeb(100)
    body = web.html(0)
    print("  ms of CPU           page  quick look  statements  (number)")
    shares = {}
    for name, (head, more) in KINDS.items():
        markup = body.replace("</head>", head + "</head>").replace("</body>", more + "</body>")
        page, look, said = _measured(markup, web.seed, rounds)
        number = len(embedded_statements(markup, web.seed).triples)
        print(f"  {name:<22}{page:6.2f}{look:9.3f}{said:12.2f}  ({number})")
        shares[name] = look / page, said / page
    return [
        Check("the quick look, to reading the page", shares["nothing"][0], "at most", LOOK),
        Check(
            "statements of Open Graph and JSON-LD, to reading the page",
            shares["Open Graph and JSON-LD"][1],
            "at most",
            USUAL,
        ),
        Check("a Turtle page into the graph, to the bare store", _document(rounds), "at most", DOCUMENT),
    ]


def _document(rounds: int) -> float:
    thing = (
        '<#{0}> a <#Kind{1}> ; <http://www.w3.org/2000/01/rdf-schema#label> "thing {0}"@en ; '
        '<#part> <http://ex.test/{1}> ; <#size> {0} ; <#note> "what is said of thing {0}" .\n'
    )
    body = "".join(thing.format(number, number % 500) for number in range(1_000)).encode()
    url = "http://ex.test/all"
    response = Response(url, 200, {"content-type": "text/turtle"}, body, 0.0, 0.0)
    best = [float("inf")] * 2
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            store = ox.Store(f"{folder}/bare")
            graph = CrawlGraph.create(Path(folder, "ours"))
            began = time.process_time()
            page = read_page(response, data=DataReading("follow"))
            changes = Changes()
            changes.visited(url, step=1, statements=page.statements.triples)
            graph.apply(changes)
            ours = time.process_time() - began
            store.load(body, format=ox.RdfFormat.TURTLE, base_iri=url, to_graph=ox.NamedNode(url))
            bare = time.process_time() - began - ours
            graph.close()
            best = [min(best[0], ours), min(best[1], bare)]
    print(f"  a Turtle page of 5,000 statements: {best[0] * 1e3:.0f} ms; bare {best[1] * 1e3:.0f}")
    return best[0] / best[1]


def _measured(markup: str, url: str, rounds: int) -> tuple[float, float, float]:
    response = Response(url, 200, {"content-type": "text/html"}, markup.encode(), 0.0, 0.0)

    def read() -> None:
        page = read_page(response)
        _ = page.terms, page.title

    sides: list[Callable[[], object]] = [
        read,
        lambda: any(syntaxes_in(markup)),
        lambda: embedded_statements(markup, url),
    ]
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for number, side in enumerate(sides):
            began = time.process_time()
            for _ in range(TIMES):
                side()
            best[number] = min(best[number], (time.process_time() - began) / TIMES * 1e3)
    return best[0], best[1], best[2]
