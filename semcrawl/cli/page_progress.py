"""How far a command is that reads many pages: a bar on a terminal, a few lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Self

import click

from semcrawl.cli.screen import count

if TYPE_CHECKING:
    from types import TracebackType

_EVERY = 3.0


class PageProgress:
    """Told of every page that is read; shows a bar, or a line every few seconds, on stderr.

    Where no one watches, what is over in a few seconds prints nothing.

    Args:
        every: how many seconds between two lines.
    """

    def __init__(self, every: float | None = None) -> None:
        self._every = _EVERY if every is None else every
        self._next = time.monotonic() + self._every
        self._bar: Any = None
        self._done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def __call__(self, total: int) -> None:
        """One more page of ``total`` was read."""
        self._done += 1
        if sys.stderr.isatty():
            self._advance(total)
        elif time.monotonic() >= self._next:
            click.echo(f"{self._done:,} of {count(total, 'page')} read", err=True)
            self._next = time.monotonic() + self._every

    def _advance(self, total: int) -> None:
        if self._bar is None:
            bar = click.progressbar(length=total, label="Reading pages", file=sys.stderr)
            self._bar = bar.__enter__()
        self._bar.update(1)
