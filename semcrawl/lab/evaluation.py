"""From the records of runs to results: values, curves, costs, comparisons, verdicts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np

from semcrawl.arrays import Floats
from semcrawl.crawl.progress import StopReason
from semcrawl.lab import results
from semcrawl.lab.comparing import TopicValues, bootstrap_band, compare_all, judge_finding
from semcrawl.lab.experiment import Experiment, TruthSource, is_oracle
from semcrawl.lab.ground_truth import GroundTruth
from semcrawl.lab.metrics import (
    OF_ALL_FETCHED,
    ScoredRun,
    beside_others,
    distance_histogram,
    relevance_histogram,
    score_runs,
    value_of,
)
from semcrawl.lab.page_measures import mean_gains, with_best_servers, with_page_scores
from semcrawl.lab.plan import RunPlan
from semcrawl.lab.records import RunRecord
from semcrawl.lab.web import LabWeb
from semcrawl.redaction import without_folders
from semcrawl.registry import split_spec
from semcrawl.topics.rdf_statements import grouped
from semcrawl.version import VERSION

_FEWER_POINTS = 100
_DIGITS = 6
EXAMPLES = 3
_LONGEST_ANCHOR = 60
_NUMBER = re.compile(r"\d[\d,]*")


def evaluate(
    experiment: Experiment, plans: Sequence[RunPlan], records: Mapping[str, RunRecord], truth: GroundTruth, web: LabWeb
) -> results.Results:
    """Return the results of an experiment; runs without a record and failed ones are left out."""
    scored = with_best_servers(score_runs(plans, records, truth), measured_at(experiment), web)
    seen = {plan.contender.name: is_oracle(plan.contender.strategy) for plan in plans}
    crawlers = dict(sorted(seen.items(), key=lambda one: one[1]))  # the oracles last
    first = next(iter(crawlers), "")
    runs, warnings = with_page_scores(beside_others(scored, first), experiment, truth, web)
    values = _values(experiment, runs)
    by_topic = TopicValues(values)
    headline, pages, seed = headline_of(experiment), experiment.pages, experiment.random_seed
    failures = _failures(plans, records)
    rivals = [name for name, oracle in crawlers.items() if not oracle]
    occurring = {value.measure for value in values}
    topics = len(experiment.topic)
    return results.Results(
        title=experiment.title,
        about=experiment.about,
        paper=experiment.paper,
        facts=facts_of(experiment, plans, truth, web),
        contenders=tuple(crawlers),
        topics=_topics(experiment, plans, truth, web),
        measures=tuple(note for name, note in results.METRICS.items() if name in occurring),
        headline=headline,
        values=tuple(values),
        over_topics=tuple(by_topic.over_topics(seed)),
        curves=tuple(curves_of(runs, headline[0], pages, seed)),
        comparisons=tuple(compare_all(by_topic, rivals, *headline)),
        verdicts=tuple(judge_finding(one, by_topic, pages, topics, seed) for one in experiment.finding),
        differences=tuple(differences(runs, web)),
        bars=bars_of(runs, first, web),
        costs=tuple(costs_of(runs)),
        trained_on=trained_on(runs),
        failures=failures,
        crawlers=crawler_notes(plans),
        topic_notes=topic_notes(experiment, plans, truth),
        warnings=(
            *web.problems,
            *truth.warnings,
            *warnings,
            *_of_limits(runs, pages),
            *_of_early_ends(runs),
            *_of_failures(failures),
        ),
    )


def headline_of(experiment: Experiment) -> tuple[str, int]:
    """The measure of curves and matrices and its number of pages: the first finding's, if any."""
    if not experiment.finding:
        return "harvest-rate", experiment.pages
    first = experiment.finding[0]
    return first.measure, first.at or experiment.pages


