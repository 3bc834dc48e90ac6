"""Texts for XML, which has no way to write some of the characters that pages hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["clean_xml_file", "xml_text"]

# All but the characters of XML 1.0, section 2.2.
_IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    r"""The text without the characters that XML cannot hold.

    >>> xml_text("a\x0bb\x1bc")
    'abc'
    """
    return _IMPOSSIBLE.sub("", text)


def clean_xml_file(path: Path) -> None:
    """Take those characters out of a file, line by line: it may be large."""
    clean = path.with_name(path.name + ".clean")
    try:
        with (
            path.open(encoding="utf-8", newline="\n") as source,
            clean.open("w", encoding="utf-8", newline="\n") as target,
        ):
            target.writelines(map(xml_text, source))
        clean.replace(path)
    finally:
        clean.unlink(missing_ok=True)
