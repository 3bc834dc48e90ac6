"""The figures of a report: curves over topics, each crawler alone, topics, overlap, distances."""

from __future__ import annotations

import re
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from semcrawl.lab.curve_plots import (
    MOST_BANDS,
    Line,
    bar_panel,
    curve_panel,
    curve_plot,
    ends_of,
    line_of,
)
from semcrawl.lab.report_tables import measure_title
from semcrawl.plots.svg import Figure, round_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.report_tables import Lookup
    from semcrawl.lab.results import MeasureNote, Overlap
    from semcrawl.plots.svg import Drawing

_PAGES = "pages fetched"
_MOST_IN_PANEL = 8


def curve_figures(look: Lookup) -> tuple[Figure, ...]:
    """One plot for each measure with curves over topics, that of the headline first."""
    return tuple(
        _curve_figure(look, note, lines)
        for note in look.notes.values()
        if (lines := _lines(look, note.name, topic=""))
    )


def _curve_figure(look: Lookup, note: MeasureNote, lines: Sequence[Line]) -> Figure:
    caption = f"{note.title} against pages fetched{_over(look, note.name)}."
    if any(found.band for found in lines):
        caption += (
            " Bands are 95 % bootstrap intervals."
            if len(lines) <= MOST_BANDS
            else " With so many curves the bands stand in the panels below."
        )
    title = measure_title(note)
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
    caption = (
        f"{note.title} of each crawler{_over(look, note.name)}{_with_band(rivals)}. The light "
        "area behind reaches from the worst to the best of all crawlers"
    )
    caption += "; grey is the oracle." if oracles else "."
    return Figure(f"crawlers-{_slug(note.name)}", caption, panels)


def topic_figure(look: Lookup) -> Figure | None:
    """A panel for each topic, with the curves of all crawlers."""
    note = look.headline
    if note is None:
        return None
    topics = {
        name: lines
        for name, _ in look.results.topics
        if (lines := _lines(look, note.name, topic=name))
    }
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


def overlap_figures(look: Lookup) -> tuple[Figure, ...]:
    """Shared URLs and shared hosts of two repetitions, mean over topics."""
    found = {
        "urls": ("URLs", [_overlap(look, name, hosts=False) for name in look.results.contenders]),
        "hosts": ("hosts", [_overlap(look, name, hosts=True) for name in look.results.contenders]),
    }
    return tuple(
        Figure(
            f"overlap-{name}",
            caption := f"Share of {what} that crawls from different seeds have in common.",
            (curve_plot(caption, drawn, x_title=_PAGES, y_title=f"{what} in common"),),
        )
        for name, (what, lines) in found.items()
        if (drawn := [line for line in lines if line.points])
    )


def _overlap(look: Lookup, contender: str, *, hosts: bool) -> Line:
    shares: dict[int, list[float]] = {}
    overlaps: list[Overlap] = [o for o in look.results.overlaps if o.contender == contender]
    for found in overlaps:
        for at, share in zip(found.pages, found.hosts if hosts else found.urls, strict=False):
            shares.setdefault(at, []).append(share)
    # A mean over topics that end at different places would jump where one ends.
    points = tuple(
        (float(at), fmean(values))
        for at, values in sorted(shares.items())
        if len(values) == len(overlaps)
    )
    return Line(contender, look.pens[contender], points)


def distance_figure(look: Lookup) -> Figure | None:
    """On-topic pages by their distance from the seeds, a panel for each crawler."""
    distances = {
        name: counts
        for name in look.results.contenders
        if any(counts := look.results.distances.get(name, ()))
    }
    if not distances:
        return None
    longest = max(n for counts in distances.values() for n, count in enumerate(counts) if count)
    y_end = round_end(max(max(counts) for counts in distances.values()), 4)
    panels = tuple(
        bar_panel(name, counts, longest, y_end, look.pens[name])
        for name, counts in distances.items()
    )
    caption = "On-topic pages, among those measured, by links from the nearest seed."
    return Figure("distances", caption, panels)


def _lines(look: Lookup, measure: str, *, topic: str) -> list[Line]:
    curves = {
        c.contender: c for c in look.results.curves if (c.measure, c.topic) == (measure, topic)
    }
    lines = [
        line_of(curves[name], look.pens[name])
        for name in (*look.oracles, *look.rivals)
        if name in curves
    ]
    return [found for found in lines if found.points]


def _over(look: Lookup, measure: str) -> str:
    """Over how many topics curves are means, and which of them over fewer."""
    counts = {
        curve.contender: curve.topics
        for curve in look.results.curves
        if curve.measure == measure and not curve.topic
    }
    # Results of an earlier version do not say.
    most = max(counts.values(), default=0) or len(look.results.topics)
    if most < 2:
        return ""
    fewer = [f"{name} over {count}" for name, count in counts.items() if 0 < count < most]
    return f", mean over {most} topics" + (f" ({', '.join(fewer)})" if fewer else "")


def _with_band(lines: Sequence[Line]) -> str:
    return ", with its 95 % interval" if any(found.band for found in lines) else ""


def _slug(name: str) -> str:
    """A measure's name as part of a file's name.

    >>> _slug("harvest-rate"), _slug("../R(d)")
    ('harvest-rate', 'r-d')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "measure"
