"""Checking given values against a type, saying which one does not fit, what it is, and what it takes."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T", bound=msgspec.Struct)

_NAME = re.compile(r" - at `\$\.([\w-]+)|missing required field `(.+?)`")
_LONGEST = 80  # characters that are shown of a value
_PLAIN = {inspect.StrType: "a text", inspect.BoolType: "true or false"}


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
        raise ValueError(_problem(str(error), values, kind)) from error


def _problem(said: str, values: dict[str, Any], kind: type[msgspec.Struct]) -> str:
    found, info = _NAME.search(said), inspect.type_info(kind)
    if found is None or not isinstance(info, inspect.StructType):
        return said
    name, missing = found.groups()
    if missing:
        return f"{missing} is missing"
    [takes] = [_taken(field.type) for field in info.fields if field.encode_name == name]
    given = repr(values[name])
    return f"{name} is {given if len(given) <= _LONGEST else given[:_LONGEST] + '…'}: it takes {takes}"


def _taken(kind: inspect.Type) -> str:
    most = getattr(kind, "max_length", None)
    match kind:
        case inspect.Metadata():
            text = _taken(kind.type)
        case inspect.UnionType():
            text = " or ".join(_taken(one) for one in kind.types if not isinstance(one, inspect.NoneType))
        case inspect.LiteralType():
            text = f"one of {', '.join(map(repr, kind.values))}"
        case inspect.IntType() | inspect.FloatType():
            limits = zip(("{} or more", "more than {}", "at most {}"), (kind.ge, kind.gt, kind.le), strict=True)
            bounds = " and ".join(words.format(f"{limit:,.10g}") for words, limit in limits if limit is not None)
            text = f"{'a whole number' if isinstance(kind, inspect.IntType) else 'a number'}{bounds and f', {bounds}'}"
        case inspect.ListType() | inspect.VarTupleType():
            text = f"a list{f' of at most {most:,}' if most else ''} (each {_taken(kind.item_type)})"
        case inspect.DictType():
            text = f"a table (each value {_taken(kind.value_type)})"
        case _:
            text = _PLAIN.get(type(kind), "a table") + (f" of at most {most:,} characters" if most else "")
    return text
