"""The tables of a report, and the blocks that it is made of before it is HTML or Markdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose, isfinite
from statistics import fmean
from typing import Literal, TypeAlias, TypeVar

from semcrawl.lab.experiment import ORACLES
from semcrawl.lab.results import (
    SIGNIFICANT,
    Comparison,
    CrawlerNote,
    Difference,
    Metric,
    OverTopics,
    Results,
)
from semcrawl.plots.axes import interval_text, number, p_text
from semcrawl.plots.svg import Figure, Pen, grey_pen, pen_of

_UPRIGHT_FROM = 6

Tone = Literal["", "good", "fair", "bad", "idle"]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table, with unescaped texts."""

    text: str
    detail: str = ""  # stands smaller beside the text, such as an interval
    # A "name" is the head of a row; a "list" has parts that are joined by semicolons.
    kind: Literal["list", "name", "number", "text", "url"] = "number"
    strong: bool = False  # the best of its kind
    tone: Tone = ""
    mark: tuple[str, str] = ("", "")  # a sign before the text, and the word read aloud for it


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption; ``upright`` turns its column heads, for many narrow columns."""

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    upright: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; ``tone`` "bad" is a notice that must be seen."""

    text: str
    tone: Literal["", "bad"] = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that are shown on demand, under a summary."""

    summary: str
    blocks: tuple[Block, ...]


Block: TypeAlias = "Table | Paragraph | Bullets | Fold | Figure"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with a heading; ``name`` is where links lead to."""

    name: str
    title: str
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A title, what stands under it, and the sections."""

    title: str
    lead: tuple[Block, ...]
    sections: tuple[Section, ...] = field(default=())

    def figures(self) -> tuple[Figure, ...]:
        """All figures, in their order."""
        return tuple(
            figure for section in self.sections for figure in _figures_among(section.blocks)
        )


def _figures_among(blocks: Iterable[Block]) -> Iterator[Figure]:
    for block in blocks:
        if isinstance(block, Fold):
            yield from _figures_among(block.blocks)
        elif isinstance(block, Figure):
            yield block


class Lookup:
    """Results by crawler, topic, metric and pages; ``notes`` are metrics, the headline's first."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.rivals = tuple(name for name in results.contenders if name not in ORACLES)
        self.oracles = tuple(name for name in results.contenders if name in ORACLES)
        self.pens: dict[str, Pen] = {name: pen_of(n) for n, name in enumerate(self.rivals)}
        self.pens |= {name: grey_pen(n) for n, name in enumerate(self.oracles)}
        headline = results.headline[0]
        notes = sorted(results.measures, key=lambda note: note.name != headline)
        self.notes = {note.name: note for note in notes}
        self._over = {(o.contender, o.measure, o.at): o for o in results.over_topics}
        values: dict[tuple[str, str, str, int], list[float]] = defaultdict(list)
        for found in results.values:
            if found.value is not None and isfinite(found.value):
                key = (found.contender, found.topic, found.measure, found.at)
                values[key].append(found.value)
        self._means = {key: fmean(numbers) for key, numbers in values.items()}
        self._topics: dict[tuple[str, int], set[str]] = defaultdict(set)
        for _, topic, metric, at in self._means:
            self._topics[metric, at].add(topic)

    @property
    def headline(self) -> Metric | None:
        """The metric that the experiment is about, None where nothing was measured."""
        return self.notes.get(self.results.headline[0])

    def pages_of(self, metric: str) -> tuple[int, ...]:
        """After how many pages a metric is known."""
        known = {at for name, at in self._topics if name == metric}
        return tuple(sorted(known | {at for _, name, at in self._over if name == metric}))

    def last(self, metric: str) -> int:
        """After how many pages tables with one column for a metric tell it."""
        known = self.pages_of(metric)
        wanted = self.results.headline[1]
        return wanted if wanted in known or not known else known[-1]

    def topics_of(self, metric: str, at: int) -> int:
        """For how many topics any crawler has a value of a metric."""
        return len(self._topics.get((metric, at), ()))

    def is_whole(self, found: OverTopics) -> bool:
        """Whether a mean is over all topics that have values, so that it can be ranked."""
        return found.topics >= self.topics_of(found.measure, found.at)

    def share_of_topics(self, found: OverTopics) -> str:
        """Over how many topics a mean is, where it is not over all that have values; else ""."""
        topics = self.topics_of(found.measure, found.at)
        return f"{found.topics} of {topics} topics" if found.topics < topics else ""

    def over(self, contender: str, metric: str, at: int) -> OverTopics | None:
        """A metric over all topics."""
        return self._over.get((contender, metric, at))

    def mean(self, contender: str, topic: str, metric: str, at: int) -> float | None:
        """A metric of one topic, mean over repetitions."""
        return self._means.get((contender, topic, metric, at))

    def ranked(self) -> tuple[str, ...]:
        """The crawlers from best to worst by the headline; lacking topics, and oracles, last."""
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

    def best_over(self, note: Metric, at: int) -> frozenset[str]:
        """The crawlers with the best mean, among the means over all topics that have values."""
        found = {name: self.over(name, note.name, at) for name in self.rivals}
        whole = {n: one.interval.mean for n, one in found.items() if one and self.is_whole(one)}
        return best_of(whole, note)


