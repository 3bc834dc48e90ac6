"""Tables of what was done: the experiment, its crawlers, its topics, and what was trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.report.document import Cell, Table, name_cell
from semcrawl.lab.report.numbers import number

if TYPE_CHECKING:
    from semcrawl.lab.results import Results

__all__ = ["crawler_table", "fact_table", "topics_table", "training_table"]

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
