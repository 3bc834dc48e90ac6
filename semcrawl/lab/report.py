"""All files of a report, written into a folder."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError, StoreError
from semcrawl.lab.data_cube import data_cube
from semcrawl.lab.report_formats import csv_text, html_page, markdown
from semcrawl.lab.report_sections import tell
from semcrawl.plots.svg import svg_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from semcrawl.lab.report_document import Report
    from semcrawl.lab.results import Results

# PNG files of figures, where the optional resvg is installed.


_ZOOM = 2


def can_draw_png() -> bool:
    """Whether the extra ``figures`` is installed."""
    return find_spec("resvg_py") is not None


def png_bytes(svg: str) -> bytes:
    """An SVG file as a PNG of twice its size in pixels, fit for print.

    Raises:
        ConfigError: resvg is not installed.
    """
    if not can_draw_png():
        raise ConfigError("PNG figures need resvg: install it with pip install 'semcrawl[figures]'")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=_ZOOM))


_TEXTS: dict[str, Callable[[Report, Results], str]] = {
    "report.html": lambda report, _: html_page(report),
    "report.md": lambda report, _: markdown(report),
    "results.csv": lambda _, results: csv_text(results),
    "results.ttl": lambda _, results: data_cube(results),
}


def report_text(results: Results, name: str) -> str:
    """One of the texts of a report: report.html, report.md, results.csv or results.ttl."""
    return _TEXTS[name](tell(results), results)


def write_report(results: Results, folder: Path, *, png: bool | None = None) -> list[Path]:
    """Write report.html, report.md, results.csv, results.ttl and figures; return their paths.

    Figures are SVG, in the folder ``figures``, and PNG too: with ``png`` None where resvg is
    installed, with True in any case. Files of an earlier report are overwritten.

    Raises:
        ConfigError: PNG was asked for, and resvg is not installed.
        StoreError: the folder cannot be written.
    """
    if png and not can_draw_png():
        raise ConfigError("PNG figures need resvg: install it with pip install 'semcrawl[figures]'")
    report = tell(results)
    files = {
        name: make(report, results).encode("utf-8", "replace") for name, make in _TEXTS.items()
    }
    for figure in report.figures():
        svg = svg_file(figure)
        files[f"figures/{figure.name}.svg"] = svg.encode("utf-8", "replace")
        if png or (png is None and can_draw_png()):
            files[f"figures/{figure.name}.png"] = png_bytes(svg)
    return _written(files, folder)


def _written(files: dict[str, bytes], folder: Path) -> list[Path]:
    paths = []
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            paths.append(path)
    except OSError as error:
        raise StoreError(f"the report cannot be written to {folder}: {error.strerror}") from error
    return paths
