"""The report of a collection: one HTML page with relevance over time, sites and best pages."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from semcrawl.graph import CrawlGraph
from semcrawl.graph.dataset import About, plan_of
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.lab.report_formats import html_page
from semcrawl.lab.report_tables import Block, Cell, Paragraph, Report, Section, Table
from semcrawl.plots.axes import number
from semcrawl.plots.curves import Line, curve_plot
from semcrawl.plots.svg import Figure, pen_of

_WINDOW = 50  # pages that a point of the curve is the mean of
_MOST = 50  # rows of a table
_FOOTER = (
    "Made by semcrawl. The pages are in pages.csv, all that is known of them is in "
    "collection.ttl; ro-crate-metadata.json lists the files."
)


def collection_report(graph: CrawlGraph, least: float, about: About) -> str:
    """The report of the collection of the pages of at least this relevance, as HTML."""
    crawl = graph.describe()
    relevances = list(graph.relevances().values())
    good = sum(relevance >= least for relevance in relevances)
    sections: dict[str, tuple[str, Sequence[Block]]] = {
        "relevance": ("Relevance over time", [_curve(relevances, least)] if relevances else []),
        "sites": ("Sites", list(_site_table(graph, least))),
        "pages": ("Best pages", list(_page_table(graph, least, good))),
        "concepts": ("Concepts", list(_concept_table(graph, least))),
        "made": ("How it was made", [_making(graph)]),
    }
    told = tuple(
        Section(name, title, tuple(blocks)) for name, (title, blocks) in sections.items() if blocks
    )
    lead = (
        f"{good:,} of {len(relevances):,} visited pages are about {crawl.name}: their relevance "
        f"is at least {number(least)}. The crawl began on {crawl.started:%Y-%m-%d %H:%M} UTC."
    )
    said = ", ".join(name for name, _ in about.people())
    parts = [f"By {said}." if said else "", f"Licence: {about.licence}" if about.licence else ""]
    lines = [lead, " ".join(filter(None, parts))]
    if not good:
        lines.append("No page is relevant enough.")
    report = Report(about.title or crawl.name, tuple(map(Paragraph, filter(None, lines))), told)
    return html_page(report, _FOOTER)


def _curve(relevances: Sequence[float], least: float) -> Figure:
    window = min(_WINDOW, max(1, len(relevances) // 5))
    sums = [0.0, *accumulate(relevances)]
    means = [
        (n, (sums[n] - sums[max(0, n - window)]) / min(n, window)) for n in range(1, len(sums))
    ]
    found = accumulate(relevance >= least for relevance in relevances)
    shares = [(n, share / n) for n, share in enumerate(found, 1)]
    lines = [
        Line(f"mean of {window} pages", pen_of(0), tuple(means)),
        Line("share of relevant pages so far", pen_of(1), tuple(shares)),
    ]
    caption = "Relevance of the pages in the order of the visits"
    plot = curve_plot(caption, lines, x_title="pages visited", y_title="relevance")
    return Figure("relevance-over-time", caption, (plot,))


def _site_table(graph: CrawlGraph, least: float) -> Iterator[Block]:
    rows = [
        (
            Cell(host_of_site(row["site"]) or row["site"], kind="name"),
            Cell(f"{row['relevant']:,}"),
            Cell(f"{row['pages']:,}"),
            Cell(f"{row['mean_relevance']:.2f}"),
        )
        for row in graph.query("export/sites-of-collection", min_relevance=least, limit=_MOST)
    ]
    head = ("site", "relevant pages", "visited pages", "mean relevance")
    if rows:
        yield Table("sites", "Sites with most relevant pages", head, tuple(rows))


def _page_table(graph: CrawlGraph, least: float, good: int) -> Iterator[Block]:
    found = graph.query("best-pages", min_relevance=least, limit=_MOST)
    rows = [
        (
            Cell(_short(row["title"]) or "(no title)", kind="name"),
            Cell(row["url"][:300], kind="url"),
            Cell(f"{row['relevance']:.3f}"),
        )
        for row in found
    ]
    if rows:
        caption = f"The {len(rows)} most relevant of {good:,} pages"
        caption = caption if len(rows) < good else "All pages, best first"
        yield Table("pages", caption, ("title", "URL", "relevance"), tuple(rows))


def _concept_table(graph: CrawlGraph, least: float) -> Iterator[Block]:
    rows = [
        (
            Cell(_short(row["label"]) or row["concept"][:300], kind="name"),
            Cell(f"{row['relevant']:,}"),
            Cell(f"{row['mean_relevance']:.2f}"),
        )
        for row in graph.query("analyse/census", min_relevance=least, limit=_MOST)
        if row["relevant"]
    ]
    head = ("concept", "relevant pages", "mean relevance of its pages")
    if rows:
        yield Table("concepts", "The concepts that pages fit best", head, tuple(rows))


def _making(graph: CrawlGraph) -> Table:
    crawl = graph.describe()
    seeds = [row["url"] for row in graph.query("frontier/seeds")][:_MOST]
    told: dict[str, str] = {
        "topic": crawl.name,
        **plan_of(graph),
        "threshold": number(crawl.threshold),
        "software": f"semcrawl {crawl.software or ''}".strip(),
        "began": f"{crawl.started:%Y-%m-%d %H:%M:%S} UTC",
        "ended": f"{crawl.ended:%Y-%m-%d %H:%M:%S} UTC" if crawl.ended else "not yet",
        "seeds": "; ".join(seeds),
    }
    rows = ((Cell(name, kind="name"), Cell(value, kind="list")) for name, value in told.items())
    return Table("made", "The plan of the crawl", ("", ""), tuple(rows))


def _short(text: Any) -> str:
    return str(text or "")[:150]
