from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from semcrawl.cli.main import _OTHER_WORDS, COMMANDS, cli
from semcrawl.version import VERSION
from tests.cli.conftest import Ran

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Run = Callable[..., Ran]


def every_command(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        yield (*path, name)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from every_command(command, *path, name)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says_of_itself(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name
    assert COMMANDS[name][1].removesuffix(".") == command.get_short_help_str(100).removesuffix(".")


@pytest.mark.parametrize("path", list(every_command(cli)), ids=" ".join)
def test_every_command_explains_itself(run: Run, path: tuple[str, ...]) -> None:
    done = run(*path, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: semcrawl {' '.join(path)} ")
    assert done.err == ""


def test_the_list_of_commands_is_in_the_order_of_use_and_not_cut_off(run: Run) -> None:
    listed = run("--help").out.partition("Begin:\n")[2].splitlines()
    commands = [line.split()[0] for line in listed if line.startswith("  ")]
    assert commands == list(COMMANDS)
    assert not [line for line in listed if line.endswith("...")]


def test_no_command_at_all_is_misuse_and_shows_the_help(run: Run) -> None:
    done = run()
    assert done.code == 2
    assert "Begin:" in done.out + done.err


def test_the_version(run: Run) -> None:
    assert run("--version") == Ran(0, f"semcrawl, version {VERSION}\n", "")


def test_the_package_runs_as_the_command_does() -> None:
    def ran(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "semcrawl", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert ran("--version").stdout == f"semcrawl, version {VERSION}\n"
    wrong = ran("crwl")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("semcrawl: error: No such command 'crwl'")


def test_an_unknown_command_is_one_line(run: Run) -> None:
    run("crwl").fails(2, "No such command 'crwl'", "did you mean 'crawl'?", "see 'semcrawl --help'")
    wrong = run("replay", "inspct")
    wrong.fails(2, "did you mean 'inspect'?", "see 'semcrawl replay --help'")
    assert wrong.err.lower().count("did you mean") == 1
    run("replay", "web").fails(2, "No such command 'web'; there are idf, inspect, serve; see")


def test_what_is_no_number_is_told_plainly(run: Run) -> None:
    run("export", "lungs", "--min-relevance", "0,5").fails(2, "'0,5' is no number, such as 0.5; see")
    run("crawl", "wordnet:asthma", "--pages", "many").fails(2, "'many' is no whole number; see")


@pytest.mark.parametrize("command", ["resume", "revisit"])
def test_the_help_of_a_crawl_that_goes_on_tells_no_defaults_of_settings(run: Run, command: str) -> None:
    settings = run(command, "--help").out.partition("How to rank and judge:")[2]
    assert "--pages" in settings
    assert "[default" not in settings


def test_other_words_for_a_command_lead_to_it(run: Run) -> None:
    run("continue", "lungs").fails(2, "did you mean 'resume'?")
    assert "did you mean" not in run("stop").err
    assert set(_OTHER_WORDS.values()) <= {*COMMANDS, "--help", "--version"}
    assert not set(_OTHER_WORDS) & set(COMMANDS)
