"""Ctrl-C: the first asks, the second insists."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

__all__ = ["interruptible"]


@contextmanager
def interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Within the block the first SIGINT or SIGTERM calls ``stop``, the next acts as before.

    Signals can be handled in the main thread only; elsewhere the block is as any other.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def first(_number: int, _frame: FrameType | None) -> None:
        restore()
        stop()

    for number in before:
        signal.signal(number, first)
    try:
        yield
    finally:
        restore()
