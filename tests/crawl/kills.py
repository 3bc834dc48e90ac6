"""Crawls in processes of their own, killed at some page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.started import Started


def recorded_until_killed(process: Started, after_pages: int) -> list[str]:
    """The URLs that the crawl said were recorded, up to the kill."""
    told: list[str] = []
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "page":
                told.append(event["url"])
            if len(told) == after_pages:
                process.kill()
        process.wait(timeout=120)
    return told
