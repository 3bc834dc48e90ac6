"""What ``semcrawl taxonomy train`` says while it works, and when it is interrupted."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from semcrawl.cli.screen import count, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["ReadingProgress", "telling_of_interrupts"]

_EVERY = 3.0


class ReadingProgress:
    """A line on stderr every few seconds; a training that is over sooner prints none."""

    def __init__(self, every: float | None = None) -> None:
        """Say something every so many seconds."""
        self._every = _EVERY if every is None else every
        self._next = time.monotonic() + self._every
        self._has_spoken = False

    def __call__(self, done: int, total: int) -> None:
        """Say how many examples were read, when it is time."""
        if time.monotonic() >= self._next:
            self._say(f"{done:,} of {count(total, 'example')} read")
            self._next = time.monotonic() + self._every

    def learning(self) -> None:
        """Say that all are read, to those who were told how many."""
        if self._has_spoken:
            self._say("all examples read; learning them")

    def _say(self, words: str) -> None:
        self._has_spoken = True
        click.echo(words, err=True)


@contextmanager
def telling_of_interrupts(output: Path) -> Iterator[None]:
    """Let Ctrl-C end the command as always, but say first what became of the file."""
    before = _version(output)
    try:
        yield
    except KeyboardInterrupt:
        if _version(output) != before:
            state = f"{output} was written"
        else:
            state = f"{output} is as it was" if before else "nothing was written"
        # A terminal has just shown ^C on this line.
        click.echo("\n" + one_line(f"semcrawl: interrupted; {state}"), err=True)
        raise


def _version(path: Path) -> tuple[int, int] | None:
    """What changes when a file is replaced; None if there is none."""
    try:
        known = path.stat()
    except OSError:
        return None
    return known.st_ino, known.st_mtime_ns
