"""The version of semcrawl."""

from __future__ import annotations

from importlib.metadata import version

__all__ = ["VERSION"]

VERSION = version("semcrawl")
