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
        ({"layers": []}, "length >= 2.*layers"),
        ({"layers": [{"pages": 3, "weights": {}, "floor": -1.0}]}, "length >= 2.*layers"),
        ({"layers": [{"pages": 3, "weights": {}, "floor": -1.0}] * 3}, "do not fit together"),
        ({"layers": [{"pages": -1, "weights": {}, "floor": -1.0}] * 2}, ">= 0.*pages"),
        ({"layers": [{"pages": 3, "weights": {}, "floor": None}] * 2}, "Expected `float`.*floor"),
        ({"layers": None}, "damaged"),
        ({"features": 0}, ">= 1.*features"),
        ({"features": "many"}, "damaged"),
    ],
)
def test_facts_that_cannot_be_used_are_told(tmp_path: Path, facts: dict[str, Any], said: str) -> None:
    save_context_graph(GRAPH, tmp_path / "model")
    change_facts(tmp_path / "model", **facts)
    with pytest.raises(ModelError, match=said):
        load_context_graph(tmp_path / "model")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (np.array([[2.5, 0.0, 0.5], [0.0, 0.0, 0.0]]), "a layer has no terms"),
        (np.array([[2.5, 0.5], [0.0, 4.0]]), "do not fit together"),
        (np.array([[2.5, 0.0, 0.5]]), "do not fit together"),
        (np.array([2.5, 0.0, 0.5]), "does not have the shape"),
        (np.array([[2.5, 0.0, 0.5], [0.0, np.nan, 0.0]]), "no number of 0 or more"),
        (np.array([[2.5, 0.0, 0.5], [0.0, -1.0, 0.0]]), "no number of 0 or more"),
    ],
)
def test_weights_that_cannot_be_used_are_told(tmp_path: Path, content: Any, said: str) -> None:
    save_context_graph(GRAPH, tmp_path / "model")
    change_part(tmp_path / "model", "weights", content)
    with pytest.raises(ModelError, match=said):
        load_context_graph(tmp_path / "model")
