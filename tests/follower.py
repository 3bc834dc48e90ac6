"""A program that follows pages of the docs with the package that it finds installed.

It is started by ``tests/installed.py`` outside of the checkout, and prints the port where it
listens. Each line of a client is a task in JSON: a folder to work in, the steps of a page, and the
file to write the outcome to. A task is done by a fork of this process, which has imported all that
commands need.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import socket
import sys
import time
import traceback
import urllib.request
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
        if found := re.search(rb"http://127\.0\.0\.1:\d+/?", out.read_bytes()[before:]):
            # When it answers, it knows what to do when it is interrupted.
            with contextlib.suppress(OSError):
                urllib.request.urlopen(found[0].decode(), timeout=60).close()
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


def serve(client: socket.socket) -> None:
    """Do tasks of a client until it has gone; does not return."""
    with client, client.makefile("rw", encoding="utf-8") as tasks:
        print(semcrawl.__file__, file=tasks, flush=True)
        for line in tasks:
            child = os.fork()
            if child == 0:
                work(*json.loads(line))
            _, status = os.waitpid(child, 0)
            print(os.waitstatus_to_exitcode(status), file=tasks, flush=True)
    os._exit(0)


def serve_all(listener: socket.socket) -> None:
    """Serve each client in a process of its own; end when all have gone, or none comes."""
    listener.settimeout(60.0)
    has_clients = True
    while has_clients:
        with contextlib.suppress(TimeoutError):
            client, _ = listener.accept()
            if os.fork() == 0:
                client.setblocking(True)
                serve(client)
            client.close()
        listener.settimeout(1.0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            continue
        has_clients = False


def start() -> None:
    """Import what commands need, print a port, and serve there in a process that stays."""
    run_path(str(Path(__file__).parent / "forked.py"))
    for name in ("sklearn.cluster", "sklearn.feature_extraction", "rdflib", "networkx", "pyshacl"):
        with contextlib.suppress(ImportError):
            import_module(name)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    if os.fork() == 0:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nowhere, number)
        serve_all(listener)
    os._exit(0)


if __name__ == "__main__":
    start()
