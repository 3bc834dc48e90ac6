"""The metrics of crawls: the formula of each, and its value for a run.

``hits`` says of each visited page in order whether it is on topic; ``pages`` is the N of "the
first N pages". Left-out pages (training pages and drawn seeds) are neither hits nor fetches.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain, islice, repeat
from statistics import fmean

from semcrawl.crawl.progress import StopReason
from semcrawl.crawl.sites.progress import SiteTally, share, tally
from semcrawl.lab.experiment import ORACLES, is_oracle
from semcrawl.lab.ground_truth import GroundTruth
from semcrawl.lab.plan import RunPlan
from semcrawl.lab.records import FoundSite, RunRecord, Visit
from semcrawl.lab.results import METRICS
from semcrawl.web.urls import host_of, hostname_of

# Pages of moving averages: of relevance (Chakrabarti 1999, figures 4 to 6), and of the work for
# a site (Ester 2004, figures 6 and 7, with 1,000 and 5,000 of some 20,000 pages).
WINDOW = 100
PEAK = 0.9  # the least relevance of the peak in the distribution (Chakrabarti 1999, figure 7)


def on_topic(hits: Sequence[bool], pages: int) -> int:
    """Return how many of the first ``pages`` are on topic.

    >>> on_topic([True, False, True, True], pages=3)
    2
    """
    return sum(islice(hits, pages))


def first_relevant(hits: Sequence[bool], pages: int) -> int:
    """Return the number of the first on-topic page, from 1; ``pages + 1`` for none.

    >>> first_relevant([False, False, True], pages=10)
    3
    >>> first_relevant([False, False, True], pages=2), first_relevant([], pages=10)
    (3, 11)
    """
    numbered = enumerate(islice(hits, pages), start=1)
    return next((number for number, hit in numbered if hit), pages + 1)


def distance_histogram(depths: Iterable[int]) -> tuple[int, ...]:
    """Return how many pages lie 0, 1, 2 ... links from a seed (Chakrabarti 1999, section 5.5).

    >>> distance_histogram([0, 2, 2, 1, 4])
    (1, 1, 2, 0, 1)
    """
    counts = Counter(depths)
    return tuple(counts[depth] for depth in range(max(counts, default=-1) + 1))


def harvest_area(hits: Sequence[bool], oracle: Sequence[bool], pages: int) -> float | None:
    """Return the area under the curve of on-topic pages found, as a share of the oracle's.

    The curve has a step for each page; where a crawl has ended it goes on level.

    >>> harvest_area([False, True, True], [True, True, True], pages=3)
    0.5
    >>> harvest_area([True], [True, True], pages=2)
    0.6666666666666666
    """
    return share(_area(hits, pages), _area(oracle, pages))


def _area(hits: Sequence[bool], pages: int) -> int:
    return sum(accumulate(islice(chain(hits, repeat(False)), pages)))


def relevance_histogram(relevances: Sequence[float]) -> tuple[float, ...]:
    """Return the share of pages in each tenth of relevance (Chakrabarti 1999, figure 7).

    >>> relevance_histogram([0.05, 0.31, 0.99, 1.0])
    (0.25, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5)
    """
    counts = Counter(min(int(10 * max(relevance, 0.0)), 9) for relevance in relevances)
    return tuple(counts[tenth] / len(relevances) for tenth in range(10)) if relevances else ()


def overlap(first: Iterable[str], second: Iterable[str]) -> float:
    """Return what two crawls share (Chakrabarti 1999, sections 5.3 and 5.4).

    That is the mean of |U1 ∩ U2| / |U1| and |U1 ∩ U2| / |U2|; the paper plots both.

    >>> overlap(["a", "b"], ["c", "a"]), overlap(["x", "x", "y"], ["x", "x", "x"])
    (0.5, 0.75)
    """
    one, other = set(first), set(second)
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return (shared / len(one) + shared / len(other)) / 2


def intersection(first: Iterable[str], second: Iterable[str]) -> float | None:
    """Return |U1 ∩ U2| / |U1 ∪ U2|, what two crawls share (Chakrabarti 2002, figure 11).

    >>> intersection(["a", "b", "c"], ["c", "d"])
    0.25
    """
    one, other = set(first), set(second)
    return share(len(one & other), len(one | other))


def mean_over(values: Sequence[float], pages: int) -> float:
    """Return the mean of the first ``pages`` values; missing ones are 0.

    Of hits it is the harvest rate (Chakrabarti 2002, section 1: with labels Pr(c*|v) is 1 or 0), of cosines average
    similarity (Batsakis 2007, section 4.2) or precision@N (Pant, Menczer 2003, eq. 1).

    >>> mean_over([0.5, 1.0, 0.25], pages=2), mean_over([True, False, True, True], pages=10)
    (0.75, 0.3)
    """
    return sum(islice(values, pages)) / pages if pages else 0.0


def moving_average(values: Sequence[float], pages: int, window: int = WINDOW) -> float:
    """Return the mean of the ``window`` values up to ``pages`` (Chakrabarti 1999, section 5.2).

    >>> moving_average([0.0, 1.0, 0.5, 0.25], pages=3, window=2)
    0.75
    >>> moving_average([0.0, 1.0], pages=1, window=100)
    0.0
    """
    first = max(0, pages - window)
    return sum(values[first:pages]) / (pages - first) if pages else 0.0


@dataclass(frozen=True, kw_only=True)
class ScoredRun:
    """A run that did not fail, against the ground truth."""

    contender: str  # of the plan, because equal runs of two crawlers share a record
    topic: str
    repetition: int
    strategy: str
    record: RunRecord
    visits: tuple[Visit, ...]  # in their order, without those left out
    hits: tuple[bool, ...]
    targets: int  # how many pages there are to be found
    # Judged sites that count: pages fetched by then, site, taken for relevant, is relevant.
    sites: tuple[tuple[int, str, bool, bool], ...] | None = None
    oracle: tuple[bool, ...] | None = None  # hits of the oracle with the same seeds
    similarities: tuple[float, ...] | None = None  # best cosine of each visit with an example
    similar: float = 0.75  # from which of these on a page counts in the harvest ratio
    precisions: tuple[float, ...] | None = None  # cosine of each visit with the description
    limit: int | None = None  # over how many pages at most it is measured
    repeated: "tuple[ScoredRun, ...]" = ()  # the same crawl from disjoint seeds
    first: "ScoredRun | None" = None  # the crawl of the experiment's first crawler
    best_servers: Mapping[int, Collection[str]] = field(default_factory=dict)  # after N pages

    @property
    def is_oracle(self) -> bool:
        """Whether the crawler sees labels."""
        return is_oracle(self.strategy)

    @property
    def has_crawled(self) -> bool:
        """Whether it went through the web; a site classifier is given its sites."""
        return bool(self.record.stopped)

    def pages(self, at: int) -> int:
        """Return over how many pages "the first ``at`` pages" are measured."""
        return at if self.limit is None else min(at, self.limit)

    def site_tally(self, at: int) -> SiteTally | None:
        """Return the sites judged by page ``at``, each by its latest judgement."""
        return None if self.sites is None else tally(self._judged(at).values())

    def latest_sites(self, at: int, window: int = WINDOW) -> tuple[int, int, int] | None:
        """Return the pages of the window up to ``at``, the sites first judged in it, the relevant.

        As in Ester 2004, section 3.3, a site is relevant if the classifier says so; one that was
        met before the window and taken for relevant within it was found in it.
        """
        if self.sites is None or not self.has_crawled or not self.visits:
            return None
        end = min(at, len(self.visits))
        before, now = self._judged(end - window), self._judged(at)
        found = {site for site, (taken, _) in now.items() if taken}
        found -= {site for site, (taken, _) in before.items() if taken}
        return min(end, window), len((now.keys() - before.keys()) | found), len(found)

    def _judged(self, at: int) -> dict[str, tuple[bool, bool]]:
        """Whether each site judged by page ``at`` was taken for relevant then, and is."""
        rows = self.sites or ()
        return {site: (taken, true) for after, site, taken, true in rows if after <= at}

    @cached_property
    def urls(self) -> tuple[str, ...]:
        """All fetched pages, also those left out."""
        return tuple(visit.url for visit in self.record.visits)

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of all fetched pages."""
        return tuple(map(hostname_of, self.urls))

    @property
    def finds(self) -> tuple[Visit, ...]:
        """The on-topic pages that were found, within the limit."""
        counted = zip(self.visits[: self.limit], self.hits, strict=False)
        return tuple(visit for visit, hit in counted if hit)

    @property
    def hit_urls(self) -> frozenset[str]:
        """The URLs of the finds."""
        return frozenset(visit.url for visit in self.finds)


