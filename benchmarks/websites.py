"""Finding websites: the table of Ester, Kriegel and Schubert 2004, the price of a site, a trap.

On the Debian web, where ``python -m benchmarks.debian_web`` has built it, else on the
demo web. Half of the sites of every topic, drawn by a seed, are trained with, the
others are classified; a site is relevant for a topic when it is one of that
topic's. As in the paper, the homepage classifier is of the same kind, and is
trained with homepages only. These are few, one of most topics of the demo web,
so homepages are also judged by the internal crawler's own classifier.
"""

from __future__ import annotations

import statistics
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.checks import Check
from benchmarks.labelled_webs import find_web, split_sites
from benchmarks.site_prices import print_prices
from benchmarks.site_trap import trap_pages
from semcrawl.crawl.sites.progress import tally
from semcrawl.crawl.sites.rivals import classify_homepage, classify_site
from semcrawl.models.site_training import FIRST_PAGES, SiteSample, read_site, set_of_samples, train_site_model
from semcrawl.models.training_options import SiteTrainingOptions
from semcrawl.models.training_pages import PageSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks.labelled_webs import LabelledWeb, Split
    from semcrawl.crawl.sites.rivals import SiteVerdict
    from semcrawl.models.site_classifiers import PageClassifier, SiteModel

__all__ = ["run", "site_samples", "topic_models"]

PAGES_PER_SITE = 10
P_THRESHOLD = 0.9
FOLDS = 5
"""For p_err; the paper has ten, which takes twice as long."""


class _Scores(NamedTuple):
    precision: float
    recall: float
    f: float
    pages: float


class _Row(NamedTuple):
    """A line of the table: a topic, and how well its sites were told from others."""

    topic: str
    error: float
    inside: _Scores
    homepage: _Scores
    same: float
    """F of homepages by the internal crawler's own classifier."""


def run(*, quick: bool) -> list[Check]:
    """Print the table, the prices and what the trap cost; compare means over topics."""
    if find_spec("sklearn") is None:
        print("left out: scikit-learn is not installed")
        return []
    web = find_web(small=quick)
    print(f"{web.name}: {len(web.sites)} topics, {sum(map(len, web.sites.values()))} sites")
    samples = site_samples(web, [host for group in web.sites.values() for host in group])
    split = split_sites(web)
    models = topic_models(split, samples)
    fronts = site_samples(web, [host for group in split.training.values() for host in group], 1)
    rows = _table(web, split, models, topic_models(split, fronts))
    _print_table(rows)
    prices = print_prices(web, split, {topic: model.classifier for topic, model in models.items()})
    return [
        Check("F of the internal crawler, less that of homepages", _gain(rows), "at least", 0.0),
        Check("the same, homepages by its own classifier", _same_gain(rows), "at least", 0.0),
        *prices,
        *trap_pages(),
    ]


def site_samples(web: LabelledWeb, hosts: Iterable[str], most: int = FIRST_PAGES) -> dict[str, SiteSample]:
    """The first pages of sites, to train with; of one page each, the homepages."""
    source = PageSource(web.fetcher)
    return {host: read_site(_home(host), source, most=most) for host in hosts}


def _home(host: str) -> str:
    return f"http://{host}/"


def topic_models(split: Split, samples: Mapping[str, SiteSample]) -> dict[str, SiteModel]:
    """For each topic a classifier that was trained with the training half."""
    return {topic: _model(topic, split, samples) for topic in split.training}


def _model(topic: str, split: Split, samples: Mapping[str, SiteSample]) -> SiteModel:
    own = [samples[host] for host in split.training[topic]]
    others = [samples[host] for other, hosts in split.training.items() for host in hosts if other != topic]
    lesson = set_of_samples({topic: own, "other": others})
    return train_site_model(lesson, SiteTrainingOptions(folds=FOLDS), topic=topic)


def _table(
    web: LabelledWeb, split: Split, models: Mapping[str, SiteModel], homepages: Mapping[str, SiteModel]
) -> list[_Row]:
    rows = []
    for topic, model in models.items():
        inside = _judged(web, split, model.classifier)
        homepage = _judged(web, split, homepages[topic].classifier, homepage=True)
        relevant = set(split.test[topic])
        same = _scores(_judged(web, split, model.classifier, homepage=True), relevant)
        scores = _scores(inside, relevant), _scores(homepage, relevant), same.f
        rows.append(_Row(topic, model.classifier.error, *scores))
    return rows


def _judged(
    web: LabelledWeb, split: Split, classifier: PageClassifier, *, homepage: bool = False
) -> dict[str, SiteVerdict]:
    hosts = [host for group in split.test.values() for host in group]
    if homepage:
        return {host: classify_homepage(_home(host), web.fetcher, classifier) for host in hosts}
    return {
        host: classify_site(
            _home(host), web.fetcher, classifier, p_threshold=P_THRESHOLD, pages_per_site=PAGES_PER_SITE
        )
        for host in hosts
    }


def _scores(verdicts: Mapping[str, SiteVerdict], relevant: set[str]) -> _Scores:
    """Precision, recall, F and mean pages; what divides by nothing is 0.

    >>> from semcrawl.crawl.sites.rivals import SiteVerdict
    >>> said = {name: SiteVerdict(name, 0.9, name in "ab", 2) for name in "abc"}
    >>> [round(figure, 2) for figure in _scores(said, {"a", "c"})]
    [0.5, 0.5, 0.5, 2]
    """
    found = tally((one.is_relevant, host in relevant) for host, one in verdicts.items())
    scores = (found.precision or 0.0, found.recall or 0.0, found.f_measure or 0.0)
    return _Scores(*scores, _mean([one.pages for one in verdicts.values()]))


def _mean(figures: Sequence[float]) -> float:
    return statistics.mean(figures)


def _gain(rows: Sequence[_Row]) -> float:
    return _mean([row.inside.f - row.homepage.f for row in rows])


def _same_gain(rows: Sequence[_Row]) -> float:
    return _mean([row.inside.f - row.same for row in rows])


def _print_table(rows: Sequence[_Row]) -> None:
    print(f"p_threshold {P_THRESHOLD}, at most {PAGES_PER_SITE} pages of a site")
    print(f"{'':12} {'':6} {'internal crawler':^29}  {'homepage':^20}")
    print(
        f"{'topic':12} {'p_err':>6} {'pages':>7} {'prec.':>6} {'recall':>7} {'F':>6}  "
        f"{'prec.':>6} {'recall':>7} {'F':>6}  {'gain':>5}  {'F, same classifier':>18}"
    )
    means = _Row(
        "mean",
        _mean([row.error for row in rows]),
        _Scores(*(_mean(column) for column in zip(*(row.inside for row in rows), strict=True))),
        _Scores(*(_mean(column) for column in zip(*(row.homepage for row in rows), strict=True))),
        _mean([row.same for row in rows]),
    )
    for row in (*rows, means):
        ours, theirs = row.inside, row.homepage
        print(
            f"{row.topic:12} {row.error:6.2f} {ours.pages:7.1f} {ours.precision:6.2f} "
            f"{ours.recall:7.2f} {ours.f:6.2f}  {theirs.precision:6.2f} {theirs.recall:7.2f} "
            f"{theirs.f:6.2f}  {ours.f - theirs.f:+5.2f}  {row.same:18.2f}"
        )
