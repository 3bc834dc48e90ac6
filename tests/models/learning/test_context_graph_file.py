from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.errors import ConfigError, StoreError
from semcrawl.models.context_graph import (
    ContextGraph,
    Layer,
    load_context_graph,
    save_context_graph,
)

if TYPE_CHECKING:
    from pathlib import Path

GRAPH = ContextGraph(
    [Layer(3, {"asthma": 2.5, "züge": 0.5}, 3.0, -1.25), Layer(4, {"link": 4.0}, 4.0, -2.0)],
    topic="asthma",
    features=20,
    topic_digest="0123",
    judge="ssrm:measure=li",
)


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    save_context_graph(GRAPH, tmp_path / "model.json")
    assert load_context_graph(tmp_path / "model.json") == GRAPH
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_a_model_of_an_earlier_version_has_no_digest(tmp_path: Path) -> None:
    path = changed(tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["topic_digest"], content["judge"]
    path.write_text(json.dumps(content), encoding="utf-8")
    found = load_context_graph(path)
    assert (found.topic, found.topic_digest, found.judge) == ("asthma", "", "")


def changed(folder: Path, **fields: Any) -> Path:
    path = folder / "model.json"
    save_context_graph(GRAPH, path)
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))
    return path


LAYER = {"pages": 3, "floor": -1.0, "total": 1.0, "terms": {"a": 1.0}}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"format": "other"}, "is no model of a context graph"),
        ({"version": 2}, "is of version 2, this semcrawl reads version 1: train it anew"),
        ({"layers": []}, "fewer than two layers"),
        ({"layers": [LAYER]}, "fewer than two layers"),
        ({"layers": None}, "damaged"),
        ({"layers": [LAYER, LAYER | {"terms": {}}]}, "no terms"),
        ({"layers": [LAYER, LAYER | {"terms": {"a": float("nan")}}]}, "are no numbers"),
        ({"layers": [LAYER, LAYER | {"terms": {"a": -1.0}}]}, "are no numbers"),
        ({"layers": [LAYER, LAYER | {"total": 7.0}]}, "sums are wrong"),
        ({"layers": [LAYER, LAYER | {"floor": float("inf")}]}, "sums are wrong"),
        ({"layers": [LAYER, {"pages": 3}]}, "damaged"),
        ({"layers": [LAYER, "layer"]}, "damaged"),
        ({"features": 0}, "looks at no terms"),
        ({"features": "many"}, "damaged"),
    ],
)
def test_a_model_that_cannot_be_used_is_said(
    tmp_path: Path, fields: dict[str, Any], said: str
) -> None:
    path = changed(tmp_path, **fields)
    with pytest.raises(ConfigError, match=said):
        load_context_graph(path)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"[" * 100_000, b'{"format": 1'])
def test_a_file_of_something_else_is_said(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="no model of a context graph"):
        load_context_graph(path)


def test_places_that_cannot_be_read_or_written_are_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the model .*'semcrawl train"):
        load_context_graph(tmp_path / "none.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write the model"):
        save_context_graph(GRAPH, tmp_path / "file" / "model.json")