def best_of(values: Mapping[str, float | None], note: Metric) -> frozenset[str]:
    """The names with the best value; the oracles take no part, and one alone is not the best."""
    known = {
        name: value
        for name, value in values.items()
        if value is not None and isfinite(value) and name not in ORACLES
    }
    if len(known) < 2:
        return frozenset()
    best = max(known.values()) if note.higher_is_better else min(known.values())
    return frozenset(n for n, value in known.items() if isclose(value, best, abs_tol=1e-12))


def metric_title(note: Metric) -> str:
    """The title of a metric with its unit."""
    return f"{note.title} ({note.unit})" if note.unit and note.unit != "pages" else note.title


def _table(
    name: str, caption: str, items: Iterable[Item], columns: Mapping[str, Callable[[Item], Cell]]
) -> Table | None:
    """A row for each item; each column is a head and what it shows of an item."""
    rows = tuple(tuple(show(item) for show in columns.values()) for item in items)
    return Table(name, caption, tuple(columns), rows) if rows else None


def _name(text: str) -> Cell:
    return Cell(text, kind="name")


def _text(text: str) -> Cell:
    return Cell(text, kind="text")


def _count(value: float | None, unit: str = "?") -> Cell:
    return Cell(number(value, unit))


_OUTCOMES: dict[str, tuple[str, Tone]] = {
    "reproduced": ("✓", "good"),
    "same direction": ("≈", "fair"),
    "not reproduced": ("✗", "bad"),
    "not tested": ("○", "idle"),
}


def verdict_table(look: Lookup) -> Table | None:
    """The findings and what became of them."""

    def outcome(said: str) -> Cell:
        sign, tone = _OUTCOMES.get(said, ("", "idle"))
        return Cell(said, kind="text", tone=tone, mark=(sign, ""))

    def measured(metric: str, at: int) -> Cell:
        title = look.notes[metric].title if metric in look.notes else metric
        return _text(f"{title} after {number(at)} pages" if at else title)

    return _table(
        "findings-table",
        "Reproduced: it came out so, significantly where that can be tested; "
        "same direction: so, but within chance; not tested: there was no value",
        look.results.verdicts,
        {
            "outcome": lambda one: outcome(one.outcome),
            "finding": lambda one: _text(one.says),
            "figures": lambda one: Cell(one.figures, kind="list"),
            "by": lambda one: measured(one.measure, one.at),
        },
    )


def verdict_summary(look: Lookup) -> str:
    """How many findings came out how, a sentence; "" without findings."""
    outcomes = [verdict.outcome for verdict in look.results.verdicts]
    if not outcomes:
        return ""
    counts = [f"{outcomes.count(one)} {one}" for one in _OUTCOMES if one in outcomes]
    what = "finding" if len(outcomes) == 1 else "findings"
    return f"Of {len(outcomes)} {what}: {', '.join(counts)}."


