"""The version of semcrawl."""

from importlib.metadata import version

VERSION = __version__ = version("semcrawl")
