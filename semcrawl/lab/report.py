"""The report of an experiment: its sections and figures, and the files that it is written to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import isfinite
from pathlib import Path

from semcrawl.errors import ConfigError, StoreError, os_errors
from semcrawl.lab import report_tables as tables
from semcrawl.lab.page_measures import FARTHEST
from semcrawl.lab.report_formats import csv_text, data_cube, html_page, markdown
from semcrawl.lab.report_tables import Block, Bullets, Fold, Lookup, Paragraph, Report, Section
from semcrawl.lab.results import Curve, Metric, Results
from semcrawl.plots.axes import interval_text, number, round_end
from semcrawl.plots.curves import MOST_BANDS, Line, bar_panel, curve_panel, curve_plot, ends_of
from semcrawl.plots.svg import Drawing, Figure, Pen, svg_file

_PNG_ZOOM = 2
_PAGES = "pages fetched"
_MOST_IN_PANEL = 8


def make_report(results: Results) -> Report:
    """The report of the results; sections with nothing to say are left out."""
    look = Lookup(results)
    several = len(results.topics) > 1
    warnings = Bullets(results.warnings) if results.warnings else None
    sections: dict[str, tuple[str, Iterable[Block | None]]] = {
        "findings": ("Findings", [tables.verdict_table(look)]),
        "done": ("What was done", tables.setup_tables(results)),
        "curves": ("Curves", _curves(look)),
        "over-topics": ("Over all topics" if several else "All measures", _over_topics(look)),
        "significance": ("Who beats whom", _significance(look)),
        "topics": ("Topic by topic", _topics(look) if several else ()),
        "differences": ("Where crawlers differ", _differences(look)),
        "distances": ("Distances from the seeds", [bar_figure(look, "distances")]),
        "relevances": ("Distribution of relevance", [bar_figure(look, "relevances")]),
        "gains": ("Words around links", [bar_figure(look, "gains")]),
        "costs": ("Costs", [tables.cost_table(look)]),
        "problems": ("Warnings and failures", [warnings, tables.failure_table(results)]),
        "measures": ("Measures", [tables.definition_table(look)]),
    }
    told = [
        Section(name, title, tuple(block for block in blocks if block))
        for name, (title, blocks) in sections.items()
    ]
    return Report(results.title, tuple(_lead(look)), tuple(one for one in told if one.blocks))


def _lead(look: Lookup) -> Iterator[Block]:
    results = look.results
    if results.paper:
        yield Paragraph(f"After: {results.paper}")
    for text in filter(None, (part.strip() for part in results.about.split("\n\n"))):
        yield Paragraph(text)
    if summary := " ".join(filter(None, (tables.verdict_summary(look), _winner(look)))):
        yield Paragraph(summary)
    if results.failures or results.warnings:
        counts = [
            f"{len(found)} {word}{'' if len(found) == 1 else 's'}"
            for word, found in (("failed run", results.failures), ("warning", results.warnings))
            if found
        ]
        yield Paragraph(f"{' and '.join(counts)}: see Warnings and failures.", tone="bad")


def _winner(look: Lookup) -> str:
    note = look.headline
    if note is None or not look.rivals:
        return ""
    at = look.last(note.name)
    first = look.ranked()[0]
    found = look.over(first, note.name, at)
    if found is None:
        return "No crawler has a value of the headline measure."
    if not look.is_whole(found):
        return "No crawler has a value of the headline measure for every topic."
    winners = look.best_over(note, at)
    best = [name for name in look.rivals if name in winners] or [first]
    told = f"Best by {note.title.lower()} after {number(at)} pages: {', '.join(best)} with "
    told += number(found.interval.mean, note.unit)
    if found.topics > 1:
        ends = interval_text(found.interval.low, found.interval.high, note.unit)
        told += f" over {found.topics} topics (95 % interval {ends})"
    share = look.over(first, "oracle-share", at)
    if share is not None:
        told += f", {100 * share.interval.mean:.0f} % of what the oracle finds"
        told += ", which is greedy and no upper bound on every web"
    return f"{told}."


def _curves(look: Lookup) -> Iterator[Block | None]:
    figures = curve_figures(look)
    yield from figures[:1]
    yield crawler_figure(look)
    for figure in figures[1:]:
        yield Fold(figure.caption.partition(". ")[0], (figure,))


def _over_topics(look: Lookup) -> Iterator[Block | None]:
    if look.headline:
        yield tables.metric_table(look, look.headline)
    yield tables.all_metrics_table(look)
    for note in look.notes.values():
        if note is not look.headline and (table := tables.metric_table(look, note)):
            yield Fold(note.title, (table,))


def _significance(look: Lookup) -> Iterator[Block]:
    for place, table in enumerate(tables.matrices(look)):
        yield table if place == 0 else Fold(table.caption.partition(":")[0], (table,))


def _topics(look: Lookup) -> Iterator[Block | None]:
    if look.headline:
        yield topic_figure(look)
        yield tables.metric_by_topic_table(look, look.headline)
    for place, (name, _) in enumerate(look.results.topics):
        if table := tables.topic_table(look, name, place):
            yield Fold(name, (table,))


def _differences(look: Lookup) -> Iterator[Block | None]:
    yield tables.difference_matrix(look)
    for place, left in enumerate(look.ranked()):
        differences = [d for d in look.results.differences if d.left == left]
        if table := tables.missed_table(left, differences, place):
            yield Fold(f"What {left} found and others did not", (table,))


def line_of(curve: Curve, pen: Pen) -> Line:
    """A curve of the results as a line; values that are no numbers are left out."""
    points = tuple(
        (float(x), y) for x, y in zip(curve.pages, curve.values, strict=False) if isfinite(y)
    )
    band = tuple(
        (float(x), low, high)
        for x, low, high in zip(curve.pages, curve.low, curve.high, strict=False)
        if isfinite(low) and isfinite(high)
    )
    return Line(curve.contender, pen, points, band)


def _lines(look: Lookup, metric: str, *, topic: str) -> list[Line]:
    curves = {
        c.contender: c for c in look.results.curves if (c.measure, c.topic) == (metric, topic)
    }
    lines = [
        line_of(curves[name], look.pens[name])
        for name in (*look.oracles, *look.rivals)
        if name in curves
    ]
    return [found for found in lines if found.points]


def curve_figures(look: Lookup) -> tuple[Figure, ...]:
    """One plot for each metric with curves over topics, that of the headline first."""
    drawn = ((note, _lines(look, note.name, topic="")) for note in look.notes.values())
    return tuple(_curve_figure(look, note, lines) for note, lines in drawn if lines)


def _curve_figure(look: Lookup, note: Metric, lines: Sequence[Line]) -> Figure:
    caption = f"{note.title} against pages fetched{_over(look, note.name)}."
    if any(found.band for found in lines):
        caption += (
            " Bands are 95 % bootstrap intervals."
            if len(lines) <= MOST_BANDS
            else " With so many curves the bands stand in the panels below."
        )
    title = tables.metric_title(note)
    plot = curve_plot(caption, lines, x_title=_PAGES, y_title=title, unit=note.unit)
    return Figure(f"curves-{_slug(note.name)}", caption, (plot,))


def crawler_figure(look: Lookup) -> Figure | None:
    """A panel for each crawler with its band, before the range of all and the oracle."""
    note = look.headline
    lines = _lines(look, note.name, topic="") if note else []
    rivals = [found for found in lines if found.name in look.rivals]
    if note is None or len(rivals) < 2:
        return None
    oracles = [replace(found, band=()) for found in lines if found.name in look.oracles[:1]]
    ends = ends_of([*rivals, *oracles])
    panels = tuple(
        curve_panel(found.name, [*oracles, found], ends, behind=rivals, head=found.pen)
        for found in rivals
    )
    interval = ", with its 95 % interval" if any(found.band for found in rivals) else ""
    caption = (
        f"{note.title} of each crawler{_over(look, note.name)}{interval}. The light "
        "area behind reaches from the worst to the best of all crawlers"
    )
    caption += "; grey is the oracle." if oracles else "."
    return Figure(f"crawlers-{_slug(note.name)}", caption, panels)


def topic_figure(look: Lookup) -> Figure | None:
    """A panel for each topic, with the curves of all crawlers."""
    note = look.headline
    if note is None:
        return None
    drawn = {name: _lines(look, note.name, topic=name) for name, _ in look.results.topics}
    topics = {name: lines for name, lines in drawn.items() if lines}
    if not topics:
        return None
    ends = ends_of(found for lines in topics.values() for found in lines)
    leading = set(look.ranked()[:_MOST_IN_PANEL]) | set(look.oracles)
    panels = tuple(_topic_panel(look, name, lines, leading, ends) for name, lines in topics.items())
    caption = f"{note.title} against pages fetched, topic by topic; pens as in the first figure."
    if len(look.rivals) > _MOST_IN_PANEL:
        caption += (
            f" Only the {_MOST_IN_PANEL} crawlers that are best over all topics are drawn; the "
            "light area reaches from the worst to the best of all."
        )
    return Figure(f"topics-{_slug(note.name)}", caption, panels)


def _topic_panel(
    look: Lookup, topic: str, lines: Sequence[Line], leading: set[str], ends: tuple[float, float]
) -> Drawing:
    drawn = [replace(found, band=()) for found in lines if found.name in leading]
    left_out = len(drawn) < len(lines)
    behind = [found for found in lines if found.name in look.rivals] if left_out else ()
    return curve_panel(topic, drawn, ends, behind=behind)


def bar_figure(look: Lookup, name: str) -> Figure | None:
    """Some bars of the results, a panel for each crawler."""
    known = look.results.bars.get(name, {})
    bars = {one: known[one] for one in look.results.contenders if any(known.get(one, ()))}
    if not bars:
        return None
    longest = max(n for values in bars.values() for n, value in enumerate(values) if value)
    y_end = round_end(max(max(values) for values in bars.values()), 4)
    first = -FARTHEST if name == "gains" else 0
    panels = tuple(
        bar_panel(one, values, longest, y_end, look.pens[one], first)
        for one, values in bars.items()
    )
    return Figure(name, tables.LISTINGS["bars"][name], panels)


def _over(look: Lookup, metric: str) -> str:
    counts = {
        curve.contender: curve.topics
        for curve in look.results.curves
        if curve.measure == metric and not curve.topic
    }
    most = max(counts.values(), default=0) or len(look.results.topics)
    if most < 2:
        return ""
    fewer = [f"{name} over {count}" for name, count in counts.items() if 0 < count < most]
    return f", mean over {most} topics" + (f" ({', '.join(fewer)})" if fewer else "")


def _slug(name: str) -> str:
    """A metric's name as part of a file's name.

    >>> _slug("harvest-rate"), _slug("../R(d)")
    ('harvest-rate', 'r-d')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "measure"


