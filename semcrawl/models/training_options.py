"""The options of all trainings, declared once for Python, the command line and the lab.

The ``Meta`` of a field has its bounds and, as its description, the help of its option on the
command line; a field without a description has no such option.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import isfinite
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta

from semcrawl.errors import ConfigError

X_MEANS = 0
"""As a number of clusters: let X-means find it."""

LEAST_PAGES = 3
"""A layer of a context graph needs so many pages; fewer teach nothing."""


def _help(text: str, **bounds: Any) -> Meta:
    return Meta(description=text, **bounds)


_Seed = Annotated[int, Meta(ge=0, le=(1 << 32) - 1)]
_HeaviestTerms = Annotated[
    int, _help("How many terms of a page are looked at, the heaviest; 0 for all.", ge=0)
]


class TrainingOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the options of a training; ConfigError if a value is out of its bounds."""

    def __post_init__(self) -> None:
        for name, meta in field_metas(type(self)):
            problem = _problem(getattr(self, name), meta)
            if problem:
                raise ConfigError(f"{name} must be {problem}, not {getattr(self, name)}")


@lru_cache
def field_metas(kind: type[TrainingOptions]) -> tuple[tuple[str, Meta], ...]:
    """Return the fields of some options with their bounds and descriptions, in order."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((name, _meta(hints[name])) for name in kind.__struct_fields__)


def _meta(hint: Any) -> Meta:
    """Return one ``Meta`` of all that a type is annotated with, below ``| None`` too."""
    found: dict[str, Any] = {}
    for meta in _metas(hint):
        given = {name: getattr(meta, name) for name in ("ge", "gt", "le", "description", "extra")}
        found |= {name: value for name, value in given.items() if value is not None}
    return Meta(**found)


def _metas(hint: Any) -> Iterator[Meta]:
    for part in (*getattr(hint, "__metadata__", ()), *get_args(hint)):
        if isinstance(part, Meta):
            yield part
        elif get_args(part):
            yield from _metas(part)


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

    clusters: Annotated[
        int,
        _help(
            "How many clusters of pages, the last for the targets; or x-means, which "
            "finds a number.",
            extra={"words": {"x-means": X_MEANS}, "least": 2},
        ),
    ] = 5
    max_clusters: Annotated[int, _help("How many x-means may find.", ge=2)] = 20
    neighbours: Annotated[
        int, _help("How many of the nearest pages tell the cluster of a new one.", ge=1)
    ] = 5
    states: Annotated[
        int, _help("How many link distances are told apart; the last is all that is farther.", ge=2)
    ] = 4
    smoothing: Annotated[float, _help("What is added to every count.", ge=0)] = 0.1
    terms: _HeaviestTerms = 100
    seed: Annotated[_Seed, _help("For clusters that repeat themselves.")] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.clusters != X_MEANS and self.clusters < 2:
            raise ConfigError(
                f"clusters must be at least 2, one of them for the targets, not {self.clusters}"
            )


class ContextGraphOptions(TrainingOptions, frozen=True):
    """How a context graph is made; of more pages in a layer, ``most`` are drawn by ``seed``."""

    depth: Annotated[int, _help("The number of the outermost layer.", ge=1)] = 3
    features: Annotated[int, _help("How many terms of a page are looked at.", ge=1)] = 40
    share: Annotated[
        float,
        _help("The share of a layer's own pages that must be found to belong to it.", gt=0, le=1),
    ] = 0.9
    most: Annotated[int, _help("The most pages of a layer.", ge=LEAST_PAGES)] = 1000
    seed: int = 1


class ApprenticeOptions(TrainingOptions, frozen=True):
    """How an apprentice is trained before its crawl; see `FeatureKinds`."""

    d_max: Annotated[int, _help("Farthest DOM offset to look at.")] = 5
    classes: Annotated[bool, _help("Learn from the concepts of pages, too.")] = False
    cocitation: Annotated[bool, _help("Learn from the links nearby, too.")] = False
    boundary: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        _help(
            "The least relevance that is high.  [default: such that half of the links are, as far "
            "as possible]"
        ),
    ] = None
    offsets: bool = True


class TaxonomyOptions(TrainingOptions, frozen=True):
    """How the classifier of a taxonomy is made from examples; ``smoothing`` is Lidstone's α."""

    smoothing: Annotated[float, _help("Added to each count of a term.", gt=0)] = 0.1
    features: Annotated[int, _help("Terms chosen for each decision; 0: all.", ge=0)] = 5_000
    length: Annotated[
        float, _help("Let longer documents count as if they had so many terms; 0: no limit.", ge=0)
    ] = 0.0
    mixture: Annotated[
        bool,
        _help(
            "Pool the examples below a category, instead of mixing them.", extra={"off": "pooled"}
        ),
    ] = True


class SiteTrainingOptions(TrainingOptions, frozen=True):
    """How a page classifier of sites is trained (Ester 2004, section 4.3.3)."""

    classifier: Annotated[Literal["centroids", "naive-bayes"], _help("What is trained.")] = (
        "centroids"
    )
    centroids: Annotated[
        int,
        _help(
            "The most centroids of a class; there are ten pages for each at least.", ge=1, le=1000
        ),
    ] = 5
    terms: _HeaviestTerms = 0
    seed: Annotated[_Seed, _help("For clusters and folds that repeat themselves.")] = 0
    softness: Annotated[float, Meta(gt=0)] = 0.02  # ε of the centroids
    smoothing: float = 0.1  # α of naive Bayes
    length: float = 20.0  # L of naive Bayes
    folds: Annotated[int, Meta(ge=2)] = 10  # at most

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.classifier not in ("centroids", "naive-bayes"):
            raise ConfigError(
                f"there is no classifier of sites named {self.classifier[:40]!r}; "
                "use centroids or naive-bayes"
            )
