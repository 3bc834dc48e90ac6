"""How things look in a notebook: tables, bars and figures as HTML, and a crawl while it runs."""

import time
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from itertools import islice
from typing import Any

from semcrawl.errors import ConfigError

_MOST_ROWS = 100
_EVERY = 0.5  # seconds between two pictures of a running crawl


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of texts; of more than a hundred rows the first.

    >>> table(["a"], [["<b>"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    found = iter(rows)
    shown = [_row("td", row) for row in islice(found, _MOST_ROWS)]
    left = sum(1 for _ in found)
    note = f"<p>{left:,} more rows</p>" if left else "" if shown else "<p>no rows</p>"
    head, body = _row("th", names), "".join(shown)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{note}"


def _row(cell: str, texts: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{cell}>{escape(text)}</{cell}>' for text in texts)}</tr>"


def bars(title: str, values: Mapping[str, float]) -> str:
    """Return numbers as bars, each with its name; those below 0 in another colour."""
    longest = max(map(abs, values.values()), default=0.0) or 1.0
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{value:.3g}</td><td>{_bar(value / longest)}</td></tr>"
        for name, value in values.items()
    )
    return f"<b>{escape(title)}</b><table><tbody>{rows}</tbody></table>"


def _bar(share: float) -> str:
    colour = "#2f6fb3" if share >= 0 else "#b3552f"
    return f"<div style='height:.8em;width:{12 * abs(share):.2f}em;background:{colour}'></div>"


def figures(title: str, values: Mapping[str, Any]) -> str:
    """Return a title and named figures, on one line."""
    said = "; ".join(f"{escape(str(name))} {_number(value)}" for name, value in values.items())
    return f"<p><b>{escape(title)}</b><br>{said}</p>"


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


class LiveProgress:
    """Shows a crawl in its cell: ``crawl.run(LiveProgress())``; ConfigError outside a notebook."""

    def __init__(self) -> None:
        try:
            shown = import_module("IPython.display")
        except ImportError:
            raise ConfigError(
                "a live view needs IPython: use it in a notebook, or give run() another listener"
            ) from None
        self._html = shown.HTML
        self._cell = shown.display(shown.HTML("<p>starting</p>"), display_id=True)
        self._shown = 0.0

    def __call__(self, event: Any) -> None:
        """Show the figures after an event, twice a second and at the end."""
        sentence = getattr(getattr(event, "reason", None), "sentence", "")
        if not sentence and time.monotonic() - self._shown < _EVERY:
            return
        self._shown = time.monotonic()
        values = event.progress.to_dict()
        wanted = ("pages", "relevant", "harvest_rate", "waiting", "hosts", "seconds")
        chosen = {name.replace("_", " "): values[name] for name in wanted if name in values}
        title = f"stopped: {sentence}" if sentence else "crawling"
        if self._cell is not None:
            self._cell.update(self._html(figures(title, chosen)))
