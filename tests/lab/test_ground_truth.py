"""What is on topic comes from labels, grades, targets, a judge or the demo web."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from semcrawl.demo import demo_web
from semcrawl.errors import LabError
from semcrawl.lab.ground_truth import is_below, read_labels, read_truth

from .pet_web import CATS, DOGS, EXPERIMENT, HOME, LONELY, opened, truth_of, write_experiment


def with_truth(written: str) -> str:
    return EXPERIMENT.replace('labels = "labels.tsv"', written)


def test_a_page_is_on_topic_by_a_category_or_what_is_below_it_in_the_tree(tmp_path: Path) -> None:
    """Subtrees of a directory, as in Ester 2004, section 3.3; equal beginnings are no subtree."""
    path = write_experiment(tmp_path)
    labels = tmp_path / "labels.tsv"
    labels.write_text(labels.read_text().replace("animal.dog", "animal.catdog"))
    truth = truth_of(path)
    assert truth.on_topic == {"cats": {*CATS, LONELY}}
    assert truth.known == {HOME, *CATS, *DOGS, LONELY}
    assert truth.warnings == ()


def test_only_the_kinds_that_are_asked_for_count(tmp_path: Path) -> None:
    text = with_truth('labels = "labels.tsv"\nkinds = ["page", "picture"]')
    truth = truth_of(write_experiment(tmp_path, text))
    assert HOME not in truth.known
    assert truth.warnings == ("no labelled page is of the kind 'picture'; there are: index, page",)


def test_pages_that_may_not_be_crawled_do_not_count(tmp_path: Path) -> None:
    text = EXPERIMENT.replace('["web"]', '["web"]\nexclude = ["*/dogs/*", "*lonely*"]')
    truth = truth_of(write_experiment(tmp_path, text))
    assert truth.on_topic["cats"] == set(CATS)
    assert truth.known.isdisjoint(DOGS)
    assert truth.warnings == ()


def test_labels_of_unknown_pages_are_told(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    with (tmp_path / "labels.tsv").open("a") as file:
        file.writelines(f"http://gone.test/{n}\tpage\tanimal.cat\n" for n in range(4))
        file.write("no address\tpage\tanimal.cat\n")
    first, second = truth_of(path).warnings
    shown = "http://gone.test/0, http://gone.test/1, http://gone.test/2, …"
    assert first == f"4 of 22 labels are about pages that are not in the recorded web: {shown}"
    assert second == "1 label has no URL: no address"


def test_a_line_with_too_few_columns_is_told_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_text("url\tkind\tcategories\nhttp://a.test/\tpage\n")
    with pytest.raises(LabError, match=r"labels\.tsv, line 2: there are 2 columns"):
        read_labels(tmp_path / "labels.tsv")


def test_grades_of_0_are_not_on_topic(tmp_path: Path) -> None:
    rows = f"topic\turl\tgrade\ncats\t{CATS[0]}\t2\ncats\t{DOGS[0]}\t0\ndogs\t{DOGS[1]}\t1\n"
    text = with_truth('judged = "judged.tsv"')
    truth = truth_of(write_experiment(tmp_path, text, **{"judged.tsv": rows}))
    assert truth.on_topic == {"cats": {CATS[0]}}
    assert truth.known == {CATS[0], DOGS[0], DOGS[1]}


def test_a_grade_that_is_no_number_is_told(tmp_path: Path) -> None:
    text = with_truth('judged = "judged.tsv"')
    path = write_experiment(tmp_path, text, **{"judged.tsv": f"cats\t{CATS[0]}\tgood\n"})
    with pytest.raises(LabError, match="the grade 'good'"):
        truth_of(path)


def test_what_is_no_target_is_known_not_to_be_one(tmp_path: Path) -> None:
    text = with_truth('targets = "targets.tsv"')
    path = write_experiment(tmp_path, text, **{"targets.tsv": f"cats\t{CATS[3]}\n"})
    truth = truth_of(path)
    assert truth.on_topic == {"cats": {CATS[3]}}
    assert truth.known >= {*CATS, *DOGS}


def test_a_judge_may_say_what_is_on_topic(tmp_path: Path) -> None:
    truth = truth_of(write_experiment(tmp_path, with_truth('judge = "cosine"')))
    assert CATS[0] in truth.on_topic["cats"]
    assert DOGS[0] not in truth.on_topic["cats"]


def test_the_demo_web_knows_its_own_pages_and_sites(tmp_path: Path) -> None:
    path = tmp_path / "demo.toml"
    path.write_text(
        'title = "demo"\n[web]\ndemo = true\n[truth]\ndemo = true\n'
        '[[topic]]\nname = "breathing"\ntopic = "wordnet:respiratory_disease.n.01"\n'
        '[[strategy]]\nstrategy = "breadth-first"\n'
    )
    known = demo_web().topics["breathing"]
    truth = truth_of(path)
    assert truth.on_topic["breathing"] == known.pages
    assert truth.sites["breathing"] == known.sites


def test_a_topic_without_a_page_is_told_and_goes_on(tmp_path: Path) -> None:
    truth = truth_of(write_experiment(tmp_path, EXPERIMENT.replace("animal.cat", "animal.cow")))
    assert truth.warnings == ("no page of the recorded web is on the topic cats (animal.cow)",)


def test_a_topic_whose_pages_cannot_be_reached_is_told(tmp_path: Path) -> None:
    text = EXPERIMENT.replace("/index.html", "/dogs/0.html")
    truth = truth_of(write_experiment(tmp_path, text))
    assert truth.warnings == ("no page on the topic cats can be reached from its seeds",)


def test_training_pages_and_examples_are_drawn_apart_and_always_the_same(tmp_path: Path) -> None:
    text = with_truth('labels = "labels.tsv"\ntraining_share = 0.5\nexamples = 3')
    path = write_experiment(tmp_path, text)
    with opened(path) as (experiment, web, truth):
        assert len(truth.training["cats"]) == 4
        assert len(truth.examples["cats"]) == 3
        assert truth.training["cats"].isdisjoint(truth.examples["cats"])
        assert read_truth(experiment, web) == truth


def test_where_there_are_too_few_examples_training_pages_help_out(tmp_path: Path) -> None:
    text = with_truth('labels = "labels.tsv"\ntraining_share = 0.5')
    truth = truth_of(write_experiment(tmp_path, text))
    assert set(truth.examples["cats"]) == truth.on_topic["cats"]


@pytest.mark.data
def test_the_topics_of_a_real_web_have_the_pages_that_are_known(tmp_path: Path) -> None:
    folder = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / "schools-wikipedia"
    if not (folder / "labels.tsv").is_file():
        pytest.skip(f"there are no labels in {folder}; set SEMCRAWL_DATA")
    labels = read_labels(folder / "labels.tsv", ["article"]).categories
    counts = {
        wanted: sum(any(is_below(name, [wanted]) for name in names) for names in labels.values())
        for wanted in ("subject.Science.Biology.Health_and_medicine", "subject.IT", "subject.Everyday_life.Sports")
    }
    assert list(counts.values()) == [109, 84, 32]
