"""Making many objects at once without looking for cycles among them; giving back what was freed."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """A third of the time would go to looking for cycles among millions of tuples."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def give_back_freed_memory() -> None:
    """Let the system have what large arrays left behind, where the C library knows how (glibc).

    Else holes between arrays that live on stay with the process, as much as a fifth of it.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
