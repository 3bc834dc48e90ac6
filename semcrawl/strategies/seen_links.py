"""The links of the pages that a crawl has seen, kept in memory and in a file that only grows.

The file has a line for every URL, ``+`` and the URL, which gives it the next
number, and a line for every page, ``=`` and the numbers of the page and of what
it links to. A process can end in the middle of a line: what follows the last
whole line of a page is cut off when the file is read again, the page's URLs
with it. So the last page may be missing, or be there before the crawl has
recorded it; a page that comes twice counts once. A whole line that makes no
sense is damage, which is said and left as it is.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, BinaryIO

from semcrawl.errors import ConfigError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["SeenLinks"]

_HEADER = b"semcrawl-links 1\n"


class SeenLinks:
    """Which page links to which URL, each URL by a number in the order in which it was seen.

    Attributes:
        urls: the URL of each number.
        sources: number of the linking page, one for each link.
        targets: number of the URL linked to, one for each link.

    >>> seen = SeenLinks()
    >>> seen.add("http://a.test/", ["http://b.test/", "http://c.test/"])
    True
    >>> seen.add("http://b.test/", ["http://c.test/", "http://c.test/"])
    True
    >>> seen.in_links("http://c.test/"), seen.in_links("http://a.test/")
    (2, 0)
    """

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.sources = array("q")
        self.targets = array("q")
        self._numbers: dict[str, int] = {}
        self._in_links: list[int] = []
        self._pages: dict[int, int] = {}  # in the order seen: how many links each has
        self._file: BinaryIO | None = None

    def open(self, folder: Path) -> None:
        """Take up what the file of a folder holds, and write to it from now on.

        Raises:
            ConfigError: the file is of another kind or version.
            StoreError: it cannot be read or written, or is damaged.
        """
        path = folder / "links.txt"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            good = self._read(path) if path.exists() else 0
            self._file = path.open("r+b" if path.exists() else "w+b")
            self._file.truncate(good)
            self._file.seek(good)
            if not good:
                self._write(_HEADER)
        except OSError as error:
            raise StoreError(f"cannot keep links in {path}: {error.strerror}") from error

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def add(self, page: str, targets: Iterable[str]) -> bool:
        """A page was seen with its links; False if it was seen before, and nothing is added.

        Raises:
            StoreError: the file cannot be written.
        """
        if page in self:
            return False
        before = len(self.urls)
        row = [self._number(page), *dict.fromkeys(map(self._number, targets))]
        self._link(row)
        if self._file is not None:
            new = "".join(f"+{url}\n" for url in self.urls[before:])
            try:
                self._write(f"{new}={' '.join(map(str, row))}\n".encode())
            except OSError as error:
                raise StoreError(
                    f"cannot keep the links of {page}: {error.strerror}; make room and resume"
                ) from error
        return True

    def __contains__(self, page: object) -> bool:
        """Whether the page itself was seen, not only links to it."""
        return self._numbers.get(page) in self._pages if isinstance(page, str) else False

    def __len__(self) -> int:
        """How many pages were seen."""
        return len(self._pages)

    def pages(self) -> Iterator[tuple[str, list[str]]]:
        """Every page with the URLs that it links to, in the order in which they were seen."""
        start = 0
        for page, links in self._pages.items():
            yield self.urls[page], [self.urls[n] for n in self.targets[start : start + links]]
            start += links

    def number(self, url: str) -> int | None:
        """The number of a URL, None for one never seen."""
        return self._numbers.get(url)

    def is_page(self, number: int) -> bool:
        """Whether the URL of this number is a page that was seen."""
        return number in self._pages

    def in_links(self, url: str) -> int:
        """How many pages with a link to the URL were seen."""
        number = self._numbers.get(url)
        return 0 if number is None else self._in_links[number]

    def _number(self, url: str) -> int:
        number = self._numbers.get(url)
        if number is None:
            number = self._numbers[url] = len(self.urls)
            self.urls.append(url)
            self._in_links.append(0)
        return number

    def _link(self, row: list[int]) -> None:
        self._pages[row[0]] = len(row) - 1
        for target in row[1:]:
            self.sources.append(row[0])
            self.targets.append(target)
            self._in_links[target] += 1

    def _write(self, data: bytes) -> None:
        assert self._file is not None
        self._file.write(data)
        self._file.flush()

    def _read(self, path: Path) -> int:
        """Read the file up to its last whole page, and return how many bytes that are."""
        with path.open("rb") as file:
            header = file.read(len(_HEADER))
            if header != _HEADER:
                return _unfinished(header, path)
            good = read = len(_HEADER)
            known = 0
            for number, line in enumerate(file, start=2):
                if not line.endswith(b"\n"):
                    break
                if not self._take(line):
                    raise StoreError(
                        f"{path} is damaged in line {number:,}: bring the file back from a copy, "
                        "or remove it to forget the links seen so far"
                    )
                read += len(line)
                if line.startswith(b"="):
                    good, known = read, len(self.urls)
        self._forget(known)
        return good

    def _forget(self, known: int) -> None:
        """Keep the first so many URLs; no page links to those behind them."""
        for url in self.urls[known:]:
            del self._numbers[url]
        del self.urls[known:], self._in_links[known:]

    def _take(self, line: bytes) -> bool:
        """Take up one line of the file; False for one that is damaged."""
        try:
            text = line[1:-1].decode()
            if line[:1] == b"+":
                # Equal URLs would shift all numbers after them.
                return text not in self._numbers and self._number(text) >= 0
            row = list(map(int, text.split()))
        except ValueError:
            return False
        if line[:1] != b"=" or not row or not 0 <= min(row) <= max(row) < len(self.urls):
            return False
        if row[0] not in self._pages:
            self._link(row)
        return True


def _unfinished(header: bytes, path: Path) -> int:
    """0 for a file whose process ended within the header: it begins anew."""
    if _HEADER.startswith(header):
        return 0
    raise ConfigError(
        f"{path} is no file of links that this version of semcrawl reads: it begins with "
        f"{header.decode(errors='replace')!r}, not {_HEADER.decode()!r}; resume with the version "
        "that made it, or remove it to forget the links seen so far"
    )