def score_runs(plans: Iterable[RunPlan], records: Mapping[str, RunRecord], truth: GroundTruth) -> list[ScoredRun]:
    """Return the runs that have a record and did not fail, in the order of their plans."""
    known_pages = Counter(host_of(url) for url in truth.known)
    made = ((plan, records.get(plan.key)) for plan in plans)
    runs = [
        _scored(plan, record, truth, known_pages) for plan, record in made if record is not None and not record.error
    ]
    oracles: dict[tuple[str, int], tuple[bool, ...]] = {}
    limits: dict[tuple[str, int], int] = {}  # what the shortest full crawl counts
    for run in runs:
        key = run.topic, run.repetition
        if run.strategy == ORACLES["oracle"]:
            oracles[key] = run.hits
        if run.record.stopped == StopReason.PAGES_REACHED:
            limits[key] = min(len(run.visits), limits.get(key, len(run.visits)))
    keys = ((run.topic, run.repetition) for run in runs)
    return [replace(run, oracle=oracles.get(key), limit=limits.get(key)) for run, key in zip(runs, keys, strict=True)]


def beside_others(runs: Sequence[ScoredRun], first: str) -> list[ScoredRun]:
    """Return the runs, each with its repetitions and, but its own, with that of ``first``."""
    groups: dict[tuple[str, str], list[ScoredRun]] = {}
    firsts: dict[tuple[str, int], ScoredRun] = {}
    for run in runs:
        groups.setdefault((run.contender, run.topic), []).append(run)
        if run.contender == first:
            firsts[run.topic, run.repetition] = run
    return [
        replace(
            run,
            repeated=tuple(
                other
                for other in groups[run.contender, run.topic]
                if not set(run.record.seeds) & set(other.record.seeds)
            ),
            first=None if run.contender == first else firsts.get((run.topic, run.repetition)),
        )
        for run in runs
    ]


