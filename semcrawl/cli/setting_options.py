"""Command-line options made from declared settings, a msgspec Struct.

Fields with a text, or a ``Meta`` description, are options: ``Annotated[int, Meta(ge=1), "…"] = 3``.
The ``Meta`` of options of trainings are in a file beside them.
The ``extra`` of a ``Meta`` has the name of a flag that turns off what is on by default
(``off``), or words that stand for a number (``words``, with ``least``).
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import click
import msgspec

from semcrawl.cli.options import Decorator
from semcrawl.models.training_options import TrainingOptions, field_metas

Declared = TypeVar("Declared", bound=msgspec.Struct)


def options_of(
    declared: type[msgspec.Struct], names: Collection[str] | None = None, *, checked: bool = False
) -> Decorator:
    """Give a command an option for every field of a declaration, or for those of these names.

    One that is not given is None; with ``checked``, click checks it and fills in the default.
    """
    hints = get_type_hints(declared, include_extras=True)
    defaults = {field.name: field.default for field in msgspec.structs.fields(declared)}
    metas_of = field_metas(declared) if issubclass(declared, TrainingOptions) else {}
    make = _checked_option if checked else _option

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(defaults):
            notes = [metas_of[name]] if metas_of else list(_annotations(hints[name]))
            metas = [note for note in notes if isinstance(note, msgspec.Meta)]
            texts = (note if isinstance(note, str) else note.description for note in notes)
            text = next(filter(None, texts), None)
            if text and (names is None or name in names):
                command = make(name, defaults[name], _bare(hints[name]), text, metas)(command)
        return command

    return decorate


def chosen(declared: type[Declared], options: Mapping[str, Any]) -> Declared:
    """Make a declaration of the options that a command was given; may raise ConfigError."""
    names = declared.__struct_fields__
    return declared(**{name: options[name] for name in names if name in options})


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given on the command line, by their names."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def _option(name: str, default: Any, kind: Any, text: str, _: list[msgspec.Meta]) -> Any:
    flag = "--" + name.replace("_", "-")
    plain = "[default" in text or default in ((), "")
    shown = "" if plain else f"  [default: {default}]"
    if kind is bool:
        shown = f"  [default: {'yes' if default else 'no'}]"
        return click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=text + shown)
    if get_origin(kind) is tuple:
        return click.option(flag, multiple=True, metavar="TEXT", help=text + "; may be repeated")
    return click.option(flag, type=_type(kind, []), help=text + shown)


def _checked_option(
    name: str, default: Any, kind: Any, text: str, metas: list[msgspec.Meta]
) -> Any:
    flag = "--" + name.replace("_", "-")
    extra = {key: value for meta in metas for key, value in (meta.extra or {}).items()}
    if kind is bool:
        switch = f"--{extra['off']}" if default else flag
        return click.option(
            switch, name, is_flag=True, flag_value=not default, default=default, help=text
        )
    if get_origin(kind) is tuple:
        return click.option(flag, name, multiple=True, help=text)
    shown = default not in (None, "") and "[default" not in text
    is_worded = "words" in extra
    checks = _NumberOrWord(extra["words"], extra["least"]) if is_worded else _type(kind, metas)
    return click.option(flag, name, type=checks, default=default, show_default=shown, help=text)


class _NumberOrWord(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number from ``least`` on, or a word that stands for one."""

    def __init__(self, words: Mapping[str, int], least: int) -> None:
        self._words = words
        self._least = least
        self.name = f"number or {' or '.join(words)}"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if value in self._words:
            return self._words[value]
        if str(value).isdecimal() and int(value) >= self._least:
            return int(value)
        words = " nor ".join(self._words)
        least = f"a number of {self._least} or more"
        return self.fail(f"{value!r} is neither {words} nor {least}", param, ctx)


def _type(kind: Any, metas: list[msgspec.Meta]) -> Any:
    """Click's type for a plain type, within the limits of its annotations."""
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    limits: dict[str, Any] = {}
    for meta in metas:
        for side, closed, opened in (("min", meta.ge, meta.gt), ("max", meta.le, meta.lt)):
            if closed is not None or opened is not None:
                limits[side] = opened if closed is None else closed
                limits[f"{side}_open"] = closed is None
    ranges: dict[Any, Any] = {int: click.IntRange, float: click.FloatRange}
    return ranges[kind](**limits) if limits and kind in ranges else kind


def _annotations(hint: Any) -> Iterator[msgspec.Meta | str]:
    """The annotations of a type, those below ``| None`` too."""
    if get_origin(hint) is Annotated:
        yield from hint.__metadata__
        yield from _annotations(get_args(hint)[0])
    elif type(None) in get_args(hint):
        yield from (note for member in get_args(hint) for note in _annotations(member))


def _bare(hint: Any) -> Any:
    """The plain type below annotations and ``| None``."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    members = [member for member in get_args(hint) if member is not type(None)]
    if type(None) in get_args(hint) and members:
        return _bare(members[0])
    return hint
