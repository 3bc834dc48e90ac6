"""A recorded web that answers instead of the network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import FetchError, ReplayError
from semcrawl.web.page_folders import (
    MAP_NAME,
    PageFile,
    Redirect,
    host_folders,
    read_layout,
    read_map,
)
from semcrawl.web.response import DropReason, raise_for_status, redirect_target
from semcrawl.web.urls import host_of
from semcrawl.web.warc import WarcRecord, warc_index

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from semcrawl.web.response import Response
    from semcrawl.web.warc import Recording

_WARC_NAMES = (".warc", ".warc.gz")


class Replay:
    """Recorded answers by canonical URL; a ``Fetcher`` that needs no network.

    Safe to use from several threads and to hand to other processes: it holds
    no open file.

    Attributes:
        problems: what could not be read of the sources, a sentence each.
    """

    def __init__(self, recordings: Mapping[str, Recording], problems: Sequence[str] = ()) -> None:
        self._recordings = recordings
        self.problems = list(problems)

    def fetch(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,  # noqa: ARG002
        want_any: bool = False,  # noqa: ARG002
    ) -> Response:
        """Return the recorded answer, or raise ``FetchError`` as over HTTP.

        A URL that was not recorded raises with the reason NotInReplay.
        """
        response = self.answer(url)
        if response is None:
            raise FetchError(f"{url} was not recorded", reason=DropReason.NOT_IN_REPLAY)
        raise_for_status(url, response.status, response.headers)
        target = redirect_target(url, response.status, response.headers)
        return response if target is None else replace(response, redirect=target)

    def answer(self, url: str) -> Response | None:
        """Return what was recorded for a URL, whatever its status, or None."""
        recording = self._recordings.get(url) or self._slashed(url)
        return recording.read(url) if recording else None

    def _slashed(self, url: str) -> Recording | None:
        index = self._recordings.get(f"{url}/")
        is_folder = isinstance(index, PageFile) and index.is_index
        return Redirect(f"{url}/") if is_folder else None

    def close(self) -> None:
        """Do nothing: no file stays open."""

    def urls(self) -> Iterator[str]:
        """Iterate over the recorded URLs, in the order of the recording."""
        return iter(self._recordings)

    def hosts(self) -> list[str]:
        """Return the recorded hosts, sorted."""
        return sorted({host_of(url) for url in self._recordings})

    def __len__(self) -> int:
        return len(self._recordings)

    def __contains__(self, url: object) -> bool:
        return url in self._recordings


def open_replay(source: str | Path | Sequence[str | Path]) -> Replay:
    """Open a recorded web, or raise ``ReplayError``.

    A source is a WARC file, a folder of WARC files, a folder of pages with a
    ``urls.tsv``, or a folder laid out as host/path (see
    `semcrawl.web.page_folders`). Of several sources, and within each, the
    first answer recorded for a URL wins.
    """
    sources = [source] if isinstance(source, str | Path) else list(source)
    if not sources:
        raise ReplayError("no recorded web was given; name a WARC file or a folder of pages")
    recordings: dict[str, Recording] = {}
    problems: list[str] = []
    for one in sources:
        for url, recording in _read(Path(one).expanduser(), problems):
            recordings.setdefault(url, recording)
    if not recordings:
        raise ReplayError(f"no page is recorded in {', '.join(map(str, sources))}")
    return Replay(recordings, problems)


def _read(path: Path, problems: list[str]) -> Iterator[tuple[str, Recording]]:
    if path.is_file():
        yield from _from_warc(path, problems)
    elif not path.is_dir():
        raise ReplayError(f"there is no recorded web at {path}; name a WARC file or a folder")
    elif (path / MAP_NAME).is_file():
        yield from read_map(path).items()
    elif warcs := [file for file in sorted(path.iterdir()) if file.name.endswith(_WARC_NAMES)]:
        for file in warcs:
            yield from _from_warc(file, problems)
    elif hosts := host_folders(path):
        yield from read_layout(hosts).items()
    else:
        raise ReplayError(
            f"{path} holds no recorded web: neither WARC files, nor a {MAP_NAME}, "
            "nor folders named by hosts"
        )


def _from_warc(path: Path, problems: list[str]) -> Iterator[tuple[str, WarcRecord]]:
    index = warc_index(path)
    problems += index.problems
    place = str(path.resolve())
    for url, offset, length in index.entries:
        yield url, WarcRecord(place, offset, length)
