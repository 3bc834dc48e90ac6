"""Files that settings name, in full: a crawl can be resumed from another folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semcrawl.crawl.settings import Settings

__all__ = ["full_in_spec", "with_full_paths"]

# What stands first or behind "model=" or "within=": mine.py:Mine, mine.rq, taxonomy:model=FILE.
_FILE = re.compile(r"(^|(?<=[:,])(?:model|within)=)([^:,]+)")


def with_full_paths(settings: Settings) -> Settings:
    """The settings with every file that is there named from the root."""
    values: dict[str, Any] = {
        "background": _full(settings.background),
        "judge": full_in_spec(settings.judge),
        "strategy": full_in_spec(settings.strategy),
        "policy": [full_in_spec(spec) for spec in settings.policy],
        "replay": [_full(path) for path in settings.replay],
    }
    return settings.changed(values)


def _full(path: str) -> str:
    return str(Path(path).resolve()) if path and Path(path).exists() else path


def full_in_spec(spec: str) -> str:
    """A part's spec with every file that is there named from the root."""

    def full(found: re.Match[str]) -> str:
        # A strategy's name may also be that of a folder: only what follows "=" can be one.
        path = Path(found[2])
        is_there = path.exists() if found[1] else path.is_file()
        return found[1] + (str(path.resolve()) if is_there else found[2])

    return _FILE.sub(full, spec)