_KINDS = {
    "sites": "websites",
    "pages-for-sites": "pages, their sites afterwards",
    "site-classifier": "every site from its homepage",
}


def setup_tables(results: Results) -> list[Table]:
    """What was done: the experiment, its crawlers, its topics, and what was trained."""
    trained = [(name, told) for name, told in results.trained_on.items() if told]
    found = (
        _table(
            "facts",
            "The experiment",
            results.facts,
            {"what": lambda fact: _name(fact[0]), "how": lambda fact: _text(fact[1])},
        ),
        _crawler_table(results),
        _topics_table(results),
        _table(
            "training",
            "What was trained on what; on-topic pages that were drawn for training are left out "
            "of the count",
            trained,
            {
                "crawler": lambda one: _name(one[0]),
                "trained on": lambda one: _text("; ".join(one[1])),
            },
        ),
    )
    return [table for table in found if table]


def _crawler_table(results: Results) -> Table | None:
    """What each crawler was; a column without a word in it is left out."""
    columns: dict[str, Callable[[CrawlerNote], Cell]] = {
        "crawler": lambda one: _name(one.name),
        "strategy": lambda one: _text(one.strategy),
        "judge": lambda one: _text(one.judge),
        "description": lambda one: _text(one.description or "the topic"),
        "settings": lambda one: _text(one.settings),
        "seeds": lambda one: _text(one.seeds),
        "crawls": lambda one: _text(_KINDS.get(one.crawler, one.crawler)),
    }
    used = {h: show for h, show in columns.items() if any(show(c).text for c in results.crawlers)}
    return _table("crawlers", "What the crawlers were", results.crawlers, used)


def _topics_table(results: Results) -> Table | None:
    notes = {note.name: note for note in results.topic_notes}
    return _table(
        "topics-table",
        "Topics; to be found are the pages that count and that links from the seeds lead to",
        [(name, count, notes.get(name)) for name, count in results.topics],
        {
            "topic": lambda topic: _name(topic[0]),
            "what crawlers were given": lambda topic: _text(topic[2].given if topic[2] else ""),
            "seeds": lambda topic: _count(topic[2].seeds if topic[2] else None),
            "pages on it": lambda topic: _count(topic[2].pages if topic[2] else None),
            "to be found": lambda topic: _count(topic[1]),
        },
    )


def cost_table(look: Lookup) -> Table | None:
    """What each crawler costs over all its runs."""
    return _table(
        "costs",
        "What crawlers cost over all pages of their runs, also those that are not counted "
        "elsewhere; training is left out",
        look.results.costs,
        {
            "crawler": lambda cost: _name(cost.contender),
            "runs": lambda cost: _count(cost.runs),
            "pages": lambda cost: _count(cost.pages),
            "CPU per page (ms)": lambda cost: _count(
                cost.cpu_per_page * 1000 if cost.pages else None, "ms"
            ),
            "requests per page": lambda cost: _count(
                cost.requests_per_page if cost.pages else None
            ),
        },
    )


def failure_table(results: Results) -> Table | None:
    """The runs that failed, and why."""
    return _table(
        "failures",
        "Runs that failed; they count in no table",
        results.failures,
        {
            "crawler": lambda failure: _name(failure.contender),
            "topic": lambda failure: _text(failure.topic),
            "repetition": lambda failure: Cell(str(failure.repetition + 1)),
            "error": lambda failure: _text(failure.error),
        },
    )


def definition_table(look: Lookup) -> Table | None:
    """What every metric is."""
    return _table(
        "measures-table",
        "What was measured, and where it comes from",
        look.notes.values(),
        {
            "measure": lambda note: _name(metric_title(note)),
            "definition": lambda note: _text(note.definition),
            "better is": lambda note: _text("more" if note.higher_is_better else "less"),
            "source": lambda note: _text(note.source),
        },
    )


