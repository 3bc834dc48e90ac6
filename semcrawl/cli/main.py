"""The ``semcrawl`` command: how it ends, whatever happens.

The commands are imported when the command runs, so that an interrupt during
the import ends it without a traceback.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, NoReturn

import click

from semcrawl.cli.crawl import crawl, resume, revisit
from semcrawl.cli.demo import demo
from semcrawl.cli.distill import distill
from semcrawl.cli.explain import explain
from semcrawl.cli.export import export
from semcrawl.cli.lab import lab
from semcrawl.cli.policy import policy
from semcrawl.cli.query import query
from semcrawl.cli.replay import replay
from semcrawl.cli.seeds import seeds
from semcrawl.cli.serve import serve
from semcrawl.cli.sites import site_list, sites
from semcrawl.cli.status import status
from semcrawl.cli.strategies import strategies
from semcrawl.cli.taxonomy import taxonomy
from semcrawl.cli.topic import topic
from semcrawl.cli.train import train
from semcrawl.cli.watch import watch
from semcrawl.version import VERSION

INTERRUPTED = 130


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    return cli


def main() -> None:
    """Run the command; an error is one line, with exit code 2 for misuse and 1 for failure."""
    # Some packages swallow an interrupt while they are imported; nothing is at stake yet.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    import click

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


# All commands under one name, in the order in which a person meets them.


class ReaderGoneError(Exception):
    """Whoever read our output has gone, as in ``semcrawl query … | head``."""


class _Commands(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # Click would make this a failure; a reader that has seen enough is none.
            raise ReaderGoneError from error


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, prog_name="semcrawl")
def cli() -> None:
    """Name a topic, and get back the part of the web that is about it, as an RDF graph.

    \b
    Try it without internet:   semcrawl demo
    Find a topic:              semcrawl topic wordnet:bank
    Crawl:                     semcrawl crawl wordnet:asthma --seed http://example.org/
    """


for command in (
    demo,
    topic,
    taxonomy,
    seeds,
    train,
    crawl,
    resume,
    revisit,
    sites,
    site_list,
    status,
    watch,
    serve,
    query,
    policy,
    distill,
    explain,
    export,
    strategies,
    replay,
    lab,
):
    cli.add_command(command)
