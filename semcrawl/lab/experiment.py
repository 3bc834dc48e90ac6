"""An experiment as it is written in TOML; docs/lab.md tells what every key means."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from semcrawl.checked_values import checked_values
from semcrawl.crawl.settings import NonNegative, Positive, Share
from semcrawl.errors import ConfigError, LabError, told_as
from semcrawl.models import training_options as options
from semcrawl.models.apprentice import feature_kinds
from semcrawl.registry import split_spec

Name = Annotated[str, Meta(min_length=1, max_length=80)]


class _ExperimentPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file; unknown keys are errors."""


class WebSource(_ExperimentPart, frozen=True, kw_only=True):
    """The recorded web, ``[web]``: WARC files or folders of pages, or the demo web."""

    replay: tuple[str, ...] = ()
    demo: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    background: str = "shipped"


class TruthSource(_ExperimentPart, frozen=True, kw_only=True):
    """What is really on a topic, ``[truth]``: exactly one source."""

    labels: str = ""
    kinds: tuple[str, ...] = ()
    judged: str = ""
    targets: str = ""
    judge: str = ""
    demo: bool = False
    training_share: Share = 0.0
    examples: NonNegative = 50  # drawn for harvest ratio and average similarity (Batsakis 2007)
    similar: Share = 0.75  # the cosine with an example from which on a page counts


class SeedDraw(_ExperimentPart, frozen=True, kw_only=True):
    """How many seeds, or which share of a topic's pages, each repetition draws, ``[seeds]``."""

    size: NonNegative = 0
    share: Share = 0.0
    disjoint: bool = False  # no page is drawn for two repetitions

    @property
    def are_drawn(self) -> bool:
        """Whether seeds are drawn; else topics name them."""
        return bool(self.size or self.share)


class LabTopic(_ExperimentPart, frozen=True, kw_only=True):
    """A topic, ``[[topic]]``: what crawlers are given, and other ways to say it by name."""

    name: Name
    topic: str
    descriptions: dict[str, str] = {}
    seeds: tuple[str, ...] = ()
    on_topic: tuple[str, ...] = ()  # categories of the labels, or topics of the demo web
    evaluation: str = ""  # what precision compares pages with; no crawler sees it


class ModelPlan(_ExperimentPart, frozen=True, kw_only=True):
    """Something trained for each topic before the race, ``[[model]]``; ``{name}`` in specs."""

    name: Name
    kind: Literal["hmm", "context-graph", "apprentice", "taxonomy", "sites"]
    paths: str = ""
    pages: NonNegative = 0  # training reads at most so many of a category, crawl or site; 0: all
    options: dict[str, Any] = {}


class Contender(_ExperimentPart, frozen=True, kw_only=True):
    """A crawler that takes part, ``[[strategy]]``; its name is its strategy if left out."""

    name: str = ""
    strategy: str = "best-first-page-anchor"
    judge: str = "cosine"
    description: str = ""
    seeds: Literal["given", "augmented"] = "given"  # augmented as in Pant, Menczer 2003
    # The crawlers that look for sites are those of Ester 2004.
    crawler: Literal["pages", "sites", "pages-for-sites", "site-classifier"] = "pages"
    settings: dict[str, Any] = {}

    def __post_init__(self) -> None:
        if not self.name:
            msgspec.structs.force_setattr(self, "name", self.strategy)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that its strategy, judge and settings name, each once.

        >>> Contender(strategy="hmm:model={browsing}").models
        ('browsing',)
        """
        settings = (value for value in self.settings.values() if isinstance(value, str))
        return models_in(" ".join([self.strategy, self.judge, *settings]))


class Finding(_ExperimentPart, frozen=True, kw_only=True):
    """A sentence of a paper that can come out true or not, ``[[finding]]``."""

    says: Name | Annotated[str, Meta(min_length=1, max_length=400)]
    measure: str = "harvest-rate"
    at: NonNegative = 0
    expect: Literal["above", "near", "ratio", "between"] = "above"
    left: tuple[str, ...]
    right: tuple[str, ...] = ()
    within: Share = 0.1
    low: float = float("-inf")
    high: float = float("inf")


class Experiment(_ExperimentPart, frozen=True, kw_only=True):
    """A race of crawlers."""

    title: Name
    about: str = ""
    paper: str = ""
    pages: Positive = 1_000
    at: tuple[Positive, ...] = ()  # by default a quarter, half and all of the pages
    repetitions: Positive = 1
    random_seed: NonNegative = 1
    settings: dict[str, Any] = {}
    web: WebSource
    truth: TruthSource
    seeds: SeedDraw = SeedDraw()
    topics: tuple[str, ...] = ()  # files with more tables [[topic]]
    topic: tuple[LabTopic, ...]
    model: tuple[ModelPlan, ...] = ()
    strategy: tuple[Contender, ...]
    finding: tuple[Finding, ...] = ()
    oracles: bool = True


# The strategies of the two crawlers that see the labels, by their names in a report.
ORACLES: Mapping[str, str] = MappingProxyType({"oracle": "oracle", "oracle (sources)": "oracle:sees=sources"})


def is_oracle(strategy: str) -> bool:
    """Whether a strategy is one of the oracles, which sees labels.

    >>> is_oracle("oracle:sees=sources"), is_oracle("breadth-first")
    (True, False)
    """
    return split_spec(strategy)[0] == "oracle"


_BRACES = re.compile(r"\{([^{}]*)\}")


def models_in(text: str) -> tuple[str, ...]:
    """The models that a text names in braces.

    >>> models_in("taxonomy:model={tree}")
    ('tree',)
    """
    return tuple(dict.fromkeys(_BRACES.findall(text)))


def fill_in(text: str, values: Mapping[str, str]) -> str:
    """A text with values in place of the models in braces.

    >>> fill_in("hmm:model={browsing}", {"browsing": "/models/1.hmm"})
    'hmm:model=/models/1.hmm'
    """
    return _BRACES.sub(lambda found: values.get(found[1], found[0]), text)


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A setting, or several in lists and tables, with every text changed.

    >>> each_text({"a": ["b", 1]}, str.upper)
    {'a': ['B', 1]}
    """
    if isinstance(value, Mapping):
        return {name: each_text(item, change) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [each_text(item, change) for item in value]
    return change(value) if isinstance(value, str) else value


class LabApprenticeOptions(options.ApprenticeOptions, frozen=True):
    """``strategy`` is the crawler whose pages an apprentice learns from."""

    strategy: str = "soft-focus:n=1"  # the baseline in Chakrabarti et al. 2002


_KINDS: dict[str, type[options.TrainingOptions]] = {
    "hmm": options.HmmOptions,
    "context-graph": options.ContextGraphOptions,
    "apprentice": LabApprenticeOptions,
    "taxonomy": options.TaxonomyOptions,
    "sites": options.SiteTrainingOptions,
}


def read_options(plan: ModelPlan) -> Any:
    """Return the training options of a model; LabError for an unknown one or a wrong value."""
    kind = _KINDS[plan.kind]
    values = {name.replace("-", "_"): value for name, value in plan.options.items()}
    for name, meta in options.field_metas(kind).items():
        words = (meta.extra or {}).get("words", {})
        if values.get(name) in words:
            values[name] = words[values[name]]
    with told_as(LabError, f"model {plan.name}: options of {plan.kind}", ValueError, ConfigError):
        made = checked_values(values, kind, "option")
        if isinstance(made, options.ApprenticeOptions):
            feature_kinds(made)
    return made
