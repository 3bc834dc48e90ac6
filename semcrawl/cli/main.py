"""The ``semcrawl`` command."""

from __future__ import annotations

import errno
import os
import sys

import click

from semcrawl.cli.crawl import crawl, resume
from semcrawl.cli.demo import demo
from semcrawl.cli.export import export
from semcrawl.cli.query import query
from semcrawl.cli.replay import replay
from semcrawl.cli.status import status
from semcrawl.cli.strategies import strategies
from semcrawl.cli.topic import topic
from semcrawl.errors import SemcrawlError
from semcrawl.version import VERSION

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="semcrawl")
def cli() -> None:
    """Name a topic, and get back the part of the web that is about it, as an RDF graph.

    \b
    Try it without internet:   semcrawl demo
    Find a topic:              semcrawl topic wordnet:bank
    Crawl:                     semcrawl crawl wordnet:asthma --seed http://example.org/
    """


for command in (crawl, resume, status, topic, query, export, strategies, replay, demo):
    cli.add_command(command)


def main() -> None:
    """Run the command; an error is one line, with exit code 2 for misuse and 1 for failure."""
    try:
        cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        # The graph is safe at any moment; threads may still wait for servers.
        sys.stderr.write("\nsemcrawl: stopped at once; go on with 'semcrawl resume'\n")
        sys.stderr.flush()
        os._exit(130)
    except SemcrawlError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        # The reader of our output has gone, as in "semcrawl query … | head".
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        sys.exit(0)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            _fail("the disk is full: free some space and try again", 1)
        _fail(f"{error.strerror or error}: {error.filename or 'no file named'}", 1)


def _fail(message: str, code: int) -> None:
    click.echo(f"semcrawl: error: {message}", err=True)
    sys.exit(code)
