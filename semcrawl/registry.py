"""Finding judges, strategies and other parts by name: ours and the user's, the same way.

A name is an entry point of a group such as ``semcrawl.strategies``, or
``path/to/file.py:ClassName``. Options follow the name: ``n-best-first:n=20``.
"""

import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from msgspec import Struct

from semcrawl.errors import ConfigError, told_as

_OPTIONS = re.compile(r":([\w-]+\s*=.*)", re.DOTALL)
_FILE_OPTIONS = frozenset(("model", "within"))
_TRUTH = {"true": True, "false": False}
# By an annotation as text, or by the name of a class where annotations are evaluated.
_READERS: dict[str, Callable[[str], object]] = {"int": int, "float": float, "bool": lambda text: _TRUTH[text.lower()]}


class Part(Struct, frozen=True):
    """One registered part, for listing: its name, first docstring line, options, origin."""

    name: str
    summary: str
    options: Mapping[str, str]
    origin: str


@cache
def _installed(group: str, *_path: str) -> dict[str, EntryPoint]:
    # Kept, for the metadata of all packages are read; other places are looked through again.
    return {entry.name: entry for entry in entry_points(group=group)}


class Registry(Struct, frozen=True):
    """The parts of one kind."""

    kind: str  # the word for one part in messages, e.g. ``strategy``
    group: str  # the entry-point group
    shared: frozenset[str]  # the arguments that the crawl gives to every part; all others are options
    # Adds to a user's part what it leaves out, or says what it lacks.
    complete: Callable[[Any], Any] = lambda part: part

    def names(self) -> list[str]:
        """Return the names of all installed parts."""
        return sorted(self._entries())

    def parts(self) -> list[Part]:
        """Return all installed parts; one that cannot be loaded says so in its summary."""
        return [self._describe(name, entry) for name, entry in sorted(self._entries().items())]

    def create(self, spec: str, given: object = None, **shared: object) -> Any:
        """Return the part ``given`` as an object, else that which ``spec`` names; ConfigError where it cannot be."""
        if given is not None and not isinstance(given, str):
            return self.complete(given)
        factory, values = self._prepared(spec)
        accepted = inspect.signature(factory).parameters
        given = {key: value for key, value in shared.items() if key in accepted}
        with told_as(ConfigError, f"{self.kind} {spec!r} cannot be built", TypeError, ValueError):
            built = factory(**given, **values)
        return self.complete(built)

    def factory(self, spec: str) -> Any:
        """Return the class or function that ``spec`` names, options checked as far as possible."""
        return self._prepared(spec)[0]

    def _prepared(self, spec: str) -> tuple[Any, dict[str, object]]:
        name, options = split_spec(spec)
        factory = self._load(name)
        wanted = self._options(factory)
        return factory, {key: self._convert(name, key, text, wanted.get(key)) for key, text in options.items()}

    def _entries(self) -> dict[str, EntryPoint]:
        return _installed(self.group, *sys.path)

    def _load(self, name: str) -> Any:
        if ".py:" in name or name.endswith(".py"):
            return self._load_file(name)
        entries = self._entries()
        if name not in entries:
            near = get_close_matches(name, entries, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ConfigError(
                f"there is no {self.kind} {name!r}; {hint}there are: {', '.join(sorted(entries))}; "
                "your own is given as path/to/file.py:ClassName"
            )
        try:
            return entries[name].load()
        except Exception as error:  # a user's package may fail in any way
            raise ConfigError(f"the {self.kind} {name!r} ({entries[name].value}) cannot be loaded: {error}") from error

    def _load_file(self, name: str) -> Any:
        path, _, attribute = name.rpartition(":")
        if not attribute or not path:
            raise ConfigError(f"{name!r} names no class: write path/to/file.py:ClassName")
        if not Path(path).is_file():
            raise ConfigError(f"there is no file {path!r} to take the {self.kind} from")
        spec = importlib.util.spec_from_file_location(f"semcrawl_user_{Path(path).stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:  # a user's file may fail in any way
            del sys.modules[spec.name]
            raise ConfigError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
        factory = getattr(module, attribute, None)
        if not callable(factory):
            raise ConfigError(f"{path} defines no class {attribute!r} to make a {self.kind} with")
        return factory

    def _options(self, factory: Any) -> dict[str, inspect.Parameter]:
        return {
            name: p
            for name, p in inspect.signature(factory).parameters.items()
            if name not in self.shared and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        }

    def _convert(self, name: str, key: str, text: str, wanted: inspect.Parameter | None) -> object:
        if wanted is None:
            known = ", ".join(self._options(self._load(name))) or "none"
            raise ConfigError(f"{self.kind} {name!r} has no option {key!r}; it takes: {known}")
        kind = getattr(wanted.annotation, "__name__", str(wanted.annotation))
        try:
            return _READERS.get(kind, str)(text)
        except (ValueError, KeyError):
            raise ConfigError(f"{self.kind} {name!r}: option {key}={text} is no {kind}") from None

    def _describe(self, name: str, entry: EntryPoint) -> Part:
        try:
            factory = self._load(name)
        except ConfigError as error:
            return Part(name, str(error), {}, entry.value)
        lines = (inspect.getdoc(factory) or "").strip().splitlines() or [""]
        options = {
            key: "required" if p.default is p.empty else str(p.default) for key, p in self._options(factory).items()
        }
        return Part(name, lines[0], options, entry.value)


class Completed:
    """A user's part; a subclass defines defaults for what the part leaves out."""

    def __init__(self, part: Any) -> None:
        self._part = part

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_part"], name)


def require_members(kind: str, part: object, members: Sequence[str]) -> None:
    """Raise a ConfigError if a user's part, which may be anything, is a class or lacks a member."""
    if isinstance(part, type):
        raise ConfigError(f"{part.__name__} is a class: give an object as the {kind}, such as {part.__name__}()")
    if missing := [name for name in members if not hasattr(part, name)]:
        raise ConfigError(
            f"{type(part).__name__} is no {kind}: it has no {' and no '.join(missing)}; "
            f"a {kind} needs {' and '.join(members)}"
        )


def names_code(spec: str) -> bool:
    """Return whether a spec names a Python file, itself or in an option.

    >>> names_code("mine.py:Mine"), names_code("ssrm:measure=mine.py:M"), names_code("ssrm")
    (True, True, False)
    """
    return ".py" in spec.lower()


def names_file(spec: str) -> bool:
    """Return whether a spec names a file, of code or of anything else.

    >>> names_file("taxonomy:model=a.tax"), names_file("n-best-first:n=20,by=page")
    (True, False)
    """
    name, options = split_spec(spec)
    return (
        names_code(spec)
        or not _FILE_OPTIONS.isdisjoint(options)
        or any("/" in value or "\\" in value for value in (name, *options.values()))
    )


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name in a spec and the options that follow it.

    >>> split_spec("n-best-first:n=20,by=page"), split_spec("mine.py:Mine:n=2")
    (('n-best-first', {'n': '20', 'by': 'page'}), ('mine.py:Mine', {'n': '2'}))
    """
    found = _OPTIONS.search(spec)
    if not found:
        return spec, {}
    options = {}
    for pair in found[1].split(","):
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise ConfigError(f"{spec!r}: options are written name:key=value,key=value")
        options[key.strip().replace("-", "_")] = value.strip()
    return spec[: found.start()], options