def measured_at(experiment: Experiment) -> tuple[int, ...]:
    """Return after how many pages measures are told, where findings ask for it too."""
    pages = experiment.pages
    told = experiment.at or (pages // 4, pages // 2)
    asked = (finding.at for finding in experiment.finding)
    return tuple(sorted({at for at in (*told, *asked, pages) if 1 <= at <= pages}))


def _values(experiment: Experiment, runs: Sequence[ScoredRun]) -> list[results.Value]:
    found = [
        results.Value(run.contender, run.topic, run.repetition, name, at, value_of(run, name, at))
        for run in runs
        for name in results.METRICS
        for at in measured_at(experiment)
    ]
    occurring = {value.measure for value in found if value.value is not None}
    return [value for value in found if value.measure in occurring]


def _topics(
    experiment: Experiment, plans: Sequence[RunPlan], truth: GroundTruth, web: LabWeb
) -> tuple[tuple[str, int], ...]:
    found = []
    for topic in experiment.topic:
        own = [plan for plan in plans if plan.topic.name == topic.name]
        targets = truth.on_topic.get(topic.name, frozenset()).difference(*(plan.left_out for plan in own[:1]))
        seeds = dict.fromkeys(seed for plan in own for seed in plan.seeds)
        found.append((topic.name, web.reachable(seeds, targets)))
    return tuple(found)


def _failures(plans: Iterable[RunPlan], records: Mapping[str, RunRecord]) -> tuple[results.Failure, ...]:
    made = ((plan, records.get(plan.key)) for plan in plans)
    errors = ((plan, record.error if record else "it was not run") for plan, record in made)
    return tuple(
        results.Failure(plan.contender.name, plan.topic.name, plan.repetition, error) for plan, error in errors if error
    )


def _of_limits(runs: Iterable[ScoredRun], pages: int) -> list[str]:
    limits: dict[str, int] = {}
    for run in runs:
        if run.limit is not None and run.limit < pages:
            limits[run.topic] = min(run.limit, limits.get(run.topic, pages))
    told = ", ".join(f"{topic} {limit:,}" for topic, limit in limits.items() if limit)
    none = ", ".join(topic for topic, limit in limits.items() if not limit)
    some = (
        f"of {pages:,} pages, some are left out of the count; all crawlers of a topic are "
        f"measured over the same number of others: {told}"
    )
    nothing = (
        f"nothing is left to measure where a crawl met only pages that are left out of the count: "
        f"{none}; let crawls fetch more pages, or train with fewer"
    )
    return [some] * bool(told) + [nothing] * bool(none)


def _of_early_ends(runs: Iterable[ScoredRun]) -> list[str]:
    ended: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        if run.record.stopped == StopReason.FRONTIER_EMPTY and not run.is_oracle:
            ended[run.contender].append(f"{run.topic} after {len(run.record.visits):,}")
    return [
        f"{name} had nothing left to fetch: {', '.join(where[:3])}"
        + (f" and {len(where) - 3} more" if len(where) > 3 else "")
        for name, where in ended.items()
    ]


def _of_failures(failures: Sequence[results.Failure]) -> list[str]:
    if not failures:
        return []
    names = dict.fromkeys(failure.contender for failure in failures)
    many = "1 run failed and is" if len(failures) == 1 else f"{len(failures):,} runs failed and are"
    return [f"{many} left out: {', '.join(names)}"]


def sample_points(pages: int, most: int = 200) -> tuple[int, ...]:
    """Return at most ``most`` numbers from 1 to ``pages``, evenly spread, both ends included.

    >>> sample_points(5), sample_points(1_000, most=5)
    ((1, 2, 3, 4, 5), (1, 251, 500, 750, 1000))
    """
    spread = np.linspace(1, pages, min(pages, most))
    return tuple(round(point) for point in spread.tolist())


def curves_of(runs: Iterable[ScoredRun], headline: str, pages: int, seed: int) -> list[results.Curve]:
    """Return the mean curves over topics, the headline's for each too; all end where a run does."""
    found: list[results.Curve | None] = []
    points, fewer = sample_points(pages), sample_points(pages, _FEWER_POINTS)
    metrics = dict.fromkeys((*(name for name in results.METRICS if results.METRICS[name].is_curve), headline))
    for contender, own in grouped((run.contender, run) for run in runs).items():
        topics = grouped((run.topic, run) for run in own)
        for metric in metrics:
            tables = [_table(of_topic, metric, points) for of_topic in topics.values()]
            if tables := [table for table in tables if table]:
                rows = tables[0] if len(tables) == 1 else [np.mean(one, axis=0) for one in tables]
                names = (contender, "", metric)
                found.append(_curve(names, points, rows, seed, topics=len(tables)))
        for topic, of_topic in topics.items():
            if rows := _table(of_topic, headline, fewer):
                found.append(_curve((contender, topic, headline), fewer, rows, seed))
    return [curve for curve in found if curve]


def _table(runs: Sequence[ScoredRun], metric: str, points: Sequence[int]) -> list[Floats]:
    """The values of each run that has any, at each point; NaN where there is none."""
    rows = [
        [
            value_of(run, metric, point) if metric in OF_ALL_FETCHED or run.pages(point) == point else None
            for point in points
        ]
        for run in runs
    ]
    return [np.array(row, dtype=np.float64) for row in rows if any(v is not None for v in row)]


def _curve(
    names: tuple[str, str, str], points: Sequence[int], rows: Sequence[Floats], seed: int, topics: int = 0
) -> results.Curve | None:
    """The mean of the rows where all have a value; ``names`` are crawler, topic and metric."""
    table = np.asarray(rows)
    whole = ~np.isnan(table).any(axis=0)
    if not whole.any():
        return None
    means, low, high = (
        tuple(round(value, _DIGITS) for value in values) for values in bootstrap_band(table[:, whole].tolist(), seed)
    )
    pages = tuple(np.asarray(points)[whole].tolist())
    band = (low, high) if len(rows) > 1 else ((), ())
    return results.Curve(*names, pages, means, *band, topics=topics)


def costs_of(runs: Iterable[ScoredRun]) -> list[results.Cost]:
    """Return what each crawler costs; all fetched pages count, those left out too."""
    found = []
    for name, own in grouped((run.contender, run) for run in runs).items():
        records = [run.record for run in own]
        pages = sum(len(record.visits) for record in records)
        cpu = sum(record.cpu for record in records) / max(pages, 1)
        requests = sum(record.requests for record in records) / max(pages, 1)
        found.append(results.Cost(name, len(own), pages, cpu, requests))
    return found


def bars_of(runs: Sequence[ScoredRun], first: str, web: LabWeb) -> dict[str, dict[str, tuple[float, ...]]]:
    """Return what reports show as bars, see ``Results.bars``; ``first`` is the first crawler."""
    by_name = grouped((run.contender, run) for run in runs)
    learns = any(split_spec(run.strategy)[0] == "apprentice" for run in runs)
    gains = mean_gains(by_name.get(first, ()), web) if learns else ()
    return {
        "distances": {
            name: distance_histogram(visit.depth for run in own for visit in run.finds) for name, own in by_name.items()
        },
        "relevances": {
            name: relevance_histogram([v.relevance for run in own for v in run.visits[: run.limit]])
            for name, own in by_name.items()
        },
        "gains": {first: gains} if gains else {},
    }


def crawler_notes(plans: Sequence[RunPlan]) -> tuple[results.CrawlerNote, ...]:
    """Return what each crawler was; files are told by their names, not their places."""
    found = {}
    for plan in plans:
        one, settings = plan.contender, ", ".join(f"{k}={v}" for k, v in plan.settings.items())
        strategy, judge, settings = map(without_folders, (one.strategy, one.judge, settings))
        found[plan.contender.name] = results.CrawlerNote(
            plan.contender.name, strategy, judge, one.description, settings, one.seeds, one.crawler
        )
    return tuple(found.values())


def topic_notes(experiment: Experiment, plans: Sequence[RunPlan], truth: GroundTruth) -> tuple[results.TopicNote, ...]:
    """Return what each topic was, with all descriptions that a crawler was given."""
    seeds = {plan.topic.name: len(plan.seeds) for plan in plans}
    used = dict.fromkeys(plan.contender.description for plan in plans)
    found = []
    for topic in experiment.topic:
        others = [f"{name}: {topic.descriptions[name]}" for name in used if name]
        given = without_folders("; ".join([topic.topic, *others]))
        pages = len(truth.on_topic.get(topic.name, ()))
        found.append(results.TopicNote(topic.name, given, seeds.get(topic.name, 0), pages))
    return tuple(found)


def facts_of(
    experiment: Experiment, plans: Sequence[RunPlan], truth: GroundTruth, web: LabWeb
) -> tuple[tuple[str, str], ...]:
    """Return pairs of a heading and a sentence; files are told by their names, not their places."""
    rows = [
        ("web", _web(experiment, web)),
        ("pages per crawl", f"{experiment.pages:,}"),
        ("topics", ", ".join(topic.name for topic in experiment.topic)),
        ("truth", _truth(experiment.truth)),
        ("seeds", _seeds(experiment, plans)),
        ("training", _training(experiment, truth)),
        ("precision", _described(experiment, truth)),
        ("not counted", _left_out(plans)),
        ("background", _name(experiment.web.background)),
        ("random seed", str(experiment.random_seed)),
        ("runs", f"{len(plans):,}"),
        ("made by", f"semcrawl {VERSION}"),
    ]
    return tuple((heading, sentence) for heading, sentence in rows if sentence)


def _web(experiment: Experiment, web: LabWeb) -> str:
    source = experiment.web
    names = "the demo web" if source.demo else ", ".join(map(_name, source.replay))
    told = [f"{names}: {len(web.urls):,} pages to crawl"]
    told += [f"only {', '.join(source.include)}"] if source.include else []
    told += [f"without {', '.join(source.exclude)}"] if source.exclude else []
    return "; ".join([*told, f"digest {web.digest[:12]}"])


def _truth(source: TruthSource) -> str:
    if source.demo:
        return "what the demo web knows of its pages"
    if source.judge:
        return f"the judge {source.judge}"
    kind = "labels" if source.labels else "judged pages" if source.judged else "targets"
    told = f"{kind} of {_name(source.labels or source.judged or source.targets)}"
    return f"{told}, only of the kinds {', '.join(source.kinds)}" if source.kinds else told


def _seeds(experiment: Experiment, plans: Sequence[RunPlan]) -> str:
    sizes = sorted({len(plan.seeds) for plan in plans})
    if not sizes:
        return ""
    count = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    if not experiment.seeds.are_drawn:
        return f"{count} per topic, as given"
    disjoint = ", none of them twice" if experiment.seeds.disjoint else ""
    return f"{count} drawn for each of {experiment.repetitions} repetitions{disjoint}"


def _training(experiment: Experiment, truth: GroundTruth) -> str:
    if not experiment.model:
        return "nothing was trained"
    models = ", ".join(f"{model.name} ({model.kind})" for model in experiment.model)
    pages = ", ".join(f"{name} {len(urls):,}" for name, urls in truth.training.items() if urls)
    return f"{models}; training pages on topic: {pages}" if pages else models


def _described(experiment: Experiment, truth: GroundTruth) -> str:
    """What precision compares pages with; see `topic_description`."""
    ways = (
        "descriptions that topics give for it"
        if topic.evaluation
        else "the beginnings of training pages"
        if truth.training.get(topic.name)
        else "what crawlers are given"
        for topic in experiment.topic
    )
    return f"by {' or '.join(dict.fromkeys(ways))}"


def _left_out(plans: Sequence[RunPlan]) -> str:
    counts = {plan.topic.name: len(plan.left_out) for plan in plans if plan.left_out}
    told = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return f"pages of training and drawn seeds: {told}" if told else ""


def _name(place: str) -> str:
    return Path(place).name or place


def trained_on(runs: Iterable[ScoredRun]) -> dict[str, tuple[str, ...]]:
    """Return what each crawler that learns was trained on, a sentence each."""
    told: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for run in runs:
        for sentence in run.record.trained_on:
            told[run.contender][run.topic][sentence] = None
    return {name: merged_sentences(by_topic) for name, by_topic in told.items()}


def merged_sentences(by_topic: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the sentences of all topics; those that differ only by topic and numbers are one.

    >>> merged_sentences({"cats": ["7 pages of cats"], "dogs": ["12 pages of dogs"]})
    ('7 to 12 pages of each topic',)
    """
    alike: dict[str, list[str]] = defaultdict(list)
    for topic, sentences in by_topic.items():
        for sentence in sentences:
            told = re.sub(rf"(?<![\w-]){re.escape(topic)}(?![\w-])", "each topic", sentence)
            alike[_NUMBER.sub("#", told)].append(told if len(by_topic) > 1 else sentence)
    return tuple(map(_ranges, alike.values()))


def _ranges(sentences: Sequence[str]) -> str:
    def told(column: Iterable[str]) -> str:
        numbers = sorted({int(number.replace(",", "")) for number in column})
        return " to ".join(f"{number:,}" for number in dict.fromkeys((numbers[0], numbers[-1])))

    ranges = map(told, zip(*map(_NUMBER.findall, sentences), strict=True))
    return _NUMBER.sub(lambda _: next(ranges), sentences[0])


def differences(runs: Sequence[ScoredRun], web: LabWeb) -> list[results.Difference]:
    """Return for every pair of crawlers, oracles only left, the finds that only left has."""
    by_name: dict[str, dict[tuple[str, int], ScoredRun]] = defaultdict(dict)
    for run in runs:
        by_name[run.contender][run.topic, run.repetition] = run
    oracles = {run.contender for run in runs if run.is_oracle}
    explainer = _Explainer(runs, web)
    found = []
    for left, right in permutations(by_name, 2):
        ours, theirs = by_name[left], by_name[right]
        pairs = [(ours[key], theirs[key]) for key in ours if key in theirs]
        if right in oracles or not pairs:
            continue
        missed = []
        for one, other in pairs:
            only = one.hit_urls - other.hit_urls
            steps = enumerate(one.record.visits, start=1)
            missed += [(step, visit.url, one, other) for step, visit in steps if visit.url in only]
        missed.sort(key=lambda page: (page[0], page[1]))
        examples = tuple(explainer.explain(*page) for page in _of_many_topics(missed))
        found.append(results.Difference(left, right, len(missed), examples))
    return found


def _of_many_topics(
    missed: Sequence[tuple[int, str, ScoredRun, ScoredRun]],
) -> list[tuple[int, str, ScoredRun, ScoredRun]]:
    """The first page of each topic, then the second of each, and so on."""
    seen: Counter[str] = Counter()
    turns = []
    for page in missed:
        turns.append((seen[page[2].topic], page))
        seen[page[2].topic] += 1
    turns.sort(key=lambda one: one[0])  # steps stay in order within a turn
    return [page for _, page in turns[:EXAMPLES]]


class _Explainer:
    def __init__(self, runs: Sequence[ScoredRun], web: LabWeb) -> None:
        visited = {visit.url for run in runs for visit in run.record.visits}
        wanted = {url for run in runs for url in run.hit_urls}
        self._sources: dict[str, list[str]] = defaultdict(list)
        for page in sorted(visited):
            for target in web.links(page):
                if target in wanted:
                    self._sources[target].append(page)
        self._steps = {id(run): {visit.url: n for n, visit in enumerate(run.record.visits, start=1)} for run in runs}
        self._anchor = cache(lambda page, target: _anchor(web, page, target))

    def explain(self, step: int, url: str, left: ScoredRun, right: ScoredRun) -> results.MissedPage:
        priority = left.record.visits[step - 1].priority
        told = f"{left.contender} {self._way(step, url, left)}; {self._lack(url, right)}"
        return results.MissedPage(left.topic, url, step, priority, told)

    def _way(self, step: int, url: str, run: ScoredRun) -> str:
        if url in run.record.seeds:
            return "began there"
        source = self._first_source(url, run)
        if source is None or source[0] >= step:
            return f"fetched it as page {step:,}"
        number, page = source
        anchor = self._anchor(page, url)
        words = f" by the link “{anchor}”" if anchor else ""
        return f"saw it on page {number:,}, {page},{words} and fetched it as page {step:,}"

    def _lack(self, url: str, run: ScoredRun) -> str:
        fetched = len(run.record.visits)
        if (late := self._steps[id(run)].get(url)) is not None:
            return f"{run.contender} fetched it as page {late:,}, beyond those that are compared"
        source = self._first_source(url, run)
        if source is None:
            return f"{run.contender} fetched no page that links to it"
        number, page = source
        return f"{run.contender} saw it on page {number:,}, {page}, and did not choose it among its {fetched:,} pages"

    def _first_source(self, url: str, run: ScoredRun) -> tuple[int, str] | None:
        steps = self._steps[id(run)]
        known = [(steps[page], page) for page in self._sources[url] if page in steps]
        return min(known, default=None)


def _anchor(web: LabWeb, page: str, target: str) -> str:
    read = web.page(page)
    for link in read.links if read else ():
        if link.url == target and (text := link.anchor.strip()):
            return text if len(text) <= _LONGEST_ANCHOR else f"{text[:_LONGEST_ANCHOR]}…"
    return ""
