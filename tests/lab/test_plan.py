"""Every crawler runs for every topic; a run has a key that only what matters to it changes."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import semcrawl
from semcrawl.lab.plan import APART, package_files, plan_runs

from .pet_web import CATS, EXPERIMENT, LONELY, opened, write_experiment

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.lab.plan import RunPlan

OWN = """class Mine:
    batch = 1

    def rank(self, judged):
        return [1.0] * len(judged.page.links)
"""
TREE = "Pets\n  Cats\n  Dogs\n"
FULL = (
    EXPERIMENT.replace("[[topic]]", "training_share = 0.5\n[[topic]]", 1).replace(
        'on_topic = ["animal.cat"]', 'on_topic = ["animal.cat"]\ndescriptions = { tree = "taxonomy:tree.txt#Cats" }'
    )
    + """
[[strategy]]
name = "mine"
strategy = "mine.py:Mine"
description = "tree"
[[strategy]]
name = "people"
strategy = "hmm:model={browsing}"
[[strategy]]
name = "soft"
strategy = "soft-focus"
judge = "taxonomy:model={tree}"
settings = { depth = 3 }
[[model]]
name = "browsing"
kind = "hmm"
paths = "paths.tsv"
[[model]]
name = "tree"
kind = "taxonomy"
pages = 2
"""
)


def written(folder: Path, text: str = FULL, own: str = OWN, tree: str = TREE) -> Path:
    return write_experiment(folder, text, **{"mine.py": own, "tree.txt": tree})


def plans_of(path: Path) -> dict[str, RunPlan]:
    with opened(path) as (experiment, web, truth):
        return {plan.contender.name: plan for plan in plan_runs(experiment, web, truth)}


def test_every_crawler_runs_for_every_topic_and_the_oracles_last(tmp_path: Path) -> None:
    topic = (
        '[[topic]]\nname = "dogs"\ntopic = "keywords:dog"\non_topic = ["animal.dog"]\n'
        'seeds = ["http://pets.test/index.html"]\n'
    )
    with opened(write_experiment(tmp_path, EXPERIMENT + topic)) as (experiment, web, truth):
        plans = plan_runs(experiment, web, truth)
    assert [(plan.contender.name, plan.topic.name) for plan in plans] == [
        (name, topic) for name in ("breadth-first", "oracle", "oracle (sources)") for topic in ("cats", "dogs")
    ]
    assert len({plan.key for plan in plans}) == len(plans)
    assert pickle.loads(pickle.dumps(plans)) == plans


def test_an_oracle_that_is_named_already_is_not_added(tmp_path: Path) -> None:
    text = EXPERIMENT + '[[strategy]]\nname = "best"\nstrategy = "oracle"\n'
    assert list(plans_of(write_experiment(tmp_path, text))) == ["breadth-first", "best", "oracle (sources)"]


def test_without_oracles_there_are_none(tmp_path: Path) -> None:
    text = EXPERIMENT.replace("pages = 10", "pages = 10\noracles = false")
    assert list(plans_of(write_experiment(tmp_path, text))) == ["breadth-first"]


def test_a_run_has_the_description_settings_and_models_of_its_crawler(tmp_path: Path) -> None:
    text = FULL.replace("pages = 10", "pages = 10\nsettings = { depth = 9, rotation = 2 }")
    plans = plans_of(written(tmp_path, text))
    assert plans["mine"].spec == f"taxonomy:{tmp_path}/tree.txt#Cats"
    assert plans["mine"].settings == {"depth": 9, "rotation": 2}
    assert plans["soft"].settings == {"depth": 3, "rotation": 2}
    assert [model.name for model in plans["soft"].models] == ["tree"]
    assert plans["people"].models[0].kind == "hmm"


def test_the_same_pages_are_left_out_for_every_crawler(tmp_path: Path) -> None:
    path = written(tmp_path)
    with opened(path) as (experiment, web, truth):
        plans = plan_runs(experiment, web, truth)
    (left_out,) = {plan.left_out for plan in plans}
    sample = {url for urls in truth.samples["tree", "cats"].values() for url in urls}
    assert set(left_out) == truth.training["cats"] | sample
    assert sample - truth.on_topic["cats"]


def test_drawn_seeds_of_all_repetitions_are_left_out_of_each(tmp_path: Path) -> None:
    text = EXPERIMENT.replace("pages = 10", "pages = 10\nrepetitions = 2")
    path = write_experiment(tmp_path, text + "[seeds]\nsize = 2\ndisjoint = true\n")
    with opened(path) as (experiment, web, truth):
        first, second, *_ = plan_runs(experiment, web, truth)
    assert (first.repetition, second.repetition) == (0, 1)
    assert first.left_out == second.left_out == tuple(sorted((*first.seeds, *second.seeds)))
    assert {*first.seeds, *second.seeds} <= {*CATS, LONELY}


def keys(path: Path) -> dict[str, str]:
    return {name: plan.key for name, plan in plans_of(path).items()}


def changed(folder: Path, change: Callable[[], object], before: dict[str, str]) -> set[str]:
    """The crawlers that run again after a change."""
    change()
    return {name for name, key in keys(folder / "experiment.toml").items() if key != before[name]}


ALL = {"breadth-first", "mine", "people", "soft", "oracle", "oracle (sources)"}


@pytest.mark.parametrize(
    ("right", "other", "again"),
    [
        ("Cats and dogs", "Another title", set()),
        ("pages = 10", "pages = 11", ALL),
        ("keywords:cat", "keywords:kitten", ALL - {"mine"}),
        ("depth = 3", "depth = 4", {"soft"}),
        ("pages = 2", "pages = 1", {"soft"}),
        ('paths = "paths.tsv"', 'paths = "paths.tsv"\noptions = { states = 3 }', {"people"}),
        ('replay = ["web"]', 'replay = ["web"]\nexclude = ["*/cows/*"]', ALL),
        ('replay = ["web"]', 'replay = ["web"]\nbackground = "web"', ALL),
    ],
)
def test_what_is_written_otherwise_runs_again(right: str, other: str, again: set[str], tmp_path: Path) -> None:
    assert right in FULL
    before = keys(written(tmp_path))
    text = FULL.replace(right, other)
    assert changed(tmp_path, lambda: written(tmp_path, text), before) == again


def test_an_edited_strategy_runs_again_and_no_other_does(tmp_path: Path) -> None:
    before = keys(written(tmp_path))
    edited = OWN.replace("1.0", "0.5")
    assert changed(tmp_path, lambda: written(tmp_path, own=edited), before) == {"mine"}


def test_an_edited_ontology_runs_again_where_it_is_the_description(tmp_path: Path) -> None:
    before = keys(written(tmp_path))
    edited = TREE + "  Cows\n"
    assert changed(tmp_path, lambda: written(tmp_path, tree=edited), before) == {"mine"}


def test_a_page_that_was_changed_makes_all_run_again(tmp_path: Path) -> None:
    before = keys(written(tmp_path))
    page = tmp_path / "web" / "pets.test" / "dogs" / "1.html"
    assert changed(tmp_path, lambda: page.write_text("<p>another dog"), before) == ALL


def test_names_do_not_enter(tmp_path: Path) -> None:
    before = keys(written(tmp_path))
    text = FULL.replace('"mine"', '"my own"').replace("{browsing}", "{b}")
    after = keys(written(tmp_path, text.replace('"browsing"', '"b"')))
    assert after["my own"] == before["mine"]
    assert after["people"] == before["people"]


def test_a_file_that_was_only_touched_does_not_run_again(tmp_path: Path) -> None:
    path = written(tmp_path)
    before = keys(path)
    os.utime(tmp_path / "mine.py", (1, 1))
    assert keys(path) == before


def test_the_same_experiment_in_another_place_is_known(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert keys(written(one)) == keys(written(other))


ONTOLOGY = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://pets.test/onto> a owl:Ontology ; owl:imports <http://pets.test/more.ttl> .
<http://pets.test/onto#Cat> a owl:Class ; rdfs:label "cat"@en .
"""
MORE = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://pets.test/onto#Kitten> a owl:Class ; rdfs:label "kitten"@en ;
    rdfs:subClassOf <http://pets.test/onto#Cat> .
