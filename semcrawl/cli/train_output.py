"""Where a training writes its model: seen to before anything is read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["model_file"]


def model_file(output: Path) -> Path:
    """The file that a model will be written to, ``~`` expanded.

    Raises:
        ConfigError: its folder is not there, or closed to writing.
    """
    place = output.expanduser()
    if not place.parent.is_dir():
        raise ConfigError(
            f"there is no folder {place.parent} for the model {place.name}: make it, or choose "
            "another place with -o"
        )
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise ConfigError(
            f"the folder {place.parent} cannot be written to: choose another place with -o"
        )
    return place
