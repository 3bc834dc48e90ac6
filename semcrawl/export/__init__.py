"""Exporting a crawl: RDF collections, tables and graphs."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from semcrawl.export.collection import FORMATS, export, format_of

__all__ = ["FORMATS", "export", "format_of"]


class _CallableModule(ModuleType):
    """This package, callable as its function ``export``.

    ``semcrawl.export`` names two things: the function that ``from semcrawl
    import export`` is to give, and this package, which Python puts in that
    place as soon as it is imported. Called, both do the same.
    """

    def __call__(self, *args: Any, **options: Any) -> int:
        return export(*args, **options)


sys.modules[__name__].__class__ = _CallableModule
