"""From records to results, on the demo web: some runs are real, some are written by hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from semcrawl.lab.evaluation import evaluate, headline_of, measured_at
from semcrawl.lab.experiment import Contender, Experiment, Finding, LabTopic, SeedDraw, TruthSource, WebSource
from semcrawl.lab.ground_truth import GroundTruth, read_truth
from semcrawl.lab.plan import RunPlan, plan_runs
from semcrawl.lab.records import FoundSite, RunRecord, Visit
from semcrawl.lab.results import CrawlerNote, Results
from semcrawl.lab.run import run_one
from semcrawl.lab.web import LabWeb, open_web
from semcrawl.version import VERSION
from tests.lab.small_web import at, small_experiment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PAGES = 40


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabWeb]:
    with open_web(WebSource(demo=True), tmp_path_factory.mktemp("lab") / "pages") as web:
        yield web


def experiment_of(**values: Any) -> Experiment:
    plain: dict[str, Any] = {
        "title": "Which way",
        "pages": PAGES,
        "web": WebSource(demo=True),
        "truth": TruthSource(demo=True, examples=5),
        "topic": (
            LabTopic(name="breathing", topic="keywords:asthma lung breathing"),
            LabTopic(name="music", topic="keywords:music orchestra"),
        ),
        "strategy": (
            Contender(name="breadth", strategy="breadth-first"),
            Contender(name="best", strategy="best-first-page-anchor"),
        ),
        "finding": (Finding(says="focus helps", left=("best",), right=("breadth",)),),
    }
    return Experiment(**{**plain, **values})


@pytest.fixture(scope="module")
def raced(web: LabWeb, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Results of real crawls."""
    experiment = experiment_of()
    truth = read_truth(experiment, web)
    plans = plan_runs(experiment, web, truth)
    folder = tmp_path_factory.mktemp("runs")
    records = {plan.key: run_one(plan, web, truth, folder) for plan in plans}
    return evaluate(experiment, plans, records, truth, web)


def value(results: Results, contender: str, name: str, at: int = 0, topic: str = "") -> Any:
    found = [
        one.value
        for one in results.values
        if (one.contender, one.measure, one.at) == (contender, name, at or results.headline[1])
        and topic in ("", one.topic)
    ]
    return found[0]


def test_a_focused_crawler_is_measured_above_an_unfocused_one(raced: Results) -> None:
    verdict = raced.verdicts[0]
    assert verdict.outcome == "same direction"  # two topics prove nothing
    assert "2 topics" in verdict.figures
    assert not raced.failures


def test_the_oracle_is_the_whole_of_which_others_find_a_share(raced: Results) -> None:
    for topic, reachable in raced.topics:
        assert value(raced, "oracle", "oracle-share", topic=topic) == 1
        assert value(raced, "oracle", "on-topic", topic=topic) <= reachable
        assert 0 < value(raced, "best", "oracle-share", topic=topic) <= 1


def test_crawlers_are_in_the_order_of_the_experiment_and_oracles_last(raced: Results) -> None:
    assert raced.contenders == ("breadth", "best", "oracle", "oracle (sources)")


def test_the_matrix_compares_crawlers_and_no_oracles(raced: Results) -> None:
    pairs = [(one.left, one.right) for one in raced.comparisons]
    assert pairs == [("breadth", "best"), ("best", "breadth")]


def test_only_measures_with_a_value_occur(raced: Results) -> None:
    names = {note.name for note in raced.measures}
    assert {"harvest-rate", "harvest-ratio", "precision", "bytes-per-relevant"} <= names
    assert "pprs" not in names
    assert {one.measure for one in raced.values} == names


def test_curves_end_where_the_table_does(raced: Results) -> None:
    for curve in raced.curves:
        assert len(curve.pages) == len(curve.values) <= 200
        if curve.topic:
            expected = value(raced, curve.contender, curve.measure, topic=curve.topic)
            assert curve.values[-1] == pytest.approx(expected, abs=1e-6)
    means = {(one.contender, one.measure): one for one in raced.curves if not one.topic}
    over = {(one.contender, one.measure): one for one in raced.over_topics if one.at == PAGES}
    for key in (("best", "on-topic"), ("best", "harvest-rate"), ("oracle", "target-recall")):
        interval = over[key].interval
        ends = (means[key].low[-1], means[key].values[-1], means[key].high[-1])
        assert ends == pytest.approx((interval.low, interval.mean, interval.high), abs=1e-6)


