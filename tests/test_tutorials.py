"""The tutorials are followed, block by block, from a wheel in an empty folder.

Console blocks are run by the installed command line in one process, and each line that the page
shows below a command must be in what is printed, in that order, but for its numbers: these change
with the crawlers. Blocks that a page says to save are saved. Blocks of Python are run one after
another. Nothing needs the network: the pages crawl the demo web, which their first block writes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_wheel import ROOT, environment

TUTORIALS = sorted((ROOT / "docs").glob("tutorial-*.md"))
BLOCK = re.compile(r"(?:as `(?P<name>[\w.-]+)`:\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)```", re.DOTALL)
RUNNER = """
import json, shlex, sys
from click.testing import CliRunner
from semcrawl.cli.main import cli
import semcrawl
print(semcrawl.__file__)
for kind, name, text in json.loads(sys.stdin.read()):
    if kind == "python":
        exec(compile(text, "tutorial", "exec"), globals())
    elif name:
        open(name, "w").write(text)
    else:
        done = CliRunner().invoke(cli, shlex.split(text)[1:])
        print("$", text, done.output, sep="\\n")
        if done.exit_code:
            raise SystemExit(f"{text}: {done.exit_code} {done.output} {done.exception!r}")
"""


def steps(page: Path) -> list[tuple[str, str, str]]:
    """What a page says to do: commands, files to save, Python; other blocks are not run."""
    found: list[tuple[str, str, str]] = []
    for block in BLOCK.finditer(page.read_text("utf-8")):
        name, kind, text = block["name"] or "", block["kind"], block["text"]
        if name or kind == "python":
            found.append((kind, name, text))
        elif kind == "console":
            commands = re.findall(r"^\$ (semcrawl .*)", text, re.MULTILINE)
            found += [(kind, "", command) for command in commands]
    return found


def plain(text: str) -> str:
    """A text without its numbers, and with one space for many: columns are as wide as these."""
    return re.sub(r"[ \t]+", " ", re.sub(r"[+-]?\d[\d.,]*", "0", text))


def shown(page: Path) -> list[str]:
    """The lines of output that a page shows, and its commands, in order."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    lines = [line.removeprefix("$ ").rstrip() for block in blocks for line in block.splitlines()]
    return [plain(line) for line in lines if line]


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_can_be_followed(page: Path, installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUNNER],
        input=json.dumps(steps(page)),
        cwd=tmp_path,
        env=environment(installed),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    place, _, printed = done.stdout.partition("\n")
    assert Path(place).is_relative_to(installed)
    rest = plain(printed)
    for line in shown(page):
        assert line in rest, f"{line!r} is not in what is printed from here on:\n{rest[:3000]}"
        rest = rest[rest.index(line) + len(line) :]
