"""Topics that several experiments share stand in files of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import LabError
from semcrawl.lab import load_experiment

if TYPE_CHECKING:
    from pathlib import Path

EXPERIMENT = """
title = "Shared"
topics = ["shared.toml"]
[web]
demo = true
[truth]
demo = true
[[topic]]
name = "{own}"
topic = "keywords:music"
[[strategy]]
strategy = "breadth-first"
"""
TOPIC = '[[topic]]\nname = "sky"\ntopic = "keywords:star"\n'


def written(folder: Path, shared: str, own: str = "music") -> Path:
    (folder / "shared.toml").write_text(shared, encoding="utf-8")
    path = folder / "experiment.toml"
    path.write_text(EXPERIMENT.format(own=own), encoding="utf-8")
    return path


def test_shared_topics_come_before_the_experiments_own(tmp_path: Path) -> None:
    loaded = load_experiment(written(tmp_path, TOPIC))
    assert [topic.name for topic in loaded.topic] == ["sky", "music"]


def test_a_shared_topic_is_no_other_of_the_same_name(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="2 are named 'sky'"):
        load_experiment(written(tmp_path, TOPIC, own="sky"))


@pytest.mark.parametrize("text", ["", "[topic]\nname = 'x'\n", "pages = 3\n" + TOPIC])
def test_a_file_of_topics_has_nothing_else(tmp_path: Path, text: str) -> None:
    with pytest.raises(LabError, match=r"shared\.toml: a file of topics has tables"):
        load_experiment(written(tmp_path, text))


def test_a_file_of_topics_that_is_not_there(tmp_path: Path) -> None:
    path = written(tmp_path, TOPIC)
    (tmp_path / "shared.toml").unlink()
    with pytest.raises(LabError, match=r"topics: there is no .*shared\.toml"):
        load_experiment(path)