def test_distances_count_every_on_topic_page_once(raced: Results) -> None:
    for name, histogram in raced.bars["distances"].items():
        found = sum(value(raced, name, "on-topic", topic=topic) for topic, _ in raced.topics)
        assert sum(histogram) == found


def test_results_can_be_written_and_read(raced: Results) -> None:
    assert msgspec.json.decode(msgspec.json.encode(raced), type=Results) == raced


# Records by hand


class Race:
    """An experiment of one topic whose records are made up."""

    def __init__(self, web: LabWeb, truth: GroundTruth | None = None, **values: Any) -> None:
        self.experiment = experiment_of(topic=experiment_of().topic[:1], oracles=False, **values)
        self.web = web
        self.truth = truth or read_truth(self.experiment, web)
        self.plans = list(plan_runs(self.experiment, web, self.truth))
        self.on_topic = sorted(self.truth.on_topic["breathing"])
        self.off_topic = sorted(web.urls - self.truth.on_topic["breathing"])
        self.records: dict[str, RunRecord] = {}

    def plan(self, contender: str, repetition: int = 0) -> RunPlan:
        return next(plan for plan in self.plans if (plan.contender.name, plan.repetition) == (contender, repetition))

    def leave_out(self, urls: Sequence[str]) -> None:
        self.plans = [msgspec.structs.replace(plan, left_out=tuple(urls)) for plan in self.plans]

    def visit(self, contender: str, urls: Sequence[str], repetition: int = 0, **values: Any) -> None:
        plan = self.plan(contender, repetition)
        visits = tuple(Visit(url, 0.5, 0.5, depth, 100) for depth, url in enumerate(urls))
        plain = {"seeds": plan.seeds, "stopped": "PagesReached", "cpu": 1.0}
        self.records[plan.key] = RunRecord(
            key=plan.key,
            contender="a name of another experiment",
            topic="breathing",
            visits=visits,
            **{**plain, **values},
        )

    def results(self) -> Results:
        return evaluate(self.experiment, self.plans, self.records, self.truth, self.web)


def test_left_out_pages_are_neither_hits_nor_fetches(web: LabWeb) -> None:
    race = Race(web, pages=4)
    hit, training, *_ = race.on_topic
    race.leave_out([training])
    race.visit("breadth", [hit, *race.off_topic[:3]])
    race.visit("best", [hit, training, *race.off_topic[:3]])  # one more, as if it were free
    results = race.results()
    assert value(results, "breadth", "harvest-rate") == 0.25
    assert value(results, "best", "harvest-rate") == 0.25
    assert value(results, "best", "on-topic") == 1
    assert value(results, "best", "target-recall") == 1 / (len(race.on_topic) - 1)


def test_a_page_limit_spent_on_left_out_pages_is_made_even_for_all(web: LabWeb) -> None:
    race = Race(web, pages=4)
    training, one, other, *_ = race.on_topic
    race.leave_out([training])
    race.visit("best", [training, one, *race.off_topic[:2]])
    race.visit("breadth", [*race.off_topic[:2], one, other])
    results = race.results()
    assert value(results, "best", "harvest-rate") == pytest.approx(1 / 3)
    assert value(results, "breadth", "harvest-rate") == pytest.approx(1 / 3)
    assert value(results, "best", "on-topic") == value(results, "breadth", "on-topic") == 1
    assert {curve.pages[-1] for curve in results.curves} == {3}
    assert any("number of others: breathing 3" in told for told in results.warnings)


def test_a_crawl_with_nothing_left_to_fetch_has_missed_the_rest(web: LabWeb) -> None:
    race = Race(web, pages=4)
    race.visit("best", race.on_topic[:1], stopped="FrontierEmpty")
    results = race.results()
    assert value(results, "best", "harvest-rate") == 0.25
    assert value(results, "best", "relevance") == 0.125
    assert "best had nothing left to fetch: breathing after 1" in results.warnings


