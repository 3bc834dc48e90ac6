"""Context graphs: telling from a page's words how many links it is away from a target.

Diligenti, Coetzee, Lawrence, Giles and Gori 2000: pages are put into layers by
their link distance from target pages, a naive Bayes classifier tells the
layers apart, and a page that fits the best of them badly belongs to none.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from math import exp, isfinite, log
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from semcrawl.errors import ConfigError, StoreError
from semcrawl.text.vectors import tf_idf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from semcrawl.text.background import Background
    from semcrawl.text.vectors import Vector

FEATURES = 40
"""A page stands for so many of its terms, those with the most weight (Diligenti 2000)."""

_SHOWN = 3

LEAST_PAGES = 3
"""A layer of fewer pages teaches nothing."""


def features_of(counts: Vector, background: Background, number: int = FEATURES) -> dict[str, float]:
    """The terms of a page with the most tf·idf, their weights scaled to a mean of 1.

    All pages weigh alike then, long or short; of equal terms the first in the alphabet count.

    >>> from semcrawl.text import Background
    >>> even = Background.from_counts({}, documents=10)
    >>> features_of({"asthma": 3, "lung": 1, "car": 1}, even, number=2)
    {'asthma': 1.5, 'car': 0.5}
    """
    weights = {term: weight for term, weight in tf_idf(counts, background).items() if weight > 0}
    best = nlargest(number, sorted(weights), key=weights.__getitem__)
    total = sum(weights[term] for term in best)
    return {term: weights[term] * len(best) / total for term in best}


@dataclass(frozen=True, slots=True)
class Layer:
    """The pages at one distance from a target.

    Attributes:
        pages: how many there were.
        weights: the summed weight of each term in them.
        total: the sum of all weights.
        floor: the mean log-likelihood of a term below which a page does not belong here.
    """

    pages: int
    weights: Mapping[str, float]
    total: float
    floor: float = float("-inf")


@dataclass(frozen=True, slots=True)
class LayerGuess:
    """Where a page seems to be: its layer, None for none, and the layer's probability."""

    layer: int | None
    probability: float


