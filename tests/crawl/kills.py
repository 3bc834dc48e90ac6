"""Crawls in processes of their own, killed at some page."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess


def recorded_until_killed(process: subprocess.Popen[str], after_pages: int) -> list[str]:
    """The URLs that the crawl said were recorded, up to the kill."""
    told: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "page":
            told.append(event["url"])
        if len(told) == after_pages:
            os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()
    return told
