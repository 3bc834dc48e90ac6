"""Context graphs: telling from a page's words how many links it is away from a target.

Diligenti, Coetzee, Lawrence, Giles and Gori 2000: pages are put into layers by their link distance from target pages, a
naive Bayes classifier tells the layers apart, and a page that fits the best of them badly belongs to none.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import islice
from math import isfinite, log
from pathlib import Path
from random import Random

import msgspec
import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.model_files import Member, ModelKind, open_model, write_model
from semcrawl.models.naive_bayes import TermBayes, shares
from semcrawl.models.training_options import LEAST_PAGES, ContextGraphOptions
from semcrawl.text.background import Background
from semcrawl.text.vectors import Vector, tf_idf

FEATURES = 40  # a page stands for so many of its terms, those with the most weight (Diligenti 2000)
_SHOWN = 3


def features_of(counts: Vector, background: Background, number: int = FEATURES) -> dict[str, float]:
    """Return the terms of a page with the most tf·idf, their weights scaled to a mean of 1.

    >>> from semcrawl.text import Background
    >>> even = Background.from_counts({}, documents=10)
    >>> features_of({"asthma": 3, "lung": 1, "car": 1}, even, number=2)
    {'asthma': 1.5, 'car': 0.5}
    """
    weights = {term: weight for term, weight in tf_idf(counts, background).items() if weight > 0}
    best = nlargest(number, sorted(weights), key=weights.__getitem__)
    total = sum(weights[term] for term in best)
    return {term: weights[term] * len(best) / total for term in best}


class Layer(msgspec.Struct, frozen=True):
    """The pages at one distance from a target, by the summed weights of their terms."""

    pages: int
    weights: Mapping[str, float]
    floor: float = float("-inf")  # of the mean log-likelihood of the terms of a page


class LayerGuess(msgspec.Struct, frozen=True):
    """The layer of a page, None for none, and the probability of the layer."""

    layer: int | None
    probability: float


@dataclass(frozen=True)
class ContextGraph:
    """The classifier of the layers around the targets of one topic; layer 0 are the targets."""

    layers: Sequence[Layer]
    topic: str = ""
    features: int = FEATURES  # the terms of a page that are looked at
    topic_digest: str = ""
    judge: str = ""  # that found the targets; "" if none did

    @cached_property
    def terms(self) -> list[str]:
        """The different terms of the layers, sorted."""
        return sorted({term for layer in self.layers for term in layer.weights})

    @cached_property
    def _bayes(self) -> TermBayes:
        counts = [[layer.weights.get(term, 0.0) for term in self.terms] for layer in self.layers]
        return TermBayes(self.terms, np.array(counts), smoothing=1.0)

    def log_likelihoods(self, features: Vector) -> list[float]:
        """Return the log-likelihood of a page's features in each layer (Diligenti 2000).

        Σ N(t) · ln Pr(t | layer), with Pr smoothed after Laplace; terms of no layer count.
        """
        found: list[float] = self._bayes.log_likelihoods(features, unseen=True).tolist()
        return found

    def guess(self, counts: Vector, background: Background) -> LayerGuess:
        """Return the layer a page fits best, if well enough; all layers have the same prior."""
        features = features_of(counts, background, self.features)
        if not features:
            return LayerGuess(None, 0.0)
        scores = np.array(self.log_likelihoods(features))
        best = int(scores.argmax())
        fits = scores[best] / sum(features.values()) >= self.layers[best].floor
        return LayerGuess(best if fits else None, float(shares(scores)[best]))


def train_context_graph(
    distances: Mapping[str, int],
    counts_of: Callable[[str], Vector | None],
    background: Background,
    *,
    topic: str = "",
    topic_digest: str = "",
    judge: str = "",
    options: ContextGraphOptions | None = None,
) -> ContextGraph:
    """Make a context graph from pages by their distance to the nearest target, 0 for targets.

    ``counts_of`` gives the term counts of a page, None where it cannot be had. Raises ConfigError:
    no target can be read, or fewer than two layers have enough pages.
    """
    options = options or ContextGraphOptions()
    pages: list[list[dict[str, float]]] = []
    for urls in _by_layer(distances, options):
        read = [counts for url in urls if (counts := counts_of(url))]
        if urls and not read and not pages:
            raise ConfigError(
                f"of the target pages none is in the recording ({', '.join(urls[:_SHOWN])}, …): "
                "give the recorded web that they are in"
            )
        found = [features_of(counts, background, options.features) for counts in read]
        found = [features for features in found if features]
        if len(found) < LEAST_PAGES:
            break  # what lies behind a gap is not on the way
        pages.append(found)
    if len(pages) < 2:
        raise ConfigError(
            f"a context graph needs two layers of {LEAST_PAGES} pages or more, targets and pages "
            f"that link to them, and there {'is one' if pages else 'is none'} among "
            f"{len(distances)} pages with a known distance: give more paths, a larger crawl, or "
            "the recording that has their pages"
        )
    layers = [_layer(found) for found in pages]
    size = len(ContextGraph(layers).terms)
    whole = [
        msgspec.structs.replace(layer, floor=_floor(layer, size, found, options.share))
        for layer, found in zip(layers, pages, strict=True)
    ]
    return ContextGraph(whole, topic, options.features, topic_digest, judge)


def _by_layer(distances: Mapping[str, int], options: ContextGraphOptions) -> list[list[str]]:
    """Return the URLs of each layer in order, drawn where there are too many."""
    layers: list[list[str]] = [[] for _ in range(options.depth + 1)]
    for url, distance in sorted(distances.items()):
        if 0 <= distance <= options.depth:
            layers[distance].append(url)
    draw = Random(options.seed)
    return [sorted(draw.sample(urls, options.most)) if len(urls) > options.most else urls for urls in layers]


def _layer(pages: list[dict[str, float]]) -> Layer:
    weights = Counter[str]()
    for features in pages:
        weights.update(features)
    # Rounded, so that the file does not depend on the order of the sums.
    return Layer(len(pages), {term: round(weights[term], 6) for term in sorted(weights)})


def _floor(layer: Layer, terms: int, pages: list[dict[str, float]], share: float) -> float:
    """Return the mean log-likelihood that a share of a layer's pages reach, each left out of it."""
    total = sum(layer.weights.values())
    reached = []
    for features in pages:
        own = sum(features.values())
        logs = (weight * log(max(1.0 + layer.weights[term] - weight, 1.0)) for term, weight in features.items())
        reached.append(sum(logs) / own - log(terms + total - own))
    reached.sort(reverse=True)
    return round(reached[max(0, int(share * len(reached) + 0.5) - 1)], 6)