def missed_table(left: str, differences: Sequence[Difference], place: int) -> Table | None:
    """Examples of pages that one crawler found and others did not; addresses are not linked."""
    return _table(
        f"missed-{place}",
        f"Found by {left}: examples",
        [(difference.right, page) for difference in differences for page in difference.examples],
        {
            "missed by": lambda one: _text(one[0]),
            "topic": lambda one: _text(one[1].topic),
            "page": lambda one: Cell(one[1].url, kind="url"),
            "step": lambda one: _count(one[1].step),
            "priority": lambda one: _count(one[1].priority, ""),
            "how it was found": lambda one: _text(one[1].explanation),
        },
    )


def matrices(look: Lookup) -> tuple[Table, ...]:
    """Who beats whom, for each metric and number of pages compared, the headline's first."""
    found: dict[tuple[str, int], list[Comparison]] = defaultdict(list)
    for comparison in look.results.comparisons:
        found[comparison.measure, comparison.at].append(comparison)
    order = sorted(found, key=lambda key: key != tuple(look.results.headline))
    return tuple(_matrix(look, *key, found[key]) for key in order)


def _matrix(look: Lookup, metric: str, at: int, found: Sequence[Comparison]) -> Table:
    pairs = {(c.left, c.right): c for c in found}
    involved = {name for pair in pairs for name in pair}
    names = [name for name in look.ranked() if name in involved]
    note = look.notes.get(metric)
    title, unit = (metric_title(note), note.unit) if note else (metric, "?")
    tested = any(c.corrected is not None for c in found)
    caption = f"{title} after {number(at)} pages: is the crawler of the row better than that of "
    caption += "the column? "
    caption += (
        f"▲ yes (p < {SIGNIFICANT}), △ yes but within chance, ▽ no. The number is p of the "
        "paired one-tailed t-test over topics, corrected for all pairs (Holm)"
        if tested
        else "△ yes, ▽ no, with the difference. Fewer than two topics: nothing is tested"
    )
    rows = tuple(
        (_name(left), *(_comparison_cell(pairs, left, right, unit) for right in names))
        for left in names
    )
    upright = len(names) >= _UPRIGHT_FROM
    return Table(f"matrix-{metric}-{at}", caption, ("crawler", *names), rows, upright)


def _comparison_cell(
    pairs: Mapping[tuple[str, str], Comparison], left: str, right: str, unit: str
) -> Cell:
    found, turned = pairs.get((left, right)), pairs.get((right, left))
    if left == right or (found is None and turned is None):
        return Cell("")
    difference = found.difference if found else -turned.difference if turned else 0.0
    if difference == 0:
        return Cell("=")
    if difference < 0:
        return Cell("", mark=("▽", "not better"))
    p = found.corrected if found else None
    if p is not None and p < SIGNIFICANT:
        return Cell(p_text(p), strong=True, tone="good", mark=("▲", "significantly better, p"))
    text = number(difference, unit) if p is None else p_text(p)
    return Cell(text, tone="fair", mark=("△", "better,"))


def difference_matrix(look: Lookup) -> Table | None:
    """How many on-topic pages the crawler of the row found and that of the column did not."""
    counts = {(d.left, d.right): d.pages for d in look.results.differences}
    if not counts:
        return None
    finders = [name for name in look.ranked() if any(name == left for left, _ in counts)]
    missers = [name for name in look.ranked() if any(name == right for _, right in counts)]

    def cell(left: str, right: str) -> Cell:
        return Cell("") if left == right else _count(counts.get((left, right)))

    return Table(
        "differences-table",
        "On-topic pages, over all topics, that the crawler of the row found and that of the "
        "column did not, among the pages that are measured",
        ("found by \\ missed by", *missers),
        tuple((_name(left), *(cell(left, right) for right in missers)) for left in finders),
        upright=len(missers) >= _UPRIGHT_FROM,
    )


@dataclass(frozen=True, slots=True)
class _Column:
    head: str
    unit: str
    values: Mapping[str, float | None]
    best: frozenset[str]
    details: Mapping[str, str] = field(default_factory=dict)

    def cell(self, name: str) -> Cell:
        text = number(self.values.get(name), self.unit)
        return Cell(text, self.details.get(name, ""), strong=name in self.best)


