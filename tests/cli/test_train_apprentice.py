from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.cli.train import train
from semcrawl.demo import DemoWeb, demo_web
from semcrawl.errors import ConfigError, ReplayError, SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.models.apprentice import load_apprentice
from semcrawl.models.link_features import FeatureKinds

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return demo_web()


def command(*words: object) -> None:
    train.main(["apprentice", *map(str, words)], standalone_mode=False)


def test_a_model_from_a_recorded_web_and_a_topic(
    web: DemoWeb, recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "m.npz"
    command(recorded, "--topic", web.main_topic.spec, "-o", model, "--d-max", 3, "--cocitation")
    said = capsys.readouterr().out
    assert "links, " in said
    assert f"features written to {model}" in said
    trained = load_apprentice(model)
    assert (trained.topic, trained.judge) == ("respiratory disease", "LabelsJudge")
    assert trained.kinds == FeatureKinds(3, cocitation=True)


def test_a_model_from_an_earlier_crawl_guides_another(web: DemoWeb, recorded: Path, tmp_path: Path) -> None:
    topic, model = web.main_topic.spec, tmp_path / "m.npz"
    more: dict[str, Any] = {"replay": [str(recorded)], "judge": "labels"}
    best = "best-first-page-anchor"
    with Crawl(topic, web.seeds, tmp_path / "crawl", strategy=best, pages=120, **more) as crawl:
        crawl.run()
    command(tmp_path / "crawl", "-o", model)
    trained = load_apprentice(model)
    assert (trained.topic, trained.judge) == ("respiratory disease", "LabelsJudge")
    spec = f"apprentice:model={model},online=false,within={tmp_path / 'crawl'}"
    with Crawl(topic, web.seeds, pages=50, strategy=spec, **more) as crawl:
        assert crawl.run().progress.pages == 50


def test_a_crawl_of_the_network_needs_its_pages_recorded(tmp_path: Path) -> None:
    with Crawl("keywords:asthma", ["http://a.test/"], tmp_path / "crawl") as crawl:
        crawl.graph.note_start(crawl.settings.to_json(), 0.5)
    with pytest.raises(ConfigError, match=r"made over the network.*give them with --replay"):
        command(tmp_path / "crawl", "-o", tmp_path / "m.npz")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{web}"], "give it with --topic"),
        (["{web}", "--topic", "keywords:zyxwvutsrq"], "the same relevance"),
        (["{web}", "--topic", "keywords:x y"], "stop words or numbers only"),
        (["{web}", "--topic", "wordnet:lung", "--judge", "nobody"], "no judge 'nobody'"),
        (["{web}", "--topic", "wordnet:lung", "--d-max", "99"], "d_max=99 is no DOM offset"),
        (["{web}", "--topic", "wordnet:lung", "--replay", "x"], "--replay is for the pages of a"),
        (["gone", "--topic", "wordnet:lung"], "there is no gone to learn from"),
        (["gone"], "there is no gone to learn from: name the folder of a crawl, or a recorded web"),
        (["{crawl}", "{crawl}"], "one crawl at a time"),
        (["{crawl}", "--topic", "wordnet:lung", "--judge", "ssrm"], "leave --topic and --judge out"),
        (["{crawl}"], "never began"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_written(
    recorded: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    CrawlGraph.create(tmp_path / "crawl").close()
    places = {"web": recorded, "crawl": tmp_path / "crawl"}
    with pytest.raises(SemcrawlError, match=message):
        command(*(word.format(**places) for word in words), "-o", tmp_path / "m.npz")
    assert not (tmp_path / "m.npz").exists()


def test_an_empty_folder_is_no_web(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="holds no recorded web"):
        command(tmp_path, "--topic", "wordnet:lung", "-o", tmp_path / "m.npz")


def test_a_model_remembers_its_topic_and_its_judge_with_options(web: DemoWeb, recorded: Path, tmp_path: Path) -> None:
    topic, model = web.main_topic.spec, tmp_path / "m.npz"
    command(recorded, "--topic", topic, "--judge", "ehrig:min_weight=0.25", "-o", model)
    trained = load_apprentice(model)
    assert (trained.judge, trained.judge_spec) == ("EhrigJudge", "ehrig:min_weight=0.25")
    spec = f"apprentice:model={model}"
    for judge in ("ehrig:min_weight=0.9", "cosine"):
        with pytest.raises(ConfigError, match=r"EhrigJudge.*\(ehrig:min_weight=0\.25\), this crawl"):
            Crawl(topic, web.seeds, replay=[str(recorded)], judge=judge, strategy=spec)
    with Crawl(topic, web.seeds, replay=[str(recorded)], judge="ehrig:min_weight=0.25", strategy=spec) as crawl:
        assert crawl.settings.judge == "ehrig:min_weight=0.25"


def test_the_folder_of_the_model_must_be_there_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no folder .*/deep for the model m\.npz"):
        command("gone", "-o", tmp_path / "deep" / "m.npz")
    assert not (tmp_path / "deep").exists()