def _scored(plan: RunPlan, record: RunRecord, truth: GroundTruth, known_pages: Counter[str]) -> ScoredRun:
    topic = plan.topic.name
    left_out = frozenset(plan.left_out)
    targets = truth.on_topic.get(topic, frozenset()) - left_out
    visits = tuple(visit for visit in record.visits if visit.url not in left_out)
    return ScoredRun(
        contender=plan.contender.name,
        topic=topic,
        repetition=plan.repetition,
        strategy=plan.contender.strategy,
        record=record,
        visits=visits,
        hits=tuple(visit.url in targets for visit in visits),
        targets=len(targets),
        sites=_counted_sites(record, truth.sites.get(topic), left_out, known_pages),
    )


def _counted_sites(
    record: RunRecord, relevant: frozenset[str] | None, left_out: frozenset[str], known_pages: Counter[str]
) -> tuple[tuple[int, str, bool, bool], ...] | None:
    """The judged sites; those of which training saw more than half of the pages do not count."""
    if not record.sites or not relevant:
        return None
    seen = Counter(host_of(url) for url in left_out)
    counted = [0, *accumulate(visit.url not in left_out for visit in record.visits)]

    def row(found: FoundSite) -> tuple[int, str, bool, bool]:
        after = counted[min(found.after, len(counted) - 1)]
        return after, found.site, found.is_relevant, found.site in relevant

    rows = [row(site) for site in record.sites if 2 * seen[site.site] <= known_pages[site.site]]
    return tuple(sorted(rows, key=lambda one: one[0]))


_Formula = Callable[[ScoredRun, int], float | None]


def value_of(run: ScoredRun, metric: str, at: int) -> float | None:
    """Return a metric of a run over its first ``at`` pages; None where it does not apply."""
    if METRICS[metric].needs_targets and not run.targets:
        return None
    if formula := OF_ALL_FETCHED.get(metric) or _OF_SITES.get(metric):
        return formula(run, at)
    if not run.has_crawled or not run.pages(at):
        return None
    return _OF_PAGES[metric](run, run.pages(at))


def _relevances(run: ScoredRun) -> list[float]:
    return [visit.relevance for visit in run.visits]


