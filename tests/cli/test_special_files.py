"""Pipes and devices named on the command line: a line says so, and nothing waits for their end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SEED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

COMMANDS = [
    ("crawl", "keywords:lungs", "--seed", SEED, "--policy", "{}.rq"),
    ("crawl", "keywords:lungs", "--seed", SEED, "--background", "{}"),
    ("crawl", "--config", "{}"),
    ("crawl", "keywords:lungs", "--seeds-file", "{}"),
    ("query", "{crawl}", "{}.rq"),
    ("validate", "{}.ttl"),
    ("taxonomy", "show", "{}"),
    ("topic", "keywords:lungs", "--url", "{}"),
    ("lab", "run", "{}"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_is_no_regular_file_is_refused(
    run: Run, tmp_path: Path, crawled: Path, words: tuple[str, ...], kind: str
) -> None:
    place = tmp_path / "special"
    for path in (place, place.with_suffix(".rq"), place.with_suffix(".ttl")):
        os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    run(*(word.format(place, crawl=crawled) for word in words)).fails(2, "no regular file")
