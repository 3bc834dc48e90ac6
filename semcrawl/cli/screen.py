"""Words for the screen: what the web has written must not steer a terminal."""

import json
import re
import sys
from typing import Any

import click

from semcrawl.plots import axes

count = axes.count

# Control characters, and those that turn the direction of a line around.
_STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    r"""The text with every control character but the line feed replaced.

    >>> harmless("red\x1b[31m title")
    'red�[31m title'
    """
    return _STEERING.sub("\ufffd", text)


def one_line(text: str) -> str:
    r"""The text on one line, harmless.

    >>> one_line("first\n  second")
    'first second'
    """
    return harmless(" ".join(text.split()))


def cut(text: str, width: int) -> str:
    """The text, cut to a width.

    >>> cut("a long line", 8)
    'a long…'
    """
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def harmless_json(text: str) -> str:
    r"""The same JSON, with every control character escaped.

    >>> harmless_json('"red\x9b31m"')
    '"red\\u009b31m"'
    """
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_json(value: Any, indent: int | None = 1) -> None:
    """Print a value as JSON."""
    click.echo(harmless_json(json.dumps(value, ensure_ascii=False, indent=indent)))


def print_data(text: str) -> None:
    """Print what is for programs as it is; where a terminal would show it, harmless."""
    if sys.stdout.isatty():
        text = "\t".join(map(harmless, text.replace("\r\n", "\n").split("\t")))
    click.echo(text, nl=text[-1:] not in ("", "\n"), color=True)  # else it would take out what colours a terminal
