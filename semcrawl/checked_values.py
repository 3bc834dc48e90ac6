"""Checking given values against a type, saying which one does not fit, what it is, and what it takes."""

import re
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")

_NAME = re.compile(r" - at `\$\.([\w-]+)|Object (missing required|contains unknown) field `(.+?)`")
_LONGEST = 80  # characters that are shown of a value
_PLAIN = {inspect.StrType: "a text", inspect.BoolType: "true or false"}


def checked_values(values: Any, kind: type[T]) -> T:
    """Return a struct of a table of values; ValueError says what does not fit.

    >>> from typing import Annotated
    >>> class Job(msgspec.Struct):
    ...     share: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    >>> checked_values({"share": 7}, Job)
    Traceback (most recent call last):
    ValueError: share is 7: it takes a number, 0 or more and at most 1
    """
    try:
        return msgspec.convert(values, type=kind)
    except msgspec.ValidationError as error:
        raise ValueError(_problem(str(error), values, kind)) from error


def _problem(said: str, values: Any, kind: type[Any]) -> str:
    info, found = inspect.type_info(kind), _NAME.search(said)
    if found is None or not isinstance(info, inspect.StructType):
        return "it is no table of names and values"
    name, problem, other = found.groups()
    if problem:
        return f"{other} is missing" if problem.startswith("missing") else f"{other} is unknown"
    [takes] = [_taken(field.type) for field in info.fields if field.encode_name == name]
    given = repr(values[name])
    return f"{name} is {given if len(given) <= _LONGEST else given[:_LONGEST] + '…'}: it takes {takes}"


def _taken(kind: inspect.Type) -> str:
    most = getattr(kind, "max_length", None)
    match kind:
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
