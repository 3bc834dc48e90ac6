"""All settings of a crawl: one table for the TOML file, the command line and Python."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from semcrawl.errors import ConfigError
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
    """Settings that are stored with the crawl; the text of a field is its option's help."""

    def to_json(self) -> str:
        """Return all settings as JSON."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote; ConfigError for settings of another version."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.MsgspecError as error:
            raise ConfigError(f"the stored settings do not fit this version: {error}") from error

    @classmethod
    def build(cls, values: dict[str, Any], source: str = "the settings") -> Self:
        """Make settings of a table of names and values.

        A path may be a Path, and one value stand for a list of one.

        Raises:
            ConfigError: an unknown name or a value of the wrong kind, naming ``source``.
        """
        for name in values:
            if name not in cls.__struct_fields__:
                near = get_close_matches(name, cls.__struct_fields__, n=1)
                hint = f"did you mean {near[0]!r}?" if near else "see 'semcrawl crawl --help'"
                raise ConfigError(f"{source}: there is no setting {name!r}; {hint}")
        defaults = {field.name: field.default for field in msgspec.structs.fields(cls)}
        plain = {name: _plain(value, defaults[name]) for name, value in values.items()}
        try:
            return msgspec.convert(plain, type=cls)
        except msgspec.ValidationError as error:
            raise ConfigError(f"{source}: {error}".replace(" - at `$.", " at `")) from error

    def changed(self, values: dict[str, Any], source: str = "the settings") -> Self:
        """Return these settings with some others in place."""
        return self.build({**msgspec.structs.asdict(self), **values}, source)


def _plain(value: Any, default: Any) -> Any:
    text = str(value) if isinstance(value, Path) else value
    return [text] if isinstance(text, str) and isinstance(default, tuple) else text


class Settings(StoredSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a crawl is run. Every field has a default that is safe on the open web."""

    # What to follow and how to judge
    strategy: Annotated[str, "crawler that ranks the links"] = "adaptive"
    judge: Annotated[str, "what gives a fetched page its relevance"] = "adaptive"
    threshold: Annotated[
        Share | None, "relevance from which a page counts as relevant [default: the judge's]"
    ] = None
    background: Annotated[
        str, "idf table, or a recorded web to take it from [default: shipped]"
    ] = ""
    sketches: Annotated[bool, "note with each page what near duplicates are found by"] = True
    linked_data: Annotated[
        Literal["off", "embedded", "follow", "only"],
        "RDF: none; what HTML pages embed; RDF documents as pages, too; these only",
    ] = "follow"
    data_links: Annotated[
        tuple[Literal["objects", "subjects", "predicates", "classes"], ...],
        "IRIs of RDF documents that are links: objects, subjects, predicates or classes "
        "[default: objects]",
    ] = ("objects",)
    data_dumps: Annotated[bool, "follow links to files with all of a dataset"] = False

    link_lists: Annotated[
        Literal["off", "seeds", "all"],
        "sitemaps and feeds that are asked for links: none, those of the seeds' sites, of all",
    ] = "seeds"

    # What to keep
    warc: Annotated[bool, "keep what is fetched, in WARC files"] = False
    warc_all: Annotated[bool, "keep failures, other types of files and robots.txt, too"] = False
    warc_size: Annotated[
        int, Meta(ge=1_000_000), "bytes from which on another WARC file is begun"
    ] = 1_000_000_000

    mirror: Annotated[str, "SPARQL server that follows the graph, by its address for updates"] = ""

    # When to stop
    pages: Annotated[NonNegative, "stop after so many pages (0: no limit)"] = 1000
    relevant: Annotated[NonNegative, "stop after so many relevant pages (0: no limit)"] = 0
    seconds: Annotated[Seconds, "stop after so many seconds (0: no limit)"] = 0

    # Where to go
    include: Annotated[tuple[str, ...], "only URLs that match one of these patterns (* and ?)"] = ()
    exclude: Annotated[tuple[str, ...], "no URLs that match one of these patterns (* and ?)"] = ()
    depth: Annotated[NonNegative, "at most so many links away from a seed (0: no limit)"] = 0
    pages_per_host: Annotated[
        NonNegative, "at most so many pages from one host, failures counted too (0: no limit)"
    ] = 10_000
    frontier_size: Annotated[Positive, "how many URLs wait at most; the best are kept"] = 70_000
    rotation: Annotated[
        NonNegative, "so many other picks between two picks of one host (0: as the strategy says)"
    ] = 0

    # What steers it beside the strategy
    policy: Annotated[
        tuple[str, ...], "policy that revises the frontier: a name, a file .rq, or none"
    ] = ()
    policy_seconds: Annotated[Timeout, "time that one run of a policy may take, in s"] = 60.0
    policy_share: Annotated[
        Share, "share of the crawl's CPU for policies and distiller (not in a replay)"
    ] = 0.05
    distill_every: Annotated[
        NonNegative, "find hubs and authorities every so many pages [default: if needed]"
    ] = 0
    distill_share: Annotated[PositiveShare, "share of the pages that can be authorities"] = 0.15
    distill_across: Annotated[
        Literal["hosts", "pages"], "links that count: those between hosts, or all between pages"
    ] = "hosts"
    revisit_share: Annotated[
        Share, "share of the visits for revisits (1: nothing else is visited)"
    ] = 0.1
    alarm_window: Annotated[NonNegative, "latest pages that alarms look at (0: no alarms)"] = 100
    stagnation: Annotated[Share, "raise an alarm when a smaller share of them is relevant"] = 0.05
    slowdown: Annotated[
        Share, "raise an alarm when pages come at less than this times their best rate"
    ] = 0.1
    diffusion: Annotated[
        Share, "raise an alarm when mean relevance falls below this times its best"
    ] = 0.5

    # How to behave
    contact: Annotated[str, "URL or e-mail address that the user agent tells to servers"] = ""
    robots: Annotated[bool, "obey robots.txt"] = True
    nofollow: Annotated[bool, "obey nofollow on links and pages"] = True
    delay: Annotated[Seconds, "least time between two requests to a host"] = 1.0
    max_delay: Annotated[Seconds, "most time that a host can ask to wait"] = 60.0
    workers: Annotated[
        int, Meta(ge=0, le=MOST_WORKERS), "visits at a time [default: 16, in a replay 1]"
    ] = 0
    tries: Annotated[Positive, "how often a URL is tried when it fails"] = 3
    retry_delay: Annotated[Seconds, "wait before the second try; doubled for each one after"] = 10.0

    # How to fetch
    connect_timeout: Annotated[Timeout, "time to connect, in s"] = 10.0
    read_timeout: Annotated[Timeout, "time between bytes, in s"] = 20.0
    total_timeout: Annotated[Timeout, "time for a whole answer, in s"] = 60.0
    max_bytes: Annotated[Positive, "how much of a page is read"] = MAX_BYTES
    oversize: Annotated[Literal["cut", "drop"], "what is done with larger pages"] = "cut"
    max_redirects: Annotated[NonNegative, "how many redirects in a row are followed"] = 5
    allow_private: Annotated[bool, "allow loopback, private and other reserved addresses"] = False
    proxy: Annotated[str, "HTTP proxy, such as http://127.0.0.1:3128"] = ""
    replay: Annotated[tuple[str, ...], "recorded web that answers instead of the network"] = ()

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
    """Read a TOML file: its settings, and beside them ``topic``, ``language`` and ``seeds``.

    Raises:
        ConfigError: no such file, malformed TOML, an unknown key or a wrong value.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the settings file {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no TOML: {error}") from error
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
