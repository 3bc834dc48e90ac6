"""How far a long command is, on stderr: a live picture in a terminal, a few lines elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import click

from semcrawl.cli.screen import count, one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

E = TypeVar("E")
_WIDTH = 78


class Display(Generic[E]):
    """Is called with every event until its ``with`` block ends; this one shows nothing."""

    def __call__(self, event: E) -> None:
        """Show one event."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the screen in order."""


class PlainLines(Display[E]):
    """Lines for logs and pipes: figures ``after`` some seconds, then ``every`` so many."""

    has_spoken = False

    def __init__(self, every: float = 5.0, after: float = 0.0) -> None:
        self._every = every
        self._next = time.monotonic() + after

    def say(self, words: str) -> None:
        """Print a line at once."""
        click.echo(words, err=True)
        self.has_spoken = True

    def say_when_due(self, words: str) -> None:
        """Print a line of figures if enough time has passed since the last."""
        if time.monotonic() >= self._next:
            self.say(words)
            self._next = time.monotonic() + self._every


class LiveTable(Display[E]):
    """Rows of a mark and some words in rich's markup, redrawn in place, gone at the end."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console

    @abstractmethod
    def rows(self) -> Iterable[tuple[str, str]]:
        """What is shown now; a thread asks, so it must stand changes meanwhile."""

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.live import Live

        console = self._console or Console(stderr=True)
        self.live = Live(get_renderable=self._table, console=console, refresh_per_second=8, transient=True)
        self.live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def print(self, words: str) -> None:
        """Print a line above the picture, where it stays."""
        self.live.console.print(words, style="yellow", markup=False, highlight=False)

    def _table(self) -> Table:
        from rich.table import Table

        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right")
        table.add_column(no_wrap=True, overflow="ellipsis")
        for mark, words in self.rows():
            table.add_row(mark, words)
        return table


class PageProgress(PlainLines[int]):
    """Called with the total for every page, or ``what`` else is read: a bar, or a line every few seconds."""

    def __init__(self, every: float = 3.0, what: str = "page") -> None:
        super().__init__(every, after=every)
        self._what = what
        self._bar: Any = None
        self._done = 0

    def __exit__(self, *why: object) -> None:
        if self._bar is not None:
            self._bar.__exit__(*why)

    def __call__(self, event: int) -> None:
        """One more page of so many was read."""
        self._done += 1
        if not sys.stderr.isatty():
            self.say_when_due(number_read(self._done, event, self._what))
            return
        if self._bar is None:
            bar = click.progressbar(length=event, label=f"Reading {self._what}s", file=sys.stderr)
            self._bar = bar.__enter__()
        self._bar.update(1)


def number_read(done: int, total: int, what: str = "page") -> str:
    """How many pages, or others, were read, in words."""
    return f"{done:,} of {count(total, what)} read"


class ReadingProgress(PlainLines[str]):
    """Shows how far a reader of large files is, once it takes longer than ``after`` seconds."""

    def __init__(self, after: float = 2.0, every: float = 10.0) -> None:
        super().__init__(every, after)
        self._after = after
        self._busy = False

    def __call__(self, event: str) -> None:
        """Show the words; "" says that the work is done, and clears the line."""
        if not self._busy:
            self._next = time.monotonic() + self._after
        self._busy = bool(event)
        if not sys.stderr.isatty():
            if event:
                self.say_when_due(one_line(event))
        elif not event and self.has_spoken:
            click.echo("\r\x1b[K", nl=False, err=True)
            self.has_spoken = False
        elif event and time.monotonic() >= self._next:
            click.echo(f"\r\x1b[K{one_line(event)[:_WIDTH]}", nl=False, err=True)
            self.has_spoken = True
            self._next = time.monotonic() + 0.2


@contextmanager
def working(words: str, after: float = 2.0) -> Iterator[None]:
    """Say in a terminal what is being done and for how long, after some seconds, until the block ends."""
    if not sys.stderr.isatty():
        yield
        return
    show, has_ended, start = ReadingProgress(after), threading.Event(), time.monotonic()
    show(words)

    def tick() -> None:
        while not has_ended.wait(after / 2):
            show(f"{words}, {time.monotonic() - start:.0f} s")

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()
        show("")
