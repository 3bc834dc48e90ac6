"""On-topic articles that a soft-focused crawl finds, with and without the distiller at the wheel.

schools-wikipedia with its index pages, which may be visited and never count.
500 visits from each development topic's seed, once by soft focus alone, once
with the policy ``hub-neighbours`` as it is shipped. The web has one host, so
that all links between pages count. Judged by the cosine with the topic's
keywords, and by SSRM with Resnik's measure on its WordNet senses.

No article links to an index page, so that a crawl from an article never comes
to one; a second pair of crawls has the root of the subject index as a further seed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.checks import Check
from benchmarks.schools_wikipedia import find_schools
from semcrawl.crawl.events import PolicyRan

if TYPE_CHECKING:
    from benchmarks.schools_wikipedia import DevelopmentTopic, RecordedSchools
    from semcrawl.crawl.events import Event

__all__ = ["run"]

VISITS = 500
POLICY = "hub-neighbours"
JUDGES = ("cosine", "ssrm:measure=resnik")
INDEX = "http://schools-wikipedia.test/wp/index/subject.htm"
MOST_TOPICS = 0.51


def run(*, quick: bool) -> list[Check]:
    """Crawl every topic both ways; on most of them the distiller must not find less."""
    schools = find_schools()
    if schools is None:
        return []
    topics = schools.topics[:3] if quick else schools.topics
    sides = [("cosine", ())] if quick else [(j, more) for j in JUDGES for more in ((), (INDEX,))]
    return [_compare(schools, topics, judge, more) for judge, more in sides]


def _compare(
    schools: RecordedSchools, topics: tuple[DevelopmentTopic, ...], judge: str, more_seeds: tuple[str, ...]
) -> Check:
    side = f"{judge}, index a seed" if more_seeds else judge
    print(f"  {side}: on-topic articles in {VISITS} visits alone, distilled (changes), of all")
    found = []
    for topic in topics:
        alone, _ = _on_topic(schools, topic, judge, more_seeds, ())
        distilled, changes = _on_topic(schools, topic, judge, more_seeds, (POLICY,))
        found.append((alone, distilled))
        print(f"    {topic.name:>16}: {alone} {distilled} ({changes}) of {len(topic.articles)}", flush=True)
    more, fewer = (sum(b > a for a, b in found), sum(b < a for a, b in found))
    print(
        f"    in all {sum(a for a, _ in found)} and {sum(b for _, b in found)}; "
        f"more on {more} topics, fewer on {fewer}, the same on {len(found) - more - fewer}"
    )
    name = f"share of topics on which the distiller finds no fewer, {side}"
    return Check(name, 1 - fewer / len(found), "at least", MOST_TOPICS)


def _on_topic(
    schools: RecordedSchools, topic: DevelopmentTopic, judge: str, more_seeds: tuple[str, ...], policy: tuple[str, ...]
) -> tuple[int, int]:
    """How many articles of the topic a crawl has found, and how many URLs the policy changed."""
    changes: list[int] = []

    def note(event: Event) -> None:
        if isinstance(event, PolicyRan):
            changes.append(event.changed)

    by_words = judge == "cosine"
    visited = schools.crawl(
        f"keywords:{topic.keywords}" if by_words else f"wordnet:{','.join(topic.senses)}",
        [*topic.seeds, *more_seeds],
        note,
        strategy="soft-focus",
        judge=judge,
        policy=policy,
        distill_across="pages",
        pages=VISITS,
    )
    return len(topic.articles & set(visited)), sum(changes)