_TEXTS: dict[str, Callable[[Report, Results], str]] = {
    "report.html": lambda report, _: html_page(report),
    "report.md": lambda report, _: markdown(report),
    "results.csv": lambda _, results: csv_text(results),
    "results.ttl": lambda _, results: data_cube(results),
}


def report_text(results: Results, name: str) -> str:
    """One of the texts of a report: report.html, report.md, results.csv or results.ttl."""
    return _TEXTS[name](make_report(results), results)


def write_report(results: Results, folder: Path, *, png: bool | None = None) -> list[Path]:
    """Write report.html, report.md, results.csv, results.ttl and figures; return their paths.

    Figures are SVG, and PNG too: with ``png`` None where resvg is installed, else ConfigError.
    """
    if png is None:
        png = find_spec("resvg_py") is not None
    report = make_report(results)
    files = {
        name: make(report, results).encode("utf-8", "replace") for name, make in _TEXTS.items()
    }
    for figure in report.figures():
        svg = svg_file(figure)
        files[f"figures/{figure.name}.svg"] = svg.encode("utf-8", "replace")
        if png:
            files[f"figures/{figure.name}.png"] = png_bytes(svg)
    with os_errors(StoreError, f"the report cannot be written to {folder}"):
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return [folder / name for name in files]


def png_bytes(svg: str) -> bytes:
    """An SVG file as a PNG of twice its size in pixels; ConfigError where resvg is missing."""
    if find_spec("resvg_py") is None:
        raise ConfigError("PNG figures need resvg: install it with pip install 'semcrawl[figures]'")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=_PNG_ZOOM))
