"""The part of the web that a crawl may visit, by patterns of URLs."""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Scope"]


class Scope:
    """URLs that match some pattern of ``include`` (where there are any) and none of ``exclude``.

    A pattern is matched against the whole canonical URL; ``*`` stands for any
    text and ``?`` for one character.

    >>> scope = Scope(include=["http://*.org/*"], exclude=["*/private/*"])
    >>> scope.allows("http://a.org/x"), scope.allows("http://a.org/private/x")
    (True, False)
    """

    def __init__(self, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self._include = _compile(include)
        self._exclude = _compile(exclude)

    def allows(self, url: str) -> bool:
        """Whether the URL lies within the scope."""
        if self._exclude is not None and self._exclude.match(url):
            return False
        return self._include is None or self._include.match(url) is not None


def _compile(patterns: Sequence[str]) -> re.Pattern[str] | None:
    if not patterns:
        return None
    return re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns))
