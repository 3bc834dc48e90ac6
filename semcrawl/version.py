"""The version of semcrawl."""

from __future__ import annotations

from importlib.metadata import version

VERSION = version("semcrawl")
