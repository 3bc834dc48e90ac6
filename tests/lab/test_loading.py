"""An experiment is read whole, with its files in full; what is wrong with it is told at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import LabError
from semcrawl.lab.loading import load_experiment

from .pet_web import EXPERIMENT, write_experiment

if TYPE_CHECKING:
    from pathlib import Path

MODEL = '[[model]]\nname = "browsing"\nkind = "hmm"\npaths = "paths.tsv"\n'
USER = '[[strategy]]\nname = "people"\nstrategy = "hmm:model={browsing}"\n'
TRAINED = EXPERIMENT.replace("[[topic]]", "training_share = 0.5\n[[topic]]", 1)


def test_files_are_in_full_wherever_the_experiment_is_read_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_experiment(tmp_path)
    monkeypatch.chdir(tmp_path)
    experiment = load_experiment(path.name)
    assert experiment.web.replay == (str(tmp_path / "web"),)
    assert experiment.truth.labels == str(tmp_path / "labels.tsv")


def test_variables_of_the_environment_are_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_experiment(tmp_path, EXPERIMENT.replace('"web"', '"$PETS/web"'))
    monkeypatch.setenv("PETS", str(tmp_path))
    assert load_experiment(path).web.replay == (str(tmp_path / "web"),)
    monkeypatch.delenv("PETS")
    with pytest.raises(LabError, match=r"web\.replay: the variable \$PETS is not set"):
        load_experiment(path)


def test_the_files_of_topics_strategies_and_options_are_in_full(tmp_path: Path) -> None:
    own = (
        "class Mine:\n    batch = 1\n    def __init__(self, table: str = ''):\n        pass\n"
        "    def rank(self, judged):\n        return [1.0] * len(judged.page.links)\n"
    )
    more = '[[strategy]]\nname = "mine"\nstrategy = "mine.py:Mine:table=words.txt"\ndescription = "tree"\n'
    text = EXPERIMENT.replace(
        'on_topic = ["animal.cat"]', 'on_topic = ["animal.cat"]\ndescriptions = { tree = "taxonomy:tree.txt#Cats" }'
    )
    files = {"mine.py": own, "words.txt": "x", "tree.txt": "Pets\n  Cats\n  Dogs\n"}
    experiment = load_experiment(write_experiment(tmp_path, text + more, **files))
    assert experiment.strategy[1].strategy == f"{tmp_path}/mine.py:Mine:table={tmp_path}/words.txt"
    assert experiment.topic[0].descriptions == {"tree": f"taxonomy:{tmp_path}/tree.txt#Cats"}


def test_a_crawler_without_a_name_is_called_by_its_strategy(tmp_path: Path) -> None:
    text = EXPERIMENT + '[[strategy]]\nstrategy = "n-best-first:n=3"\n'
    experiment = load_experiment(write_experiment(tmp_path, text))
    assert [one.name for one in experiment.strategy] == ["breadth-first", "n-best-first:n=3"]


WRONG = [
    ("title", "titel", "'title' is missing"),
    ('title = "Cats and dogs"', "title =", "is no TOML"),
    ("pages = 10", "pagse = 10", "no key 'pagse'; did you mean 'pages'"),
    ("pages = 10", "pages = 0", "pages"),
    ("pages = 10", "pages = 10\nat = [20]", "20 is more than the 10 pages"),
    ("pages = 10", "pages = 10\nrepetitions = 2", "from the same seeds would all be the same"),
    ("pages = 10", "pages = 10\nsettings = { pages = 3 }", "pages is not set here"),
    ("pages = 10", "pages = 10\nsettings = { dept = 3 }", "did you mean 'depth'"),
    ('replay = ["web"]', "demo = false", "give either replay"),
    ('replay = ["web"]', 'replay = ["webb"]', r"there is no .*webb"),
    ("labels =", "lables =", r"\[truth\]: there is no key 'lables'; did you mean 'labels'"),
    ('labels = "labels.tsv"', "", "give exactly one of"),
    ('labels = "labels.tsv"', 'labels = "labels.tsv"\ndemo = true', "labels and demo are given"),
    ('labels = "labels.tsv"', "demo = true", "set demo in"),
    ('labels = "labels.tsv"', 'judge = "cosin"', "did you mean 'cosine'"),
    ("on_topic", "on_topics", r"\[\[topic\]\] 1 \(cats\): there is no key 'on_topics'"),
    ('on_topic = ["animal.cat"]', "", "name the categories"),
    ('name = "cats"', 'name = "cats and"', "one word"),
    ('topic = "keywords:cat"', 'topic = "wordnet:xyzzy"', "topic cats: "),
    ('seeds = ["http://pets.test/index.html"]', "", "it has no seeds"),
    ("[[strategy]]", "[seeds]\nsize = 2\nshare = 0.1\n[[strategy]]", "either size or share"),
    ("breadth-first", "breadht-first", "did you mean 'breadth-first'"),
    ("breadth-first", "n-best-first:m=3", "no option 'm'"),
    ("breadth-first", "oracle:sees=all", "write oracle or oracle:sees=sources"),
    ('"breadth-first"', '"hmm:model={x}"', "the model in braces: there is no 'x'"),
    ('"breadth-first"', '"breadth-first"\ndescription = "owl"', "there is no 'owl'"),
    ('"breadth-first"', '"breadth-first"\nsettings = { depth = -1 }', "depth"),
    ('"breadth-first"', '"breadth-first"\ncrawler = "site"', "crawler"),
]


@pytest.mark.parametrize(("right", "wrong", "told"), WRONG)
def test_what_is_wrong_is_told_with_the_file(right: str, wrong: str, told: str, tmp_path: Path) -> None:
    assert right in EXPERIMENT
    path = write_experiment(tmp_path, EXPERIMENT.replace(right, wrong, 1))
    with pytest.raises(LabError, match=told) as error:
        load_experiment(path)
    assert str(path) in str(error.value)


FINDING = '[[finding]]\nsays = "x"\nleft = ["breadth-first"]\n'
MORE = [
    (FINDING + 'right = ["best"]\n', "there is no 'best'"),
    (FINDING + 'right = ["oracle"]\nmeasure = "harvest-rat"\n', "did you mean 'harvest-rate'"),
    (FINDING, "name strategies in right"),
    (FINDING + 'right = ["oracle"]\nat = 11\n', "more than the 10 pages"),
    ('[[strategy]]\nstrategy = "breadth-first"\n', "2 are named 'breadth-first'"),
    ('[[strategy]]\nname = "oracle"\n', "the name of an oracle"),
    (MODEL + USER, "training_share"),
    (MODEL.replace("paths.tsv", "path.tsv") + USER, r"there is no .*path\.tsv"),
]


@pytest.mark.parametrize(("added", "told"), MORE)
def test_parts_that_do_not_fit_each_other_are_told(added: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(LabError, match=told):
        load_experiment(write_experiment(tmp_path, EXPERIMENT + added))


OPTIONS = [
    (MODEL, "no strategy uses it"),
    (MODEL.replace('paths = "paths.tsv"\n', "") + USER, "give paths"),
    (MODEL.replace('"hmm"', '"apprentice"') + USER, "not trained with paths"),
    (MODEL + "options = { cluster = 3 }\n" + USER, "did you mean 'clusters'"),
    (MODEL + 'options = { clusters = "many" }\n' + USER, "options"),
    (MODEL + "options = { states = 1 }\n" + USER, "states must be at least 2"),
    ('[[model]]\nname = "browsing"\nkind = "taxonomy"\n' + USER, "pages = 5"),
]


@pytest.mark.parametrize(("added", "told"), OPTIONS)
def test_models_that_cannot_be_trained_are_told(added: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(LabError, match=re.compile(told)):
        load_experiment(write_experiment(tmp_path, TRAINED + added))


def test_options_are_written_as_on_the_command_line(tmp_path: Path) -> None:
    options = 'options = { clusters = "x-means", max-clusters = 3 }\n'
    experiment = load_experiment(write_experiment(tmp_path, TRAINED + MODEL + options + USER))
    assert experiment.model[0].options["clusters"] == "x-means"


def test_findings_may_be_about_oracles(tmp_path: Path) -> None:
    added = FINDING + 'right = ["oracle (sources)"]\n'
    experiment = load_experiment(write_experiment(tmp_path, EXPERIMENT + added))
    assert experiment.finding[0].right == ("oracle (sources)",)


DOG = '[[topic]]\nname = "dogs"\ntopic = "keywords:dog"\non_topic = ["animal.dog"]\n'


def test_topics_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    text = EXPERIMENT.replace("pages = 10", 'pages = 10\ntopics = ["more.toml"]')
    seeds = 'seeds = ["http://pets.test/index.html"]\n'
    experiment = load_experiment(write_experiment(tmp_path, text, **{"more.toml": DOG + seeds}))
    assert [topic.name for topic in experiment.topic] == ["dogs", "cats"]
    with pytest.raises(LabError, match="topic dogs: it has no seeds"):
        load_experiment(write_experiment(tmp_path, text, **{"more.toml": DOG}))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="cannot read the experiment"):
        load_experiment(tmp_path / "none.toml")


def test_a_topic_that_the_demo_web_does_not_know_is_told_with_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "demo.toml"
    path.write_text(
        'title = "x"\n[web]\ndemo = true\n[truth]\ndemo = true\n'
        '[[topic]]\nname = "breathin"\ntopic = "keywords:lung"\n[[strategy]]\n'
    )
    with pytest.raises(LabError, match=r"no 'breathin'; did you mean 'breathing'"):
        load_experiment(path)
