"""``semcrawl doctor`` and ``completion``: whether and how semcrawl is installed."""

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import NamedTuple

import click
from click.shell_completion import get_completion_class

from semcrawl.cli.options import parameters
from semcrawl.cli.screen import print_json
from semcrawl.resources import examples_folder, ontologies_folder, queries_folder
from semcrawl.user_cache import cache_folder, state_folder

_REQUIREMENT = re.compile(r"""([\w.-]+)[^;]*(?:;.*extra == ["']([\w-]+)["'])?""")
_NOT_FOR_USERS = ("dev", "bench", "docs")


class Examined(NamedTuple):
    """What was looked at, what was found, and what to do where it is not well."""

    what: str
    found: str
    advice: str = ""
    is_needed: bool = False  # whether semcrawl does not work without it


@click.command()
@parameters("doctor")
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Say what is installed and what is missing."""
    findings = [*_packages(), *_folders(), *_shipped()]
    if as_json:
        print_json([one._asdict() for one in findings])
    else:
        width = max(len(one.what) for one in findings)
        for one in findings:
            click.echo(f"{one.what:<{width}}  {one.found}")
            if one.advice:
                click.echo(f"{'':<{width}}  {one.advice}")
    if any(one.is_needed and one.advice for one in findings):
        context.exit(1)


def _packages() -> Iterator[Examined]:
    """semcrawl, Python, the packages that are needed, those of each extra, and Java."""
    yield Examined("semcrawl", version("semcrawl"))
    yield Examined("Python", f"{platform.python_version()} ({sys.executable})")
    wanted: dict[str, list[str]] = {"": []}
    for text in requires("semcrawl") or ():
        if (found := _REQUIREMENT.match(text)) and found[2] not in _NOT_FOR_USERS:
            wanted.setdefault(found[2] or "", []).append(found[1])
    for extra, names in wanted.items():
        versions = {name: _version(name) for name in names}
        missing = [name for name, number in versions.items() if not number]
        there = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
        wants = f"semcrawl[{extra}]" if extra else "semcrawl"
        advice = f"missing: {', '.join(missing)}; pip install '{wants}'" if missing else ""
        yield Examined(f"extra {extra}" if extra else "packages", there or "-", advice, not extra)
    java = shutil.which("java")
    yield Examined("java", java or "-", "" if java else "only topics with --reason need it")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _folders() -> Iterator[Examined]:
    """The folders that are written to, and whether they can be."""
    kept = {"cache folder": cache_folder("graphs"), "state folder": state_folder("crawls")}
    for what, folder in kept.items():
        if folder is None:
            yield Examined(what, "off", "" if "cache" in what else "no home folder is known")
            continue
        advice = "" if _can_write(folder.parent) else "cannot be written: what is costly is made anew each time"
        yield Examined(what, str(folder.parent), advice)
    here = Path.cwd()
    free = f"{shutil.disk_usage(here).free / 1e9:,.1f} GB free"
    advice = "" if _can_write(here) else "cannot be written: go to a folder of yours"
    yield Examined("this folder", f"{here}, {free}", advice, is_needed=True)


def _can_write(folder: Path) -> bool:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if existing != folder:
        return os.access(existing, os.W_OK)
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _shipped() -> Iterator[Examined]:
    """Files that come with semcrawl, and WordNet, read for once."""
    for folder, ending in ((queries_folder(), "rq"), (ontologies_folder(), "ttl"), (examples_folder(), "toml")):
        number = sum(1 for _ in folder.rglob(f"*.{ending}"))
        advice = "" if number else "not found: install semcrawl again"
        yield Examined(folder.name, f"{number} files", advice, is_needed=True)
    from semcrawl.topics.wordnet import wordnet

    yield Examined("WordNet", f"{len(wordnet().graph):,} senses")


@click.command()
@parameters("completion")
def completion(shell: str) -> None:
    """Print what lets a shell complete commands and options."""
    from semcrawl.cli.main import cli

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "semcrawl", "_SEMCRAWL_COMPLETE").source())
