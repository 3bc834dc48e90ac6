"""Model files of context graphs: JSON, which is read and never run."""

from __future__ import annotations

import json
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

from semcrawl.errors import ConfigError, StoreError
from semcrawl.learning.context_graph import ContextGraph, Layer

__all__ = ["load_context_graph", "save_context_graph"]

FORMAT = "semcrawl context graph"
VERSION = 1
_TRAIN = "make one with 'semcrawl train context-graph'"


def save_context_graph(graph: ContextGraph, path: str | Path) -> None:
    """Write a model file, whole or not at all; its folder must be there.

    Raises:
        StoreError: it cannot be written.
    """
    place = Path(path).expanduser()
    layers = [
        {"pages": layer.pages, "floor": layer.floor, "total": layer.total, "terms": layer.weights}
        for layer in graph.layers
    ]
    about = {
        "format": FORMAT,
        "version": VERSION,
        "topic": graph.topic,
        "topic_digest": graph.topic_digest,
        "judge": graph.judge,
    }
    text = json.dumps(about | {"features": graph.features, "layers": layers}, ensure_ascii=False)
    part = place.with_name(place.name + ".part")
    try:
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(place)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise StoreError(
            f"cannot write the model {place}: {error.strerror or error}; choose another place"
        ) from error


def load_context_graph(path: str | Path) -> ContextGraph:
    """Read a model file.

    Raises:
        ConfigError: there is none, it is of another kind or version, or damaged.
    """
    place = Path(path).expanduser()
    try:
        content = json.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the model {place}: {error.strerror}; {_TRAIN}") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(place, str(error)) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ConfigError(f"{place} is no model of a context graph; {_TRAIN}")
    if content.get("version") != VERSION:
        raise ConfigError(
            f"the model {place} is of version {content.get('version')}, this semcrawl reads "
            f"version {VERSION}: train it anew with 'semcrawl train context-graph'"
        )
    try:
        return _graph(content)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _damaged(place, str(error)) from error


def _graph(content: dict[str, Any]) -> ContextGraph:
    layers = [_layer(written) for written in content["layers"]]
    if len(layers) < 2:
        raise ValueError("it has fewer than two layers")
    features = int(content["features"])
    if features < 1:
        raise ValueError("it looks at no terms")
    # What came with a later version is "" in models of an earlier one.
    digest, judge = (str(content.get(name, "")) for name in ("topic_digest", "judge"))
    return ContextGraph(layers, str(content["topic"]), features, digest, judge)


def _layer(written: dict[str, Any]) -> Layer:
    weights = {str(term): float(weight) for term, weight in written["terms"].items()}
    total, floor = float(written["total"]), float(written["floor"])
    if not weights or not all(isfinite(weight) and weight >= 0 for weight in weights.values()):
        raise ValueError("a layer has no terms, or weights that are no numbers of 0 or more")
    if not isfinite(floor) or abs(total - sum(weights.values())) > 1e-3 * (1.0 + abs(total)):
        raise ValueError("a layer's sums are wrong")
    return Layer(int(written["pages"]), weights, total, floor)


def _damaged(place: Path, problem: str) -> ConfigError:
    return ConfigError(
        f"{place} is no model of a context graph, or damaged ({problem:.200}); {_TRAIN}"
    )
