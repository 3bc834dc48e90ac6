"""The ``semcrawl`` command: how it ends, whatever happens.

The commands are imported when the command runs, so that an interrupt during
the import ends it without a traceback.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    import click

    from semcrawl.cli.commands import cli

__all__ = ["cli", "main"]

INTERRUPTED = 130


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from semcrawl.cli.commands import cli

    return cli


def main() -> None:
    """Run the command; an error is one line, with exit code 2 for misuse and 1 for failure."""
    # Some packages swallow an interrupt while they are imported; nothing is at stake yet.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    import click

    from semcrawl.cli.commands import ReaderGoneError, cli
    from semcrawl.errors import SemcrawlError

    signal.signal(signal.SIGINT, before)
    try:
        # Click's own number for an end that is no error comes back as a value.
        sys.exit(cli.main(standalone_mode=False, prog_name="semcrawl") or 0)
    except click.ClickException as error:
        _misuse(error)
    except click.Abort:
        _end(INTERRUPTED)
    except SemcrawlError as error:
        _fail(str(error), error.exit_code)
    except ReaderGoneError:
        # What is still buffered has nowhere to go; let the end of the process not trip over it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(f"{error.strerror or error}: {error.filename or 'check the disk'}", 1)


def _misuse(error: click.ClickException) -> NoReturn:
    import click

    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        error.show()
        sys.exit(2)
    context = getattr(error, "ctx", None)
    hint = f"; see '{context.command_path} --help'" if context else ""
    _fail(error.format_message().rstrip(".") + hint, 2)


def _fail(message: str, code: int) -> NoReturn:
    from semcrawl.cli.screen import one_line

    sys.stderr.write(f"semcrawl: error: {one_line(message)}\n")
    sys.exit(code)


def _end(code: int) -> NoReturn:
    """End now: threads may still wait for servers, and the graph is safe at any moment."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
