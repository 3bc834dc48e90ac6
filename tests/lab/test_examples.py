"""The shipped experiments, and what docs/lab.md says of their form."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from scripts.docs_site import lab_measures_page
from semcrawl.lab import Lab, load_experiment
from semcrawl.lab.experiment import (
    Contender,
    Experiment,
    Finding,
    LabTopic,
    ModelPlan,
    SeedDraw,
    TruthSource,
    WebSource,
)
from semcrawl.lab.loading import vary
from semcrawl.lab.results import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "lab"
DOCS = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
DATA = Path(os.environ.get("SEMCRAWL_DATA", ROOT.parent / "shared" / "data")).resolve()

DEMO = sorted([*EXAMPLES.glob("demo-*.toml"), EXAMPLES / "websites.toml"])
DEMO = [path for path in DEMO if path.name != "demo-topics.toml"]
TOPICS = {f"{name}-topics.toml" for name in ("demo", "schools", "schools-more", "schools-thesis")}
SCHOOLS = sorted(set(EXAMPLES.glob("*.toml")) - {*DEMO, *(EXAMPLES / name for name in TOPICS)})

TABLES: dict[str, type[msgspec.Struct]] = {
    "At the top": Experiment,
    "`[web]`": WebSource,
    "`[truth]`": TruthSource,
    "`[seeds]`": SeedDraw,
    "`[[topic]]`": LabTopic,
    "`[[model]]`": ModelPlan,
    "`[[strategy]]`": Contender,
    "`[[finding]]`": Finding,
}


def documented(title: str) -> dict[str, str]:
    """The keys of a table of the docs, with their defaults."""
    section = DOCS.split(f"### {title}\n")[1].split("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", section, re.MULTILINE)
    return {key: default.strip() for key, default in rows}


def shown(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "needed"
    default = field.default
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, int | float):
        return str(default)
    return default if isinstance(default, str) else ""


@pytest.mark.parametrize(("title", "table"), TABLES.items())
def test_every_key_is_documented_with_its_default(title: str, table: type[msgspec.Struct]) -> None:
    there = {field.name: shown(field) for field in msgspec.structs.fields(table)}
    assert documented(title) == there


def test_every_measure_is_documented_with_its_source() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (.*) \| (.*) \|$", lab_measures_page(), re.MULTILINE)
    assert {name: source for name, _, source in rows} == {name: note.source for name, note in METRICS.items()}


def test_a_strategy_of_ones_own_can_be_added_to_the_experiment_of_the_docs(tmp_path: Path) -> None:
    experiment, table = _blocks("toml")
    code = next(_blocks("python"))
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    (tmp_path / "two.toml").write_text(f"{experiment}\n{table}", encoding="utf-8")
    assert [one.name for one in load_experiment(tmp_path / "two.toml").strategy][-1] == "patient"


def _blocks(language: str) -> Iterator[str]:
    return iter(re.findall(rf"^```{language}\n(.*?)^```", DOCS, re.DOTALL | re.MULTILINE))


@pytest.mark.parametrize("path", DEMO, ids=lambda path: path.stem)
def test_every_demo_experiment_runs(path: Path, tmp_path: Path, lab_folder: Path) -> None:
    loaded = load_experiment(path)
    # One topic and few pages: whether all of its parts fit together.
    quick = msgspec.structs.replace(vary(loaded, pages=30), topic=loaded.topic[:1])
    results = Lab(lab_folder).run(quick, name=path.stem, jobs=0)
    assert results.failures == ()
    assert len(results.verdicts) == len(loaded.finding)
    untested = [one.measure for one in results.verdicts if one.outcome == "not tested"]
    # So few pages may find no website, and then there are no pages per website.
    assert set(untested) <= {"pprs"}


@pytest.fixture(scope="module")
def lab_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One lab for all: the demo web is read once."""
    return tmp_path_factory.mktemp("lab")


@pytest.mark.data
@pytest.mark.parametrize("path", SCHOOLS, ids=lambda path: path.stem)
def test_every_experiment_on_schools_wikipedia_can_be_loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (DATA / "schools-wikipedia").is_dir():
        pytest.skip("there is no schools-wikipedia in $SEMCRAWL_DATA")
    monkeypatch.setenv("SEMCRAWL_DATA", str(DATA))
    loaded = load_experiment(path)
    assert loaded.web.background == "web"
    assert loaded.truth.kinds == ("article",)


def test_every_experiment_is_in_the_table_of_the_docs_and_has_a_twin_on_the_demo_web() -> None:
    section = DOCS.split("## The shipped experiments\n")[1].split("\n## ")[0]
    listed = set(re.findall(r"^\| `([\w-]+\.toml)`", section, re.MULTILINE))
    assert listed == {path.name for path in SCHOOLS} | {"websites.toml"}
    twins = {path.name.removeprefix("demo-") for path in DEMO}
    assert {path.name for path in SCHOOLS} <= twins


def test_the_browsing_paths_of_the_demo_web_are_those_of_the_script() -> None:
    made = subprocess.run([sys.executable, str(EXAMPLES / "demo_paths.py")], capture_output=True, check=True).stdout
    assert made == (EXAMPLES / "demo-paths.tsv").read_bytes()
