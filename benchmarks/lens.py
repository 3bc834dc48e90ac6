"""What a lens costs: compiling it, and scoring a page of 500 tokens through it.

Against li computed pairwise with nltk on the same page, and against a plain
cosine. Pages are made of WordNet's words around the topic and far from it, with
every third one a word of the topic's neighbourhood. Then the judge ``labels``: how long it takes
to collect a topic's labels, and to judge that page and pages of a recorded encyclopedia.

    python -m benchmarks lens
"""

from __future__ import annotations

import os
import random
from math import exp, tanh
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from benchmarks.agreement import nltk_reader
from benchmarks.checks import Check
from benchmarks.schools_wikipedia import find_schools
from semcrawl.page import Page, read_page
from semcrawl.relevance import EhrigSimilarity, Lens
from semcrawl.relevance.label_similarity import LabelSimilarity
from semcrawl.relevance.similarities import CosineSimilarity, SsrmSimilarity
from semcrawl.relevance.topic_labels import topic_labels
from semcrawl.text import Background
from semcrawl.text.terms import count_terms, terms
from semcrawl.topics import ConceptGraphBuilder, Topic, wordnet
from semcrawl.topics.topic import TopicConcept

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from semcrawl.relevance.similarities import TextSimilarity

TOKENS = 500
TOPIC = "wordnet:computer.n.01"
LARGE = "wordnet:plant.n.02"


def best_time(work: Callable[[], object], rounds: int) -> float:
    """Seconds of the fastest of some rounds: other work on the machine only adds to it."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def page(topic: Topic) -> str:
    """A text of 500 tokens, a third of which are words of the topic's lens."""
    chance = random.Random(5)
    graph = wordnet().graph
    near = [label.text for label in Lens.compile(topic).strongest(60)]
    usual = [graph.label(concept) for concept in chance.sample(list(graph.ids), 250)]
    words: list[str] = []
    while len(words) < TOKENS:
        words += chance.choice(near if chance.random() < 1 / 3 else usual).split()
    return " ".join(words[:TOKENS])


def nltk_li(reader: Any, words: list[str], topic: Any) -> float:
    """Li's similarity of every word to the topic, pair by pair, summed; nouns only."""
    total = 0.0
    for word in words:
        best = 0.0
        for sense in reader.synsets(word, "n"):
            far = sense.shortest_path_distance(topic)
            common = sense.lowest_common_hypernyms(topic, use_min_depth=True)
            if far is not None and common:
                depth = max(common[0].min_depth() - 1, 0)
                best = max(best, exp(-0.2 * far) * tanh(0.6 * depth))
        total += best
    return total


def big_ontology(size: int = 10_000) -> Topic:
    """A made-up ontology of 10,000 classes with two labels each, and a topic of its root."""
    chance = random.Random(11)
    builder = ConceptGraphBuilder("made up")
    words = [f"{a}{b}{c}" for a in "bdfgklm" for b in ("an", "or", "ist", "eld") for c in "aeiou"]
    builder.add("x:0", "whole")
    for node in range(1, size):
        labels = (" ".join(chance.choices(words, k=2)) for _ in range(2))
        builder.add(f"x:{node}", *labels, broader=[f"x:{node // 6}"])
    return Topic("whole", (TopicConcept("x:0", 1.0, builder.build()),))


def real_ontology() -> Topic | None:
    """The root of the Human Disease Ontology, where it and a reader are there."""
    data = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data"))
    file = data / "ontologies" / "doid-2016-03-04.derived.owl"
    if not file.is_file():
        return None
    return Topic.parse(f"{file}#DOID_4")


def row(name: str, seconds: float, note: str = "") -> None:
    print(f"{name:<56}{seconds * 1e3:12.3f} ms   {note}")


def compile_times() -> list[Check]:
    """Compile small and large lenses."""
    topic = Topic.parse(TOPIC)
    start = perf_counter()
    Lens.compile(topic)
    one = perf_counter() - start
    row("compile one WordNet concept, the first time", one)
    row("compile one WordNet concept, again", best_time(lambda: Lens.compile(topic), 5))
    everything = best_time(lambda: Lens.compile(topic, min_weight=0), 1)
    row("compile all that is not 0 (min_weight=0)", everything)
    checks = [Check("compile one WordNet concept", one * 1e3, "at most", 200, " ms")]
    ontologies = {"a made-up ontology of 10,000 classes": big_ontology(), "DOID": real_ontology()}
    for name, root in ontologies.items():
        if root is None:
            print(f"{name} is left out: it is not in $SEMCRAWL_DATA")
            continue
        start = perf_counter()
        size = len(Lens.compile(root, min_weight=0))
        seconds = perf_counter() - start
        row(f"compile the root of {name}, all", seconds, f"{size:,} labels")
        checks.append(Check(f"compile {name}", seconds, "at most", 3, " s"))
    return checks


