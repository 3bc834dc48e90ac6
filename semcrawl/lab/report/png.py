"""PNG files of figures, where the optional resvg is installed."""

from __future__ import annotations

from importlib.util import find_spec

from semcrawl.errors import ConfigError

__all__ = ["can_draw_png", "png_bytes"]

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
