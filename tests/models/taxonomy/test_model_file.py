from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from semcrawl.errors import ModelError, StoreError, TopicError
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_options import TaxonomyOptions
from semcrawl.topics import Topic
from tests.models.archives import change_facts, change_part

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


@pytest.fixture
def model(taxonomy: Taxonomy, tmp_path: Path) -> Path:
    taxonomy.mark("Birds")
    taxonomy.save(tmp_path / "m.tax")
    return tmp_path / "m.tax"


def logs(taxonomy: Taxonomy) -> NDArray[np.float64]:
    return taxonomy.classifier.log_probabilities({"bird": 1, "wheel": 2})


def test_what_is_saved_comes_back(taxonomy: Taxonomy, model: Path) -> None:
    loaded = Taxonomy.load(model)
    assert loaded.tree.categories() == taxonomy.tree.categories()
    assert loaded.good == taxonomy.good
    assert loaded.options == taxonomy.options
    assert np.array_equal(logs(loaded), logs(taxonomy))
    assert loaded.examples.sources() == taxonomy.examples.sources()


def test_options_are_kept(taxonomy: Taxonomy, tmp_path: Path) -> None:
    chosen = TaxonomyOptions(smoothing=0.5, features=7, length=30.0, mixture=False)
    Taxonomy(taxonomy.tree, taxonomy.examples, chosen).save(tmp_path / "o.tax")
    assert Taxonomy.load(tmp_path / "o.tax").options == chosen


def test_no_other_file_is_overwritten(taxonomy: Taxonomy, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="holds something else"):
        taxonomy.save(tmp_path / "notes.txt")
    with pytest.raises(StoreError, match="there is no folder"):
        taxonomy.save(tmp_path / "nowhere" / "m.tax")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"categories": []}, "damaged"),
        ({"good": ["ex:unknown"]}, "damaged"),
        ({"categories": [{"id": "ex:a b", "name": "a"}]}, "damaged"),
        ({"categories": [{"id": "ex:a", "name": "a", "parent": "ex:b"}]}, "damaged"),
        ({"categories": [{"id": "ex:a", "name": "a"}, {"id": "ex:b", "name": "A"}], "good": []},
         "damaged"),
        ({"categories": "no"}, "damaged"),
        ({"options": {"smoothing": -1}}, "smoothing"),
        ({"options": {"colour": 1}}, "damaged"),
    ],
)  # fmt: skip
def test_facts_that_cannot_be(model: Path, changes: dict[str, object], message: str) -> None:
    change_facts(model, **changes)
    with pytest.raises(ModelError, match=message):
        Taxonomy.load(model)


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("terms", b"one"),
        ("sources", b"a\nb"),
        ("sizes", np.array([], np.int32)),
        ("sizes", np.array([1] * 5, np.int32)),
        ("columns", np.array([-1], np.int32)),
        ("columns", np.array([], np.int32)),
        ("counts", np.array([], np.int32)),
        ("categories", np.array([9] * 5, np.int32)),
    ],
)
def test_parts_that_do_not_fit_are_told(model: Path, part: str, content: Any) -> None:
    change_part(model, part, content)
    with pytest.raises(ModelError, match=r"m\.tax is damaged"):
        Taxonomy.load(model)


def test_a_model_is_a_topic(model: Path) -> None:
    assert Topic.parse(f"taxonomy:{model}").name == "Birds"
    topic = Topic.parse(f"taxonomy:{model}#Animals/Mammals")
    assert topic.name == "Mammals"
    assert Topic.from_toml(topic.to_toml()) == Topic.from_turtle(topic.to_turtle()) == topic


def test_a_model_without_marks_needs_a_category(model: Path) -> None:
    loaded = Taxonomy.load(model)
    loaded.unmark()
    loaded.save(model)
    with pytest.raises(TopicError, match="semcrawl taxonomy mark"):
        Topic.parse(f"taxonomy:{model}")
    model.write_bytes(b"PK\x03\x04")
    with pytest.raises(TopicError, match="is damaged"):
        Topic.parse(f"taxonomy:{model}#Birds")
