"""Options of trainings, named as on the command line of ``semcrawl train``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from semcrawl.errors import ConfigError, LabError
from semcrawl.models.context_graph import TrainingOptions as ContextGraphOptions
from semcrawl.models.hmm import X_MEANS, HmmOptions
from semcrawl.models.link_features import FeatureKinds
from semcrawl.models.site_training import SiteTrainingOptions
from semcrawl.models.taxonomy_classifier import TrainingOptions as TaxonomyOptions

if TYPE_CHECKING:
    from semcrawl.lab.experiment import ModelPlan

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ApprenticeOptions:
    """How an apprentice is trained before its crawl.

    Attributes:
        d_max: the farthest DOM offset that is looked at.
        classes: whether to learn from the concepts of pages, too.
        cocitation: whether to learn from the links nearby, too.
        offsets: whether a term at another offset is another feature.
        boundary: the least relevance that is high; None for half of the links.
        strategy: the crawler whose pages it learns from; by default the one that follows the
            judge, as the baseline in Chakrabarti et al. 2002.
    """

    d_max: int = 5
    classes: bool = False
    cocitation: bool = False
    offsets: bool = True
    boundary: float | None = None
    strategy: str = "soft-focus:n=1"

    def __post_init__(self) -> None:
        _ = self.kinds
        if self.boundary is not None and not 0 <= self.boundary <= 1:
            raise ConfigError(f"boundary must be from 0 to 1, not {self.boundary:g}")

    @property
    def kinds(self) -> FeatureKinds:
        """The features that are learned from."""
        return FeatureKinds(self.d_max, self.classes, self.cocitation, self.offsets)


def check_options(plan: ModelPlan) -> None:
    """See to it that the options of a model are those of its kind.

    Raises:
        LabError: there is no such option, or it has a wrong value.
    """
    _READERS[plan.kind](plan)


def hmm_options(plan: ModelPlan) -> HmmOptions:
    """Options of an HMM; ``clusters`` is a number or ``x-means``."""
    given = dict(plan.options)
    if given.get("clusters") == "x-means":
        given["clusters"] = X_MEANS
    return _read(HmmOptions, plan, given)


def context_graph_options(plan: ModelPlan) -> ContextGraphOptions:
    """Options of a context graph."""
    return _read(ContextGraphOptions, plan, plan.options)


def apprentice_options(plan: ModelPlan) -> ApprenticeOptions:
    """Options of an apprentice."""
    return _read(ApprenticeOptions, plan, plan.options)


def taxonomy_options(plan: ModelPlan) -> TaxonomyOptions:
    """Options of a taxonomy."""
    return _read(TaxonomyOptions, plan, plan.options)


def site_options(plan: ModelPlan) -> SiteTrainingOptions:
    """Options of a classifier of sites."""
    return _read(SiteTrainingOptions, plan, plan.options)


_READERS = {
    "hmm": hmm_options,
    "context-graph": context_graph_options,
    "apprentice": apprentice_options,
    "taxonomy": taxonomy_options,
    "sites": site_options,
}


def _read(kind: type[T], plan: ModelPlan, given: dict[str, Any]) -> T:
    values = {name.replace("-", "_"): value for name, value in given.items()}
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
            raise LabError(f"model {plan.name}: {plan.kind} has no option {name!r}; {hint}")
    try:
        return msgspec.convert(values, type=kind)
    except (msgspec.ValidationError, ConfigError) as error:
        what = str(error).replace(" - at `$.", " at `")
        raise LabError(f"model {plan.name}: options: {what}") from error
