from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from semcrawl.errors import ConfigError, ModelError
from semcrawl.models.apprentice import ApprenticeModel, TrainedApprentice, load_apprentice, save_apprentice
from semcrawl.models.link_features import SLOTS, FeatureKinds, LinkFeatures
from semcrawl.models.training_pages import judge_digest, topic_digest
from semcrawl.relevance import CosineJudge
from semcrawl.relevance.judges import EhrigJudge
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.topics.topic import Keyword
from tests.models.archives import change_facts, change_part

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
    save_apprentice(trained, tmp_path / "m.model")
    return tmp_path / "m.model"


def test_a_model_comes_back_as_it_was(trained: TrainedApprentice, path: Path) -> None:
    again = load_apprentice(str(path))
    assert (again.kinds, again.topic, again.judge) == (KINDS, "asthma", "CosineJudge")
    assert (again.model.counts == trained.model.counts).all()
    assert again.model.links.tolist() == [1, 1]
    assert (again.model.boundary, again.model.smoothing) == (0.25, 1.0)
    assert [file.name for file in path.parent.iterdir()] == ["m.model"]


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"slots": 99}, "its features have 99 slots"),
        ({"boundary": None}, "boundary"),
        ({"smoothing": 0}, "the smoothing must be greater than 0"),
        ({"boundary": "high"}, "boundary"),
        ({"links": [0, 5]}, "was not trained with low and high links"),
        ({"links": [1]}, "damaged"),
        ({"kinds": {"d_max": 1000}}, "d_max=1000 is no DOM offset"),
        ({"kinds": {"d_max": "far"}}, "damaged"),
    ],
)
def test_facts_that_cannot_be_used_are_told(path: Path, facts: dict[str, Any], message: str) -> None:
    change_facts(path, **facts)
    with pytest.raises(ModelError, match=message):
        load_apprentice(path)


@pytest.mark.parametrize(
    ("part", "content", "message"),
    [
        ("counts", np.ones((2, 3), np.uint32), "do not fit together"),
        ("counts", np.ones((1, 2), np.uint32), "do not fit together"),
        ("counts", np.array([[np.nan, 2.0]] * 2), "no array of the numbers u4"),
        ("slots", np.array([7, SLOTS], np.uint32), "not in order"),
        ("slots", np.array([7, 7], np.uint32), "not in order"),
    ],
)
def test_arrays_that_cannot_be_used_are_told(path: Path, part: str, content: Any, message: str) -> None:
    change_part(path, part, content)
    with pytest.raises(ModelError, match=message):
        load_apprentice(path)


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


def test_a_topic_or_judge_of_the_same_name_is_told_by_its_digest(trained: TrainedApprentice, tmp_path: Path) -> None:
    topic = Topic.parse("wordnet:asthma.n.01")
    judge = EhrigJudge(topic)
    told = msgspec.structs.replace(
        trained,
        topic=topic.name,
        judge="EhrigJudge",
        topic_digest=topic_digest(topic),
        judge_digest=judge_digest(judge),
        judge_spec="ehrig:min_weight=0.1",
    )
    save_apprentice(told, tmp_path / "m.model")
    told = load_apprentice(tmp_path / "m.model")
    told.require(KINDS, replace(topic, seeds=("http://a.test/",)), EhrigJudge(topic))
    other = replace(topic, keywords=(Keyword("cars"),))
    with pytest.raises(ConfigError, match=f"digest {told.topic_digest}, this crawl has another of"):
        told.require(KINDS, other, judge)
    with pytest.raises(ConfigError, match=r"\(ehrig:min_weight=0\.1\), .* with other options"):
        told.require(KINDS, topic, EhrigJudge(topic, min_weight=0.9))
    msgspec.structs.replace(told, topic_digest="", judge_digest="").require(KINDS, other, judge)
