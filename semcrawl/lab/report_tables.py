"""Tables that compare: verdicts on findings, who beats whom, who found what others missed."""

from __future__ import annotations

from collections import defaultdict
from math import isclose, isfinite
from statistics import fmean
from typing import TYPE_CHECKING

from semcrawl.lab.pens import is_oracle, pens_for
from semcrawl.lab.report_document import Cell, Table, name_cell, url_cell
from semcrawl.plots.axes import NONE, interval_text, number, p_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal

    from semcrawl.lab.results import Comparison, Difference, MeasureNote, OverTopics, Results

# Values of an experiment by what they belong to, and which of them is the best.


class Lookup:
    """Results, found by crawler, topic, measure and number of pages.

    Attributes:
        results: the results themselves.
        rivals: the crawlers but the oracles, in the order of the experiment.
        oracles: those that see the labels.
        pens: what each crawler is drawn with.
        notes: the measures by name, that of the headline first.
    """

    def __init__(self, results: Results) -> None:
        self.results = results
        self.rivals = tuple(name for name in results.contenders if not is_oracle(name))
        self.oracles = tuple(name for name in results.contenders if is_oracle(name))
        self.pens = pens_for(results.contenders)
        self.notes = _headline_first(results)
        self._over = {(o.contender, o.measure, o.at): o for o in results.over_topics}
        values: dict[tuple[str, str, str, int], list[float]] = defaultdict(list)
        for found in results.values:
            if found.value is not None and isfinite(found.value):
                key = (found.contender, found.topic, found.measure, found.at)
                values[key].append(found.value)
        self._means = {key: fmean(numbers) for key, numbers in values.items()}
        self._ats: dict[str, set[int]] = defaultdict(set)
        self._topics: dict[tuple[str, int], set[str]] = defaultdict(set)
        for _, topic, measure, at in self._means:
            self._ats[measure].add(at)
            self._topics[measure, at].add(topic)
        for over in results.over_topics:
            self._ats[over.measure].add(over.at)

    @property
    def headline(self) -> MeasureNote | None:
        """The measure that the experiment is about, None where nothing was measured."""
        return self.notes.get(self.results.headline[0])

    def pages_of(self, measure: str) -> tuple[int, ...]:
        """After how many pages a measure is known."""
        return tuple(sorted(self._ats.get(measure, ())))

    def last(self, measure: str) -> int:
        """After how many pages tables with one column for a measure tell it."""
        known = self.pages_of(measure)
        wanted = self.results.headline[1]
        return wanted if wanted in known or not known else known[-1]

    def topics_of(self, measure: str, at: int) -> int:
        """For how many topics any crawler has a value of a measure."""
        return len(self._topics.get((measure, at), ()))

    def is_whole(self, found: OverTopics) -> bool:
        """Whether a mean is over all topics that have values, so that it can be ranked."""
        return found.topics >= self.topics_of(found.measure, found.at)

    def share_of_topics(self, found: OverTopics) -> str:
        """Over how many topics a mean is, where it is not over all that have values; else ""."""
        if self.is_whole(found):
            return ""
        return f"{found.topics} of {self.topics_of(found.measure, found.at)} topics"

    def over(self, contender: str, measure: str, at: int) -> OverTopics | None:
        """A measure over all topics."""
        return self._over.get((contender, measure, at))

    def mean(self, contender: str, topic: str, measure: str, at: int) -> float | None:
        """A measure of one topic, mean over repetitions."""
        return self._means.get((contender, topic, measure, at))

    def ranked(self) -> tuple[str, ...]:
        """The crawlers from best to worst by the headline over topics, oracles last.

        Those with values of some topics only have no place among the others and follow them.
        """
        note = self.headline
        if note is None:
            return self.results.contenders
        at = self.last(note.name)

        def place(name: str) -> tuple[int, float]:
            found = self.over(name, note.name, at)
            if found is None or not isfinite(found.interval.mean):
                return 2, 0.0
            if not self.is_whole(found):
                return 1, 0.0
            return 0, -found.interval.mean if note.higher_is_better else found.interval.mean

        return (*sorted(self.rivals, key=place), *self.oracles)


