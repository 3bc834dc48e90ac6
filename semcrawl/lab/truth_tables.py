"""Tables of what is on topic: labels, judged pages, targets; text with tabs, maybe gzipped."""

from __future__ import annotations

import gzip
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import LabError, UrlError
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

__all__ = ["TruthTable", "read_judged", "read_labels", "read_targets"]


@dataclass(frozen=True, slots=True)
class TruthTable:
    """What a table says.

    Attributes:
        categories: the categories of each page, in the order written; a page that is on no
            topic is there, with none.
        kinds: all kinds that occur.
        no_urls: what stands where a URL should, and is none.
    """

    categories: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: frozenset[str] = frozenset()
    no_urls: tuple[str, ...] = ()


def read_labels(path: str | Path, kinds: Collection[str] = ()) -> TruthTable:
    """The table of url, kind and categories joined by ``|``; ``kinds`` for some of them only.

    Raises:
        LabError: the file cannot be read, or a line has too few columns.
    """
    found, broken, seen = dict[str, tuple[str, ...]](), list[str](), set[str]()
    for url, kind, categories in _rows(Path(path), ("url", "kind", "categories")):
        seen.add(kind)
        if kinds and kind not in kinds:
            continue
        page = _url(url, broken)
        if page:
            new = tuple(filter(None, map(str.strip, categories.split("|"))))
            found[page] = tuple(dict.fromkeys((*found.get(page, ()), *new)))
    return TruthTable(found, frozenset(seen), tuple(broken))


def read_judged(path: str | Path) -> TruthTable:
    """The table of topic, url and grade; a grade of 0 says that the page is not on the topic.

    Raises:
        LabError: the file cannot be read, a line has too few columns, or a grade is no number.
    """
    found, broken = defaultdict[str, list[str]](list), list[str]()
    place = Path(path)
    for topic, url, grade in _rows(place, ("topic", "url", "grade")):
        try:
            is_on_topic = float(grade) != 0
        except ValueError:
            raise LabError(
                f"{place}: the grade {grade!r} of {url} is no number; write 0 for a page that is "
                "not on the topic, and another number for one that is"
            ) from None
        if page := _url(url, broken):
            found[page] += [topic] if is_on_topic else []
    return TruthTable(_tidy(found), no_urls=tuple(broken))


def read_targets(path: str | Path) -> TruthTable:
    """The table of topic and url, the pages to be found.

    Raises:
        LabError: the file cannot be read, or a line has too few columns.
    """
    found, broken = defaultdict[str, list[str]](list), list[str]()
    for topic, url in _rows(Path(path), ("topic", "url")):
        if page := _url(url, broken):
            found[page].append(topic)
    return TruthTable(_tidy(found), no_urls=tuple(broken))


def _tidy(found: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {url: tuple(dict.fromkeys(topics)) for url, topics in found.items()}


def _url(text: str, broken: list[str]) -> str:
    try:
        return canonical(text)
    except UrlError:
        broken.append(text)
        return ""


def _rows(path: Path, columns: Sequence[str]) -> Iterator[list[str]]:
    for number, line in enumerate(_text(path).split("\n"), start=1):
        cells = [cell.strip() for cell in line.rstrip("\r").split("\t")]
        if not any(cells) or cells[: len(columns)] == list(columns):
            continue
        if len(cells) < len(columns):
            raise LabError(
                f"{path}, line {number}: there are {len(cells)} columns; write "
                f"{', '.join(columns)} with tabs between them"
            )
        yield cells[: len(columns)]


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LabError(f"{path} is no UTF-8 text: {error}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise LabError(
            f"cannot read {path}: {getattr(error, 'strerror', None) or error}"
        ) from error