def scoring_times(*, quick: bool) -> list[Check]:
    """Score one page in several ways."""
    topic, background = Topic.parse(TOPIC), Background.default()
    text = page(topic)
    counts = count_terms(text)
    cosine = CosineSimilarity(topic.vector(background), background)
    ssrm = SsrmSimilarity.of_topic(topic, background)
    ehrig = EhrigSimilarity.of_topic(topic)
    rounds = 300 if quick else 2_000
    plain = best_time(lambda: cosine.of_counts(counts), rounds)
    row("cosine, term counts given", plain)
    through = best_time(lambda: ssrm.score(*ssrm.lens.split(counts, list, str)), rounds)
    row("ssrm, term counts given, no phrases", through, f"{through / plain:.1f} x cosine")
    phrases = best_time(lambda: ssrm.score(*ssrm.lens.split(counts, lambda: terms(text), str)), rounds)
    row("ssrm, term counts given, phrases", phrases, f"{phrases / plain:.1f} x cosine")
    sequence = terms(text)
    at_hand = best_time(lambda: ssrm.score(*ssrm.lens.split(counts, lambda: sequence, str)), rounds)
    row("ssrm, counts and ordered terms given, phrases", at_hand, f"{at_hand / plain:.1f} x cosine")
    raw = best_time(lambda: ehrig.score(*ehrig.lens.split(counts, lambda: terms(text), str)), rounds)
    row("ehrig, term counts given, phrases", raw, f"{raw / plain:.1f} x cosine")
    from_text = best_time(lambda: cosine.of_text(text), rounds)
    row("cosine, from the text", from_text)
    all_of_it = best_time(lambda: ssrm.of_text(text), rounds)
    row("ssrm, from the text, phrases", all_of_it, f"{all_of_it / from_text:.1f} x cosine")
    return [
        # As a crawl does it: both start from the page's text.
        Check("ssrm with phrases, as a multiple of cosine", all_of_it / from_text, "at most", 3),
        *against_nltk(text, {"phrases": phrases, "ordered terms given": at_hand, "no phrases": through}, quick=quick),
    ]


def against_nltk(text: str, ours: dict[str, float], *, quick: bool) -> list[Check]:
    """Compare with li computed pairwise by nltk on the words of the same page."""
    with nltk_reader() as reader:
        if reader is None:
            print("nltk is left out: WordNet's own files (package wordnet-base) are not there")
            return []
        topic = reader.synset(TOPIC.removeprefix("wordnet:"))
        words = text.split()
        nltk_li(reader, words, topic)  # nltk reads synsets from disk once, then remembers them
        pairwise = best_time(lambda: nltk_li(reader, words, topic), 1 if quick else 3)
    note = ", ".join(f"{pairwise / seconds:,.0f} x ssrm, {name}" for name, seconds in ours.items())
    row("li pairwise with nltk on single words, its caches warm", pairwise, note)
    # nltk is handed the words, so the lens is handed the terms.
    ratio = pairwise / ours["ordered terms given"]
    return [Check("nltk as a multiple of ssrm with phrases", ratio, "at least", 1_000)]


def collecting_labels() -> list[Check]:
    """Collect the labels of large topics: CPU of the first time and the second."""
    checks = []
    for name, topic in {"DOID": real_ontology(), LARGE: Topic.parse(LARGE)}.items():
        if topic is None:
            print(f"{name} is left out: it is not in $SEMCRAWL_DATA")
            continue
        seconds = []
        for _ in range(2):
            start = process_time()
            size = len(topic_labels(topic).lens)
            seconds.append(process_time() - start)
        row(f"collect the labels of {name}", seconds[0], f"{size:,} labels; again {seconds[1]:.2f}")
        checks.append(Check(f"collect the labels of {name}", seconds[0], "at most", 1, " s"))
    return checks


def judging_by_labels(*, quick: bool) -> list[Check]:
    """Judge pages from their texts by labels, as a crawl does, and by the cosine."""
    topic, background = Topic.parse(TOPIC), Background.default()
    sides = (CosineSimilarity(topic.vector(background), background), LabelSimilarity.of_topic(topic, background))
    made_up = Page(url="http://page.test/", pieces=(page(topic),))
    webs: dict[str, list[Page]] = {"a page of 500 tokens": [made_up] * 100}
    if schools := find_schools():
        urls = random.Random(7).sample(sorted(schools.categories), 50 if quick else 300)
        webs[f"{len(urls)} recorded articles"] = [read_page(schools.replay.fetch(url)) for url in urls]
    checks = []
    for name, pages in webs.items():
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(5 if quick else 15):
            for similarity, spent in zip(sides, times, strict=True):
                spent.append(judging_time(similarity, pages))
        cosine, labels = map(min, times)
        row(f"cosine, {name}", cosine)
        row(f"labels, {name}", labels, f"{labels / cosine:.2f} x cosine")
        title = f"labels as a multiple of cosine, {name}"
        checks.append(Check(title, labels / cosine, "at most", 2))
    return checks


def judging_time(similarity: TextSimilarity, pages: Sequence[Page]) -> float:
    """Seconds of CPU for a page of which nothing is known but its pieces."""
    new = [Page(url=read.url, title=read.title, pieces=read.pieces) for read in pages]
    start = process_time()
    for one in new:
        similarity.of_page(one)
    return (process_time() - start) / len(new)


def run(*, quick: bool) -> list[Check]:
    """Print the figures; check those that have a target."""
    wordnet()
    return [*compile_times(), *scoring_times(quick=quick), *collecting_labels(), *judging_by_labels(quick=quick)]
