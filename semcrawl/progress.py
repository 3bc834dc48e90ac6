"""How far a long piece of work is: readers of large files tell, the command line listens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a listener with all that is told inside the block, in this thread."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(words: str) -> None:
    """Say what is being done and how far it is, in a few words; "" says that it is done."""
    if listener := _listener.get():
        listener(words)
