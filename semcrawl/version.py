"""The version of semcrawl."""

from importlib.metadata import version

VERSION = version("semcrawl")
