"""How concept sources are read, beside what a reference itself says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["ReadOptions"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of reading.

    Attributes:
        reason: add what a reasoner infers from an ontology (needs Java).
        language: whose labels are preferred; None leaves it to the topic, and to English.
        import_folders: where imported ontologies are looked for.
        folder: what relative paths are relative to; None for the current folder.
    """

    reason: bool = False
    language: str | None = None
    import_folders: tuple[Path, ...] = ()
    folder: Path | None = None

    def place(self, path: str) -> Path:
        """Return a path as it is to be opened."""
        return self.folder / path if self.folder else Path(path)
