"""Serves a generated web from a process of its own, so that its CPU is counted nowhere else."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from benchmarks.generated_web import GeneratedWeb
from semcrawl.web import ReplayServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.web.response import Response

__all__ = ["serving"]


@contextmanager
def serving(pages: int) -> Iterator[str]:
    """Serve a web of so many pages until the block ends; gives the server's proxy address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.web_server", str(pages)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        # The server goes when its input ends, also where this process is killed.
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=30)


def _serve(pages: int) -> None:
    web = GeneratedWeb(pages)

    @cache
    def respond(url: str) -> Response | None:
        return web.respond(url)

    # Made now, so that no side of a benchmark waits for pages to be made.
    for number in range(pages):
        respond(web.url(number))
    with ReplayServer(answers=respond) as server:
        print(server.proxy, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
