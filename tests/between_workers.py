"""What one worker of a run of the tests makes, and all of them use."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


@contextmanager
def shared_folder(factory: pytest.TempPathFactory, name: str) -> Iterator[Path]:
    """A folder of all workers; while the block runs no other worker is in a block of this name."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
