"""The ``semcrawl`` command: its commands, each imported when it is used, and how it ends."""

import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NoReturn

import click

from semcrawl.errors import SemcrawlError
from semcrawl.garbage_collection import no_garbage_collection
from semcrawl.resources import facts_beside

_GROUPS: dict[str, dict[str, tuple[str, str]]] = facts_beside(__file__, "commands.toml")
_OTHER_WORDS: dict[str, Any] = _GROUPS.pop("other_words")
_NUMBERS = {"integer": "is no whole number", "float": "is no number, such as 0.5"}
_NO_NUMBER = re.compile("is not a valid (integer|float)( range)?")  # click's words

COMMANDS = {name: facts for group in _GROUPS.values() for name, facts in group.items()}
"""By name, in the order of use: the module in semcrawl.cli, and the first sentence of the help."""


class _ReaderGoneError(Exception):
    """Whoever read our output has gone, as in ``semcrawl query … | head``."""


class _Commands(click.Group):
    """The group of COMMANDS, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        with _killed_by_interrupts(), no_garbage_collection():
            found = getattr(import_module(f"semcrawl.cli.{module}"), cmd_name.replace("-", "_"))
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        column = max(map(len, COMMANDS)) + 2
        for title, commands in _GROUPS.items():
            with formatter.section(title):
                rows = [(name.ljust(column), summary) for name, (_, summary) in commands.items()]
                formatter.write_dl(rows, col_spacing=0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # Click would make this a failure; a reader that has seen enough is none.
            raise _ReaderGoneError from error


@contextmanager
def _killed_by_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the process during imports: some packages swallow the exception."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="semcrawl", prog_name="semcrawl")
@click.pass_context
def cli(context: click.Context) -> None:
    """Name a topic, and get back the part of the web that is about it, as an RDF graph.

    \b
    Try it without internet:   semcrawl demo
    Find a topic:              semcrawl topic wordnet:bank
    Crawl:                     semcrawl crawl wordnet:asthma --seed http://example.org/
    See what it found:         semcrawl query asthma best-pages; semcrawl serve asthma
    Hand it on:                semcrawl export asthma -o asthma.ttl
    """
    from semcrawl.cli.progress import ReadingProgress
    from semcrawl.progress import listening

    context.with_resource(listening(ReadingProgress()))


def main() -> None:
    """Run the command; an error is one line, with exit code 2 for misuse and 1 for failure."""
    warnings.formatwarning = lambda message, *_, **__: f"warning: {message}\n"
    try:
        # Click's own number for an end that is no error comes back as a value.
        sys.exit(cli.main(standalone_mode=False, prog_name="semcrawl") or 0)
    except click.ClickException as error:
        _misuse(error)
    except click.Abort:
        # At once: threads may still wait for servers, and the graph is safe at any moment.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(130)
    except SemcrawlError as error:
        _fail(str(error), error.exit_code)
    except _ReaderGoneError:
        # What is still buffered has nowhere to go; let the end of the process not trip over it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(f"{error.strerror or error}: {error.filename or 'check the disk'}", 1)


def _misuse(error: click.ClickException) -> NoReturn:
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        error.show()
        sys.exit(2)
    from difflib import get_close_matches

    context = getattr(error, "ctx", None)
    hint = f"; see '{context.command_path} --help'" if context else ""
    message = _NO_NUMBER.sub(lambda found: _NUMBERS[found[1]], error.format_message()).rstrip(".")
    name = message.partition("No such command '")[2].partition("'")[0]
    if context and name:
        message = f"No such command '{name}'"  # without what newer versions of click guess
        known = context.command.list_commands(context)
        meant = [_OTHER_WORDS[name]] if known == [*COMMANDS] and name in _OTHER_WORDS else []
        if near := meant or get_close_matches(name, known, 1, 0.7):
            hint = f"; did you mean '{near[0]}'?{hint[1:]}"
        elif known != [*COMMANDS]:
            hint = f"; there are {', '.join(known)}{hint}"
    _fail(message + hint, 2)


def _fail(message: str, code: int) -> NoReturn:
    from semcrawl.cli.screen import one_line

    sys.stderr.write(f"semcrawl: error: {one_line(message)}\n")
    sys.exit(code)
