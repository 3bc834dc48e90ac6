"""Reading the text files that users give: UTF-8, perhaps packed with gzip, one thing a line."""

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from semcrawl.errors import ConfigError, SemcrawlError, os_errors, regular, told_as

_LARGEST = 512 * 1024 * 1024


def read_text(path: Path, hint: str = "", error: type[SemcrawlError] = ConfigError) -> str:
    """Return the text of a file of at most 512 MB; else raise ``error``, with ``hint`` where there is no text."""
    damages = EOFError, zlib.error, gzip.BadGzipFile
    damaged = told_as(error, f"cannot read {path}: it is a damaged gzip file, or cut off", *damages)
    with os_errors(error, f"cannot read {path}", hint), damaged, regular(path).open("rb") as file:
        data = (gzip.GzipFile(fileobj=file) if file.peek(2).startswith(b"\x1f\x8b") else file).read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise error(f"cannot read {path}: it is larger than {_LARGEST >> 20} MB unpacked")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise error(f"{path} is no UTF-8 text{hint}") from problem


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    r"""Yield the lines that say something, with their numbers; ``#`` begins a comment.

    >>> list(numbered_lines("# pages\n\nhttp://a.test/ \n"))
    [(3, 'http://a.test/')]
    """
    number = end = 0
    for line in re.finditer(r"[^\n]+", text):  # a list would take gigabytes where most lines are empty
        number += text.count("\n", end, end := line.start())
        if (said := line[0].strip()) and not said.startswith("#"):
            yield number + 1, said