def test_a_failed_run_is_told_and_the_rest_is_measured(web: LabWeb) -> None:
    race = Race(web, pages=4)
    race.visit("breadth", race.on_topic[:4])
    race.visit("best", [], error="ValueError: no such luck")
    results = race.results()
    assert [(one.contender, one.error) for one in results.failures] == [("best", "ValueError: no such luck")]
    assert value(results, "breadth", "harvest-rate") == 1
    assert results.verdicts[0].outcome == "not tested"
    assert "1 run failed and is left out: best" in results.warnings


def test_a_run_without_a_record_was_not_run(web: LabWeb) -> None:
    race = Race(web, pages=4)
    race.visit("breadth", race.on_topic[:4])
    assert [one.error for one in race.results().failures] == ["it was not run"]


def test_two_crawlers_with_one_record_keep_their_names(web: LabWeb) -> None:
    twins = tuple(Contender(name=name, strategy="breadth-first") for name in ("one", "other"))
    race = Race(web, strategy=twins, finding=())
    race.visit("one", race.on_topic[:2])
    results = race.results()
    assert {one.contender for one in results.values} == {"one", "other"}


def test_a_topic_without_pages_has_no_harvest_rate(web: LabWeb) -> None:
    race = Race(web, pages=4)
    race.truth = replace(race.truth, on_topic={"breathing": frozenset()}, examples={})
    race.visit("best", race.off_topic[:4])
    results = race.results()
    assert "harvest-rate" not in {one.measure for one in results.values}
    assert value(results, "best", "relevance") == 0.5
    assert results.topics == (("breathing", 0),)


def test_repetitions_from_disjoint_seeds_are_laid_over_each_other(web: LabWeb) -> None:
    race = Race(web, pages=4, repetitions=2, seeds=SeedDraw(size=1, disjoint=True))
    a, b, c, d, e, f = race.on_topic[:6]
    race.visit("best", [a, b, c, d])
    race.visit("best", [c, e, f, a], repetition=1)
    results = race.results()
    overlap = next(one for one in results.curves if one.measure == "url-overlap")
    assert (overlap.contender, overlap.pages) == ("best", (1, 2, 3, 4))
    assert overlap.values == pytest.approx((0, 0, 1 / 3, 0.5), abs=1e-6)
    assert value(results, "best", "url-overlap", 4) == pytest.approx(0.5)


def test_overlap_can_be_what_a_finding_is_about(web: LabWeb) -> None:
    finding = Finding(says="they meet", measure="url-overlap", expect="between", left=("best",), low=0.5)
    draw = SeedDraw(size=1, disjoint=True)
    race = Race(web, pages=4, repetitions=2, seeds=draw, finding=(finding,))
    a, b, c, d, e, f = race.on_topic[:6]
    race.visit("best", [a, b, c, d])
    race.visit("best", [c, e, f, a], repetition=1)
    results = race.results()
    assert value(results, "best", "url-overlap") == 0.5
    assert results.verdicts[0].outcome == "reproduced"


def test_equal_seeds_are_no_test_of_overlap(web: LabWeb) -> None:
    race = Race(web, pages=4, repetitions=2, seeds=SeedDraw(size=1, disjoint=True))
    race.visit("best", race.on_topic[:4], seeds=("http://a.test/",))
    race.visit("best", race.on_topic[:4], repetition=1, seeds=("http://a.test/",))
    assert "url-overlap" not in {one.measure for one in race.results().values}


def test_chakrabarti_1999_section_5_4_best_servers_are_laid_over_each_other(web: LabWeb) -> None:
    """Chakrabarti et al. 1999, section 5.4: servers of the 25 best authorities, disjoint seeds."""
    race = Race(web, pages=150, repetitions=2, seeds=SeedDraw(size=1, disjoint=True))
    half = len(race.on_topic) // 2
    race.visit("best", [*race.on_topic, *race.off_topic[:20]])
    race.visit("best", [*race.on_topic[::-1], *race.off_topic[-20:]], repetition=1)
    race.visit("breadth", [*race.on_topic[:half], *race.off_topic[:20]])
    race.visit("breadth", [*race.on_topic[half:], *race.off_topic[-20:]], repetition=1)
    results = race.results()
    alike = value(results, "best", "authority-overlap")
    assert 0 <= value(results, "breadth", "authority-overlap") < alike <= 1
    assert alike > 0.8


