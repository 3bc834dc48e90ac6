"""What the page's views are made of: jobs that read the graph and answer with JSON."""

from __future__ import annotations

__all__: list[str] = []
