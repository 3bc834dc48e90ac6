"""The report of an experiment: which sections it has, in which order, and their sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.report_document import (
    Bullets,
    Cell,
    Fold,
    Paragraph,
    Report,
    Section,
    Table,
    name_cell,
)
from semcrawl.lab.report_figures import (
    crawler_figure,
    curve_figures,
    distance_figure,
    overlap_figures,
    topic_figure,
)
from semcrawl.lab.report_tables import (
    Lookup,
    all_measures_table,
    best_of,
    cost_table,
    crawler_table,
    difference_matrix,
    fact_table,
    matrices,
    measure_by_topic_table,
    measure_table,
    measure_title,
    missed_table,
    topic_table,
    topics_table,
    training_table,
    verdict_summary,
    verdict_table,
)
from semcrawl.plots.axes import interval_text, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.lab.report_document import Block
    from semcrawl.lab.results import Results


def tell(results: Results) -> Report:
    """The report of the results; sections with nothing to say are left out."""
    look = Lookup(results)
    sections = (
        Section("findings", "Findings", tuple(_findings(look))),
        Section("done", "What was done", tuple(_done(look))),
        Section("curves", "Curves", tuple(_curves(look))),
        Section("over-topics", _over_title(look), tuple(_over_topics(look))),
        Section("significance", "Who beats whom", tuple(_significance(look))),
        Section("topics", "Topic by topic", tuple(_topics(look))),
        Section("differences", "Where crawlers differ", tuple(_differences(look))),
        Section("overlap", "Overlap of crawls from different seeds", overlap_figures(look)),
        Section("distances", "Distances from the seeds", tuple(_distances(look))),
        Section("costs", "Costs", tuple(_costs(look))),
        Section("problems", "Warnings and failures", tuple(_problems(look))),
        Section("measures", "Measures", tuple(_measures(look))),
    )
    told = tuple(section for section in sections if section.blocks)
    return Report(results.title, tuple(_lead(look)), told)


def _lead(look: Lookup) -> Iterator[Block]:
    results = look.results
    if results.paper:
        yield Paragraph(f"After: {results.paper}")
    for text in filter(None, (part.strip() for part in results.about.split("\n\n"))):
        yield Paragraph(text)
    if summary := " ".join(filter(None, (verdict_summary(look), in_short(look)))):
        yield Paragraph(summary)
    if results.failures or results.warnings:
        counts = [
            f"{len(found)} {word}{'' if len(found) == 1 else 's'}"
            for word, found in (("failed run", results.failures), ("warning", results.warnings))
            if found
        ]
        yield Paragraph(f"{' and '.join(counts)}: see Warnings and failures.", tone="bad")


def in_short(look: Lookup) -> str:
    """Who came first by the headline measure, a sentence or two; "" where nobody did."""
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
    means = {
        name: over.interval.mean
        for name in look.rivals
        if (over := look.over(name, note.name, at)) and look.is_whole(over)
    }
    best = [name for name in look.rivals if name in best_of(means, note)] or [first]
    told = f"Best by {note.title.lower()} after {number(at)} pages: {', '.join(best)} with "
    told += number(found.interval.mean, note.unit)
    if found.topics > 1:
        ends = interval_text(found.interval.low, found.interval.high, note.unit)
        told += f" over {found.topics} topics (95 % interval {ends})"
    share = look.over(first, "oracle-share", at)
    if share is not None:
        told += f", {100 * share.interval.mean:.0f} % of what the oracle finds"
    return f"{told}."


def _findings(look: Lookup) -> Iterator[Block]:
    if table := verdict_table(look):
        yield table


def _done(look: Lookup) -> Iterator[Block]:
    for table in (fact_table, crawler_table, topics_table, training_table):
        if found := table(look.results):
            yield found


def _curves(look: Lookup) -> Iterator[Block]:
    first, *others = curve_figures(look) or (None,)
    if first is None:
        return
    yield first
    if panels := crawler_figure(look):
        yield panels
    for figure in others:
        yield Fold(figure.caption.partition(". ")[0], (figure,))


def _over_title(look: Lookup) -> str:
    return "Over all topics" if len(look.results.topics) > 1 else "All measures"


def _over_topics(look: Lookup) -> Iterator[Block]:
    if look.headline and (table := measure_table(look, look.headline)):
        yield table
    if table := all_measures_table(look):
        yield table
    for note in look.notes.values():
        if note is not look.headline and (table := measure_table(look, note)):
            yield Fold(note.title, (table,))


def _significance(look: Lookup) -> Iterator[Block]:
    for place, table in enumerate(matrices(look)):
        yield table if place == 0 else Fold(table.caption.partition(":")[0], (table,))


def _topics(look: Lookup) -> Iterator[Block]:
    if len(look.results.topics) < 2:
        return
    if figure := topic_figure(look):
        yield figure
    if look.headline and (table := measure_by_topic_table(look, look.headline)):
        yield table
    for place, (name, _) in enumerate(look.results.topics):
        if table := topic_table(look, name, place):
            yield Fold(name, (table,))


def _differences(look: Lookup) -> Iterator[Block]:
    if table := difference_matrix(look):
        yield table
    for place, left in enumerate(look.ranked()):
        differences = [d for d in look.results.differences if d.left == left]
        if table := missed_table(left, differences, place):
            yield Fold(f"What {left} found and others did not", (table,))


def _distances(look: Lookup) -> Iterator[Block]:
    if figure := distance_figure(look):
        yield figure


def _costs(look: Lookup) -> Iterator[Block]:
    if table := cost_table(look):
        yield table


def _problems(look: Lookup) -> Iterator[Block]:
    if look.results.warnings:
        yield Bullets(look.results.warnings)
    if look.results.failures:
        rows = tuple(
            (
                name_cell(failure.contender),
                Cell(failure.topic, kind="text"),
                Cell(str(failure.repetition + 1)),
                Cell(failure.error, kind="text"),
            )
            for failure in look.results.failures
        )
        head = ("crawler", "topic", "repetition", "error")
        yield Table("failures", "Runs that failed; they count in no table", head, rows)


def _measures(look: Lookup) -> Iterator[Block]:
    if not look.notes:
        return
    rows = tuple(
        (
            name_cell(measure_title(note)),
            Cell(note.definition, kind="text"),
            Cell("more" if note.higher_is_better else "less", kind="text"),
            Cell(note.source, kind="text"),
        )
        for note in look.notes.values()
    )
    head = ("measure", "definition", "better is", "source")
    yield Table("measures-table", "What was measured, and where it comes from", head, rows)
