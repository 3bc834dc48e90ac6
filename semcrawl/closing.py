"""What must be closed, and can be used in a ``with`` block."""

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """A base with ``close``, which the end of a ``with`` block calls."""

    @abstractmethod
    def close(self) -> None:
        """Release what is held; closing twice does nothing more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
