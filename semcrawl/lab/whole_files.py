"""Files that are there as a whole or not at all, whoever else writes them too."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there: no reader sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two threads of one process may write the same.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