"""


@pytest.mark.parametrize("name", ["cats.toml", "onto.ttl", "more.ttl"])
def test_a_topic_file_its_ontology_and_what_that_imports_are_all_looked_at(name: str, tmp_path: Path) -> None:
    files = {"cats.toml": 'name = "cats"\nconcepts = ["onto.ttl#Cat"]\n', "onto.ttl": ONTOLOGY, "more.ttl": MORE}
    text = FULL.replace("taxonomy:tree.txt#Cats", "cats.toml")
    path = write_experiment(tmp_path, text, **{"mine.py": OWN}, **files)
    before = keys(path)
    place = tmp_path / name
    assert changed(tmp_path, lambda: place.write_text(files[name] + "# new\n"), before) == {"mine"}


@pytest.mark.parametrize("name", ["words.py", "deeper.py"])
def test_what_a_strategy_imports_from_its_own_folder_is_looked_at(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("words", "deeper"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    (tmp_path / "words.py").write_text("def number():\n    from deeper import ONE\n    return ONE\n")
    (tmp_path / "deeper.py").write_text("ONE = 1\n")
    (tmp_path / "stranger.py").write_text("")
    before = keys(written(tmp_path, own="from words import number\n" + OWN))
    place = tmp_path / name
    edited = place.read_text() + "# new\n"
    assert changed(tmp_path, lambda: place.write_text(edited), before) == {"mine"}
    before = keys(tmp_path / "experiment.toml")
    stranger = tmp_path / "stranger.py"
    assert changed(tmp_path, lambda: stranger.write_text("# new\n"), before) == set()


def test_another_semcrawl_makes_all_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = keys(written(tmp_path))
    monkeypatch.setattr("semcrawl.lab.plan.package_digest", lambda: "another")
    assert changed(tmp_path, lambda: None, before) == ALL


def test_the_digest_of_semcrawl_is_of_what_runs_and_not_of_what_tells() -> None:
    root = Path(semcrawl.__file__).parent
    names = {path.relative_to(root).as_posix() for path in package_files() if root in path.parents}
    assert {"lab/run.py", "lab/web.py", "lab/plan.py"} <= names
    for part in ("crawl", "models", "page", "relevance", "strategies", "text", "topics", "web"):
        sources = {path.relative_to(root).as_posix() for path in (root / part).rglob("*.py")}
        assert sources
        assert sources <= names
    assert names.isdisjoint(["cli/lab.py", "lab/report_tables.py", "lab/metrics.py"])


@pytest.mark.parametrize("beginning", APART)
def test_every_part_that_no_run_depends_on_is_there(beginning: str) -> None:
    root = Path(semcrawl.__file__).parent
    assert [path for path in root.rglob("*.py") if path.relative_to(root).as_posix().startswith(beginning)]
