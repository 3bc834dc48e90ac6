from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from semcrawl.errors import ConfigError, StoreError
from semcrawl.models.apprentice import (
    ApprenticeModel,
    TrainedApprentice,
    load_apprentice,
    save_apprentice,
)
from semcrawl.models.archive import judge_digest, topic_digest
from semcrawl.models.link_features import SLOTS, FeatureKinds, LinkFeatures
from semcrawl.relevance import CosineJudge, EhrigJudge
from semcrawl.text.background import Background
from semcrawl.topics import Keyword, Topic

if TYPE_CHECKING:
    from pathlib import Path

KINDS = FeatureKinds(d_max=4, classes=True)


@pytest.fixture
def trained() -> TrainedApprentice:
    model = ApprenticeModel(0.25)
    features = LinkFeatures(np.array([2, 1]), np.array([7, 7, SLOTS - 1], np.uint32))
    model.add(np.array([0.1, 0.9]), features)
    return TrainedApprentice(model, KINDS, "asthma", "CosineJudge")


@pytest.fixture
def path(trained: TrainedApprentice, tmp_path: Path) -> Path:
    save_apprentice(trained, tmp_path / "m.npz")
    return tmp_path / "m.npz"


def test_a_model_comes_back_as_it_was(trained: TrainedApprentice, path: Path) -> None:
    again = load_apprentice(str(path))
    assert (again.kinds, again.topic, again.judge) == (KINDS, "asthma", "CosineJudge")
    assert (again.model.counts == trained.model.counts).all()
    assert again.model.links.tolist() == [1, 1]
    assert (again.model.boundary, again.model.smoothing) == (0.25, 1.0)
    assert [file.name for file in path.parent.iterdir()] == ["m.npz"]


def changed(path: Path, **values: Any) -> None:
    """Write the file anew with other arrays, or with another description."""
    with np.load(path) as old:
        arrays = dict(old)
    about = json.loads(bytes(arrays["about"]))
    for name, value in values.items():
        if name in arrays:
            arrays[name] = value
        else:
            about[name] = value
    if "about" not in values:
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"format": "semcrawl hmm"}, "is no model of an apprentice"),
        ({"version": 2}, "is of version 2, this semcrawl reads version 1"),
        ({"boundary": float("nan")}, "its boundary or smoothing is no number"),
        ({"smoothing": 0}, "its boundary or smoothing is no number"),
        ({"boundary": "high"}, "could not convert"),
        ({"links": [0, 5]}, "was not trained with low and high links"),
        ({"links": [1]}, "was not trained with low and high links"),
        ({"features": {"d_max": 1000}}, "d_max=1000 is no DOM offset"),
        ({"features": {"colour": 1}}, "damaged"),
        ({"low": np.array([1, 2, 3], np.uint32)}, "do not fit together"),
        ({"low": np.array([np.nan, 2.0])}, "are no counts"),
        ({"slots": np.array([7, SLOTS], np.uint32)}, "not in order"),
        ({"slots": np.array([7, 7], np.uint32)}, "not in order"),
        ({"about": np.frombuffer(b"[1]", np.uint8)}, "is no model of an apprentice"),
        ({"about": np.frombuffer(b"\xff{", np.uint8)}, "damaged"),
        (
            {"low": np.array([{}, {}])},
            r"damaged \(its part low is no array of",
        ),  # objects would have to be unpickled
    ],
)
def test_a_file_that_cannot_be_used_says_why(
    path: Path, values: dict[str, Any], message: str
) -> None:
    changed(path, **values)
    with pytest.raises(ConfigError, match=message):
        load_apprentice(path)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04", pickle.dumps({"a": 1})])
def test_a_file_that_is_no_model(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.npz").write_bytes(content)
    with pytest.raises(ConfigError, match="no model of an apprentice, or damaged") as raised:
        load_apprentice(tmp_path / "m.npz")
    assert "pickle" not in str(raised.value)


def test_a_torn_file(path: Path) -> None:
    whole = path.read_bytes()
    for size in (10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(ConfigError, match="damaged"):
            load_apprentice(path)


def test_no_file_and_no_place_for_one(trained: TrainedApprentice, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the model .*: No such file"):
        load_apprentice(tmp_path / "gone.npz")
    with pytest.raises(ConfigError, match="cannot read the model"):
        load_apprentice(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write the model"):
        save_apprentice(trained, tmp_path / "file" / "m.npz")


def test_a_model_must_fit_the_crawl(trained: TrainedApprentice) -> None:
    asthma, cars = (Topic.parse(f"keywords:{word}") for word in ("asthma", "cars"))
    cosine = CosineJudge(asthma, Background.default())
    trained.require(KINDS, asthma, cosine)
    trained.require(KINDS, None, None)
    with pytest.raises(ConfigError, match="trained with d_max=4, classes=true, cocitation=false"):
        trained.require(FeatureKinds(), asthma, cosine)
    with pytest.raises(ConfigError, match="for the topic 'asthma', this crawl has 'cars'"):
        trained.require(KINDS, cars, cosine)
    with pytest.raises(ConfigError, match="the judge CosineJudge, this crawl has EhrigJudge"):
        trained.require(KINDS, asthma, EhrigJudge(asthma))


def test_a_topic_or_judge_of_the_same_name_is_told_by_its_digest(
    trained: TrainedApprentice, tmp_path: Path
) -> None:
    topic = Topic.parse("wordnet:asthma.n.01")
    judge = EhrigJudge(topic)
    told = replace(
        trained,
        topic=topic.name,
        judge="EhrigJudge",
        topic_digest=topic_digest(topic),
        judge_digest=judge_digest(judge),
        judge_spec="ehrig:min_weight=0.1",
    )
    save_apprentice(told, tmp_path / "m.npz")
    told = load_apprentice(tmp_path / "m.npz")
    told.require(KINDS, replace(topic, seeds=("http://a.test/",)), EhrigJudge(topic))
    other = replace(topic, keywords=(Keyword("cars"),))
    with pytest.raises(ConfigError, match=f"digest {told.topic_digest}, this crawl has another of"):
        told.require(KINDS, other, judge)
    with pytest.raises(ConfigError, match=r"\(ehrig:min_weight=0\.1\), .* with other options"):
        told.require(KINDS, topic, EhrigJudge(topic, min_weight=0.9))
    replace(told, topic_digest="", judge_digest="").require(KINDS, other, judge)
