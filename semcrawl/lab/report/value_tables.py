"""Tables of measured values: over topics, per topic, and what crawlers cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.report.document import Cell, Table, name_cell
from semcrawl.lab.report.lookup import best_of, measure_title
from semcrawl.lab.report.numbers import NONE, interval_text, number

if TYPE_CHECKING:
    from semcrawl.lab.report.lookup import Lookup
    from semcrawl.lab.results import MeasureNote

__all__ = [
    "all_measures_table",
    "cost_table",
    "measure_by_topic_table",
    "measure_table",
    "topic_table",
]


def measure_table(look: Lookup, note: MeasureNote) -> Table | None:
    """One measure over all topics: crawlers in rows, numbers of pages in columns."""
    pages = [at for at in look.pages_of(note.name) if _any_over(look, note.name, at)]
    names = [n for n in look.ranked() if any(look.over(n, note.name, at) for at in pages)]
    if not names:
        return None
    best = {at: best_of(_over_means(look, note.name, at), note) for at in pages}
    rows = tuple(
        (name_cell(name), *(_over_cell(look, name, note, at, name in best[at]) for at in pages))
        for name in names
    )
    return Table(
        name=f"over-{note.name}",
        caption=f"{measure_title(note)}{_over_how_many(look, note.name)}, {_better(note)}",
        head=("crawler", *(_pages_head(look, note.name, at) for at in pages)),
        rows=rows,
    )


def all_measures_table(look: Lookup) -> Table | None:
    """The means of all measures over topics, at the end."""
    notes = [
        note for note in look.notes.values() if _any_over(look, note.name, look.last(note.name))
    ]
    if not notes:
        return None
    best = {n.name: best_of(_over_means(look, n.name, look.last(n.name)), n) for n in notes}
    rows = tuple(
        (name_cell(name), *(_mean_cell(look, name, note, best[note.name]) for note in notes))
        for name in look.ranked()
    )
    several = len(look.results.topics) > 1
    return Table(
        name="all-measures",
        caption=f"All measures after {number(look.results.headline[1])} pages"
        f"{', means over topics' if several else ''}; the best in bold, ↓ where less is better",
        head=("crawler", *(_measure_head(look, note) for note in notes)),
        rows=rows,
    )


def measure_by_topic_table(look: Lookup, note: MeasureNote) -> Table | None:
    """One measure at the end: crawlers in rows, topics in columns."""
    at = look.last(note.name)
    topics = [
        topic
        for topic, _ in look.results.topics
        if any(look.mean(n, topic, note.name, at) is not None for n in look.results.contenders)
    ]
    if not topics:
        return None
    best = {
        topic: best_of({n: look.mean(n, topic, note.name, at) for n in look.rivals}, note)
        for topic in topics
    }
    rows = tuple(
        (
            name_cell(name),
            *(
                Cell(number(look.mean(name, t, note.name, at), note.unit), strong=name in best[t])
                for t in topics
            ),
        )
        for name in look.ranked()
    )
    return Table(
        name=f"topics-{note.name}",
        caption=f"{measure_title(note)} after {number(at)} pages by topic, {_better(note)}",
        head=("crawler", *topics),
        rows=rows,
    )


def topic_table(look: Lookup, topic: str, number_of_topic: int) -> Table | None:
    """All measures of one topic at the end."""
    notes = [
        note
        for note in look.notes.values()
        if any(
            look.mean(name, topic, note.name, look.last(note.name)) is not None
            for name in look.results.contenders
        )
    ]
    if not notes:
        return None
    values = {
        note.name: {
            name: look.mean(name, topic, note.name, look.last(note.name))
            for name in look.results.contenders
        }
        for note in notes
    }
    best = {note.name: best_of(values[note.name], note) for note in notes}
    rows = tuple(
        (
            name_cell(name),
            *(
                Cell(number(values[n.name][name], n.unit), strong=name in best[n.name])
                for n in notes
            ),
        )
        for name in look.ranked()
    )
    return Table(
        name=f"topic-{number_of_topic}",
        caption=f"{topic}: all measures after {number(look.results.headline[1])} pages",
        head=("crawler", *(_short_title(note) for note in notes)),
        rows=rows,
    )


def cost_table(look: Lookup) -> Table | None:
    """What each crawler costs over all its runs."""
    if not look.results.costs:
        return None
    rows = tuple(
        (
            name_cell(cost.contender),
            Cell(number(cost.runs)),
            Cell(number(cost.pages)),
            Cell(number(cost.cpu_per_page * 1000 if cost.pages else None, "ms")),
            Cell(number(cost.cpu_per_relevant, "s")),
            Cell(number(_kilo(cost.bytes_per_relevant), "kB")),
            Cell(number(cost.requests_per_page if cost.pages else None, "?")),
        )
        for cost in look.results.costs
    )
    return Table(
        name="costs",
        caption="What crawlers cost over all pages of their runs, also those that are not "
        "counted elsewhere; training is left out",
        head=(
            "crawler",
            "runs",
            "pages",
            "CPU per page (ms)",
            "CPU per on-topic page (s)",
            "kB per on-topic page",
            "requests per page",
        ),
        rows=rows,
    )


def _any_over(look: Lookup, measure: str, at: int) -> bool:
    return any(look.over(name, measure, at) for name in look.results.contenders)


def _over_means(look: Lookup, measure: str, at: int) -> dict[str, float | None]:
    """The means that can be compared: those over all topics that have values."""
    found = {name: look.over(name, measure, at) for name in look.rivals}
    return {
        name: over.interval.mean if over and look.is_whole(over) else None
        for name, over in found.items()
    }


def _over_cell(look: Lookup, name: str, note: MeasureNote, at: int, strong: bool) -> Cell:
    over = look.over(name, note.name, at)
    if over is None:
        return Cell(NONE)
    ends = interval_text(over.interval.low, over.interval.high, note.unit)
    detail = [ends] if over.topics > 1 else []
    detail += filter(None, [look.share_of_topics(over)])
    return Cell(number(over.interval.mean, note.unit), "; ".join(detail), strong=strong)


def _mean_cell(look: Lookup, name: str, note: MeasureNote, best: frozenset[str]) -> Cell:
    over = look.over(name, note.name, look.last(note.name))
    if over is None:
        return Cell(NONE)
    detail = look.share_of_topics(over)
    return Cell(number(over.interval.mean, note.unit), detail, strong=name in best)


def _over_how_many(look: Lookup, measure: str) -> str:
    most = _most_topics(look, measure)
    return f", mean over {most} topics with its 95 % interval" if most > 1 else ""


def _most_topics(look: Lookup, measure: str) -> int:
    return max((look.topics_of(measure, at) for at in look.pages_of(measure)), default=0)


def _pages_head(look: Lookup, measure: str, at: int) -> str:
    topics = look.topics_of(measure, at)
    fewer = f", {topics} topics" if topics < _most_topics(look, measure) else ""
    return f"{number(at)} pages{fewer}"


def _measure_head(look: Lookup, note: MeasureNote) -> str:
    topics = look.topics_of(note.name, look.last(note.name))
    fewer = f", {topics} topics" if topics < len(look.results.topics) else ""
    return _short_title(note) + fewer


def _better(note: MeasureNote) -> str:
    return f"the {'highest' if note.higher_is_better else 'lowest'} in bold"


def _short_title(note: MeasureNote) -> str:
    return ("" if note.higher_is_better else "↓ ") + measure_title(note)


def _kilo(value: float | None) -> float | None:
    return None if value is None else value / 1000
