"""What it costs to read the statements of a page, beside reading the page.

A page of the generated web (24 KB, 40 links) is given what real pages have: Open
Graph in its head, a block of JSON-LD, a list of Microdata items, RDFa as a content
management system writes it. Measured is CPU in this process: reading the page, the
quick look whether it may make statements, and reading the statements. Rounds in
turn; the best of each counts.

    python -m benchmarks statements
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from benchmarks.checks import Check
from benchmarks.generated_web import GeneratedWeb
from semcrawl.page import read_page
from semcrawl.page.embedded.statements import embedded_statements, may_make_statements
from semcrawl.web import Response

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["run"]

ROUNDS, TIMES = 7, 40
LOOK, USUAL = 0.1, 1.5

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
    ]


def _measured(markup: str, url: str, rounds: int) -> tuple[float, float, float]:
    response = Response(url, 200, {"content-type": "text/html"}, markup.encode(), 0.0, 0.0)

    def read() -> None:
        page = read_page(response)
        _ = page.terms, page.title

    sides: list[Callable[[], object]] = [
        read,
        lambda: may_make_statements(markup),
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
