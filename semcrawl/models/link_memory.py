"""The apprentice's memory: the pages seen and the features of their links, a frame a page."""

import io
import json
import struct
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Floats
from semcrawl.errors import ConfigError, StoreError, os_errors
from semcrawl.models.link_features import FeatureKinds, LinkFeatures, LinkPlaces

_FRAME_HEAD = struct.Struct("<II")
_LONGEST = 1 << 24  # so far from the end a last frame is looked for
_LARGEST_FRAME = 1 << 28  # bytes; far more than a page can make


class FrameFile:
    """Frames (length and checksum of four bytes, content) in a titled file, or in memory.

    An unfinished frame at the end, as a killed process leaves it, is cut off. Raises ConfigError:
    the file begins with another title; StoreError: it cannot be read or written, or is damaged.
    """

    def __init__(self, path: Path | None, title: str, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._title = title.encode() + b"\n"
        with self._used():
            self._file = self._open()
            self._end = self._start()
            self._places = list(self._scan())
            if not read_only:
                self._file.truncate(self._end)

    def __len__(self) -> int:
        return len(self._places)

    def append(self, data: bytes) -> int:
        """Write and flush a frame, not an empty one; return its number. StoreError: a full disk."""
        with self._used():
            self._file.seek(self._end)
            self._file.write(_FRAME_HEAD.pack(len(data), crc32(data)) + data)
            self._file.flush()
        self._places.append((self._end + _FRAME_HEAD.size, len(data)))
        self._end += _FRAME_HEAD.size + len(data)
        return len(self._places) - 1

    def read(self, number: int) -> bytes:
        """The bytes of a frame, as they were when the file was opened."""
        start, length = self._places[number]
        with self._used():
            self._file.seek(start)
            return self._file.read(length)

    def take_in(self, take: Callable[[int, bytes], None], what: str, *damages: type[Exception]) -> None:
        """Call ``take`` with the number and the bytes of each frame; StoreError if it raises one of ``damages``."""
        for number in range(len(self)):
            try:
                take(number, self.read(number))
            except damages as error:
                # Zeros, which some disks leave after a power cut, pass for an empty frame.
                self.close()
                raise StoreError(
                    f"{self._path} is damaged, its page {number + 1:,} is none ({error}): bring the file "
                    f"back from a copy, or remove it to forget {what}"
                ) from error

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        self._file.close()

    def _open(self) -> BinaryIO:
        if self._path is None:
            return io.BytesIO()
        if self._read_only:
            return self._path.open("rb")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch()
        if self._path.stat().st_nlink > 1:
            raise StoreError(f"{self._path} is another file, too: put a copy of it in its place")
        return self._path.open("r+b", buffering=1 << 18)

    def _start(self) -> int:
        """Read or write the title; return where the frames begin."""
        size = self._file.seek(0, io.SEEK_END)
        self._file.seek(0)
        found = self._file.read(len(self._title))
        if found == self._title:
            return len(found)
        # The end may have come while the title was being written.
        if size < len(self._title) and self._title.startswith(found):
            if not self._read_only:
                self._file.seek(0)
                self._file.write(self._title)
            return len(self._title)
        self._file.close()
        raise ConfigError(
            f"{self._path} was not made with these options, or by this version of semcrawl: it "
            f"begins with {found[:200].partition(bytes([10]))[0].decode(errors='replace')!r}, not "
            f"{self._title.decode().strip()!r}; take the options of the crawl's beginning, or "
            "remove the file to forget what was learned"
        )

    def _scan(self) -> Iterator[tuple[int, int]]:
        """Where the whole frames lie; an unfinished one counts as torn if it is the last."""
        size = self._file.seek(0, io.SEEK_END)
        self._file.seek(self._end)
        while len(head := self._file.read(_FRAME_HEAD.size)) == _FRAME_HEAD.size:
            length, checksum = _FRAME_HEAD.unpack(head)
            start = self._end + _FRAME_HEAD.size
            # A torn length must not be believed, it may be gigabytes; nobody writes empty frames.
            end = start + length
            is_possible = 0 < length <= _LARGEST_FRAME and end <= size
            if not is_possible or crc32(self._file.read(length)) != checksum:
                if end < size or (end > size and self._has_last_frame(start, size)):
                    self._file.close()
                    raise StoreError(
                        f"{self._path} is damaged at byte {self._end:,}, and more was written "
                        "behind that: bring the file back from a copy, or remove it to forget "
                        "what was learned"
                    )
                return
            self._end = end
            yield start, length

    def _has_last_frame(self, start: int, size: int) -> bool:
        """Whether a whole frame ends where the file ends: then it is no torn one before it."""
        self._file.seek(max(start, size - _LONGEST))
        rest, looked_at = self._file.read(), 0
        for length in range(1, len(rest) - _FRAME_HEAD.size + 1):
            place = len(rest) - length
            if rest.startswith(length.to_bytes(4, "little"), place - _FRAME_HEAD.size):
                _, checksum = _FRAME_HEAD.unpack_from(rest, place - _FRAME_HEAD.size)
                looked_at += length
                # So many lengths that fit by chance nobody writes: they would take hours to look at.
                if looked_at > 4 * _LONGEST or crc32(rest[place:]) == checksum:
                    return True
        return False

    def _used(self) -> AbstractContextManager[None]:
        what = f"cannot keep what was learned in {self._path}"
        return os_errors(StoreError, what, "; check the disk and the rights of the folder")


def open_frames(path: Path | None, title: str, loss: str, largest: int | None = None) -> FrameFile:
    """The frames of a file, or in memory; a file that is bad, too large or a link is put aside, and the loss told."""
    if path is None:
        return FrameFile(None, title)
    try:
        require_harmless(path, largest)
        return FrameFile(path, title)
    except (ConfigError, StoreError) as error:
        aside = path.with_name(f"{path.name}.damaged")
        with suppress(OSError):
            path.replace(aside)
        warnings.warn(f"{error}. The file is now {aside.name}, and {loss}", stacklevel=3)
        return FrameFile(path, title)


def require_harmless(path: Path, largest: int | None = None) -> None:
    """Raise a ConfigError for a link to elsewhere, or a file of more than ``largest`` bytes."""
    if path.is_symlink():
        raise ConfigError(f"{path} is a link to elsewhere")
    if largest is not None and path.exists() and path.stat().st_size > largest:
        raise ConfigError(f"{path} is larger than {largest:,} bytes")


class NumberedTexts:
    """Texts that have numbers, in the order of their coming."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def add(self, text: str) -> int:
        """Return the number of a text, a new one if it is new."""
        return self.add_all((text,))[0]

    def add_all(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of many texts."""
        numbers, met = self.numbers, len(self.texts)
        found = [numbers.setdefault(text, len(numbers)) for text in texts]
        self.texts += dict.fromkeys(text for text, number in zip(texts, found, strict=True) if number >= met)
        return found


_FORMAT = "semcrawl apprentice memory 1"
_HEAD = struct.Struct("<dIIII")


@dataclass(frozen=True, slots=True, eq=False)
class RememberedPage:
    """The links of a page: the number of each target, its features, its place."""

    targets: NDArray[np.uint32]
    features: LinkFeatures
    places: LinkPlaces


@dataclass(frozen=True, slots=True)
class _SeenPage:
    """A page with its frame and relevance, and the URL that redirected to it, or itself."""

    frame: int
    relevance: float
    via: int


class LinkMemory:
    """What is remembered of pages, in a file, or in memory where ``path`` is None.

    Pages of the file that are not ``visited`` (with relevance, by URL) will be fetched again. Raises ConfigError: the
    file was made with other kinds of features; StoreError: it cannot be read or written, or is damaged.
    """

    def __init__(self, path: Path | None, kinds: FeatureKinds, visited: Mapping[str, float]) -> None:
        title = f"{_FORMAT} {json.dumps(asdict(kinds), sort_keys=True)}"
        self._frames = FrameFile(path, title)
        self._urls = NumberedTexts()
        self._pages: dict[int, _SeenPage] = {}
        self._elsewhere: dict[int, float] = {}
        self._known = np.full(1024, np.nan)
        self._frames.take_in(self._take_in, "what was learned", struct.error, UnicodeDecodeError)
        self._pages = {page: seen for page, seen in self._pages.items() if self._urls.texts[page] in visited}
        for url, relevance in visited.items():
            page = self._urls.numbers.get(url)
            if page is not None and page not in self._pages:
                self._elsewhere[page] = relevance
        self._known = self.relevances(len(self._pages))

    def __len__(self) -> int:
        return len(self._pages)

    def url(self, number: int) -> str:
        """The URL of a number."""
        return self._urls.texts[number]

    def numbers(self, urls: Sequence[str]) -> NDArray[np.uint32]:
        """The numbers of URLs; one that is not known has the number after the last."""
        unknown = len(self._urls)
        return np.array([self._urls.numbers.get(url, unknown) for url in urls], np.uint32)

    def remember(
        self,
        url: str,
        relevance: float,
        targets: Sequence[str],
        features: LinkFeatures,
        places: LinkPlaces,
        found_on: str | None = None,
    ) -> None:
        """Keep a judged page; ``found_on`` led to it, or, if it is no page, redirected to it."""
        known = len(self._urls)
        page = self._urls.add(url)
        via = self._urls.numbers.get(found_on or "", page)
        if via in self._pages or via in self._elsewhere:
            via = page
        numbers = np.array(self._urls.add_all(targets), np.uint32)
        text = "\n".join(self._urls.texts[known:]).encode("utf-8", "surrogatepass")
        head = _HEAD.pack(relevance, page, via, len(numbers), len(features.slots))
        sizes = features.sizes.astype(np.uint32)
        arrays = (numbers, sizes, places, features.slots)
        frame = self._frames.append(head + b"".join(map(np.ndarray.tobytes, arrays)) + text)
        self._see(page, _SeenPage(frame, relevance, via))

    def relevances(self, pages: int | None = None) -> Floats:
        """The relevance by number of URL, NaN where it is not known; as of the first ``pages``."""
        if pages is None:
            return self._known[: len(self._urls) + 1]
        # One more than there are URLs, for those that are not known.
        known = np.full(len(self._urls) + 1, np.nan)
        for page, relevance in self._elsewhere.items():
            known[page] = relevance
        for page, seen in islice(self._pages.items(), pages):
            known[page] = known[seen.via] = seen.relevance
        return known

    def pages(self, pages: int | None = None) -> Iterator[RememberedPage]:
        """The first ``pages`` remembered pages, or all, in the order in which they came."""
        for seen in islice(self._pages.values(), pages):
            data = self._frames.read(seen.frame)
            _, _, _, links, slots = _HEAD.unpack_from(data)
            columns = np.frombuffer(data, np.uint32, 4 * links, _HEAD.size).reshape(4, links)
            flat = np.frombuffer(data, np.uint32, slots, _HEAD.size + 16 * links)
            features = LinkFeatures(columns[1].astype(np.int64), flat)
            yield RememberedPage(columns[0], features, columns[2:].view(np.int32))

    def close(self) -> None:
        """Close the file."""
        self._frames.close()

    def _see(self, page: int, seen: _SeenPage) -> None:
        self._pages.pop(page, None)  # what is seen again comes last
        self._pages[page] = seen
        if len(self._known) <= len(self._urls):
            more = np.full(2 * len(self._urls) + 1, np.nan)
            more[: len(self._known)] = self._known
            self._known = more
        self._known[page] = self._known[seen.via] = seen.relevance

    def _take_in(self, frame: int, data: bytes) -> None:
        relevance, page, via, links, slots = _HEAD.unpack_from(data)
        urls = data[_HEAD.size + 4 * (4 * links + slots) :].decode("utf-8", "surrogatepass")
        self._urls.add_all(urls.split("\n") if urls else ())
        self._see(page, _SeenPage(frame, relevance, via))
