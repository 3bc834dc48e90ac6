"""Exporting a crawl: RDF collections, tables and graphs."""

from __future__ import annotations

from semcrawl.export.collection import FORMATS, export, format_of

__all__ = ["FORMATS", "export", "format_of"]
