"""Making many objects at once without looking for cycles among them, and giving memory back."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_M_MMAP_THRESHOLD = -3  # malloc.h
_LARGE = 1 << 19  # bytes


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


def give_back_memory() -> None:
    """Let the system have what was freed: the C library would keep half a gigabyte after a large query."""
    with suppress(AttributeError, OSError, TypeError):  # other C libraries have no such function
        ctypes.CDLL(None).malloc_trim(0)


def give_back_large_texts() -> None:
    """Let the system have each large text as soon as it is freed: the heaps of threads would keep what pages took."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)
