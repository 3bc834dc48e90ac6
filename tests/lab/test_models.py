"""Models are trained once, from what is counted nowhere, and crawlers can use them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from semcrawl.crawl import Crawl
from semcrawl.errors import LabError
from semcrawl.lab.experiment import fill_in
from semcrawl.lab.plan import plan_runs
from semcrawl.lab.training import Lesson, browsed_pages, train_model
from semcrawl.models.taxonomy import Taxonomy

from .pet_web import CATS, DOGS, EXPERIMENT, opened, write_experiment

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.plan import RunPlan
    from semcrawl.lab.training import TrainedModel
    from semcrawl.lab.web import LabWeb

TRAINED = EXPERIMENT.replace("[[topic]]", "training_share = 0.5\n[[topic]]", 1)
KINDS = {
    "hmm": ("hmm:model={it},any_topic=false", "cosine", 'paths = "paths.tsv"'),
    "context-graph": ("context-graph:model={it}", "cosine", 'paths = "paths.tsv"'),
    "apprentice": ("apprentice:model={it}", "cosine", "pages = 17"),
    "taxonomy": ("soft-focus", "taxonomy:model={it}", "pages = 3"),
}
OPTIONS = {"hmm": "options = { clusters = 2, states = 3 }", "apprentice": "options = { boundary = 0.05 }"}


def written(folder: Path, kind: str, options: str | None = None) -> Path:
    strategy, judge, needs = KINDS[kind]
    chosen = OPTIONS.get(kind, "") if options is None else options
    return write_experiment(
        folder,
        f'{TRAINED}\n[[model]]\nname = "it"\nkind = "{kind}"\n{needs}\n{chosen}\n'
        f'[[strategy]]\nname = "taught"\nstrategy = "{strategy}"\njudge = "{judge}"\n',
    )


def trained(path: Path, folder: Path, contender: str = "taught") -> tuple[TrainedModel, RunPlan, GroundTruth]:
    with opened(path) as (experiment, web, truth):
        plan = next(plan for plan in plan_runs(experiment, web, truth) if plan.contender.name == contender)
        return train_model(plan.models[-1], plan, web, truth, folder), plan, truth


def crawl_with(model: TrainedModel, plan: RunPlan, web: LabWeb) -> int:
    paths = {plan.models[-1].name: str(model.path)}
    with Crawl(
        plan.spec,
        plan.seeds,
        strategy=fill_in(plan.contender.strategy, paths),
        judge=fill_in(plan.contender.judge, paths),
        fetcher=web.replay,
        reader=web.pages.read,
        **{**web.settings(), "pages": 10},
    ) as crawl:
        return crawl.run().progress.pages


@pytest.mark.parametrize("kind", KINDS)
def test_a_crawler_can_use_what_was_trained_for_it(kind: str, tmp_path: Path) -> None:
    with opened(written(tmp_path, kind)) as (experiment, web, truth):
        plan = plan_runs(experiment, web, truth)[1]
        model = train_model(plan.models[0], plan, web, truth, tmp_path / "models")
        assert crawl_with(model, plan, web) == 10


SENTENCES = {
    "hmm": "hmm from 8 paths over 12 pages, 3 training pages of cats as targets, 2 clusters by k-means",
    "context-graph": "context-graph from 8 paths, layers of 3, 3 pages, ",
    "apprentice": "apprentice from 64 links between 17 pages of a soft-focus:n=1 crawl, "
    "judged by cosine; it has read 17 pages of this web before, which are counted",
    "taxonomy": "taxonomy of 4 categories, 1 of them on cats, from ",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_says_what_it_was_trained_on(kind: str, tmp_path: Path) -> None:
    model, _, _ = trained(written(tmp_path, kind), tmp_path / "models")
    assert model.sentence.startswith(SENTENCES[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_is_trained_once(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, kind)
    first, _, _ = trained(path, tmp_path / "models")
    before = first.path.stat().st_mtime_ns
    again, _, _ = trained(path, tmp_path / "models")
    assert again == first
    assert again.path.stat().st_mtime_ns == before


def test_other_options_make_another_model(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    first, _, _ = trained(written(tmp_path, "hmm"), folder)
    other, _, _ = trained(written(tmp_path, "hmm", 'options = { clusters = "x-means" }'), folder)
    assert other.path != first.path
    assert other.sentence.endswith("by x-means")


def test_the_pages_that_are_to_be_found_are_not_read(tmp_path: Path) -> None:
    with opened(written(tmp_path, "hmm")) as (experiment, web, truth):
        plan = plan_runs(experiment, web, truth)[1]
        _, pages = browsed_pages(Lesson(plan.models[0], plan, web, truth, ""))
    assert truth.on_topic["cats"] & pages.keys() <= truth.training["cats"]
    assert pages.keys() >= set(DOGS)


def test_a_taxonomy_has_the_categories_of_the_labels_and_sees_training_pages_only(tmp_path: Path) -> None:
    model, plan, truth = trained(written(tmp_path, "taxonomy"), tmp_path / "models")
    taxonomy = Taxonomy.load(model.path)
    paths = {taxonomy.tree.path(category) for category in taxonomy.tree}
    assert paths == {"animal", "animal/cat", "animal/cat/tame", "animal/dog", "home", "other"}
    assert [taxonomy.tree.path(category) for category in taxonomy.good] == ["animal/cat/tame"]
    assert set(taxonomy.examples.sources()) <= set(plan.left_out)
    assert set(taxonomy.examples.sources()) & set(CATS) <= truth.training["cats"]


def test_an_apprentice_may_learn_from_a_judge_that_is_a_model(tmp_path: Path) -> None:
    text = (
        f'{TRAINED}\n[[model]]\nname = "tree"\nkind = "taxonomy"\npages = 3\n'
        '[[model]]\nname = "links"\nkind = "apprentice"\npages = 17\n'
        "options = { boundary = 0.5 }\n"
        '[[strategy]]\nname = "taught"\nstrategy = "apprentice:model={links}"\n'
        'judge = "taxonomy:model={tree}"\n'
    )
    path = write_experiment(tmp_path, text)
    with opened(path) as (experiment, web, truth):
        plan = plan_runs(experiment, web, truth)[1]
        links = next(model for model in plan.models if model.name == "links")
        model = train_model(links, plan, web, truth, tmp_path / "models")
    assert "judged by taxonomy:model={tree}; " in model.sentence


def test_sites_that_were_trained_with_are_left_out_with_all_their_pages(tmp_path: Path) -> None:
    path = tmp_path / "sites.toml"
    path.write_text(
        'title = "sites"\npages = 100\n[web]\ndemo = true\n[truth]\ndemo = true\n'
        '[[topic]]\nname = "breathing"\ntopic = "wordnet:respiratory_disease.n.01"\n'
        '[[model]]\nname = "clinics"\nkind = "sites"\npages = 5\n'
        '[[strategy]]\nname = "sites"\ncrawler = "sites"\nsettings = { model = "{clinics}" }\n'
    )
    model, plan, truth = trained(path, tmp_path / "models", "sites")
    hosts = truth.training_hosts("breathing")
    relevant = hosts & truth.sites["breathing"]
    assert 0 < len(relevant) < len(truth.sites["breathing"])
    assert {url.split("/")[2] for url in plan.left_out} == hosts
    assert model.sentence.startswith("centroids from ")


def test_a_topic_without_training_pages_on_the_paths_is_told(tmp_path: Path) -> None:
    path = written(tmp_path, "hmm")
    (tmp_path / "paths.tsv").write_text("\t".join(DOGS) + "\n")
    with pytest.raises(LabError, match="none of the 4 training pages of cats is on a browsing"):
        trained(path, tmp_path / "models")


def test_two_who_want_the_same_model_at_once_get_it(tmp_path: Path) -> None:
    path = written(tmp_path, "hmm")
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: trained(path, tmp_path / "models")[0], range(2))
    assert first == second
    assert len(list((tmp_path / "models").glob("*.model"))) == 1
