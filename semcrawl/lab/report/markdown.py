"""The report as Markdown, and its main tables for a page of docs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from semcrawl.demo.axes import clean_text
from semcrawl.lab.report.comparing_tables import matrices, verdict_summary, verdict_table
from semcrawl.lab.report.document import Bullets, Fold, Paragraph, Table
from semcrawl.lab.report.drawing import Figure
from semcrawl.lab.report.lookup import Lookup
from semcrawl.lab.report.telling import in_short
from semcrawl.lab.report.value_tables import (
    all_measures_table,
    measure_by_topic_table,
    measure_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.lab.report.document import Block, Cell, Report
    from semcrawl.lab.results import Results

__all__ = ["markdown", "markdown_tables"]

_SPECIAL = re.compile(r"([\\`*_\[\]{}|#~])")
_TAGS = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})
# Without its colon no reader of Markdown takes an address for a link.
_ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto):")
_FIRST = re.compile(r"^([-+=]|\d+[.)])(?=\s|$)")


def markdown(report: Report) -> str:
    """The whole report; figures are files in ``figures/`` beside it."""
    lines = [f"# {escaped(report.title)}", "", *_blocks(report.lead, 3)]
    for section in report.sections:
        lines += [f"## {escaped(section.title)}", "", *_blocks(section.blocks, 3)]
    return "\n".join(lines).rstrip() + "\n"


def markdown_tables(results: Results, *, with_topics: bool = True) -> str:
    """The findings, the headline and all measures over topics, and who beats whom.

    There is no heading in it, so that it can stand under any. ``with_topics`` adds the
    headline measure topic by topic.
    """
    look = Lookup(results)
    summary = " ".join(filter(None, (verdict_summary(look), in_short(look))))
    blocks: list[Block | None] = [Paragraph(summary) if summary else None, verdict_table(look)]
    if look.headline is not None:
        blocks.append(measure_table(look, look.headline))
    blocks.append(all_measures_table(look))
    if look.headline is not None and with_topics and len(results.topics) > 1:
        blocks.append(measure_by_topic_table(look, look.headline))
    blocks += matrices(look)[:1]
    told = tuple(block for block in blocks if block is not None)
    return "\n".join(_blocks(told, 4)).rstrip() + "\n"


def escaped(text: str) -> str:
    r"""A text that Markdown shows as it is, on one line.

    >>> escaped("a_b <i> | http://x.test/")
    'a\\_b &lt;i&gt; \\| http&#58;//x.test/'
    """
    plain = _SPECIAL.sub(r"\\\1", clean_text(text).translate(_TAGS))
    return _FIRST.sub(r"\\\1", _ADDRESS.sub(r"\1&#58;", plain))


def _blocks(blocks: tuple[Block, ...], level: int) -> Iterator[str]:
    for block in blocks:
        match block:
            case Table():
                yield from (*_table(block), "")
            case Figure():
                yield from (f"![{escaped(block.caption)}](figures/{block.name}.svg)", "")
                yield from (f"*{escaped(block.caption)}*", "")
            case Fold():
                yield from (f"{'#' * level} {escaped(block.summary)}", "")
                yield from _blocks(block.blocks, level + 1)
            case Bullets():
                yield from (*(f"- {escaped(item)}" for item in block.items), "")
            case Paragraph():
                yield from (escaped(block.text), "")


def _table(table: Table) -> Iterator[str]:
    yield f"{escaped(table.caption)}."
    yield ""
    yield _row(map(escaped, table.head))
    numeric = [cell.kind == "number" for cell in table.rows[0]] if table.rows else []
    numeric += [False] * (len(table.head) - len(numeric))
    yield _row("---:" if right else "---" for right in numeric)
    for row in table.rows:
        yield _row(map(_cell, row))


def _row(cells: Iterator[str] | map[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    text = _code(cell.text) if cell.kind == "url" else escaped(cell.text)
    text = f"{escaped(cell.mark[0])} {text}".strip() if cell.mark[0] else text
    text = f"**{text}**" if cell.strong and text else text
    return f"{text} ({escaped(cell.detail)})" if cell.detail else text


def _code(url: str) -> str:
    """An address as code, which no reader makes a link of."""
    plain = clean_text(url).replace("`", "%60").replace("|", "%7C")
    return f"`{plain}`" if plain else ""
