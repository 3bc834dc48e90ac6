"""Options of all trainings, for Python, command line and lab; training_options.toml limits them."""

from collections import ChainMap
from functools import lru_cache
from math import isfinite
from typing import Any, Literal

import msgspec
from msgspec import Meta

from semcrawl.errors import ConfigError
from semcrawl.resources import facts_beside

X_MEANS = 0  # as a number of clusters: let X-means find it
LEAST_PAGES = 3  # a layer of a context graph needs so many pages; fewer teach nothing
_FACTS = facts_beside(__file__, "training_options.toml")


class TrainingOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the options of a training; ConfigError if a value is out of its bounds."""

    def __post_init__(self) -> None:
        for name, meta in field_metas(type(self)).items():
            problem = _problem(getattr(self, name), meta)
            if problem:
                raise ConfigError(f"{name} must be {problem}, not {getattr(self, name)}")


@lru_cache
def field_metas(kind: type[TrainingOptions]) -> dict[str, Meta]:
    """Return the bounds and descriptions of the fields of some options."""
    said = ChainMap(*(_FACTS.get(base.__name__, {}) for base in kind.__mro__))
    return {name: Meta(**said.get(name, {})) for name in kind.__struct_fields__}


def _problem(value: Any, meta: Meta) -> str:
    """What a value would have to be, "" for one that is within its bounds."""
    if not isinstance(value, int | float):
        return ""
    if not isfinite(value):
        return "a number"
    if meta.ge is not None and value < meta.ge:
        return f"at least {meta.ge:g}"
    if meta.gt is not None and value <= meta.gt:
        return f"above {meta.gt:g}"
    if meta.le is not None and value > meta.le:
        return f"at most {meta.le:g}"
    return ""


class HmmOptions(TrainingOptions, frozen=True):
    """How an HMM of browsing is made; with X-means no cluster is for the targets."""

    clusters: int = 5
    max_clusters: int = 20
    neighbours: int = 5
    states: int = 4
    smoothing: float = 0.1
    terms: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.clusters != X_MEANS and self.clusters < 2:
            raise ConfigError(f"clusters must be at least 2, one of them for the targets, not {self.clusters}")


class ContextGraphOptions(TrainingOptions, frozen=True):
    """How a context graph is made; of more pages in a layer, ``most`` are drawn by ``seed``."""

    depth: int = 3
    features: int = 40
    share: float = 0.9
    most: int = 1000
    seed: int = 1


class ApprenticeOptions(TrainingOptions, frozen=True):
    """How an apprentice is trained before its crawl; see `FeatureKinds`."""

    d_max: int = 5
    classes: bool = False
    cocitation: bool = False
    boundary: float | None = None
    offsets: bool = True


class TaxonomyOptions(TrainingOptions, frozen=True):
    """How the classifier of a taxonomy is made from examples; ``smoothing`` is Lidstone's α."""

    smoothing: float = 0.1
    features: int = 5_000
    length: float = 0.0
    mixture: bool = True


class SiteTrainingOptions(TrainingOptions, frozen=True):
    """How a page classifier of sites is trained (Ester 2004, section 4.3.3)."""

    classifier: Literal["centroids", "naive-bayes"] = "centroids"
    centroids: int = 5
    terms: int = 0
    seed: int = 0
    softness: float = 0.02  # ε of the centroids
    smoothing: float = 0.1  # α of naive Bayes
    length: float = 20.0  # L of naive Bayes
    folds: int = 10  # at most

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.classifier not in ("centroids", "naive-bayes"):
            raise ConfigError(
                f"there is no classifier of sites named {self.classifier[:40]!r}; use centroids or naive-bayes"
            )
