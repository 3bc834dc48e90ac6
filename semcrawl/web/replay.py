"""A recorded web that answers instead of the network: WARC files, or folders of pages.

A ``urls.tsv`` has a line per page: URL, file in the folder (or target of a redirect), optionally status and content
type, with tabs between. ``#`` starts a comment. Without one, every folder named by a host (with a dot in it) holds the
pages of ``http://HOST/``; ``HOST/a/index.html`` answers ``http://HOST/a/`` too, and ``http://HOST/a`` redirects there.
Hidden files are left out.
"""

import mimetypes
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from semcrawl.closing import Closing
from semcrawl.errors import FetchError, ReplayError, UrlError, os_errors, told_as
from semcrawl.web.response import DropReason, Response, raise_for_status, redirect_target
from semcrawl.web.urls import canonical, join
from semcrawl.web.warc import MAX_BODY, WarcRecord, warc_index

_WARC_NAMES = (".warc", ".warc.gz")
_MAP_NAME = "urls.tsv"
_INDEXES = ("index.html", "index.htm")


class PageFile(msgspec.Struct, frozen=True):
    """A page kept as a file."""

    path: str
    status: int = 200
    content_type: str | None = None  # guessed from the name where none is given
    is_index: bool = False  # of a folder, whose name without final slash redirects here

    def read(self, url: str) -> Response:
        """Return the file as the answer."""
        try:
            with Path(self.path).open("rb") as file:
                body = file.read(MAX_BODY + 1)
                changed = os.fstat(file.fileno()).st_mtime
        except OSError as problem:
            raise FetchError(
                f"cannot read {self.path}, recorded for {url}: {problem.strerror}", reason=DropReason.BAD_RESPONSE
            ) from None
        kind = self.content_type or mimetypes.guess_type(self.path)[0]
        headers = {"content-type": kind} if kind else {}
        cut = len(body) > MAX_BODY
        return Response(url, self.status, headers, body[:MAX_BODY], changed, 0.0, truncated=cut)


class Redirect(msgspec.Struct, frozen=True):
    """A recorded redirect."""

    target: str
    status: int = 301

    def read(self, url: str) -> Response:
        """Return the redirect as the answer."""
        return Response(url, self.status, {"location": self.target}, b"", 0.0, 0.0)


class Recording(Protocol):
    """Where one recorded answer lies."""

    def read(self, url: str) -> Response:
        """Return the answer as recorded, or raise ``FetchError`` if it cannot be read."""
        ...


class Replay(Closing):
    """Recorded answers by canonical URL: a ``Fetcher`` without network and open files."""

    def __init__(self, recordings: Mapping[str, Recording], problems: Sequence[str] = ()) -> None:
        self._recordings = recordings
        self.problems = list(problems)  # what could not be read of the sources, a sentence each

    def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, want_any: bool = False) -> Response:  # noqa: ARG002
        """Return the recorded answer, or raise ``FetchError`` as over HTTP, or NotInReplay."""
        response = self.answer(url)
        if response is None:
            raise FetchError(f"{url} was not recorded", reason=DropReason.NOT_IN_REPLAY)
        raise_for_status(url, response.status, response.headers)
        target = redirect_target(url, response.status, response.headers)
        return response if target is None else replace(response, redirect=target)

    def answer(self, url: str) -> Response | None:
        """Return what was recorded for a URL, whatever its status, or None."""
        recording = self._recordings.get(url)
        if recording is None:
            index = self._recordings.get(f"{url}/")
            if isinstance(index, PageFile) and index.is_index:
                recording = Redirect(f"{url}/")
        return recording.read(url) if recording else None

    def close(self) -> None:
        """Do nothing: no file stays open."""

    def urls(self) -> Iterator[str]:
        """Iterate over the recorded URLs, in the order of the recording."""
        return iter(self._recordings)

    def __len__(self) -> int:
        return len(self._recordings)

    def __contains__(self, url: object) -> bool:
        return url in self._recordings


