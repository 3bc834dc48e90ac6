"""Checking given values against a type, saying which one does not fit, what it is, and what it takes."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

import msgspec

from semcrawl.resources import facts_beside

T = TypeVar("T", bound=msgspec.Struct)

_NAME = re.compile(r" - at `\$\.([\w-]+)(?:\[[^`]*)?`|missing required field `(.+?)`")
_LONGEST = 80  # characters that are shown of a value


def hint_for(name: str, names: Iterable[str], listed: str = "") -> str:
    """What somebody may have meant by an unknown name; ``listed``: what is said in place of all names.

    >>> hint_for("titel", ["title", "about"]), hint_for("x", ["title", "about"])
    ("did you mean 'title'?", 'there are: title, about')
    """
    known = list(names)
    if near := get_close_matches(name, known, n=1):
        return f"did you mean {near[0]!r}?"
    return listed or (f"there are: {', '.join(known)}" if known else "there is none")


def checked_values(values: Any, kind: type[T], what: str = "key", listed: str = "") -> T:
    """Return a struct of a table of values, each of which is called ``what``; ValueError says what does not fit.

    >>> from typing import Annotated
    >>> class Job(msgspec.Struct):
    ...     share: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    >>> checked_values({"share": 7}, Job)
    Traceback (most recent call last):
    ValueError: share is 7: it takes a number, 0 or more and at most 1
    """
    if not isinstance(values, dict):
        raise ValueError("it must be a table of names and values")
    known = kind.__struct_encode_fields__
    if unknown := [str(name) for name in values if name not in known]:
        raise ValueError(f"there is no {what} {unknown[0]!r}; {hint_for(unknown[0], known, listed)}")
    try:
        return msgspec.convert(values, type=kind)
    except msgspec.ValidationError as error:
        found = _NAME.search(str(error))
        name, missing = found.groups() if found else (None, None)
        if name is None:
            raise ValueError(f"{missing} is missing" if missing else str(error)) from error
        takes = _taken(msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"][name])
        given = repr(values[name])
        given = given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…"
        raise ValueError(f"{name} is {given}: it takes {takes}") from error


def _taken(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(filter(None, map(_taken, schema["anyOf"])))
    if "enum" in schema:
        return f"one of {', '.join(map(repr, schema['enum']))}"
    said = facts_beside(__file__, "checked_values.toml")
    limits = " and ".join(words.format(schema[one]) for one, words in said["limits"].items() if one in schema)
    text = said["kinds"][schema.get("type", "object")] + (f", {limits}" if limits else "")
    return f"{text} (each {_taken(schema['items'])})" if schema.get("items") else text
