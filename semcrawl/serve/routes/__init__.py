"""What the server answers: a module for each part of the page, with its ``routes(context)``."""

from __future__ import annotations

__all__: list[str] = []
