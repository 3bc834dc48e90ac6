"""What a report is made of, before it is HTML or Markdown: sections with tables and figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from semcrawl.plots.svg import Figure


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table. All texts are as they came, to be escaped by whoever writes them.

    Attributes:
        text: what it says.
        detail: what stands smaller beside it, such as an interval.
        kind: "name" for the head of a row, "url" for an address, "list" for parts that are
            joined by semicolons, "number" or "text".
        strong: whether it is the best of its kind.
        tone: a word for its colour; what it means is said in text as well.
        mark: a sign before the text, and the word that is read aloud for it.
    """

    text: str
    detail: str = ""
    kind: Literal["list", "name", "number", "text", "url"] = "number"
    strong: bool = False
    tone: Literal["", "good", "fair", "bad", "idle"] = ""
    mark: tuple[str, str] = ("", "")


def name_cell(text: str) -> Cell:
    """The head of a row."""
    return Cell(text, kind="name")


def url_cell(text: str) -> Cell:
    """An address, shown and not linked: recorded pages may be anybody's."""
    return Cell(text, kind="url")


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
    """All of it: a title, what stands under it, and the sections."""

    title: str
    lead: tuple[Block, ...]
    sections: tuple[Section, ...] = field(default=())

    def figures(self) -> tuple[Figure, ...]:
        """All figures, in their order."""
        found: list[Figure] = []
        waiting: list[Block] = [block for section in self.sections for block in section.blocks]
        while waiting:
            block = waiting.pop(0)
            if isinstance(block, Fold):
                waiting[:0] = block.blocks
            elif isinstance(block, Figure):
                found.append(block)
        return tuple(found)
