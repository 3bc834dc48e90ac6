"""A browser's history, exported as CSV or JSON, as browsing paths.

Exports differ in their names and their clocks. A row needs a URL and a time;
the time is ISO 8601, or a number since 1970 in seconds, milliseconds or
microseconds, or in microseconds since 1601, as the files of one family of
browsers have it. Which one is told by its size.
"""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from semcrawl.errors import ConfigError, UrlError
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["history_paths", "seconds_of"]

_URL_NAMES = ("url", "uri", "link", "pageurl", "navigatedtourl")
_TIME_NAMES = (
    "time", "timestamp", "timeusec", "visittime", "visitedat", "visited", "lastvisittime",
    "lastvisited", "lastvisitdate", "visitdate", "datetime", "date",
)  # fmt: skip
_SECONDS_TO_1970 = 11_644_473_600.0  # from 1601


def history_paths(text: str, kind: str, where: str, gap: float) -> list[list[str]]:
    """The paths of a history, oldest first; ``kind`` is ``.csv`` or ``.json``.

    Rows that name no web page, such as a browser's settings, are passed over.

    Raises:
        ConfigError: the text is no such history, or has no URL or no time in it.
    """
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
    """A time as seconds since 1970, or None for what is no time.

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
        return _from_iso(str(time))
    if not (isfinite(number) and number > 0):
        return None
    if number < 1e11:
        return number
    if number < 1e14:
        return number / 1e3
    return number / 1e6 if number < 1e16 else number / 1e6 - _SECONDS_TO_1970


def _from_iso(text: str) -> float | None:
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _visits(rows: Iterable[tuple[str, dict[str, Any]]], where: str) -> Iterator[tuple[float, str]]:
    for place, row in rows:
        plain = {_plain(name): value for name, value in row.items()}
        url, time = _first(plain, _URL_NAMES), _first(plain, _TIME_NAMES)
        if url is None or time is None:
            missing, names = ("URL", _URL_NAMES) if url is None else ("time", _TIME_NAMES)
            raise ConfigError(
                f"{where}, {place} has no {missing}; it is looked for under {', '.join(names)}"
            )
        seconds = seconds_of(time)
        if seconds is None:
            raise ConfigError(
                f"{where}, {place}: {str(time)[:60]!r} is no time; write ISO 8601, or a number "
                "since 1970"
            )
        try:
            yield seconds, canonical(str(url))
        except UrlError:
            continue


def _plain(name: object) -> str:
    """A column's name without what exports differ in: case, blanks, punctuation."""
    return "".join(filter(str.isalnum, str(name).lower()))


def _first(row: dict[str, Any], names: Iterable[str]) -> Any:
    return next((row[name] for name in names if row.get(name) not in (None, "")), None)


def _csv_rows(text: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        for row in (reader := csv.DictReader(text.splitlines())):
            yield f"line {reader.line_num}", row
    except csv.Error as error:
        raise ConfigError(f"{where} is no CSV: {error}") from error


def _json_rows(text: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where} is no JSON: {error}") from error
    if isinstance(data, dict):  # some exports wrap the list in an object
        data = next((value for value in data.values() if isinstance(value, list)), None)
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise ConfigError(f"{where} is no history: it must be a list of objects with url and time")
    for number, row in enumerate(data, start=1):
        yield f"entry {number}", row