def open_replay(source: str | Path | Sequence[str | Path]) -> Replay:
    """Open recorded webs, or raise ``ReplayError``; the first answer for a URL wins."""
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
    elif (path / _MAP_NAME).is_file():
        yield from _read_map(path)
    elif warcs := [
        # A pipe that a stranger put there would never end.
        file
        for file in sorted(path.iterdir())
        if file.name.endswith(_WARC_NAMES) and file.is_file()
    ]:
        for file in warcs:
            yield from _from_warc(file, problems)
    elif hosts := _host_folders(path):
        for start, folder in hosts:
            for file in _files(folder):
                for address in _addresses(start, file.relative_to(folder)):
                    yield address, PageFile(str(file), is_index=address.endswith("/"))
    else:
        raise ReplayError(
            f"{path} holds no recorded web: neither WARC files, nor a {_MAP_NAME}, nor folders named by hosts"
        )


def _from_warc(path: Path, problems: list[str]) -> Iterator[tuple[str, WarcRecord]]:
    index = warc_index(path)
    problems += index.problems
    place = str(path.resolve())
    for url, offset, length in index.entries:
        yield url, WarcRecord(place, offset, length)


def _read_map(folder: Path) -> Iterator[tuple[str, PageFile | Redirect]]:
    file = folder / _MAP_NAME
    root = folder.resolve()
    try:
        with os_errors(ReplayError, f"cannot read {file}"):
            lines = file.read_text(encoding="utf-8-sig").splitlines()
            plain = {one.name for one in os.scandir(root) if one.is_file(follow_symlinks=False)}
    except UnicodeDecodeError:
        raise ReplayError(f"{file} is not UTF-8 text; save it as UTF-8") from None
    for number, line in enumerate(lines, start=1):
        if line and not line.startswith("#"):
            yield _mapped(root, plain, line, f"line {number} of {file}")


def _mapped(root: Path, plain: Collection[str], line: str, where: str) -> tuple[str, PageFile | Redirect]:
    address, name, status, kind = [*line.split("\t"), "", "", ""][:4]
    with told_as(ReplayError, where, UrlError):
        url = canonical(address)
    code = _status(status, where)
    if code // 100 == 3:
        target = join(url, name)
        if target is None:
            raise ReplayError(f"{where}: a redirect needs the URL it leads to, not {name!r:.100}")
        return url, Redirect(target, code)
    return url, PageFile(_inside(root, plain, name, where), code, kind.strip() or None)


def _status(text: str, where: str) -> int:
    if not text.strip():
        return 200
    if len(text) == 3 and text.isascii() and text.isdigit() and "200" <= text <= "599":
        return int(text)
    raise ReplayError(f"{where}: the status must be a number from 200 to 599, not {text!r:.40}")


def _inside(root: Path, plain: Collection[str], name: str, where: str) -> str:
    if name in plain:  # no link, and no way up: there is nothing to resolve
        return f"{root}{os.sep}{name}"
    try:
        path = (root / name).resolve()
        found = bool(name) and path.is_relative_to(root) and path.is_file()
    except (OSError, ValueError):
        found = False
    if not found:
        raise ReplayError(f"{where}: there is no file {name!r:.200} in the folder")
    return str(path)


def _host_folders(folder: Path) -> list[tuple[str, Path]]:
    hosts = []
    root = folder.resolve()
    for child in sorted(folder.iterdir()):
        name = child.name
        if child.is_dir() and child.resolve().is_relative_to(root) and "." in name.strip("."):
            with suppress(UrlError):
                hosts.append((canonical(f"http://{name}/"), child))
    return hosts


def _files(folder: Path) -> Iterator[Path]:
    root = folder.resolve()
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            outside = path.is_symlink() and not path.resolve().is_relative_to(root)
            if not name.startswith(".") and not outside and path.is_file():
                yield folder / path.relative_to(root)


def _addresses(start: str, path: Path) -> Iterator[str]:
    steps = [quote(step, safe="~!$&'()*+,;=:@", errors="surrogateescape") for step in path.parts]
    name = steps.pop()
    place = start + "".join(f"{step}/" for step in steps)
    with suppress(UrlError):  # the path may be too long for a URL
        if name in _INDEXES:
            yield canonical(place)
        yield canonical(place + name)
