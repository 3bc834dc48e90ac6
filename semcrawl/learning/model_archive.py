"""Model files are ZIP archives of a manifest, words and arrays: how they are written.

The same members always give the same bytes. Nothing is ever pickled.
"""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.text.background import Background

__all__ = ["DAMAGES", "ModelHead", "array_bytes", "background_bytes", "write_archive"]

DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
           ValueError, KeyError, msgspec.DecodeError)  # fmt: skip
"""What reading a damaged archive can raise, beside OSError."""

_TIME = (1980, 1, 1, 0, 0, 0)


class ModelHead(msgspec.Struct):
    """What can be read of a manifest of any format."""

    kind: str = ""
    format: int = 0
    made_by: str = ""
    facts: msgspec.Raw = msgspec.Raw(b"")


def write_archive(target: Path, members: Mapping[str, bytes]) -> None:
    """Write the members to a file; a failure leaves the old file as it was.

    Raises:
        ConfigError: the file cannot be written.
    """
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            for name, data in members.items():
                archive.writestr(zipfile.ZipInfo(name, _TIME), data, zipfile.ZIP_DEFLATED)
        unfinished.replace(target)
    except OSError as error:
        raise ConfigError(f"cannot write the model {target}: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def array_bytes(array: Any) -> bytes:
    """An array in numpy's own format."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def background_bytes(background: Background) -> bytes:
    """Document frequencies, as ``Background.save`` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        background.save(f"{folder}/background")
        return Path(folder, "background").read_bytes()
