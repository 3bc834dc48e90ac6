"""Titles as the server sends them: whoever wrote a page may have made its title a megabyte."""

from __future__ import annotations

__all__ = ["LONGEST_TITLE", "cut_title"]

LONGEST_TITLE = 300
"""Characters of a title that are sent; the graph has all of it."""


def cut_title(title: str) -> str:
    """A title of at most :data:`LONGEST_TITLE` characters; one that was cut ends with "…".

    >>> cut_title("Asthma"), len(cut_title("a" * 1000))
    ('Asthma', 300)
    """
    if len(title) <= LONGEST_TITLE:
        return title
    return title[: LONGEST_TITLE - 1].rstrip() + "…"
