"""The digest of a recorded web: of the content of its files, whatever they are called."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import LabError
from semcrawl.lab.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["web_digest"]


def web_digest(sources: Sequence[Path], memory: Path) -> str:
    """A digest of the content of files and folders, in their order.

    What was digested before is remembered in the file ``memory`` for as long
    as no path, size or time of change is another.

    Raises:
        LabError: a file that cannot be read.
    """
    known = _remembered(memory)
    digest = blake2b(digest_size=16)
    try:
        for source in sources:
            place = str(source.resolve())
            files = _files(source)
            state = _state(source, files)
            if known.get(place, ("", ""))[0] != state:
                known[place] = (state, _content(source, files))
            digest.update(known[place][1].encode())
    except OSError as error:
        raise LabError(f"cannot read the recorded web {source}: {error.strerror}") from error
    with suppress(OSError):
        write_whole(memory, msgspec.json.encode(known))
    return digest.hexdigest()


def _remembered(memory: Path) -> dict[str, tuple[str, str]]:
    try:
        return msgspec.json.decode(memory.read_bytes(), type=dict[str, tuple[str, str]])
    except (OSError, msgspec.MsgspecError):
        return {}


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    return sorted(path for path in source.rglob("*") if path.is_file())


def _state(source: Path, files: Sequence[Path]) -> str:
    digest = blake2b(digest_size=16)
    for file in files:
        about = file.stat()
        digest.update(
            f"{file.relative_to(source)}\0{about.st_size}\0{about.st_mtime_ns}\0".encode()
        )
    return digest.hexdigest()


def _content(source: Path, files: Sequence[Path]) -> str:
    digest = blake2b(digest_size=16)
    for file in files:
        # In a folder names tell the URLs; a file may lie anywhere.
        digest.update(f"{file.relative_to(source)}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
