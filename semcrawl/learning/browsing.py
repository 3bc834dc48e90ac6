"""Browsing paths: which pages people went through, and how far each was from what they sought.

A file of paths has a path a line: URLs with tabs between them, from the first
page to the last. Empty lines and lines that begin with ``#`` are passed over.
A browser's history in CSV or JSON is cut into paths wherever nothing was
opened for a while (``browser_history``). Either may be gzipped.
"""

from __future__ import annotations

import zlib
from collections import deque
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError, UrlError
from semcrawl.learning.browser_history import history_paths
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

__all__ = [
    "GAP",
    "BrowsingPath",
    "click_distances",
    "last_pages",
    "read_paths",
    "read_targets",
    "urls_of",
]

BrowsingPath = tuple[str, ...]
"""The canonical URLs of the pages that someone opened one after the other."""

GAP = 1800.0
"""A history in which nothing is opened for so many seconds goes on as a new path."""

_HISTORIES = (".csv", ".json")
_LARGEST = 512 * 1024 * 1024
_GZIPPED = b"\x1f\x8b"


def read_paths(path: str | Path, *, gap: float | None = None) -> list[BrowsingPath]:
    """The browsing paths of a file; ``gap`` is for histories, GAP where it is None.

    A page that follows itself, by a reload, is one step.

    Raises:
        ConfigError: the file cannot be read, holds no path, or something that is no URL; a gap
            was given for a file that is no history.
    """
    place = Path(path).expanduser()
    kind = Path(place.name.removesuffix(".gz")).suffix.lower()
    if gap is not None and kind not in _HISTORIES:
        raise ConfigError(
            f"a gap is for a browser's history, {' or '.join(_HISTORIES)}, and the lines of "
            f"{place} are paths already: leave it out"
        )
    text = _text_of(place)
    if kind in _HISTORIES:
        found = history_paths(text, kind, str(place), GAP if gap is None else gap)
    else:
        found = [_line_path(line, f"{place}, line {n}") for n, line in _lines(text)]
    paths = [_without_reloads(one) for one in found if one]
    if not paths:
        raise ConfigError(
            f"{place} holds no browsing path: write the URLs of a path on one line, "
            "with tabs between them, or give a browser's history in CSV or JSON"
        )
    return paths


def read_targets(path: str | Path) -> frozenset[str]:
    """The target pages that a file lists, a URL a line.

    Raises:
        ConfigError: the file cannot be read, names no page, or something that is no URL.
    """
    place = Path(path).expanduser()
    lines = _lines(_text_of(place))
    targets = frozenset(_checked(line.strip(), f"{place}, line {n}") for n, line in lines)
    if not targets:
        raise ConfigError(f"{place} names no target page: write a URL a line")
    return targets


def last_pages(paths: Sequence[BrowsingPath]) -> frozenset[str]:
    """The pages where paths end: what people sought, where nothing else tells.

    >>> sorted(last_pages([("http://a.test/", "http://b.test/"), ("http://c.test/",)]))
    ['http://b.test/', 'http://c.test/']
    """
    return frozenset(path[-1] for path in paths if path)


def urls_of(paths: Sequence[BrowsingPath]) -> list[str]:
    """All pages of some paths, in the order in which they are first met."""
    return list(dict.fromkeys(url for path in paths for url in path))


def click_distances(paths: Sequence[BrowsingPath], targets: Collection[str]) -> Mapping[str, int]:
    """The fewest clicks from each page to a target, over the links that people clicked.

    The clicks of all paths make one graph, the context graph of a browsing
    session (Batsakis 2007, section 3.4). Pages from which no clicks lead to a
    target are left out.

    >>> paths = [("http://a.test/", "http://b.test/", "http://t.test/"), ("http://t.test/x",)]
    >>> click_distances(paths, {"http://t.test/"})
    {'http://t.test/': 0, 'http://b.test/': 1, 'http://a.test/': 2}
    """
    clicked_from: dict[str, dict[str, None]] = {url: {} for url in urls_of(paths)}
    for path in paths:
        for source, target in pairwise(path):
            clicked_from[target][source] = None
    distances = {url: 0 for url in clicked_from if url in targets}
    waiting = deque(distances)
    while waiting:
        reached = waiting.popleft()
        for source in clicked_from[reached]:
            if source not in distances:
                distances[source] = distances[reached] + 1
                waiting.append(source)
    return distances


def _text_of(place: Path) -> str:
    try:
        data = place.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {place}: {error.strerror}") from error
    try:
        return (_inflated(data, place) if data.startswith(_GZIPPED) else data).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place} is no UTF-8 text: {error}") from error


def _inflated(data: bytes, place: Path) -> bytes:
    """The content of a gzip file, which may have several members."""
    parts, room = [], _LARGEST
    try:
        while data.startswith(_GZIPPED):
            unpacker = zlib.decompressobj(wbits=31)
            parts.append(unpacker.decompress(data, room))
            room -= len(parts[-1])
            if not unpacker.eof:
                limit = f"it is cut off, or larger than {_LARGEST >> 20} MB unpacked"
                raise ConfigError(f"cannot read {place}: {limit}")
            data = unpacker.unused_data
    except zlib.error as error:
        raise ConfigError(f"cannot read {place}: it is a damaged gzip file: {error}") from error
    return b"".join(parts)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _line_path(line: str, where: str) -> list[str]:
    return [_checked(field.strip(), where) for field in line.split("\t") if field.strip()]


def _checked(url: str, where: str) -> str:
    try:
        return canonical(url)
    except UrlError as error:
        raise ConfigError(f"{where}: {error}") from error


def _without_reloads(path: Sequence[str]) -> BrowsingPath:
    return tuple(url for n, url in enumerate(path) if n == 0 or url != path[n - 1])
