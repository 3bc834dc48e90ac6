"""A program that follows pages of the docs with the package that it finds installed.

It is started by ``tests/installed.py`` outside of the checkout. Each line of its input is a task
in JSON: a folder to work in, the steps of a page, and the file to write the outcome to. A task is
done by a fork of this process, which has imported all that commands need.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from runpy import run_path

import semcrawl
from semcrawl.cli.main import main

ENDLESS = ("serve", "replay serve")
"""Commands that work until they are told to end."""


def follow(steps: list[tuple[str, str, str]], out: Path) -> None:
    """Do what a page says: save files, run Python and commands; all that is printed is kept."""
    names: dict[str, object] = {"__name__": "__main__"}
    for kind, name, text in steps:
        if name:
            Path(name).write_text(text, encoding="utf-8")
        elif kind == "python":
            exec(compile(text, "page", "exec"), names)
        else:
            print(f"$ {text}", flush=True)
            code = run(text, out)
            if code:
                raise SystemExit(f"{text}: exit code {code}")


def run(text: str, out: Path) -> int:
    """Run a command in a process of its own; one that does not end by itself is interrupted."""
    text, _, target = text.partition(" > ")
    words = shlex.split(text)[1:]
    endless = " ".join(words).startswith(ENDLESS) or any(word.startswith("--serve") for word in words)
    if endless:
        words = ["--serve=0" if word.startswith("--serve") else word for word in words]
        words += [] if "--serve=0" in words else ["--port", "0"]
    before = out.stat().st_size
    child = os.fork()
    if child == 0:
        command(words, target)
    while endless and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if b"http://127.0.0.1" in out.read_bytes()[before:]:
            os.kill(child, signal.SIGINT)
            break
        time.sleep(0.1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def command(words: list[str], target: str) -> None:
    """Be a command of the installed package; does not return."""
    if target:
        os.dup2(os.open(target.strip(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), 1)
    sys.argv = ["semcrawl", *words]
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001 - whatever it is, it is told
        traceback.print_exc()
        code = 1
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


def work(folder: str, steps: list[tuple[str, str, str]], out: str) -> None:
    """Follow a page in a folder; does not return."""
    os.chdir(folder)
    file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    code = 0
    try:
        follow(steps, Path(out))
    except BaseException:  # noqa: BLE001 - whatever it is, it is told
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def serve() -> None:
    """Do tasks until there is no more input."""
    run_path(str(Path(__file__).parent / "forked.py"))
    for name in ("sklearn.cluster", "sklearn.feature_extraction", "rdflib", "networkx", "pyshacl"):
        with contextlib.suppress(ImportError):
            import_module(name)
    print(semcrawl.__file__, flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            work(*json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
