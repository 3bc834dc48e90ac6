"""One run: what is crawled, and what is recorded of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest

from semcrawl import Crawl
from semcrawl.crawl import PageVisited
from semcrawl.lab.experiment import Contender, Experiment, LabTopic, TruthSource, WebSource
from semcrawl.lab.ground_truth import read_truth
from semcrawl.lab.plan import plan_runs
from semcrawl.lab.run import run_one
from semcrawl.lab.web import open_web
from tests.lab.small_web import at, small_experiment

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from semcrawl.lab.records import RunRecord

MISTAKEN = """
class Mistaken:
    batch = 1
    def rank(self, judged):
        return [1 / judged.depth for link in judged.page.links]
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store of read pages for all, as a lab has it: the demo web is read once."""
    return tmp_path_factory.mktemp("lab") / "pages"


@pytest.fixture
def run(tmp_path: Path, pages: Path) -> Callable[[Experiment], RunRecord]:
    """Makes the first run of an experiment."""

    def made(experiment: Experiment) -> RunRecord:
        with open_web(experiment.web, pages) as web:
            truth = read_truth(experiment, web)
            plan = plan_runs(experiment, web, truth)[0]
            return run_one(plan, web, truth, tmp_path / "lab")

    return made


def paths(record: RunRecord) -> list[str]:
    return [visit.url.removeprefix(at("")) for visit in record.visits]


def test_the_pages_are_recorded_in_the_order_of_their_visits(
    run: Callable[[Experiment], RunRecord], tmp_path: Path
) -> None:
    record = run(small_experiment(tmp_path, "breadth-first"))
    assert record.error == ""
    assert paths(record) == ["/", "/lungs", "/cars", "/asthma", "/wheels", "/bronchitis"]
    assert [visit.depth for visit in record.visits] == [0, 1, 1, 2, 2, 2]
    assert record.stopped == "PagesReached"
    assert record.seeds == (at("/"),)


def test_a_run_is_the_crawl_that_a_user_would_have_made(run: Callable[[Experiment], RunRecord], tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path, "best-first-page-anchor")
    record = run(experiment)
    with Crawl(
        "keywords:lungs disease",
        [at("/")],
        strategy="best-first-page-anchor",
        judge="cosine",  # as in a lab where none is named
        pages=6,
        replay=experiment.web.replay,
        exclude=experiment.web.exclude,
    ) as crawl:
        events = [event for event in crawl.visits() if isinstance(event, PageVisited)]
    assert [(one.url, one.relevance, one.priority, one.depth) for one in events] == [
        (one.url, one.relevance, one.priority, one.depth) for one in record.visits
    ]


def test_sizes_and_requests_are_counted(run: Callable[[Experiment], RunRecord], tmp_path: Path) -> None:
    record = run(small_experiment(tmp_path, "breadth-first", pages=20))
    files = sorted(len(path.read_bytes()) for path in (tmp_path / "web").glob("*.html"))
    assert {visit.size for visit in record.visits} <= set(files)
    # Beside six pages a redirect and a page that is gone.
    assert (len(record.visits), record.requests) == (6, 8)
    assert record.stopped == "FrontierEmpty"
    assert record.cpu > 0


def test_the_oracle_finds_targets_first(run: Callable[[Experiment], RunRecord], tmp_path: Path) -> None:
    record = run(small_experiment(tmp_path, "oracle"))
    assert paths(record)[:4] == ["/", "/lungs", "/asthma", "/bronchitis"]


def test_the_source_oracle_goes_on_from_pages_on_topic(run: Callable[[Experiment], RunRecord], tmp_path: Path) -> None:
    record = run(small_experiment(tmp_path, "oracle:sees=sources"))
    assert paths(record)[:3] == ["/", "/lungs", "/asthma"]


def test_a_mistake_in_a_strategy_is_recorded_with_a_traceback_beside(
    run: Callable[[Experiment], RunRecord], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(MISTAKEN)
    record = run(small_experiment(tmp_path, f"{tmp_path}/mine.py:Mistaken"))
    (trace,) = (tmp_path / "lab" / "runs").glob("*.traceback.txt")
    assert record.error == (f"ZeroDivisionError: division by zero; traceback in runs/{trace.name} of the lab")
    assert record.visits == ()
    assert "mine.py" in trace.read_text()


def test_a_strategy_that_wants_to_exit_has_failed(run: Callable[[Experiment], RunRecord], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MISTAKEN.replace("1 / judged.depth", "exit(3)"))
    record = run(small_experiment(tmp_path, f"{tmp_path}/mine.py:Mistaken"))
    assert record.error.startswith("SystemExit: 3; traceback in runs/")


def test_bad_input_is_recorded_in_its_own_words(run: Callable[[Experiment], RunRecord], tmp_path: Path) -> None:
    contender = Contender(name="n", strategy="dom:alpha=7")
    record = run(small_experiment(tmp_path, contender))
    assert "give a number from 0 to 1" in record.error
    assert not list(tmp_path.glob("lab/runs/*"))


def test_augmented_seeds_are_the_given_ones_and_pages_that_link_to_several(
    run: Callable[[Experiment], RunRecord], tmp_path: Path
) -> None:
    topic = LabTopic(name="lungs", topic="keywords:lungs", seeds=(at("/asthma"), at("/wheels"), at("/lungs")))
    contender = Contender(name="hubs", strategy="breadth-first", seeds="augmented")
    record = run(small_experiment(tmp_path, contender, topic=(topic,)))
    assert record.seeds == (at("/asthma"), at("/wheels"), at("/lungs"), at("/cars"))


def test_concepts_are_recorded_where_the_judge_names_them(
    run: Callable[[Experiment], RunRecord], tmp_path: Path
) -> None:
    topic = LabTopic(name="lungs", topic="wordnet:respiratory_disease.n.01", seeds=(at("/"),))
    contender = Contender(name="ssrm", strategy="ssrm", judge="ssrm")
    record = run(small_experiment(tmp_path, contender, topic=(topic,)))
    named = {visit.concept for visit in record.visits} - {""}
    assert named
    assert len(record.concepts) > 2
    assert named & set(record.concepts)
    assert run(small_experiment(tmp_path, "breadth-first")).concepts == ()


def site_experiment(crawler: Literal["sites", "pages-for-sites", "site-classifier"], **settings: Any) -> Experiment:
    return Experiment(
        title="Sites",
        pages=60,
        web=WebSource(demo=True),
        truth=TruthSource(demo=True),
        topic=(LabTopic(name="breathing", topic="wordnet:respiratory_disease.n.01"),),
        strategy=(Contender(name=crawler, crawler=crawler, settings={"lens": "ssrm", **settings}),),
    )


@pytest.mark.parametrize("crawler", ["sites", "pages-for-sites"])
def test_crawlers_for_sites_record_sites_beside_pages(
    run: Callable[[Experiment], RunRecord], crawler: Literal["sites", "pages-for-sites"]
) -> None:
    record = run(site_experiment(crawler))
    assert record.error == ""
    assert len(record.visits) == 60
    assert any(site.is_relevant for site in record.sites)
    assert all(0 < site.pages <= site.after <= 60 for site in record.sites)


def test_a_site_classifier_is_given_every_site_and_reads_a_few_pages_of_each(
    run: Callable[[Experiment], RunRecord],
) -> None:
    several = run(site_experiment("site-classifier", pages_per_site=5))
    homepages = run(site_experiment("site-classifier", pages_per_site=1))
    assert several.error == homepages.error == ""
    assert {site.pages for site in homepages.sites} == {1}
    assert 1 < max(site.pages for site in several.sites) <= 5
    assert len(several.sites) == len(homepages.sites) > 20
    assert several.visits == ()  # nobody went from site to site