def _value_table(
    name: str, caption: str, columns: Iterable[_Column], crawlers: Iterable[str]
) -> Table | None:
    shown = [one for one in columns if any(value is not None for value in one.values.values())]
    rows = tuple((_name(crawler), *(one.cell(crawler) for one in shown)) for crawler in crawlers)
    return Table(name, caption, ("crawler", *(one.head for one in shown)), rows) if shown else None


def _over_column(look: Lookup, note: Metric, at: int, head: str, with_ends: bool) -> _Column:
    found = {name: look.over(name, note.name, at) for name in look.results.contenders}
    known = {name: over for name, over in found.items() if over}

    def detail(over: OverTopics) -> str:
        ends = interval_text(over.interval.low, over.interval.high, note.unit)
        told = [ends if with_ends and over.topics > 1 else "", look.share_of_topics(over)]
        return "; ".join(filter(None, told))

    return _Column(
        head,
        note.unit,
        {name: over.interval.mean for name, over in known.items()},
        look.best_over(note, at),
        {name: detail(over) for name, over in known.items()},
    )


def _topic_column(look: Lookup, note: Metric, topic: str, head: str) -> _Column:
    at = look.last(note.name)
    values = {name: look.mean(name, topic, note.name, at) for name in look.results.contenders}
    return _Column(head, note.unit, values, best_of(values, note))


def metric_table(look: Lookup, note: Metric) -> Table | None:
    """One metric over all topics: crawlers in rows, numbers of pages in columns."""
    pages = look.pages_of(note.name)
    most = max((look.topics_of(note.name, at) for at in pages), default=0)
    names = [n for n in look.ranked() if any(look.over(n, note.name, at) for at in pages)]
    over = f", mean over {most} topics with its 95 % interval" if most > 1 else ""

    def head(at: int) -> str:
        topics = look.topics_of(note.name, at)
        return f"{number(at)} pages" + (f", {topics} topics" if topics < most else "")

    return _value_table(
        f"over-{note.name}",
        f"{metric_title(note)}{over}, {_better(note)}",
        [_over_column(look, note, at, head(at), with_ends=True) for at in pages],
        names,
    )


def all_metrics_table(look: Lookup) -> Table | None:
    """The means of all metrics over topics, at the end."""
    all_topics = len(look.results.topics)

    def head(note: Metric) -> str:
        topics = look.topics_of(note.name, look.last(note.name))
        return _short_title(note) + (f", {topics} topics" if topics < all_topics else "")

    return _value_table(
        "all-measures",
        f"All measures after {number(look.results.headline[1])} pages"
        f"{', means over topics' if all_topics > 1 else ''}; the best in bold, ↓ where less is "
        "better",
        [
            _over_column(look, note, look.last(note.name), head(note), with_ends=False)
            for note in look.notes.values()
        ],
        look.ranked(),
    )


def metric_by_topic_table(look: Lookup, note: Metric) -> Table | None:
    """One metric at the end: crawlers in rows, topics in columns."""
    pages = number(look.last(note.name))
    return _value_table(
        f"topics-{note.name}",
        f"{metric_title(note)} after {pages} pages by topic, {_better(note)}",
        [_topic_column(look, note, topic, topic) for topic, _ in look.results.topics],
        look.ranked(),
    )


def topic_table(look: Lookup, topic: str, number_of_topic: int) -> Table | None:
    """All metrics of one topic at the end."""
    return _value_table(
        f"topic-{number_of_topic}",
        f"{topic}: all measures after {number(look.results.headline[1])} pages",
        [_topic_column(look, note, topic, _short_title(note)) for note in look.notes.values()],
        look.ranked(),
    )


def _better(note: Metric) -> str:
    return f"the {'highest' if note.higher_is_better else 'lowest'} in bold"


def _short_title(note: Metric) -> str:
    return ("" if note.higher_is_better else "↓ ") + metric_title(note)
