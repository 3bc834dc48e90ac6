"""CPU from the start of ``semcrawl crawl`` to its first request, for a topic of WordNet."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.checks import Check, spread

__all__ = ["run"]

TOPIC = "wordnet:asthma"
LIMIT = 120.0


def run(*, quick: bool) -> list[Check]:
    """Start a crawl several times; the best counts."""
    if not Path("/proc/self/stat").is_file():
        print("left out: there is no /proc to ask for a process's CPU")
        return []
    found = [_seconds_of_cpu() for _ in range(2 if quick else 7)]
    print(f"{spread(found)} s of CPU")
    return [Check("CPU from the command to the first request", min(found), "at most", 0.8, " s")]


def _seconds_of_cpu() -> float:
    with socket.create_server(("127.0.0.1", 0)) as listener, tempfile.TemporaryDirectory() as place:
        listener.settimeout(LIMIT)
        seed = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        command = [sys.executable, "-m", "semcrawl", "crawl", TOPIC, "--seed", seed]
        options = ["--folder", f"{place}/crawl", "--allow-private", "--no-robots", "--pages", "1"]
        with subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as crawl:
            try:
                connection, _ = listener.accept()
                with connection:
                    connection.settimeout(LIMIT)
                    connection.recv(1)
                    return _cpu_of(crawl.pid)
            finally:
                crawl.kill()


def _cpu_of(process: int) -> float:
    """The CPU that a process has used so far, in user and system mode."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
