"""Results of the lab as text for a terminal."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from semcrawl.cli.screen import count, one_line
from semcrawl.lab.report.lookup import Lookup
from semcrawl.lab.report.numbers import NONE, interval_text, number, p_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from semcrawl.lab.results import OverTopics, Results
    from semcrawl.lab.side_by_side import SideBySide

__all__ = ["columns", "comparison_lines", "summary_lines"]

_WIDEST = 40
_LINE = 100
_SHOWN = 5


def columns(rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Rows as aligned lines; the first ``left`` columns stand to the left, the others right.

    >>> list(columns([("crawler", "pages"), ("dom", "1,000")]))
    ['crawler  pages', 'dom      1,000']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def summary_lines(results: Results) -> Iterator[str]:
    """The headline of every crawler, the findings, and what went wrong."""
    at = results.headline[1]
    look = Lookup(results)
    if look.headline is not None:
        yield f"{look.headline.title} after {count(at, 'page')}, {_over(look)}"
        yield from columns(list(_headline_rows(look, look.headline.unit)))
    for verdict in results.verdicts:
        yield ""
        yield f"{verdict.outcome.upper()}: {one_line(verdict.says)}"
        told = f"{verdict.measure} after {count(verdict.at, 'page')}: {one_line(verdict.figures)}"
        yield from wrap(
            told, _LINE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    yield from _troubles(results)


def _over(look: Lookup) -> str:
    topics = look.topics_of(*look.results.headline)
    return "1 topic" if topics == 1 else f"mean of {topics} topics, interval of 95 %"


def _headline_rows(look: Lookup, unit: str) -> Iterator[tuple[str, ...]]:
    measure, at = look.results.headline
    means = {name: look.over(name, measure, at) for name in look.results.contenders}
    costs = {cost.contender: cost for cost in look.results.costs}
    # Over how many topics is told only where it is not the same for all.
    told = any(found and not look.is_whole(found) for found in means.values())
    head = ("crawler", "mean", "interval", "of the oracle", "ms of CPU a page")
    yield (*head, "over") if told else head
    for name, found in means.items():
        cost = costs.get(name)
        row = (
            one_line(name)[:_WIDEST],
            _mean(found, unit),
            _interval(found, unit),
            _share(look, look.over(name, "oracle-share", at)),
            f"{1e3 * cost.cpu_per_page:.1f}" if cost and cost.pages else NONE,
        )
        yield (*row, look.share_of_topics(found) if found else "") if told else row


def _share(look: Lookup, found: OverTopics | None) -> str:
    if found is None:
        return NONE
    fewer = look.share_of_topics(found)
    return f"{found.interval.mean:.0%}" + (f" ({fewer})" if fewer else "")


def _mean(found: OverTopics | None, unit: str) -> str:
    return NONE if found is None else number(found.interval.mean, unit)


def _interval(found: OverTopics | None, unit: str) -> str:
    if found is None or found.topics < 2:
        return NONE
    return interval_text(found.interval.low, found.interval.high, unit)


def _troubles(results: Results) -> Iterator[str]:
    if results.warnings or results.failures:
        yield ""
    yield from _first(f"warning: {one_line(text)}" for text in results.warnings)
    yield from _first(
        f"failed: {one_line(one.contender)} for {one.topic}: {one_line(one.error)}"
        for one in results.failures
    )


def _first(lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    yield from found[:_SHOWN]
    if len(found) > _SHOWN:
        yield f"… and {len(found) - _SHOWN:,} more; the report has them all"


def comparison_lines(found: SideBySide) -> Iterator[str]:
    """Two experiments side by side: means over shared topics, and the tests."""
    from semcrawl.lab.measures import MEASURES

    note = MEASURES.get(found.measure)
    unit = note.unit if note else "?"
    better = "" if note is None or note.higher_is_better else " (less is better)"
    yield f"{note.title if note else found.measure} after {count(found.at, 'page')}{better}"
    head = ("first", "second", "mean", "mean", "topics", "better in", "t", "Wilcoxon", "Holm")
    rows = [
        (
            one_line(one.left),
            one_line(one.right),
            number(left, unit),
            number(right, unit),
            str(one.topics),
            str(one.wins),
            p_text(one.t),
            p_text(one.wilcoxon),
            p_text(one.corrected),
        )
        for one, (left, right) in zip(found.comparisons, found.means, strict=True)
    ]
    yield from columns([head, *rows], left=2)
    yield ""
    yield "p that the first is better, one-tailed: paired t, Wilcoxon, t corrected for all lines"
    yield from (f"note: {one_line(text)}" for text in found.notes)
