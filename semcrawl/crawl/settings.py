"""All settings of a crawl: one table for the TOML file, the command line and Python."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from semcrawl.checked_values import checked_values
from semcrawl.errors import ConfigError, os_errors, regular, told_as
from semcrawl.resources import checked_toml, facts_beside
from semcrawl.web.response import MAX_BYTES

if TYPE_CHECKING:
    from semcrawl.page.rdf_document import DataReading

NonNegative = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
# Infinity would not survive being stored as JSON; this is 30 years.
Seconds = Annotated[float, Meta(ge=0, le=1e9)]
Timeout = Annotated[float, Meta(gt=0, le=1e9)]
Share = Annotated[float, Meta(ge=0, le=1)]
MOST_WORKERS = 500  # threads, of which a system has not many more
PositiveShare = Annotated[float, Meta(gt=0, le=1)]


class StoredSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings that are stored with the crawl."""

    @classmethod
    def groups(cls) -> dict[str, dict[str, str]]:
        """Return what each setting means, by the title of its group and its name."""
        groups: dict[str, dict[str, str]] = facts_beside(__file__, "settings.toml")[cls.__name__]
        return groups

    @classmethod
    def texts(cls) -> dict[str, str]:
        """Return what each setting means, by its name: the help of its option."""
        return {name: text for group in cls.groups().values() for name, text in group.items()}

    def to_json(self) -> str:
        """Return all settings as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote; ConfigError for settings of another version."""
        wrong = "the stored settings do not fit this version"
        with told_as(ConfigError, wrong, msgspec.MsgspecError, ValueError, RecursionError):
            return checked_values(msgspec.json.decode(text), cls, "setting")

    @classmethod
    def build(cls, values: dict[str, Any], source: str = "the settings") -> Self:
        """Make settings of a table of names and values.

        A path may be a Path, and one value stand for a list of one. Raises ConfigError: an unknown
        name or a value of the wrong kind, naming ``source``.
        """
        defaults = dict(zip(cls.__struct_fields__, cls.__struct_defaults__, strict=True))
        plain = {name: _plain(value, defaults.get(name)) for name, value in values.items()}
        try:
            made = checked_values(plain, cls, "setting", "see 'semcrawl crawl --help'")
            made.to_json()
        except UnicodeEncodeError as error:
            raise ConfigError(f"{source}: {error.object!r} is no text in UTF-8") from error
        except ValueError as error:
            raise ConfigError(f"{source}: {error}") from error
        return made

    def changed(self, values: dict[str, Any], source: str = "the settings") -> Self:
        """Return these settings with some others in place."""
        return self.build({**msgspec.structs.asdict(self), **values}, source)


def _plain(value: Any, default: Any) -> Any:
    if isinstance(value, list | tuple):
        return [str(one) if isinstance(one, Path) else one for one in value]
    text = str(value) if isinstance(value, Path) else value
    return [text] if isinstance(text, str) and isinstance(default, tuple) else text


class Settings(StoredSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a crawl is run. Every field has a default that is safe on the open web."""

    # What to follow and how to judge
    strategy: str = "adaptive"
    judge: str = "adaptive"
    threshold: Share | None = None
    background: str = ""
    sketches: bool = True
    linked_data: Literal["off", "embedded", "follow", "only"] = "follow"
    data_links: tuple[Literal["objects", "subjects", "predicates", "classes"], ...] = ("objects",)
    data_dumps: bool = False

    link_lists: Literal["off", "seeds", "all"] = "seeds"

    # What to keep
    warc: bool = False
    warc_all: bool = False
    warc_size: Annotated[int, Meta(ge=1_000_000)] = 1_000_000_000
    mirror: str = ""

    # When to stop
    pages: NonNegative = 1000
    relevant: NonNegative = 0
    seconds: Seconds = 0

    # Where to go
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    depth: NonNegative = 0
    pages_per_host: NonNegative = 10_000
    frontier_size: Positive = 70_000
    rotation: NonNegative = 0
    patience: Seconds | None = None

    # What steers it beside the strategy
    policy: tuple[str, ...] = ()
    policy_seconds: Timeout = 60.0
    policy_share: Share = 0.05
    distill_every: NonNegative = 0
    distill_share: PositiveShare = 0.15
    distill_across: Literal["hosts", "pages"] = "hosts"
    revisit_share: Share = 0.1
    alarm_window: NonNegative = 100
    stagnation: Share = 0.05
    slowdown: Share = 0.1
    diffusion: Share = 0.5

    # How to behave
    contact: str = ""
    robots: bool = True
    nofollow: bool = True
    delay: Seconds = 1.0
    max_delay: Seconds = 60.0
    workers: Annotated[int, Meta(ge=0, le=MOST_WORKERS)] = 0
    tries: Positive = 3
    retry_delay: Seconds = 10.0

    # How to fetch
    connect_timeout: Timeout = 10.0
    read_timeout: Timeout = 20.0
    total_timeout: Timeout = 60.0
    max_bytes: Positive = MAX_BYTES
    oversize: Literal["cut", "drop"] = "cut"
    max_redirects: NonNegative = 5
    allow_private: bool = False
    proxy: str = ""
    replay: tuple[str, ...] = ()

    @property
    def data(self) -> DataReading:
        """How RDF is treated."""
        from semcrawl.page.rdf_document import DataReading

        return DataReading(self.linked_data, self.data_links, self.data_dumps)

    @property
    def is_maintenance(self) -> bool:
        """Whether nothing but revisits is made."""
        return self.revisit_share >= 1.0

    @property
    def obeys_nofollow(self) -> bool:
        """Whether nofollow counts; in a recording nobody is asked, so that it does not."""
        return self.nofollow and not self.replay

    @property
    def worker_count(self) -> int:
        """How many visits are made at a time."""
        return self.workers or (1 if self.replay else 16)


def load_settings(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a TOML file: settings, and ``topic``, ``language``, ``seeds``; ConfigError if wrong."""
    unread = os_errors(ConfigError, f"cannot read the settings file {path}")
    with unread, told_as(ConfigError, f"{path} is no TOML", ValueError, RecursionError):
        values = tomllib.loads(checked_toml(regular(path).read_text(encoding="utf-8-sig")))
    job: dict[str, Any] = {k: values.pop(k) for k in ("topic", "language", "seeds") if k in values}
    if not isinstance(job.get("topic", ""), str):
        raise ConfigError(f"{path}: topic must be a string such as 'wordnet:asthma'")
    languages = job.get("language", [])
    if not isinstance(languages, str) and not _are_texts(languages):
        raise ConfigError(f"{path}: language must be a tag such as 'fr', or a list of tags")
    seeds = job.get("seeds", [])
    if not _are_texts(seeds):
        raise ConfigError(f"{path}: seeds must be a list of URLs")
    Settings.build(values, str(path))
    return values, job


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


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


class Scope:
    """URLs that match some pattern of ``include`` (where there are any) and none of ``exclude``.

    ``*`` stands for any text and ``?`` for one character of the whole canonical URL.

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