def best_of(values: Mapping[str, float | None], note: MeasureNote) -> frozenset[str]:
    """The names with the best value; the oracles take no part, and one alone is not the best."""
    known = {
        name: value
        for name, value in values.items()
        if value is not None and isfinite(value) and not is_oracle(name)
    }
    if len(known) < 2:
        return frozenset()
    best = max(known.values()) if note.higher_is_better else min(known.values())
    return frozenset(n for n, value in known.items() if isclose(value, best, abs_tol=1e-12))


def measure_title(note: MeasureNote) -> str:
    """The title of a measure with its unit."""
    return f"{note.title} ({note.unit})" if note.unit and note.unit != "pages" else note.title


def _headline_first(results: Results) -> dict[str, MeasureNote]:
    notes = {note.name: note for note in results.measures}
    first = results.headline[0]
    return {first: notes[first], **notes} if first in notes else notes


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


# Tables of what was done: the experiment, its crawlers, its topics, and what was trained.


_KINDS = {
    "pages": "pages",
    "sites": "websites",
    "pages-for-sites": "pages, their sites afterwards",
    "site-classifier": "every site from its homepage",
}


def fact_table(results: Results) -> Table | None:
    """The experiment in words."""
    if not results.facts:
        return None
    rows = tuple((name_cell(key), _text(value)) for key, value in results.facts)
    return Table("facts", "The experiment", ("what", "how"), rows)


def crawler_table(results: Results) -> Table | None:
    """What each crawler was; a column without a word in it is left out."""
    if not results.crawlers:
        return None
    columns = {
        "strategy": [one.strategy for one in results.crawlers],
        "judge": [one.judge for one in results.crawlers],
        "description": [one.description or "the topic" for one in results.crawlers],
        "settings": [one.settings for one in results.crawlers],
        "seeds": [one.seeds for one in results.crawlers],
        "crawls": [_KINDS.get(one.crawler, one.crawler) for one in results.crawlers],
    }
    shown = {head: texts for head, texts in columns.items() if any(texts)}
    rows = tuple(
        (name_cell(one.name), *(_text(texts[place]) for texts in shown.values()))
        for place, one in enumerate(results.crawlers)
    )
    return Table("crawlers", "What the crawlers were", ("crawler", *shown), rows)


def topics_table(results: Results) -> Table | None:
    """What each topic was, and how much there was to be found."""
    if not results.topics:
        return None
    notes = {note.name: note for note in results.topic_notes}
    if not notes:
        plain = tuple((name_cell(name), Cell(number(count))) for name, count in results.topics)
        return Table("topics-table", "Topics", ("topic", "on-topic pages to be found"), plain)
    rows = tuple(
        (
            name_cell(name),
            _text(notes[name].given if name in notes else ""),
            Cell(number(notes[name].seeds if name in notes else None)),
            Cell(number(notes[name].pages if name in notes else None)),
            Cell(number(count)),
        )
        for name, count in results.topics
    )
    caption = "Topics; to be found are the pages that count and that links from the seeds lead to"
    head = ("topic", "what crawlers were given", "seeds", "pages on it", "to be found")
    return Table("topics-table", caption, head, rows)


def training_table(results: Results) -> Table | None:
    """What was trained on what."""
    trained = [(name, told) for name, told in results.trained_on.items() if told]
    if not trained:
        return None
    rows = tuple((name_cell(name), _text("; ".join(told))) for name, told in trained)
    caption = (
        "What was trained on what; on-topic pages that were drawn for training are left out of "
        "the count"
    )
    return Table("training", caption, ("crawler", "trained on"), rows)


def _text(value: str) -> Cell:
    return Cell(value, kind="text")


# Tables of measured values: over topics, per topic, and what crawlers cost.


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
