"""``python -m benchmarks.site_thresholds``: how far sites should be read for their links.

The default of ``l_threshold`` is chosen here and not on the sites that the
benchmark ``websites`` reports on: its training half is halved again, a classifier
is trained with one part and the sites of the other are looked for. The sites of
the test half are closed to the crawls. This is done for several draws, and the
figures are sums over draws and topics.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import click

from benchmarks.labelled_webs import LabelledWeb, Split, find_web, split_sites
from benchmarks.websites import site_samples, topic_models
from semcrawl.crawl.sites import SiteClosed, SiteCrawl

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from semcrawl.models.site_classifiers import PageClassifier

__all__ = ["main"]

L_THRESHOLDS = (2.0, 5.0, 10.0, 20.0)
P_THRESHOLDS = (0.9, 0.7)
BUDGET = 150
"""Pages of a crawl: half of what the benchmark gives, on half of its sites."""


class _Found(NamedTuple):
    """What crawls cost and brought; ``wanted`` is how many right sites there were."""

    pages: int
    sites: int
    taken: int
    right: int
    wanted: int

    def row(self) -> str:
        precision = self.right / self.taken if self.taken else 0.0
        recall = self.right / self.wanted
        f = 2 * precision * recall / (precision + recall) if self.right else 0.0
        pprs = self.pages / self.right if self.right else float("inf")
        return (
            f"{self.pages:6} {self.sites:6} {self.pages / self.sites:11.1f} {self.taken:6} "
            f"{self.right:6} {pprs:6.1f} {precision:6.2f} {recall:7.2f} {f:6.2f}"
        )


def development_split(split: Split, draw: int) -> Split:
    """The training half of a split, halved again; the sites of its test half are in neither."""
    chance = random.Random(draw)
    training, test = {}, {}
    for topic, hosts in split.training.items():
        shuffled = sorted(hosts)
        chance.shuffle(shuffled)
        half = (len(shuffled) + 1) // 2
        training[topic], test[topic] = tuple(shuffled[:half]), tuple(shuffled[half:])
    return Split(training, test)


@click.command()
@click.option("--draws", default=2, show_default=True, help="How often the half is halved.")
def main(draws: int) -> None:
    """Print what crawls with each pair of thresholds cost and find."""
    web = find_web(small=False)
    whole = split_sites(web)
    samples = site_samples(web, _hosts(whole.training))
    found: dict[tuple[float, float], list[_Found]] = {
        (p, l_threshold): [] for p in P_THRESHOLDS for l_threshold in L_THRESHOLDS
    }
    for draw in range(draws):
        split = development_split(whole, draw)
        models = topic_models(split, samples)
        for topic, model in models.items():
            closed = [*_hosts(split.training), *_hosts(whole.test)]
            for pair, results in found.items():
                wanted = split.test[topic]
                results.append(_crawl(web, topic, model.classifier, wanted, closed, pair))
        print(f"draw {draw + 1} of {draws} is done", flush=True)
    print(f"{web.name}, training half, {draws} draws, {BUDGET} pages a crawl")
    print(
        f"{'p':>4} {'l':>4} {'pages':>6} {'sites':>6} {'pages/site':>11} {'taken':>6} {'right':>6} "
        f"{'pprs':>6} {'prec.':>6} {'recall':>7} {'F':>6}"
    )
    for (p, l_threshold), results in found.items():
        total = _Found(*map(sum, zip(*results, strict=True)))
        print(f"{p:4.1f} {l_threshold:4.0f} {total.row()}")


def _hosts(groups: Mapping[str, Sequence[str]]) -> list[str]:
    return [host for group in groups.values() for host in group]


def _crawl(
    web: LabelledWeb,
    topic: str,
    classifier: PageClassifier,
    wanted: Sequence[str],
    closed: Sequence[str],
    thresholds: tuple[float, float],
) -> _Found:
    with SiteCrawl(
        f"keywords:{topic}",
        web.seeds[topic],
        classifier=classifier,
        fetcher=web.fetcher,
        pages=BUDGET,
        p_threshold=thresholds[0],
        l_threshold=thresholds[1],
        exclude=[f"http://{host}/*" for host in closed],
    ) as crawl:
        events = [event for event in crawl.visits() if isinstance(event, SiteClosed)]
        relevant = {event.site for event in events if event.is_relevant}
        pages = crawl.progress.pages
    read = sum(event.pages > 0 for event in events)
    return _Found(pages, read, len(relevant), len(relevant & set(wanted)), len(wanted))


if __name__ == "__main__":
    main()
