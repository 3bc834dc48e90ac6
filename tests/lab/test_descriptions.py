"""What precision@N compares pages with is no crawler's own (Pant, Menczer 2003, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from semcrawl.lab.evaluation import evaluate
from semcrawl.lab.page_measures import topic_description
from semcrawl.lab.plan import plan_runs
from semcrawl.lab.run import run_one

from .pet_web import EXPERIMENT, opened, write_experiment

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.results import Results

LABELS = 'labels = "labels.tsv"'


def results_of(path: Path) -> Results:
    with opened(path) as (experiment, web, truth):
        plans = plan_runs(experiment, web, truth)
        records = {plan.key: run_one(plan, web, truth, path.parent / "lab") for plan in plans}
        return evaluate(experiment, plans, records, truth, web)


def test_it_is_made_of_training_pages_that_count_for_nobody_as_in_section_3(tmp_path: Path) -> None:
    text = EXPERIMENT.replace(LABELS, f"{LABELS}\ntraining_share = 0.5")
    with opened(write_experiment(tmp_path, text)) as (experiment, web, truth):
        training = truth.training["cats"]
        found = topic_description(experiment.topic[0], training, web)
        assert found["whisker"] > 0
        assert "bark" not in found
        assert all(set(training) <= set(plan.left_out) for plan in plan_runs(experiment, web, truth))


def test_a_topic_may_give_a_description_of_its_own(tmp_path: Path) -> None:
    """Pant, Menczer 2003, table 1: keywords for crawlers, a description for the evaluation."""
    with opened(write_experiment(tmp_path)) as (experiment, web, _):
        topic = replace(experiment.topic[0], evaluation="Cats purr. A cat that purrs has whiskers.")
        assert topic_description(topic, (), web) == {"cat": 2, "purr": 2, "whisker": 1}
        assert topic_description(experiment.topic[0], (), web) == {"cat": 1.0}


def test_precision_does_not_depend_on_the_words_that_crawlers_are_given(tmp_path: Path) -> None:
    """Pant, Menczer 2003, eq. 1: the similarity is to the description, not to the keywords."""
    given = 'topic = "keywords:cat"'
    values = []
    for number, words in enumerate((given, 'topic = "keywords:bone"')):
        (folder := tmp_path / str(number)).mkdir()
        text = EXPERIMENT.replace(given, f'{words}\nevaluation = "purr, whisker, mouse"')
        results = results_of(write_experiment(folder, text))
        values.append([one.value for one in results.values if one.measure == "precision"])
        assert dict(results.facts)["precision"] == "by descriptions that topics give for it"
    assert values[0] == values[1] != []


def test_the_report_says_when_crawlers_are_judged_by_their_own_words(tmp_path: Path) -> None:
    facts = dict(results_of(write_experiment(tmp_path)).facts)
    assert facts["precision"] == "by what crawlers are given"
