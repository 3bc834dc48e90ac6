"""The arguments and options of the commands, declared in the files beside their modules.

Options of settings and trainings are made from the declarations of these: what they mean, and the
limits of trainings, are in files beside them. There the ``extra`` of a field has the name of a
flag that turns off what is on by default (``off``), or words for numbers (``words``, ``least``).
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import click
import msgspec

from semcrawl.errors import ConfigError, os_errors
from semcrawl.models.training_options import TrainingOptions, field_metas
from semcrawl.resources import facts_beside

if TYPE_CHECKING:
    from semcrawl.crawl.settings import StoredSettings


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class _CrawlPlace(click.Path):
    """The folder of a crawl, or the address of a SPARQL server, which is no path."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from semcrawl.graph.snapshots import is_address

        return value if is_address(value) else super().convert(value, param, ctx)


_TYPES: dict[str, Any] = {
    "place": _CrawlPlace(path_type=Path),
    "float": float,
    "path": click.Path(path_type=Path),
    "file": click.Path(path_type=Path, dir_okay=False),
    "folder": click.Path(path_type=Path, file_okay=False),
    "name": click.Path(),
    "present file": click.Path(path_type=Path, dir_okay=False, exists=True),
    "present folder": click.Path(file_okay=False, exists=True),
}


def parameters(command: str, **callbacks: Callable[..., Any]) -> Decorator:
    """Give a command the arguments and options that the file beside its module declares.

    What the file says ``more`` of the command follows its docstring in the help. An option of
    ``callbacks`` only calls the function, before the others are looked at.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        declared = _declared(function.__module__.rpartition(".")[2])
        own = dict(declared[command])
        function.__doc__ = f"{function.__doc__ or ''}\n\n{own.pop('more', '')}"
        if "folder" in own:
            function = _of_folder(function)
        known = [_declared("options"), declared.get("shared", {}), own]
        for key in reversed(own):
            facts: dict[str, Any] = {}
            for rows in known:
                facts |= rows.get(key, {})
            if call := callbacks.get(key.strip("-")):
                facts |= {"callback": call, "is_eager": True, "expose_value": False}
            function = _parameter(key, facts)(function)
        return function

    return decorate


def _of_folder(function: Callable[..., Any]) -> Callable[..., Any]:
    """The command, where values in the folder's graph that no crawl writes are told of."""

    @wraps(function)
    def command(folder: Path, **given: Any) -> Any:
        try:
            return function(folder=folder, **given)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            from semcrawl.crawl.shards.reading import read_crawl

            # What was read is shown after the graph is closed, so that it is asked once more.
            with read_crawl(folder):
                raise

    return command


@cache
def _declared(module: str) -> dict[str, Any]:
    return facts_beside(__file__, f"{module}.toml")


def _parameter(key: str, facts: dict[str, Any]) -> Decorator:
    if limits := facts.pop("range", None):
        numbers = click.FloatRange if isinstance(limits[0], float) else click.IntRange
        least, most = (*limits, None)[:2]
        facts["type"] = numbers(least, most, min_open=facts.pop("above", False))
    elif kind := facts.get("type"):
        facts["type"] = click.Choice(kind) if isinstance(kind, list) else _TYPES[kind]
    if not key.startswith("-"):
        return click.argument(key, **facts)
    names = [*key.split(), *filter(None, [facts.pop("name", "")])]
    shown = facts.get("default") not in (None, "") and "[default" not in facts["help"]
    return click.option(*names, show_default=shown, **facts)


def write_text(path: Path, text: str) -> None:
    """Write a file that was asked for; ConfigError where it cannot be written."""
    with os_errors(ConfigError, f"cannot write {path}", "; choose another"):
        path.write_text(text, encoding="utf-8")


Declared = TypeVar("Declared", bound=msgspec.Struct)


def options_of(declared: "type[StoredSettings | TrainingOptions]", names: Collection[str] | None = None) -> Decorator:
    """Give a command an option for every field of a declaration, or for those of these names.

    One of settings that is not given is None. Those of a training are checked by click, which fills in the default.
    """
    hints = get_type_hints(declared, include_extras=True)
    make: Any
    said: Mapping[str, Any]
    if issubclass(declared, TrainingOptions):
        make, said = _checked_option, {name: meta.description and meta for name, meta in field_metas(declared).items()}
    else:
        make, said = _option, declared.texts()

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for field in reversed(msgspec.structs.fields(declared)):
            if said[field.name] and (names is None or field.name in names):
                command = make(field.name, field.default, _bare(hints[field.name]), said[field.name])(command)
        return command

    return decorate


class SettingsCommand(click.Command):
    """A command whose help lists settings in groups, behind its own options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of each group below its title."""
        from semcrawl.crawl.settings import Settings
        from semcrawl.crawl.sites.settings import SiteSettings

        known = (group for kind in (Settings, SiteSettings) for group in kind.groups().items())
        titles = {name: title for title, texts in known for name in texts}
        groups: dict[str, list[tuple[str, str]]] = {}
        goes_on = any(isinstance(one, click.Argument) and one.name == "folder" for one in self.params)
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (row := option.get_help_record(ctx)):
                title = titles.get(option.name or "", "Options")
                # Where a crawl goes on, its own settings are what holds, and no default.
                text = re.sub(r"\s*\[default: [^]]*\]", "", row[1]) if goes_on and option.name in titles else row[1]
                groups.setdefault(title, []).append((row[0].ljust(30), text))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)


def chosen(declared: type[Declared], options: Mapping[str, Any]) -> Declared:
    """Make a declaration of the options that a command was given; may raise ConfigError."""
    return declared(**{name: options[name] for name in declared.__struct_fields__ if name in options})


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given on the command line, by their names."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def _option(name: str, default: Any, kind: Any, text: str) -> Any:
    flag = "--" + name.replace("_", "-")
    shown = "" if "[default" in text or default in ((), "") else f"  [default: {default}]"
    if kind is bool:
        shown = f"  [default: {'yes' if default else 'no'}]"
        return click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=text + shown)
    if get_origin(kind) is tuple:
        return click.option(flag, multiple=True, metavar="TEXT", help=text + "; may be repeated")
    return click.option(flag, type=_type(kind), help=text + shown)


def _checked_option(name: str, default: Any, kind: Any, meta: msgspec.Meta) -> Any:
    flag = "--" + name.replace("_", "-")
    text, extra = meta.description or "", meta.extra or {}
    if kind is bool:
        switch = f"--{extra['off']}" if default else flag
        return click.option(switch, name, is_flag=True, flag_value=not default, default=default, help=text)
    if get_origin(kind) is tuple:
        return click.option(flag, name, multiple=True, help=text)
    shown = default not in (None, "") and "[default" not in text
    checks = _NumberOrWord(extra["words"], extra["least"]) if "words" in extra else _type(kind, meta)
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


def _type(kind: Any, meta: msgspec.Meta | None = None) -> Any:
    """Click's type for a plain type, within the limits of its field."""
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    limits: dict[str, Any] = {}
    if meta is not None:
        for side, closed, opened in (("min", meta.ge, meta.gt), ("max", meta.le, meta.lt)):
            if closed is not None or opened is not None:
                limits[side] = opened if closed is None else closed
                limits[f"{side}_open"] = closed is None
    ranges: dict[Any, Any] = {int: click.IntRange, float: click.FloatRange}
    return ranges[kind](**limits) if limits and kind in ranges else kind


def _bare(hint: Any) -> Any:
    """The plain type below annotations and ``| None``."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    members = [member for member in get_args(hint) if member is not type(None)]
    return _bare(members[0]) if type(None) in get_args(hint) and members else hint
