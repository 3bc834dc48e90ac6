"""The settings of a crawl for websites: its own, beside those `PAGE_SETTINGS` of fetching."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from semcrawl.crawl.settings import NonNegative, Positive, Settings, StoredSettings, full_in_spec, with_full_paths
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph
from semcrawl.models.site_classifiers import LensClassifier, PageClassifier, load_site_model
from semcrawl.page.background import find_background
from semcrawl.resources import facts_beside
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.web.urls import SiteName

PAGE_SETTINGS: list[str] = facts_beside(__file__, "page_settings.toml")["names"]
"""The settings of a page crawl that a crawl for websites has too."""


class SiteSettings(StoredSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How websites are looked for, beside how pages are fetched."""

    # What a site is and how it is judged
    site_by: str = "host"
    model: str = ""
    lens: str = "labels"
    p_threshold: Annotated[float, Meta(gt=0.5, lt=1)] = 0.9
    l_threshold: Annotated[float, Meta(ge=0, le=1e9)] = 20.0
    link_constant: Annotated[float, Meta(ge=1, le=1e9)] = 1.0
    pages_per_site: Positive = 100

    # Which site is next
    weights: Literal["combined", "global", "local"] = "combined"
    sites_at_once: NonNegative = 0
    sites_per_domain: NonNegative = 50

    # When to stop
    sites: NonNegative = 0
    pprs_window: NonNegative = 0
    pprs_rise: Annotated[float, Meta(gt=1, le=1e9)] = 3.0

    def __post_init__(self) -> None:
        SiteName.parse(self.site_by)

    @property
    def naming(self) -> SiteName:
        """How the site of a URL is found."""
        return SiteName.parse(self.site_by)


class JudgedBy(msgspec.Struct, frozen=True):
    """By what the pages of a crawl are judged, so that a resume can compare it."""

    kind: str  # model, lens, or object (given by a program)
    name: str
    classes: tuple[str, ...]
    error: float  # p_err
    digest: str = ""  # of the file of a model


class StoredSiteSettings(SiteSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings as they stand in the graph, with the mark of the classifier."""

    judged_by: JudgedBy


def stored_settings(graph: CrawlGraph) -> tuple[StoredSiteSettings, Settings]:
    """Return the settings of a crawl for websites; ConfigError if it is one for pages."""
    row = next(iter(graph.query("sites/site-settings")), None)
    if row is None:
        raise ConfigError(
            f"{graph.place} holds a crawl for pages, not for websites: 'semcrawl query {graph.place} sites' "
            f"lists its sites, 'semcrawl resume {graph.place}' goes on with it"
        )
    return StoredSiteSettings.from_json(row["settings"]), Settings.from_json(graph.describe().settings)


def apart(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values that are settings of sites, and the rest."""
    names = SiteSettings.__struct_fields__
    mine = {name: value for name, value in values.items() if name in names}
    return mine, {name: value for name, value in values.items() if name not in names}


def split_settings(
    values: dict[str, Any], own: SiteSettings | None = None, pages: Settings | None = None
) -> tuple[SiteSettings, Settings]:
    """Put values by name into their settings, files with full paths; ConfigError for a bad one."""
    mine, rest = apart(values)
    for name in rest:
        if name not in PAGE_SETTINGS:
            raise ConfigError(f"a crawl for websites has no setting {name!r}; see 'semcrawl sites --help'")
    # A crawl can be resumed from another folder.
    if (model := mine.get("model")) and Path(model).exists():
        mine["model"] = str(Path(model).resolve())
    if isinstance(lens := mine.get("lens"), str):
        mine["lens"] = full_in_spec(lens)
    site = (own or SiteSettings()).changed(mine)
    # The judge is noted for queries that compare texts with the topic.
    settings = (pages or Settings(linked_data="embedded", link_lists="off")).changed(
        {**rest, "strategy": "breadth-first", "judge": site.lens}
    )
    return site, with_full_paths(settings)


def find_classifier(topic: Topic, settings: SiteSettings, background: str) -> PageClassifier:
    """Return the page classifier of the settings' model, or one made of the topic alone."""
    table = None if settings.model else find_background(background, topic)
    return choose_classifier(topic, settings, table)[0]


def choose_classifier(
    topic: Topic, settings: SiteSettings, background: Background | None = None, given: PageClassifier | None = None
) -> tuple[PageClassifier, JudgedBy]:
    """Return the page classifier that is given, else that of the settings, and its mark.

    A lens sees through ``background``, by default the topic's own. Raises ConfigError: a model or a
    judge that cannot be used, or a model of other sites.
    """
    if given is not None:
        return given, _mark("object", type(given).__name__, given)
    if settings.model:
        return _of_model(settings)
    lens = LensClassifier(topic, topic.background() if background is None else background, settings.lens)
    return lens, _mark("lens", settings.lens, lens)


def _of_model(settings: SiteSettings) -> tuple[PageClassifier, JudgedBy]:
    model = load_site_model(Path(settings.model))
    learnt, wanted = model.facts.site_by, str(settings.naming)
    if learnt and learnt != wanted:
        raise ConfigError(
            f"the model {settings.model} was trained on sites by {learnt[:40]}, and the crawl has "
            f"sites by {wanted}: set site_by to {learnt[:40]}, or train a model with {wanted}"
        )
    return model.classifier, _mark("model", model.facts.classifier, model.classifier, model.digest)


def _mark(kind: str, name: str, classifier: PageClassifier, digest: str = "") -> JudgedBy:
    return JudgedBy(kind, name, tuple(map(str, classifier.classes)), float(classifier.error), digest)


def require_model_file(before: StoredSiteSettings, now: SiteSettings) -> None:
    """Raise ConfigError if the model of a resumed crawl is not in its place any more."""
    if now.model and now.model == before.model and not Path(now.model).exists():
        raise ConfigError(
            f"the model of the crawl is no longer at {now.model}: put it back, or name the place "
            "where it lies now with --model"
        )


def require_same_classifier(before: StoredSiteSettings, now: SiteSettings, judged_by: JudgedBy) -> None:
    """Raise ConfigError for another classifier than at first, or an object of other classes."""
    was = before.judged_by
    if was.kind == "object" and judged_by.kind != "object":
        raise ConfigError(
            f"the crawl began with a classifier of its own, {was.name}: go on in Python, with "
            "SiteCrawl.resume(folder, classifier=...)"
        )
    if judged_by.kind not in (was.kind, "object"):
        raise ConfigError(
            f"the crawl began with {_told(before.model)}, and what it has read cannot be compared "
            f"with what {_told(now.model)} says: start a new crawl for it"
        )
    if judged_by.kind == "model" and was.digest != judged_by.digest:
        raise ConfigError(
            f"the model {now.model} is not the one that the crawl began with"
            f"{_other(was, judged_by)}: it was trained again, or is a different one; name the "
            "first one with --model, or start a new crawl"
        )
    if was.classes != judged_by.classes:
        raise ConfigError(
            f"the crawl began with another classifier{_other(was, judged_by)}: give the first one, or start a new crawl"
        )


def _told(model: str) -> str:
    return f"the model {model}" if model else "the topic's lens"


def _other(was: JudgedBy, now: JudgedBy) -> str:
    if was.classes == now.classes:
        return ""
    return f" (classes {', '.join(was.classes)}, now {', '.join(now.classes)})"