def _coverage(run: ScoredRun, pages: int) -> float | None:
    wanted, seen = set(run.record.concepts), zip(run.visits[:pages], run.hits, strict=False)
    reached = wanted.intersection(visit.concept for visit, hit in seen if hit)
    return share(len(reached), len(wanted))


def _cpu(run: ScoredRun, pages: int) -> float:
    # Of all pages that were fetched, those left out too.
    return run.record.cpu / max(len(run.record.visits), 1) * min(pages, len(run.hits))


def _pprs(run: ScoredRun, at: int) -> float | None:
    found = run.site_tally(at) if run.has_crawled and run.visits else None
    return found and found.pages_per_relevant_site(min(at, len(run.visits)))


def _of_latest(part: int, whole: int) -> _Formula:
    """The share of two of the three numbers of `ScoredRun.latest_sites`."""

    def formula(run: ScoredRun, at: int) -> float | None:
        found = run.latest_sites(at)
        return found and share(found[part], found[whole])

    return formula


def _with_repetitions(part: Callable[[ScoredRun, int], Collection[str]]) -> _Formula:
    def formula(run: ScoredRun, at: int) -> float | None:
        own = part(run, at)
        shared = [overlap(own, part(other, at)) for other in run.repeated] if own else []
        return fmean(shared) if shared else None

    return formula


def _with_first(run: ScoredRun, at: int) -> float | None:
    if run.first is None or not run.pages(at):
        return None
    return intersection(run.urls[:at], run.first.urls[:at])


def _of_tally(name: str) -> _Formula:
    def formula(run: ScoredRun, at: int) -> float | None:
        found = run.site_tally(at)
        return found and getattr(found, name)

    return formula


_OF_PAGES: Mapping[str, _Formula] = {
    "harvest-rate": lambda run, pages: mean_over(run.hits, pages),
    "loss": lambda run, pages: 1.0 - mean_over(run.hits, pages),
    "on-topic": lambda run, pages: on_topic(run.hits, pages),
    "harvest-ratio": lambda run, pages: _mean(
        run.similarities and [one > run.similar for one in run.similarities], pages
    ),
    "average-similarity": lambda run, pages: _mean(run.similarities, pages),
    "precision": lambda run, pages: _mean(run.precisions, pages),
    "target-recall": lambda run, pages: share(on_topic(run.hits, pages), run.targets),
    "relevance": lambda run, pages: mean_over(_relevances(run), pages),
    "moving-relevance": lambda run, pages: moving_average(_relevances(run), pages),
    "relevance-peak": lambda run, pages: mean_over([relevance >= PEAK for relevance in _relevances(run)], pages),
    "first-relevant": lambda run, pages: first_relevant(run.hits, pages),
    "oracle-share": lambda run, pages: share(on_topic(run.hits, pages), on_topic(run.oracle or (), pages)),
    "harvest-area": lambda run, pages: harvest_area(run.hits, run.oracle or (), pages),
    "concept-coverage": _coverage,
    "cpu-per-relevant": lambda run, pages: share(_cpu(run, pages), on_topic(run.hits, pages)),
    "bytes-per-relevant": lambda run, pages: share(
        sum(visit.size for visit in run.visits[:pages]), on_topic(run.hits, pages)
    ),
}

# Of all fetched pages: what is left out of other counts was still fetched by both.
OF_ALL_FETCHED: Mapping[str, _Formula] = {
    "url-overlap": _with_repetitions(lambda run, at: run.urls[:at]),
    "host-overlap": _with_repetitions(lambda run, at: run.hosts[:at]),
    "authority-overlap": _with_repetitions(lambda run, at: run.best_servers.get(at, ())),
    "first-overlap": _with_first,
}

_OF_SITES: Mapping[str, _Formula] = {
    "pprs": _pprs,
    "moving-pprs": _of_latest(0, 2),
    "site-harvest-rate": _of_tally("harvest_rate"),
    "moving-site-harvest": _of_latest(2, 1),
    "site-precision": _of_tally("precision"),
    "site-recall": _of_tally("recall"),
    "site-f": _of_tally("f_measure"),
}


def _mean(scores: Sequence[float] | None, pages: int) -> float | None:
    return None if scores is None else mean_over(scores, pages)
