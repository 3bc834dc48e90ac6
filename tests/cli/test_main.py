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
    run("replay", "inspct").fails(2, "did you mean 'inspect'?", "see 'semcrawl replay --help'")


def test_other_words_for_a_command_lead_to_it(run: Run) -> None:
    run("continue", "lungs").fails(2, "did you mean 'resume'?")
    assert "did you mean" not in run("stop").err
    assert set(_OTHER_WORDS.values()) <= {*COMMANDS, "--help", "--version"}
    assert not set(_OTHER_WORDS) & set(COMMANDS)
