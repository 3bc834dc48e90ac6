"""What a crawl folder may say: all of it in one's own, in a stranger's nothing that reaches out.

Stored settings name code, files, a proxy, private addresses and manners. In a folder that this
user did not make here they are obeyed only if named again, or if the user says ``trust``.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from semcrawl.crawl.settings import Settings
from semcrawl.errors import ConfigError, UntrustedError, told_as
from semcrawl.graph import CrawlGraph
from semcrawl.registry import names_code, names_file
from semcrawl.resources import checked_toml, facts_beside

_NAMES: dict[str, list[str]] = facts_beside(__file__, "trust.toml")
VIEW, FETCHING = _NAMES["view"], _NAMES["fetching"]
EVERYTHING = [name for names in _NAMES.values() for name in names]
"""What a crawl that goes on obeys, and that a stranger's folder must not say by itself."""

_DEFAULTS = msgspec.structs.asdict(Settings(workers=Settings().worker_count))


class _SiteParts(msgspec.Struct):
    model: str = ""
    lens: str = ""


class _TopicParts(msgspec.Struct):
    concepts: list[str] | dict[str, float] = []


def require_trust(graph: CrawlGraph, names: Collection[str] = EVERYTHING, named: Collection[str] = ()) -> None:
    """Raise UntrustedError if a stranger's folder says what it must not.

    ``names`` are what is about to be obeyed, ``named`` those that the user has given anew.
    A graph with ``runs_code`` False must not name code in any folder.
    """
    asked = {name: value for name, value in _stored(graph).items() if name in names}
    for name, value in asked.items():
        if not graph.runs_code and isinstance(value, str) and names_code(value):
            raise UntrustedError(
                f"the {name} of this crawl is code in a file, which is not run here: "
                "use the command line, 'semcrawl explain'"
            )
    refused = [name for name, value in asked.items() if name not in named and _reaches(name, value)]
    if refused and not graph.is_trusted:
        said = ", ".join(f"{name} {_shown(asked[name])}" for name in refused)
        raise UntrustedError(
            f"{graph.place} was not made by you on this machine, so what it says is not obeyed: "
            f"{said}; give these yourself, or say --trust if you trust whoever made it"
        )


def _stored(graph: CrawlGraph) -> dict[str, Any]:
    about = graph.describe()
    values = msgspec.structs.asdict(Settings.from_json(about.settings))
    row = next(iter(graph.query("sites/site-settings")), None)
    wrong = "the stored settings do not fit this version"
    with told_as(ConfigError, wrong, ValueError, RecursionError):
        if row is not None:
            values |= msgspec.structs.asdict(msgspec.json.decode(row["settings"], type=_SiteParts))
        topic = msgspec.toml.decode(checked_toml(about.topic), type=_TopicParts)
    return values | {"topic": [one for one in topic.concepts if not one.startswith("wordnet:")]}


def _reaches(name: str, value: Any) -> bool:
    """Whether a setting leads to code, files or addresses, or is less careful than the default."""
    if name == "policy":
        return any(spec.partition(":")[0].endswith(".rq") or names_file(spec) for spec in value)
    if name in ("judge", "strategy", "lens"):
        return names_file(value)
    if name in _NAMES["at_least"]:
        return bool(value < _DEFAULTS[name])
    if name in _NAMES["at_most"]:
        return bool(value > _DEFAULTS[name]) or (name == "pages_per_host" and not value)
    return bool(value)


def _shown(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list | tuple) else str(value)
    return repr(text if len(text) <= 100 else text[:99] + "…")