def test_chakrabarti_2002_figure_11_what_is_shared_with_the_first_crawler(web: LabWeb) -> None:
    """Chakrabarti et al. 2002, figure 11: |U1 ∩ U2| / |U1 ∪ U2| of baseline and apprentice."""
    race = Race(web, pages=4)
    race.visit("breadth", race.off_topic[:4])
    race.visit("best", [*race.on_topic[:2], *race.off_topic[:2]])
    results = race.results()
    assert value(results, "best", "first-overlap") == pytest.approx(2 / 6)
    assert value(results, "breadth", "first-overlap") is None


def test_chakrabarti_1999_figure_7_distribution_of_relevance(web: LabWeb) -> None:
    """Chakrabarti et al. 1999, figure 7: shares by tenths, and the peak at the highest."""
    race = Race(web, pages=4)
    race.visit("best", race.on_topic[:4])
    [key] = race.records
    relevances = (0.05, 0.95, 1.0, 0.93)
    visits = zip(race.records[key].visits, relevances, strict=True)
    race.records[key] = msgspec.structs.replace(
        race.records[key], visits=tuple(msgspec.structs.replace(visit, relevance=r) for visit, r in visits)
    )
    results = race.results()
    assert results.bars["relevances"] == {"best": (0.25, *[0.0] * 8, 0.75)}
    assert value(results, "best", "relevance-peak") == 0.75


def test_sites_count_by_what_is_true_when_they_were_judged(web: LabWeb) -> None:
    race = Race(web, pages=10)
    relevant = sorted(race.truth.sites["breathing"])
    found = partial(FoundSite, confidence=0.9, pages=2)
    race.visit(
        "best",
        race.off_topic[:10],
        sites=(
            found(site=relevant[0], is_relevant=True, after=2),
            found(site="elsewhere.test", is_relevant=True, after=5),
            found(site=relevant[1], is_relevant=False, after=8),
        ),
    )
    results = race.results()
    assert value(results, "best", "pprs", at=5) == 5
    assert value(results, "best", "site-precision", at=5) == 0.5
    assert value(results, "best", "site-recall", at=5) == 1
    assert value(results, "best", "site-recall") == 0.5
    assert value(results, "best", "site-harvest-rate") == pytest.approx(2 / 3)
    assert value(results, "best", "site-f") == 0.5


def test_the_work_for_a_site_in_a_window_is_that_of_section_3_3(web: LabWeb) -> None:
    """Ester 2004, section 3.3 and figure 7: pages of the window by relevant sites found in it."""
    race = Race(web, pages=150)
    found = partial(FoundSite, confidence=0.9, pages=2)
    race.visit(
        "best",
        race.off_topic[:150],
        sites=(
            found(site="early.test", is_relevant=True, after=20),
            found(site="late.test", is_relevant=False, after=40),
            found(site="other.test", is_relevant=False, after=90),
            found(site="late.test", is_relevant=True, after=120),
            found(site=min(race.truth.sites["breathing"]), is_relevant=True, after=150),
        ),
    )
    results = race.results()
    assert value(results, "best", "moving-pprs", at=37) == 37
    assert value(results, "best", "moving-pprs") == 100 / 2
    assert value(results, "best", "moving-site-harvest") == 2 / 3
    assert value(results, "best", "pprs") == 150  # one is relevant in truth


def test_a_site_classifier_is_measured_by_its_sites_alone(web: LabWeb) -> None:
    race = Race(web, pages=10)
    [site, *_] = sorted(race.truth.sites["breathing"])
    race.visit("best", race.off_topic[:10])
    plan = race.plan("best")
    found = FoundSite(site=site, confidence=0.9, is_relevant=True, pages=2, after=0)
    race.records[plan.key] = msgspec.structs.replace(race.records[plan.key], visits=(), sites=(found,), stopped="")
    results = race.results()
    assert value(results, "best", "site-f") == 1
    told = {one.measure for one in results.values if one.value is not None}
    assert all(measure.startswith("site-") for measure in told)


def test_the_concepts_of_on_topic_pages_are_covered(web: LabWeb) -> None:
    race = Race(web, pages=4)
    race.visit("best", race.on_topic[:1], concepts=("asthma", "cough"))
    plan = race.plan("best")
    said = [(race.on_topic[0], "asthma"), (race.off_topic[0], "cough")]
    visits = tuple(Visit(url, 0.5, 0.5, 0, 100, concept) for url, concept in said)
    race.records[plan.key] = msgspec.structs.replace(race.records[plan.key], visits=visits)
    assert value(race.results(), "best", "concept-coverage") == 0.5


