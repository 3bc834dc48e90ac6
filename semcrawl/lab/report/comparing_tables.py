"""Tables that compare: verdicts on findings, who beats whom, who found what others missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.report.document import Cell, Table, name_cell, url_cell
from semcrawl.lab.report.lookup import measure_title
from semcrawl.lab.report.numbers import number, p_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from semcrawl.lab.report.lookup import Lookup
    from semcrawl.lab.results import Comparison, Difference

__all__ = [
    "SIGNIFICANT",
    "difference_matrix",
    "matrices",
    "missed_table",
    "verdict_summary",
    "verdict_table",
]

SIGNIFICANT = 0.05
"""Below this corrected p one crawler is said to beat another."""

_UPRIGHT_FROM = 6

_OUTCOMES: dict[str, tuple[str, Literal["good", "fair", "bad", "idle"]]] = {
    "reproduced": ("✓", "good"),
    "same direction": ("≈", "fair"),
    "not reproduced": ("✗", "bad"),
    "not tested": ("○", "idle"),
}


def verdict_table(look: Lookup) -> Table | None:
    """The findings and what became of them."""
    if not look.results.verdicts:
        return None
    rows = []
    for verdict in look.results.verdicts:
        sign, tone = _OUTCOMES.get(verdict.outcome, ("", "idle"))
        outcome = Cell(verdict.outcome, kind="text", tone=tone, mark=(sign, ""))
        note = look.notes.get(verdict.measure)
        measure = note.title if note else verdict.measure
        at = f" after {number(verdict.at)} pages" if verdict.at else ""
        rows.append(
            (
                outcome,
                Cell(verdict.says, kind="text"),
                Cell(verdict.figures, kind="list"),
                Cell(f"{measure}{at}", kind="text"),
            )
        )
    caption = (
        "Reproduced: it came out so, significantly where that can be tested; "
        "same direction: so, but within chance; not tested: there was no value"
    )
    head = ("outcome", "finding", "figures", "by")
    return Table("findings-table", caption, head, tuple(rows))


def verdict_summary(look: Lookup) -> str:
    """How many findings came out how, a sentence; "" without findings."""
    outcomes = [verdict.outcome for verdict in look.results.verdicts]
    if not outcomes:
        return ""
    counts = [
        f"{outcomes.count(outcome)} {outcome}" for outcome in _OUTCOMES if outcome in outcomes
    ]
    what = "finding" if len(outcomes) == 1 else "findings"
    return f"Of {len(outcomes)} {what}: {', '.join(counts)}."


def matrices(look: Lookup) -> tuple[Table, ...]:
    """Who beats whom, for each measure and number of pages compared, the headline's first."""
    found: dict[tuple[str, int], list[Comparison]] = {}
    for comparison in look.results.comparisons:
        found.setdefault((comparison.measure, comparison.at), []).append(comparison)
    order = sorted(found, key=lambda key: key != tuple(look.results.headline))
    return tuple(_matrix(look, *key, found[key]) for key in order)


def _matrix(look: Lookup, measure: str, at: int, found: Sequence[Comparison]) -> Table:
    pairs = {(c.left, c.right): c for c in found}
    involved = {name for pair in pairs for name in pair}
    names = [name for name in look.ranked() if name in involved]
    note = look.notes.get(measure)
    title, unit = (measure_title(note), note.unit) if note else (measure, "?")
    rows = tuple(
        (name_cell(left), *(_matrix_cell(pairs, left, right, unit) for right in names))
        for left in names
    )
    tested = any(c.corrected is not None for c in found)
    caption = f"{title} after {number(at)} pages: is the crawler of the row better than that of "
    caption += "the column? "
    caption += (
        f"▲ yes (p < {SIGNIFICANT}), △ yes but within chance, ▽ no. The number is p of the "
        "paired one-tailed t-test over topics, corrected for all pairs (Holm)"
        if tested
        else "△ yes, ▽ no, with the difference. Fewer than two topics: nothing is tested"
    )
    return Table(
        f"matrix-{measure}-{at}",
        caption,
        ("crawler", *names),
        rows,
        upright=len(names) >= _UPRIGHT_FROM,
    )


def _matrix_cell(
    pairs: dict[tuple[str, str], Comparison], left: str, right: str, unit: str
) -> Cell:
    found, turned = pairs.get((left, right)), pairs.get((right, left))
    if left == right or (found is None and turned is None):
        return Cell("")
    difference = found.difference if found else -turned.difference if turned else 0.0
    if difference <= 0:
        return Cell("=" if difference == 0 else "", mark=("", "") if difference == 0 else _WORSE)
    p = found.corrected if found else None
    if p is None:
        return Cell(number(difference, unit), mark=_BETTER, tone="fair")
    if p < SIGNIFICANT:
        return Cell(p_text(p), strong=True, tone="good", mark=_CLEARLY_BETTER)
    return Cell(p_text(p), tone="fair", mark=_BETTER)


_CLEARLY_BETTER = ("▲", "significantly better, p")
_BETTER = ("△", "better,")
_WORSE = ("▽", "not better")


def difference_matrix(look: Lookup) -> Table | None:
    """How many on-topic pages the crawler of the row found and that of the column did not."""
    counts = {(d.left, d.right): d.pages for d in look.results.differences}
    finders = [name for name in look.ranked() if any(name == left for left, _ in counts)]
    missers = [name for name in look.ranked() if any(name == right for _, right in counts)]
    if not counts:
        return None
    rows = tuple(
        (
            name_cell(left),
            *(
                Cell("" if left == right else number(counts.get((left, right))))
                for right in missers
            ),
        )
        for left in finders
    )
    return Table(
        "differences-table",
        "On-topic pages, over all topics, that the crawler of the row found and that of the "
        "column did not, among the pages that are measured",
        ("found by \\ missed by", *missers),
        rows,
        upright=len(missers) >= _UPRIGHT_FROM,
    )


def missed_table(left: str, differences: Sequence[Difference], place: int) -> Table | None:
    """Examples of pages that one crawler found and others did not, with why."""
    rows = tuple(
        (
            Cell(difference.right, kind="text"),
            Cell(page.topic, kind="text"),
            url_cell(page.url),
            Cell(number(page.step)),
            Cell(number(page.priority, "")),
            Cell(page.explanation, kind="text"),
        )
        for difference in differences
        for page in difference.examples
    )
    if not rows:
        return None
    head = ("missed by", "topic", "page", "step", "priority", "how it was found")
    return Table(f"missed-{place}", f"Found by {left}: examples", head, rows)
