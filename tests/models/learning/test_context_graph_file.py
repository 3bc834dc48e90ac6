from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from semcrawl.errors import ModelError
from semcrawl.models.context_graph import ContextGraph, Layer, load_context_graph, save_context_graph
from tests.models.archives import change_facts, change_part

if TYPE_CHECKING:
    from pathlib import Path

GRAPH = ContextGraph(
    [Layer(3, {"asthma": 2.5, "züge": 0.5}, -1.25), Layer(4, {"link": 4.0}, -2.0)],
    topic="asthma",
    features=20,
    topic_digest="0123",
    judge="ssrm:measure=li",
)


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    save_context_graph(GRAPH, tmp_path / "model.json")
    assert load_context_graph(tmp_path / "model.json") == GRAPH
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"pages": [], "floors": []}, "fewer than two layers"),
        ({"pages": [3], "floors": [-1.0]}, "fewer than two layers"),
        ({"pages": None}, "damaged"),
        ({"pages": [3, -1]}, "a layer's numbers are wrong"),
        ({"floors": [-1.0]}, "a layer has no terms"),
        ({"features": 0}, "looks at no terms"),
        ({"features": "many"}, "damaged"),
    ],
)
def test_facts_that_cannot_be_used_are_told(tmp_path: Path, facts: dict[str, Any], said: str) -> None:
    save_context_graph(GRAPH, tmp_path / "model")
    change_facts(tmp_path / "model", **facts)
    with pytest.raises(ModelError, match=said):
        load_context_graph(tmp_path / "model")


@pytest.mark.parametrize(
    ("part", "content", "said"),
    [
        ("sizes", np.array([3, 0]), "a layer has no terms"),
        ("sizes", np.array([2]), "a layer has no terms"),
        ("sizes", np.array([2, 2]), "do not fit together"),
        ("sizes", np.array([2, (1 << 63) - 1]), "do not fit together"),
        ("columns", np.array([0, 1, 9], np.int32), "do not fit together"),
        ("columns", np.array([0, 1], np.int32), "do not fit together"),
        ("weights", np.array([1.0, 2.0, np.nan]), "no number of 0 or more"),
        ("weights", np.array([1.0, 2.0, -1.0]), "no number of 0 or more"),
        ("weights", np.array([1.0, 2.0]), "do not fit together"),
    ],
)
def test_arrays_that_cannot_be_used_are_told(tmp_path: Path, part: str, content: Any, said: str) -> None:
    save_context_graph(GRAPH, tmp_path / "model")
    change_part(tmp_path / "model", part, content)
    with pytest.raises(ModelError, match=said):
        load_context_graph(tmp_path / "model")