def test_measures_are_told_where_the_experiment_and_its_findings_ask() -> None:
    finding = Finding(says="early", left=("best",), right=("breadth",), at=7, measure="loss")
    assert measured_at(experiment_of(finding=(finding,))) == (7, 10, 20, 40)
    assert measured_at(experiment_of(finding=(), at=(5, 30))) == (5, 30, 40)
    assert headline_of(experiment_of(finding=(finding,))) == ("loss", 7)
    assert headline_of(experiment_of(finding=())) == ("harvest-rate", 40)


def test_where_nothing_is_left_to_measure_there_is_no_value_and_a_warning(web: LabWeb) -> None:
    race = Race(web, pages=2)
    race.leave_out(race.off_topic[:2])
    race.visit("best", race.off_topic[:2])
    race.visit("breadth", race.on_topic[:2])
    results = race.results()
    assert not results.values
    assert not results.curves
    assert any(told.startswith("nothing is left to measure") for told in results.warnings)
    assert any("left out of the count: breathing;" in told for told in results.warnings)


def test_a_seed_that_redirects_leads_to_what_can_be_found(tmp_path: Path) -> None:
    topic = LabTopic(name="lungs", topic="keywords:lungs", seeds=(at("/old"),))
    experiment = small_experiment(tmp_path, "breadth-first", topic=(topic,))
    with open_web(experiment.web, tmp_path / "pages") as web:
        truth = read_truth(experiment, web)
        plans = plan_runs(experiment, web, truth)
        assert evaluate(experiment, plans, {}, truth, web).topics == (("lungs", 1),)


def test_sites_with_a_port_are_left_out_where_training_saw_them(web: LabWeb) -> None:
    race = Race(web, pages=4)
    pages = [f"http://a.test:8080/{number}" for number in range(3)]
    race.truth = replace(
        race.truth,
        sites={"breathing": frozenset({"a.test:8080", "b.test:81"})},
        known=frozenset({*pages, "http://b.test:81/"}),
    )
    race.leave_out(pages)
    found = partial(FoundSite, confidence=0.9, pages=2, is_relevant=True, after=1)
    sites = (found(site="a.test:8080"), found(site="b.test:81"), found(site="c.test"))
    race.visit("best", race.off_topic[:4], sites=sites)
    # Of three sites two count, and one of these is relevant.
    assert value(race.results(), "best", "site-precision") == 0.5


def test_finds_beyond_the_common_limit_count_nowhere(web: LabWeb) -> None:
    race = Race(web, pages=3)
    training, one, other, *_ = race.on_topic
    race.leave_out([training])
    race.visit("best", [training, one, race.off_topic[0]])
    race.visit("breadth", [race.off_topic[0], one, other])
    results = race.results()
    assert sum(results.bars["distances"]["breadth"]) == value(results, "breadth", "on-topic") == 1
    assert {(one.left, one.pages) for one in results.differences} == {("best", 0), ("breadth", 0)}


def test_results_say_what_crawlers_and_topics_were(web: LabWeb) -> None:
    topic = LabTopic(
        name="breathing", topic="keywords:asthma", descriptions={"net": "wordnet:asthma.n.01", "unused": "keywords:x"}
    )
    contender = Contender(
        name="mine",
        strategy="n-best-first:n=3",
        judge="ssrm",
        description="net",
        settings={"depth": 3},
        seeds="augmented",
    )
    experiment = experiment_of(topic=(topic,), strategy=(contender,), finding=(), oracles=False)
    truth = read_truth(experiment, web)
    results = evaluate(experiment, plan_runs(experiment, web, truth), {}, truth, web)
    assert results.crawlers == (
        CrawlerNote("mine", "n-best-first:n=3", "ssrm", "net", "depth=3", "augmented", "pages"),
    )
    [note] = results.topic_notes
    assert note.given == "keywords:asthma; net: wordnet:asthma.n.01"
    assert (note.seeds, note.pages) == (1, len(truth.on_topic["breathing"]))
    assert ("made by", f"semcrawl {VERSION}") in results.facts
