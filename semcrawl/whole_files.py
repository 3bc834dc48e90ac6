"""Writing a file whole: at its place is the old file or the new one, never a part of one."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a place beside ``path`` to write to; what is there at the end is moved to ``path``.

    Where the block fails, nothing is left of what it wrote. Several threads and processes may
    write the same file: the last one counts.
    """
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    unfinished = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write the bytes of a file whole; raises OSError, and leaves what was there before."""
    with whole_file(path) as unfinished:
        unfinished.write_bytes(data)
