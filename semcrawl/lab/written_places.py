"""Files that an experiment names: variables filled in, and relative to the experiment's file."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from semcrawl.errors import ConfigError, LabError
from semcrawl.registry import split_spec
from semcrawl.topics.ontology_source import split_names

__all__ = ["WrittenPlaces"]

_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_NO_FILE = ("keywords:", "wordnet:")
_TAXONOMY = "taxonomy:"


class WrittenPlaces:
    """Makes what is written in an experiment's file independent of where it is read.

    Args:
        file: the experiment's file.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._folder = file.absolute().parent

    def path(self, written: str, where: str) -> str:
        """The absolute path of a file or folder; ``where`` is the key, for messages.

        Raises:
            LabError: it names a variable of the environment that is not set.
        """
        place = Path(self.filled(written, where)).expanduser()
        return os.path.normpath(self._folder / place)

    def existing(self, written: str, where: str) -> str:
        """The same, of something that must be there.

        Raises:
            LabError: it is not.
        """
        place = self.path(written, where)
        if not Path(place).exists():
            raise LabError(f"{self._file}: {where}: there is no {place}; correct the name")
        return place

    def filled(self, written: str, where: str) -> str:
        """A text with the variables of the environment in it filled in."""

        def value(found: re.Match[str]) -> str:
            name = found[1] or found[2]
            if name not in os.environ:
                raise LabError(
                    f"{self._file}: {where}: the variable ${name} is not set; set it to the folder "
                    f"that {written!r} is to be found in"
                )
            return os.environ[name]

        return _VARIABLE.sub(value, written)

    def part(self, spec: str, where: str) -> str:
        """The spec of a strategy or judge, with the files in it in full.

        These are a class's ``file.py`` and options that name a file beside the experiment.

        Raises:
            LabError: a variable is not set, or its options cannot be read.
        """
        if not spec.strip():
            return spec
        try:
            name, options = split_spec(self.filled(spec, where))
        except ConfigError as error:
            raise LabError(f"{self._file}: {where}: {error}") from error
        file, colon, attribute = name.rpartition(":")
        if colon and file.endswith(".py"):
            name = f"{self.path(file, where)}:{attribute}"
        if not options:
            return name
        pairs = (f"{key}={self._if_file(value)}" for key, value in options.items())
        return f"{name}:{','.join(pairs)}"

    def topic(self, spec: str, where: str) -> str:
        """A topic, with the files in it in full."""
        spec = spec.strip()
        if spec.startswith(_NO_FILE):
            return spec
        prefix = _TAXONOMY if spec.startswith(_TAXONOMY) else ""
        spec = self.filled(spec.removeprefix(prefix), where)
        found = re.match(r"[^#?]+", spec)
        if found is None or re.match(r"[A-Za-z][\w+.-]+:", spec):
            return prefix + spec
        head, rest = self.path(found[0].strip(), where), spec[found.end() :]
        before, hash_, names = rest.partition("#")
        items = [self._concept(item) for item in split_names(names)] if "#" in names else [names]
        return f"{prefix}{head}{before}{hash_}{','.join(items)}"

    def settings(self, values: dict[str, Any], where: str) -> dict[str, Any]:
        """Settings with the files among their texts in full."""
        return {name: self._setting(value, f"{where}.{name}") for name, value in values.items()}

    def _setting(self, value: Any, where: str) -> Any:
        if isinstance(value, str):
            return self._if_file(self.filled(value, where))
        if isinstance(value, list | tuple):
            return [self._setting(item, where) for item in value]
        return value

    def _concept(self, item: str) -> str:
        """One of several concepts, which may name another file."""
        path, hash_, name = item.partition("#")
        return f"{self._if_file(path)}#{name}" if hash_ else item

    def _if_file(self, value: str) -> str:
        """A value in full where it names a file beside the experiment, else as it is."""
        if "." not in value and "/" not in value:
            return value
        place = self._folder / Path(value).expanduser()
        try:
            return os.path.normpath(place) if place.is_file() else value
        except (OSError, ValueError):
            return value