@dataclass(frozen=True)
class ContextGraph:
    """The classifier of the layers around the targets of one topic.

    Attributes:
        layers: the layers from the targets, layer 0, outwards.
        topic: the name of the topic, "" where it has none.
        features: how many terms of a page are looked at.
        topic_digest: of what the topic is about; "" in models of earlier versions.
        judge: the judge that found the targets, with its options; "" if none did.
    """

    layers: Sequence[Layer]
    topic: str = ""
    features: int = FEATURES
    topic_digest: str = ""
    judge: str = ""

    @cached_property
    def vocabulary(self) -> int:
        """How many different terms the layers have."""
        return len({term for layer in self.layers for term in layer.weights})

    def log_likelihoods(self, features: Vector) -> list[float]:
        """The log-likelihood of a page's features in each layer (Diligenti 2000, naive Bayes).

        Σ N(t) · ln Pr(t | layer), with Pr smoothed after Laplace:
        (1 + weight of t in the layer) / (number of terms + all weights of the layer).
        """
        size = self.vocabulary
        return [
            sum(weight * log(1.0 + layer.weights.get(t, 0.0)) for t, weight in features.items())
            - sum(features.values()) * log(size + layer.total)
            for layer in self.layers
        ]

    def guess(self, counts: Vector, background: Background) -> LayerGuess:
        """The layer that a page with these term counts fits best, if it fits it well enough.

        All layers are equally likely at first: targets are few, and wanted most.
        """
        features = features_of(counts, background, self.features)
        if not features:
            return LayerGuess(None, 0.0)
        scores = self.log_likelihoods(features)
        best = max(range(len(scores)), key=scores.__getitem__)
        probability = 1.0 / sum(exp(score - scores[best]) for score in scores)
        fits = scores[best] / sum(features.values()) >= self.layers[best].floor
        return LayerGuess(best if fits else None, probability)


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How a context graph is made.

    Attributes:
        depth: the number of the outermost layer.
        features: how many terms of a page are looked at.
        share: the share of a layer's own pages that must be found to belong to it.
        most: the most pages of a layer; of more, so many are drawn.
        seed: of the drawing.
    """

    depth: int = 3
    features: int = FEATURES
    share: float = 0.9
    most: int = 1000
    seed: int = 1

    def __post_init__(self) -> None:
        if self.depth < 1 or self.features < 1 or self.most < LEAST_PAGES:
            raise ConfigError(
                f"depth={self.depth}, features={self.features}, most={self.most}: depth and "
                f"features must be 1 or more, most {LEAST_PAGES} or more"
            )
        if not 0.0 < self.share <= 1.0:
            raise ConfigError(f"share={self.share:g} must be above 0 and at most 1")


def train_context_graph(
    distances: Mapping[str, int],
    counts_of: Callable[[str], Vector | None],
    background: Background,
    *,
    topic: str = "",
    options: TrainingOptions | None = None,
) -> ContextGraph:
    """Make a context graph from pages with known distances to a target.

    Args:
        distances: links to the nearest target, by URL; 0 for targets.
        counts_of: the term counts of a page, None where it cannot be had.
        background: document frequencies.
        topic: the name of the topic.
        options: how it is made.

    Raises:
        ConfigError: no target is to be had, or fewer than two layers with enough pages to
            learn from.
    """
    options = options or TrainingOptions()
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
    graph = ContextGraph(layers, topic, options.features)
    floors = [
        _floor(graph, layer, found, options.share)
        for layer, found in zip(layers, pages, strict=True)
    ]
    return ContextGraph(
        [
            Layer(layer.pages, layer.weights, layer.total, floor)
            for layer, floor in zip(layers, floors, strict=True)
        ],
        topic,
        options.features,
    )


def _by_layer(distances: Mapping[str, int], options: TrainingOptions) -> list[list[str]]:
    """The URLs of each layer in order, drawn where there are too many."""
    layers: list[list[str]] = [[] for _ in range(options.depth + 1)]
    for url, distance in sorted(distances.items()):
        if 0 <= distance <= options.depth:
            layers[distance].append(url)
    draw = Random(options.seed)
    return [
        sorted(draw.sample(urls, options.most)) if len(urls) > options.most else urls
        for urls in layers
    ]


def _layer(pages: list[dict[str, float]]) -> Layer:
    weights: dict[str, float] = {}
    for features in pages:
        for term, weight in features.items():
            weights[term] = weights.get(term, 0.0) + weight
    # Six places are plenty, and make the same file whichever way the sums went.
    summed = {term: round(weight, 6) for term, weight in sorted(weights.items())}
    return Layer(len(pages), summed, round(sum(summed.values()), 6))


def _floor(graph: ContextGraph, layer: Layer, pages: list[dict[str, float]], share: float) -> float:
    """The mean log-likelihood that a share of a layer's pages reach, each without itself.

    A page always fits a layer that was made from it: it is taken out before.
    """
    size = graph.vocabulary
    reached = sorted(
        (
            sum(
                weight * log(max(1.0 + layer.weights[term] - weight, 1.0))
                for term, weight in features.items()
            )
            / (own := sum(features.values()))
            - log(size + layer.total - own)
            for features in pages
        ),
        reverse=True,
    )
    return round(reached[max(0, int(share * len(reached) + 0.5) - 1)], 6)


# Model files of context graphs: JSON, which is read and never run.


FORMAT = "semcrawl context graph"
VERSION = 1
_TRAIN = "make one with 'semcrawl train context-graph'"


def save_context_graph(graph: ContextGraph, path: str | Path) -> None:
    """Write a model file, whole or not at all; its folder must be there.

    Raises:
        StoreError: it cannot be written.
    """
    place = Path(path).expanduser()
    layers = [
        {"pages": layer.pages, "floor": layer.floor, "total": layer.total, "terms": layer.weights}
        for layer in graph.layers
    ]
    about = {
        "format": FORMAT,
        "version": VERSION,
        "topic": graph.topic,
        "topic_digest": graph.topic_digest,
        "judge": graph.judge,
    }
    text = json.dumps(about | {"features": graph.features, "layers": layers}, ensure_ascii=False)
    part = place.with_name(place.name + ".part")
    try:
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(place)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise StoreError(
            f"cannot write the model {place}: {error.strerror or error}; choose another place"
        ) from error


def load_context_graph(path: str | Path) -> ContextGraph:
    """Read a model file.

    Raises:
        ConfigError: there is none, it is of another kind or version, or damaged.
    """
    place = Path(path).expanduser()
    try:
        content = json.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the model {place}: {error.strerror}; {_TRAIN}") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(place, str(error)) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ConfigError(f"{place} is no model of a context graph; {_TRAIN}")
    if content.get("version") != VERSION:
        raise ConfigError(
            f"the model {place} is of version {content.get('version')}, this semcrawl reads "
            f"version {VERSION}: train it anew with 'semcrawl train context-graph'"
        )
    try:
        return _graph(content)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _damaged(place, str(error)) from error


def _graph(content: dict[str, Any]) -> ContextGraph:
    layers = [_read_layer(written) for written in content["layers"]]
    if len(layers) < 2:
        raise ValueError("it has fewer than two layers")
    features = int(content["features"])
    if features < 1:
        raise ValueError("it looks at no terms")
    # What came with a later version is "" in models of an earlier one.
    digest, judge = (str(content.get(name, "")) for name in ("topic_digest", "judge"))
    return ContextGraph(layers, str(content["topic"]), features, digest, judge)


def _read_layer(written: dict[str, Any]) -> Layer:
    weights = {str(term): float(weight) for term, weight in written["terms"].items()}
    total, floor = float(written["total"]), float(written["floor"])
    if not weights or not all(isfinite(weight) and weight >= 0 for weight in weights.values()):
        raise ValueError("a layer has no terms, or weights that are no numbers of 0 or more")
    if not isfinite(floor) or abs(total - sum(weights.values())) > 1e-3 * (1.0 + abs(total)):
        raise ValueError("a layer's sums are wrong")
    return Layer(int(written["pages"]), weights, total, floor)


def _damaged(place: Path, problem: str) -> ConfigError:
    return ConfigError(
        f"{place} is no model of a context graph, or damaged ({problem:.200}); {_TRAIN}"
    )
