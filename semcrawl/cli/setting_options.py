"""Command-line options for all settings, made from the settings themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

import click
import msgspec

from semcrawl.crawl.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def setting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command an option for every setting; what is not given stays None."""
    return options_of(Settings)(command)


def options_of(
    settings: type[msgspec.Struct], names: Collection[str] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command an option for every setting of a kind, or for those of these names."""
    hints = get_type_hints(settings, include_extras=True)

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for field in reversed(msgspec.structs.fields(settings)):
            if names is None or field.name in names:
                hint = hints[field.name]
                text = next(m.description for m in hint.__metadata__ if m.description)
                command = _option(field, hint, text)(command)
        return command

    return decorate


def given_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Take the settings that were given out of a command's options.

    Raises:
        ConfigError: a value that the setting cannot have.
    """
    names = Settings.__struct_fields__
    given = {
        name: value
        for name in names
        if (value := options.pop(name, None)) is not None and value != ()
    }
    Settings.build(given, "the command line")
    return given


def _option(field: msgspec.structs.FieldInfo, hint: Any, text: str) -> Any:
    flag = "--" + field.name.replace("_", "-")
    kind = _bare(hint)
    plain = "[default" in text or field.default in ((), "")
    shown = "" if plain else f"  [default: {field.default}]"
    if kind is bool:
        shown = f"  [default: {'yes' if field.default else 'no'}]"
        return click.option(f"{flag}/--no-{flag[2:]}", field.name, default=None, help=text + shown)
    if get_origin(kind) is Literal:
        return click.option(flag, type=click.Choice(get_args(kind)), help=text + shown)
    if get_origin(kind) is tuple:
        return click.option(flag, multiple=True, metavar="TEXT", help=text + "; may be repeated")
    return click.option(flag, type=kind, help=text + shown)


def _bare(hint: Any) -> Any:
    """The plain type below annotations and ``| None``."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    members = [member for member in get_args(hint) if member is not type(None)]
    if type(None) in get_args(hint) and members:
        return _bare(members[0])
    return hint
