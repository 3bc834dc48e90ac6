"""Browsing paths: which pages people went through, and how far each was from what they sought.

A file, maybe gzipped, has a path a line, URLs with tabs between them, or a browser's history in CSV
or JSON, cut into paths at long pauses.
"""

import csv
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from math import isfinite
from pathlib import Path
from typing import Any

from semcrawl.errors import ConfigError, UrlError, told_as
from semcrawl.resources import facts_beside
from semcrawl.text.text_files import numbered_lines, read_text
from semcrawl.web.response import unix_time
from semcrawl.web.urls import canonical, canonical_at

_NAMES: dict[str, list[str]] = facts_beside(__file__, "browsing.toml")
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|(?<=.)\Z)", re.DOTALL)
_SECONDS_TO_1970 = 11_644_473_600.0  # from 1601


def history_paths(text: str, kind: str, where: str, gap: float) -> list[list[str]]:
    """The paths of a history, oldest first; ConfigError if a row has no URL or no time."""
    if not (isfinite(gap) and gap > 0):
        raise ConfigError(f"the gap between two paths must be longer than 0 seconds, not {gap:g}")
    rows = _csv_rows(text, where) if kind == ".csv" else _json_rows(text, where)
    visits = sorted(_visits(rows, where), key=lambda visit: visit[0])
    paths: list[list[str]] = []
    before = None
    for time, url in visits:
        if before is None or time - before > gap:
            paths.append([])
        paths[-1].append(url)
        before = time
    return paths


def seconds_of(time: object) -> float | None:
    """Return a time as seconds since 1970, or None for what is no time.

    It is ISO 8601, or a number of seconds, milliseconds or microseconds since 1970, or of
    microseconds since 1601. Its size tells which.

    >>> seconds_of("2024-05-01T10:00:00Z") == seconds_of(1714557600000) == seconds_of("1714557600")
    True
    >>> seconds_of(13359031200000000) == seconds_of(1714557600)
    True
    """
    if isinstance(time, bool) or not isinstance(time, str | int | float):
        return None
    try:
        number = float(time)
    except (ValueError, OverflowError):
        return unix_time(str(time).strip())
    if not (isfinite(number) and number > 0):
        return None
    if number < 1e14:
        return number if number < 1e11 else number / 1e3
    return number / 1e6 if number < 1e16 else number / 1e6 - _SECONDS_TO_1970


def _visits(rows: Iterable[tuple[str, dict[str, Any]]], where: str) -> Iterator[tuple[float, str]]:
    for place, row in rows:
        # Exports differ in case, blanks and punctuation of the columns' names.
        plain = {"".join(filter(str.isalnum, str(k).lower())): v for k, v in row.items()}
        url, time = _first(plain, _NAMES["URL"]), _first(plain, _NAMES["time"])
        if url is None or time is None:
            missing = "URL" if url is None else "time"
            raise ConfigError(f"{where}, {place} has no {missing}; it is looked for under {', '.join(_NAMES[missing])}")
        seconds = seconds_of(time)
        if seconds is None:
            raise ConfigError(
                f"{where}, {place}: {str(time)[:60]!r} is no time; write ISO 8601, or a number since 1970"
            )
        with suppress(UrlError):
            yield seconds, canonical(str(url))


def _first(row: dict[str, Any], names: Iterable[str]) -> Any:
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def _csv_rows(text: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    lines = (line[0] for line in _LINE.finditer(text))
    with told_as(ConfigError, f"{where} is no CSV", csv.Error):
        for row in (reader := csv.DictReader(lines)):
            yield f"line {reader.line_num}", row


def _json_rows(text: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    with told_as(ConfigError, f"{where} is no JSON", ValueError, RecursionError):
        data = json.loads(text)
    if isinstance(data, dict):  # some exports wrap the list in an object
        data = next((value for value in data.values() if isinstance(value, list)), None)
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise ConfigError(f"{where} is no history: it must be a list of objects with url and time")
    for number, row in enumerate(data, start=1):
        yield f"entry {number}", row


BrowsingPath = tuple[str, ...]
"""The canonical URLs of the pages that someone opened one after the other."""

GAP = 1800.0  # after so many seconds without a visit, a history goes on as a new path
_HISTORIES = (".csv", ".json")


def read_paths(path: str | Path, *, gap: float | None = None) -> list[BrowsingPath]:
    """The browsing paths of a file; reloads are no steps. ``gap`` (default GAP) cuts histories.

    Raises ConfigError: the file cannot be read, holds no path, or something that is no URL; a gap
    was given for a file that is no history.
    """
    place = Path(path).expanduser()
    kind = Path(place.name.removesuffix(".gz")).suffix.lower()
    if gap is not None and kind not in _HISTORIES:
        raise ConfigError(
            f"a gap is for a browser's history, {' or '.join(_HISTORIES)}, and the lines of "
            f"{place} are paths already: leave it out"
        )
    text = read_text(place)
    if kind in _HISTORIES:
        found = history_paths(text, kind, str(place), GAP if gap is None else gap)
    else:
        found = [
            [canonical_at(f"{place}, line {n}", url) for url in map(str.strip, line.split("\t")) if url]
            for n, line in numbered_lines(text)
        ]
    paths = [tuple(url for url, _ in groupby(one)) for one in found if one]
    if not paths:
        raise ConfigError(
            f"{place} holds no browsing path: write the URLs of a path on one line, "
            "with tabs between them, or give a browser's history in CSV or JSON"
        )
    return paths


def read_targets(path: str | Path) -> frozenset[str]:
    """The URLs of target pages in a file, one a line; ConfigError if it names none, or no URL."""
    place = Path(path).expanduser()
    lines = numbered_lines(read_text(place))
    targets = frozenset(canonical_at(f"{place}, line {n}", line) for n, line in lines)
    if not targets:
        raise ConfigError(f"{place} names no target page: write a URL a line")
    return targets


def last_pages(paths: Sequence[BrowsingPath]) -> frozenset[str]:
    """The pages where paths end.

    >>> sorted(last_pages([("http://a.test/", "http://b.test/"), ("http://c.test/",)]))
    ['http://b.test/', 'http://c.test/']
    """
    return frozenset(path[-1] for path in paths if path)


def urls_of(paths: Sequence[BrowsingPath]) -> list[str]:
    """All pages of some paths, in the order in which they are first met."""
    return list(dict.fromkeys(url for path in paths for url in path))


def click_distances(paths: Sequence[BrowsingPath], targets: Collection[str]) -> Mapping[str, int]:
    """The fewest clicks from each page to a target, over the links that people clicked.

    The clicks of all paths make one graph (Batsakis 2007, section 3.4). Pages from which no
    clicks lead to a target are left out.

    >>> paths = [("http://a.test/", "http://b.test/", "http://t.test/"), ("http://t.test/x",)]
    >>> click_distances(paths, {"http://t.test/"})
    {'http://t.test/': 0, 'http://b.test/': 1, 'http://a.test/': 2}
    """
    from networkx import DiGraph, bfs_layers

    clicks: DiGraph[str] = DiGraph()  # backwards
    clicks.add_nodes_from(urls_of(paths))
    clicks.add_edges_from((after, before) for path in paths for before, after in pairwise(path))
    layers = bfs_layers(clicks, [url for url in clicks if url in targets])
    return {url: distance for distance, layer in enumerate(layers) for url in layer}