KIND = ModelKind("context-graph", "model of a context graph", "semcrawl train context-graph SOURCE -o MODEL")


class _GraphFacts(msgspec.Struct):
    topic: str
    topic_digest: str
    judge: str
    features: int
    pages: tuple[int, ...]
    floors: tuple[float, ...]


def save_context_graph(graph: ContextGraph, path: str | Path) -> None:
    """Write a model file, whole or not at all; StoreError if it cannot be written."""
    column = {term: number for number, term in enumerate(graph.terms)}
    facts = _GraphFacts(
        graph.topic,
        graph.topic_digest,
        graph.judge,
        graph.features,
        tuple(layer.pages for layer in graph.layers),
        tuple(layer.floor for layer in graph.layers),
    )
    sizes = [len(layer.weights) for layer in graph.layers]
    entries = [item for layer in graph.layers for item in layer.weights.items()]
    members: dict[str, Member] = {
        "terms": graph.terms,
        "sizes": np.array(sizes, np.int64),
        "columns": np.array([column[term] for term, _ in entries], np.int32),
        "weights": np.array([weight for _, weight in entries], np.float64),
    }
    write_model(path, KIND, facts, members)


def load_context_graph(path: str | Path) -> ContextGraph:
    """Read a model file; ModelError if it is missing, damaged, or of another kind or version."""
    with open_model(path, KIND) as file:
        facts = file.facts(_GraphFacts)
        if len(facts.pages) < 2:
            raise ValueError("it has fewer than two layers")
        if facts.features < 1:
            raise ValueError("it looks at no terms")
        if not all(map(isfinite, facts.floors)) or min(facts.pages) < 0:
            raise ValueError("a layer's numbers are wrong")
        terms, sizes = file.lines("terms"), file.array("sizes", "i8")
        columns, weights = file.array("columns", "i4"), file.array("weights", "f8")
        if not len(facts.pages) == len(facts.floors) == len(sizes) or not sizes.all():
            raise ValueError("a layer has no terms")
        fits = sizes.max() <= len(columns) and sizes.sum() == len(columns) == len(weights)
        if not fits or columns.max() >= len(terms):
            raise ValueError("its parts do not fit together")
        entries = zip([terms[column] for column in columns.tolist()], weights.tolist(), strict=True)
        layers = [
            Layer(number, dict(islice(entries, size)), floor)
            for number, size, floor in zip(facts.pages, sizes.tolist(), facts.floors, strict=True)
        ]
        return ContextGraph(layers, facts.topic, facts.features, facts.topic_digest, facts.judge)
