"""The tables of a report, and the blocks that it is made of before it is HTML or Markdown."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isclose, isfinite
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import asdict, astuple

from semcrawl.lab.comparing import TopicValues
from semcrawl.lab.experiment import ORACLES
from semcrawl.lab.results import SIGNIFICANT, Comparison, Difference, Metric, OverTopics, Results, Verdict
from semcrawl.plots.axes import NONE, count, interval_text, number, p_text
from semcrawl.plots.svg import Figure, Pen, grey_pen, pen_of
from semcrawl.resources import facts_beside

_UPRIGHT_FROM = 6

Tone = Literal["", "good", "fair", "bad", "idle"]
CellKind = Literal["list", "name", "number", "text", "url"]
# Of the tables with a row for each item: caption and columns; the captions of bars; words and signs.
LISTINGS: dict[str, Any] = facts_beside(__file__, "report_tables.toml")
CAPTIONS: dict[str, str] = LISTINGS["captions"]


class Cell(msgspec.Struct, frozen=True):
    """One cell of a table, with unescaped texts."""

    text: str
    detail: str = ""  # stands smaller beside the text, such as an interval
    # A "name" is the head of a row; a "list" has parts that are joined by semicolons.
    kind: CellKind = "number"
    strong: bool = False  # the best of its kind
    tone: Tone = ""
    mark: tuple[str, str] = ("", "")  # a sign before the text, and the word read aloud for it


class Table(msgspec.Struct, frozen=True):
    """A table with a caption; ``upright`` turns its column heads, for many narrow columns."""

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    upright: bool = False


class Paragraph(msgspec.Struct, frozen=True):
    """Running text; ``tone`` "bad" is a notice that must be seen."""

    text: str
    tone: Literal["", "bad"] = ""


class Bullets(msgspec.Struct, frozen=True):
    """A list."""

    items: tuple[str, ...]


class Fold(msgspec.Struct, frozen=True):
    """Blocks that are shown on demand, under a summary."""

    summary: str
    blocks: "tuple[Block, ...]"


Block: TypeAlias = "Table | Paragraph | Bullets | Fold | Figure"


class Section(msgspec.Struct, frozen=True):
    """A part of the report with a heading; ``name`` is where links lead to."""

    name: str
    title: str
    blocks: tuple[Block, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """A title, what stands under it, and the sections."""

    title: str
    lead: tuple[Block, ...]
    sections: tuple[Section, ...] = ()

    def figures(self) -> tuple[Figure, ...]:
        """All figures, in their order."""
        return tuple(figure for section in self.sections for figure in _figures_among(section.blocks))


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
        values = [found for found in results.values if found.value is not None and isfinite(found.value)]
        self._values = TopicValues(values)
        self._topics: dict[tuple[str, int], set[str]] = defaultdict(set)
        for found in values:
            self._topics[found.measure, found.at].add(found.topic)

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
        return self._values.by_topic(contender, metric, at).get(topic)

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
        name: value for name, value in values.items() if value is not None and isfinite(value) and name not in ORACLES
    }
    if len(known) < 2:
        return frozenset()
    best = max(known.values()) if note.higher_is_better else min(known.values())
    return frozenset(n for n, value in known.items() if isclose(value, best, abs_tol=1e-12))


def metric_title(note: Metric) -> str:
    """The title of a metric with its unit."""
    return f"{note.title} ({note.unit})" if note.unit and note.unit != "pages" else note.title


def _listing(
    name: str, items: Iterable[Any], words: Mapping[str, str] | None = None, **made: Callable[[Any], Any]
) -> Table | None:
    """A table of ``report_tables.toml`` with a row for each item; ``words`` are of its caption.

    Fields are those of the item, but what is ``made`` of it.
    """
    said = LISTINGS[name]
    fields = ((item, item if isinstance(item, dict) else asdict(item)) for item in items)
    rows = [known | {key: make(item) for key, make in made.items()} for item, known in fields]
    columns = [_Listed(*column) for column in said["columns"]]
    if said.get("only_used"):
        columns = [one for one in columns if any(one.cell(row).text for row in rows)]
    cells = tuple(tuple(one.cell(row) for one in columns) for row in rows)
    head = tuple(one.head for one in columns)
    return Table(name, said["caption"].format(**(words or {})), head, cells) if rows else None


class _Listed(NamedTuple):
    head: str
    field: str
    kind: CellKind = "text"
    unit: str = "?"

    def cell(self, row: Mapping[str, Any]) -> Cell:
        value = row[self.field]
        if isinstance(value, Cell):
            return value
        return Cell(number(value, self.unit) if self.kind == "number" else value, kind=self.kind)


def _name(text: str) -> Cell:
    return Cell(text, kind="name")


_OUTCOMES: dict[str, tuple[str, Tone]] = LISTINGS["outcomes"]


def verdict_table(look: Lookup) -> Table | None:
    """The findings and what became of them."""

    def outcome(one: Verdict) -> Cell:
        sign, tone = _OUTCOMES.get(one.outcome, ("", "idle"))
        return Cell(one.outcome, kind="text", tone=tone, mark=(sign, ""))

    def by(one: Verdict) -> str:
        title = look.notes[one.measure].title if one.measure in look.notes else one.measure
        return f"{title} after {number(one.at)} pages" if one.at else title

    return _listing("findings-table", look.results.verdicts, outcome=outcome, by=by)


def verdict_summary(look: Lookup) -> str:
    """How many findings came out how, a sentence; "" without findings."""
    outcomes = [verdict.outcome for verdict in look.results.verdicts]
    if not outcomes:
        return ""
    counts = [f"{outcomes.count(one)} {one}" for one in _OUTCOMES if one in outcomes]
    return f"Of {count(len(outcomes), 'finding')}: {', '.join(counts)}."


def setup_tables(results: Results) -> list[Table | None]:
    """What was done: the experiment, its crawlers, its topics, and what was trained."""
    notes = {note.name: asdict(note) for note in results.topic_notes}
    unknown = {"given": "", "seeds": None, "pages": None}
    trained = results.trained_on.items()
    return [
        _listing("facts", ({"what": what, "how": how} for what, how in results.facts)),
        _listing(
            "crawlers",
            results.crawlers,
            description=lambda one: one.description or "the topic",
            crawls=lambda one: LISTINGS["crawls"].get(one.crawler, one.crawler),
        ),
        _listing(
            "topics-table", ({**notes.get(name, unknown), "name": name, "found": n} for name, n in results.topics)
        ),
        _listing("training", ({"name": one, "on": "; ".join(on)} for one, on in trained if on)),
    ]


def cost_table(look: Lookup) -> Table | None:
    """What each crawler costs over all its runs."""
    return _listing(
        "costs",
        look.results.costs,
        cpu=lambda cost: 1000 * cost.cpu_per_page if cost.pages else None,
        requests=lambda cost: cost.requests_per_page if cost.pages else None,
    )


def failure_table(results: Results) -> Table | None:
    """The runs that failed, and why."""
    return _listing("failures", results.failures, repetition=lambda one: one.repetition + 1)


def definition_table(look: Lookup) -> Table | None:
    """What every metric is."""
    notes, better = look.notes.values(), {True: "more", False: "less"}
    return _listing("measures-table", notes, title=metric_title, better=lambda note: better[note.higher_is_better])


def missed_table(left: str, differences: Iterable[Difference], place: int) -> Table | None:
    """Examples of pages that one crawler found and others did not; addresses are not linked."""
    missed = (asdict(page) | {"by": one.right} for one in differences for page in one.examples)
    table = _listing("missed", missed, {"left": left})
    return table and msgspec.structs.replace(table, name=f"missed-{place}")


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
    told = CAPTIONS["tested" if tested else "untested"].format(significant=SIGNIFICANT)
    caption = CAPTIONS["matrix"].format(title=title, pages=number(at), told=told)
    rows = tuple((_name(left), *(_comparison_cell(pairs, left, right, unit) for right in names)) for left in names)
    upright = len(names) >= _UPRIGHT_FROM
    return Table(f"matrix-{metric}-{at}", caption, ("crawler", *names), rows, upright)


def _comparison_cell(pairs: Mapping[tuple[str, str], Comparison], left: str, right: str, unit: str) -> Cell:
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
        return Cell("") if left == right else Cell(number(counts.get((left, right))))

    return Table(
        "differences-table",
        CAPTIONS["differences"],
        ("found by \\ missed by", *missers),
        tuple((_name(left), *(cell(left, right) for right in missers)) for left in finders),
        upright=len(missers) >= _UPRIGHT_FROM,
    )


_Column = tuple[str, dict[str, Cell]]  # its head, and the cells of the crawlers that have one


def _value_table(name: str, caption: str, columns: Iterable[_Column], crawlers: Iterable[str]) -> Table | None:
    shown = [(head, cells) for head, cells in columns if cells]
    rows = tuple((_name(crawler), *(cells.get(crawler, Cell(NONE)) for _, cells in shown)) for crawler in crawlers)
    return Table(name, caption, ("crawler", *(head for head, _ in shown)), rows) if shown else None


def _over_column(look: Lookup, note: Metric, at: int, head: str, with_ends: bool) -> _Column:
    cells, best = {}, look.best_over(note, at)
    for name in look.results.contenders:
        if over := look.over(name, note.name, at):
            mean, low, high = astuple(over.interval)
            ends = interval_text(low, high, note.unit) if with_ends and over.topics > 1 else ""
            detail = "; ".join(filter(None, (ends, look.share_of_topics(over))))
            cells[name] = Cell(number(mean, note.unit), detail, strong=name in best)
    return head, cells


def _topic_column(look: Lookup, note: Metric, topic: str, head: str) -> _Column:
    at = look.last(note.name)
    values = {name: look.mean(name, topic, note.name, at) for name in look.results.contenders}
    best = best_of(values, note)
    known = ((name, value) for name, value in values.items() if value is not None)
    return head, {name: Cell(number(value, note.unit), strong=name in best) for name, value in known}


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
        CAPTIONS["everything"].format(
            pages=number(look.results.headline[1]), means=", means over topics" if all_topics > 1 else ""
        ),
        [_over_column(look, note, look.last(note.name), head(note), with_ends=False) for note in look.notes.values()],
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
