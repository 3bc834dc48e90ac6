"""Context graphs: telling from a page's words how many links it is away from a target.

Diligenti, Coetzee, Lawrence, Giles and Gori 2000: pages are put into layers by their link distance from target pages, a
naive Bayes classifier tells the layers apart, and a page that fits the best of them badly belongs to none.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nlargest
from math import log
from pathlib import Path
from random import Random
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from semcrawl.arrays import Floats
from semcrawl.errors import ConfigError
from semcrawl.model_files import ModelKind, open_model, write_model
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

    pages: Annotated[int, Meta(ge=0)]
    weights: Mapping[str, float]
    floor: float = float("-inf")  # of the mean log-likelihood of the terms of a page


class LayerGuess(msgspec.Struct, frozen=True):
    """The layer of a page, None for none, and the probability of the layer."""

    layer: int | None
    probability: float


@dataclass(frozen=True)
class ContextGraph:
    """The classifier of the layers around the targets of one topic; layer 0 are the targets."""

    layers: Annotated[Sequence[Layer], Meta(min_length=2)]
    topic: str = ""
    features: Annotated[int, Meta(ge=1)] = FEATURES  # the terms of a page that are looked at
    topic_digest: str = ""
    judge: str = ""  # that found the targets; "" if none did

    @cached_property
    def terms(self) -> list[str]:
        """The different terms of the layers, sorted."""
        return sorted({term for layer in self.layers for term in layer.weights})

    @property
    def table(self) -> Floats:
        """The weights of the terms, a layer a row."""
        return np.array([[layer.weights.get(term, 0.0) for term in self.terms] for layer in self.layers])

    @cached_property
    def _bayes(self) -> TermBayes:
        return TermBayes(self.terms, self.table, smoothing=1.0)

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
    terms = len({term for found in pages for features in found for term in features})
    layers = [_layer(found, terms, options.share) for found in pages]
    return ContextGraph(layers, topic, options.features, topic_digest, judge)


def _by_layer(distances: Mapping[str, int], options: ContextGraphOptions) -> list[list[str]]:
    """Return the URLs of each layer in order, drawn where there are too many."""
    layers: list[list[str]] = [[] for _ in range(options.depth + 1)]
    for url, distance in sorted(distances.items()):
        if 0 <= distance <= options.depth:
            layers[distance].append(url)
    draw = Random(options.seed)
    return [sorted(draw.sample(urls, options.most)) if len(urls) > options.most else urls for urls in layers]


def _layer(pages: list[dict[str, float]], terms: int, share: float) -> Layer:
    """Return the layer of pages; its floor is the mean log-likelihood that a share of them reach, each left out."""
    sums = Counter[str]()
    for features in pages:
        sums.update(features)
    # Rounded, so that the file does not depend on the order of the sums.
    weights = {term: round(sums[term], 6) for term in sorted(sums)}
    total = sum(weights.values())
    reached = []
    for features in pages:
        own = sum(features.values())
        logs = (weight * log(max(1.0 + weights[term] - weight, 1.0)) for term, weight in features.items())
        reached.append(sum(logs) / own - log(terms + total - own))
    reached.sort(reverse=True)
    return Layer(len(pages), weights, round(reached[max(0, int(share * len(reached) + 0.5) - 1)], 6))


KIND = ModelKind("context-graph", "model of a context graph", "semcrawl train context-graph SOURCE -o MODEL")


def save_context_graph(graph: ContextGraph, path: str | Path) -> None:
    """Write a model file, whole or not at all; StoreError if it cannot be written."""
    facts = replace(graph, layers=[msgspec.structs.replace(layer, weights={}) for layer in graph.layers])
    write_model(path, KIND, facts, {"terms": graph.terms, "weights": graph.table})


def load_context_graph(path: str | Path) -> ContextGraph:
    """Read a model file; ModelError if it is missing, damaged, or of another kind or version."""
    with open_model(path, KIND) as file:
        facts, terms, table = file.facts(ContextGraph), file.lines("terms"), file.array("weights", "f8", 2)
        if table.shape != (len(facts.layers), len(terms)):
            raise ValueError("its parts do not fit together")
        if not table.any(axis=1).all():
            raise ValueError("a layer has no terms")
        rows = ({term: weight for term, weight in zip(terms, row, strict=True) if weight} for row in table.tolist())
        pairs = zip(facts.layers, rows, strict=True)
        return replace(facts, layers=[msgspec.structs.replace(layer, weights=weights) for layer, weights in pairs])
