"""Model files: a ZIP archive of a manifest, arrays of numbers, and lists of lines.

``manifest.json`` has the kind of the model, the version of its format, what made it, the facts of
its kind, and for every other member its SHA-256 digest and, for an array, its type and shape.
Nothing in a file is run or trusted. The same model always gives the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import msgspec

from semcrawl.errors import ConfigError, ModelError, StoreError, TopicError, os_errors, regular
from semcrawl.version import VERSION
from semcrawl.whole_files import whole_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

Member: TypeAlias = "NDArray[Any] | bytes | Sequence[str]"
T = TypeVar("T")

_MANIFEST = "manifest.json"
_BEGINNING = b"PK\x03\x04"
_TIME = (1980, 1, 1, 0, 0, 0)
_LARGEST = 1 << 30
_LARGEST_TEXT = 100_000_000  # of the manifest, or of lines, each of which takes some room
_DAMAGES = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
            ValueError, KeyError, TypeError, MemoryError, OverflowError, msgspec.MsgspecError,
            ConfigError, TopicError)  # fmt: skip


class ModelKind(msgspec.Struct, frozen=True):
    """A kind of model: its name in manifests and in messages, and the command that makes one."""

    name: str
    noun: str
    command: str
    version: int = 1  # of the format


class _Head(msgspec.Struct):
    """What can be read of the manifest of any version."""

    kind: str = ""
    version: int = 0
    made_by: str = ""


class _MemberNote(msgspec.Struct, frozen=True, omit_defaults=True):
    digest: str
    dtype: str = ""
    shape: tuple[int, ...] = ()


class _Manifest(_Head):
    parts: dict[str, _MemberNote] = {}
    facts: msgspec.Raw = msgspec.Raw(b"{}")


class _ForeignFileError(Exception):
    """The file is no model of the kind that was asked for."""


def is_model_file(path: Path) -> bool:
    """Return whether a file begins as a model file does; False for what cannot be read."""
    try:
        with regular(path).open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


def write_model(path: str | Path, kind: ModelKind, facts: Any, members: Mapping[str, Member]) -> None:
    """Write a model file whole, or leave what was there before; StoreError if it cannot be."""
    place = Path(path).expanduser()
    encoded = {name: _encoded(member) for name, member in members.items()}
    manifest = {
        "kind": kind.name,
        "version": kind.version,
        "made_by": f"semcrawl {VERSION}",
        "facts": facts,
        "parts": {name: note for name, (_, note) in encoded.items()},
    }
    contents = {_MANIFEST: msgspec.json.encode(manifest)}
    contents |= {name: data for name, (data, _) in encoded.items()}
    failing = os_errors(StoreError, f"cannot write the model {place}", "; choose another place")
    with failing, whole_file(place) as unfinished, unfinished.open("xb") as file:
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=6) as archive:
            for name, data in contents.items():
                archive.writestr(ZipInfo(name, _TIME), data, ZIP_DEFLATED)
        file.flush()
        os.fsync(file.fileno())


def _encoded(member: Any) -> tuple[bytes, _MemberNote]:
    import numpy as np

    if isinstance(member, np.ndarray):
        array = np.ascontiguousarray(member, member.dtype.newbyteorder("<"))
        data = array.tobytes()
        return data, _MemberNote(_digest(data), array.dtype.str, array.shape)
    # The name of a file may hold bytes that are no text.
    lines = not isinstance(member, bytes)
    data = "\n".join(member).encode(errors="backslashreplace") if lines else member
    return data, _MemberNote(_digest(data))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def open_model(path: str | Path, kind: ModelKind) -> Iterator[ModelFile]:
    """Open a model file; a ValueError, ConfigError or the like in the block is damage to the file.

    Raises ModelError: the file cannot be read, is damaged, or is of another kind or version.
    """
    place = Path(path).expanduser()
    make = f"make one with '{kind.command}'"
    try:
        with regular(place).open("rb") as file:
            yield ModelFile(file, kind)
    except OSError as error:
        raise ModelError(f"cannot read the model {place}: {error.strerror or error}; {make}") from error
    except _ForeignFileError as error:
        raise ModelError(f"{place} is no {kind.noun}{error}; {make}") from error
    except ModelError as error:
        raise ModelError(f"{place} is {error}") from error
    except _DAMAGES as error:
        what = f"it has no part {error}" if isinstance(error, KeyError) else error
        raise ModelError(f"the model {place} is damaged: {what!s:.300}; train it again") from error


class ModelFile:
    """An open model file; every part is checked when it is read."""

    def __init__(self, file: BufferedReader, kind: ModelKind) -> None:
        self._file = file
        self._archive = _archive(file)
        self._manifest = _manifest(self._read(_MANIFEST, _LARGEST_TEXT), kind)

    def facts(self, kind: type[T]) -> T:
        """Return the facts of the manifest."""
        return msgspec.json.decode(self._manifest.facts, type=kind)

    def data(self, name: str, largest: int = _LARGEST) -> bytes:
        """Return the bytes of a member."""
        data = self._read(name, largest)
        if _digest(data) != self._manifest.parts[name].digest:
            raise ValueError(f"its part {name} does not have the digest that the manifest says")
        return data

    def lines(self, name: str) -> list[str]:
        """Return the lines of a member."""
        text = self.data(name, _LARGEST_TEXT).decode()
        return text.split("\n") if text else []

    def array(self, name: str, dtype: str, dimensions: int = 1) -> NDArray[Any]:
        """Return an array of a type such as ``f8``; all its values are 0 or more."""
        import numpy as np

        data, part = self.data(name), self._manifest.parts[name]
        if part.dtype != f"<{dtype}":
            raise ValueError(f"{name} is no array of the numbers {dtype}")
        size = np.dtype(part.dtype).itemsize
        shaped = len(part.shape) == dimensions and all(side >= 0 for side in part.shape)
        if not shaped or prod(part.shape) * size != len(data):
            raise ValueError(f"{name} does not have the shape that the manifest says")
        array = np.frombuffer(data, part.dtype).reshape(part.shape).copy()
        # Not a number is not 0 or more either.
        if not (array >= 0).all() or not np.isfinite(array).all():
            raise ValueError(f"{name} holds something that is no number of 0 or more")
        return array

    def digest(self) -> str:
        """Return the SHA-256 digest of the whole file."""
        self._file.seek(0)
        return hashlib.file_digest(self._file, "sha256").hexdigest()

    def _read(self, name: str, largest: int) -> bytes:
        try:
            size = self._archive.getinfo(name).file_size
        except KeyError:
            if name == _MANIFEST:
                raise _ForeignFileError from None
            raise KeyError(name) from None
        if size > largest:
            raise ValueError(f"its part {name} is larger than {largest:,} bytes")
        with self._archive.open(name) as part:
            return part.read(size)  # read() would unpack more than the archive says


def _archive(file: BufferedReader) -> ZipFile:
    try:
        return ZipFile(file)
    except BadZipFile as error:
        file.seek(0)
        # The beginning of an archive: the file was cut off.
        if file.read(2) == _BEGINNING[:2]:
            raise
        raise _ForeignFileError from error


def _manifest(text: bytes, kind: ModelKind) -> _Manifest:
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise _ForeignFileError from error
    if head.kind != kind.name:
        raise _ForeignFileError(f", it says {head.kind[:40]!r}" if head.kind else "")
    if head.version != kind.version:
        raise ModelError(
            f"a model of format {head.version}, written by {head.made_by[:40]!r}, and this version "
            f"reads format {kind.version}; train it again, or use the version that made it"
        )
    return msgspec.json.decode(text, type=_Manifest)
