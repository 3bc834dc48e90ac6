"""What is kept of a run: the pages in the order of their visits, and what they cost."""

from pathlib import Path
from typing import TypeVar

import msgspec

from semcrawl.errors import LabError, os_errors
from semcrawl.whole_files import write_whole

T = TypeVar("T")

FORMAT = 1  # runs with records of another format are made again


class Visit(msgspec.Struct, frozen=True, array_like=True):
    """One fetched page."""

    url: str
    relevance: float  # by the crawl's judge
    priority: float
    depth: int  # in links from a seed
    size: int  # in bytes
    concept: str = ""  # what the judge found that it fits best


class FoundSite(msgspec.Struct, frozen=True, array_like=True):
    """A website that was judged, when the crawl had fetched ``after`` pages in all."""

    site: str
    confidence: float
    is_relevant: bool
    pages: int
    after: int


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One run of one crawler for one topic."""

    format: int = FORMAT
    key: str  # the digest of all that the run depends on
    contender: str
    topic: str
    repetition: int = 0
    seeds: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # pages that are not counted: training pages, drawn seeds
    visits: tuple[Visit, ...] = ()  # in their order
    sites: tuple[FoundSite, ...] = ()  # in their order, of crawlers for sites
    requests: int = 0  # errors and redirects included
    cpu: float = 0.0  # seconds of CPU of the crawl, training left out
    seconds: float = 0.0
    stopped: str = ""
    trained_on: tuple[str, ...] = ()  # a sentence for each model
    error: str = ""
    concepts: tuple[str, ...] = ()  # those of its topic that a page could fit best


def write_in_folder(path: Path, data: bytes) -> None:
    """Write a file whole, in a folder that is made where needed; LabError where that fails."""
    with os_errors(LabError, f"cannot write to {path.parent}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)


def read_kept(path: Path, kind: type[T]) -> T | None:
    """Return what a JSON file of the lab holds; None where it is not there, damaged, or of another version."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None


def make_folder(folder: Path) -> None:
    """Make a folder where it is not there; LabError where that fails."""
    with os_errors(LabError, f"cannot make the folder {folder}"):
        folder.mkdir(parents=True, exist_ok=True)


class RecordStore(msgspec.Struct, frozen=True):
    """Records on disk, one JSON file for each key; several processes may write at once."""

    folder: Path

    def path(self, key: str) -> Path:
        """Where the record of a key is, or would be."""
        return self.folder / f"{key}.json"

    def get(self, key: str) -> RunRecord | None:
        """The record of a key; None where there is none, or a damaged or older one."""
        record = read_kept(self.path(key), RunRecord)
        return record if record and record.format == FORMAT and record.key == key else None

    def put(self, record: RunRecord) -> None:
        """Keep a record, in place of an earlier one of its key; LabError where it cannot be."""
        write_in_folder(self.path(record.key), msgspec.json.encode(record))

    def put_trace(self, key: str, text: str) -> Path | None:
        """Keep the traceback of a failed run, and return its file; None where that cannot be."""
        path = self.folder / f"{key}.traceback.txt"
        try:
            write_in_folder(path, text.encode("utf-8", "replace"))
        except LabError:
            return None
        return path
