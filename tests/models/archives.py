"""Changes to model files, with digests that fit, so that the deeper checks are met."""

from __future__ import annotations

import hashlib
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path


def parts_of(file: Path) -> dict[str, bytes]:
    """The members of a model file."""
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_parts(file: Path, parts: dict[str, bytes]) -> None:
    """Write the members of a model file."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)


def manifest_of(file: Path) -> dict[str, Any]:
    """The manifest of a model file."""
    manifest: dict[str, Any] = json.loads(parts_of(file)["manifest.json"])
    return manifest


def change_manifest(file: Path, **changes: Any) -> None:
    """Change some entries of the manifest."""
    manifest = json.dumps(manifest_of(file) | changes).encode()
    write_parts(file, parts_of(file) | {"manifest.json": manifest})


def change_facts(file: Path, **changes: Any) -> None:
    """Change some facts of the manifest."""
    change_manifest(file, facts=manifest_of(file)["facts"] | changes)


def change_part(file: Path, name: str, content: Any) -> None:
    """Replace a member by an array or by bytes; None leaves it out."""
    parts, known = parts_of(file), manifest_of(file)["parts"]
    if content is None:
        del parts[name]
    else:
        data = content.tobytes() if isinstance(content, np.ndarray) else content
        parts[name] = data
        known[name] = known[name] | {"digest": hashlib.sha256(data).hexdigest()}
        if isinstance(content, np.ndarray):
            known[name] |= {"dtype": content.dtype.str, "shape": content.shape}
    write_parts(file, parts)
    change_manifest(file, parts=known)
