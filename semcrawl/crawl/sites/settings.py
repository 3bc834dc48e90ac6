"""The settings of a crawl for websites: its own few, beside those of fetching pages.

What is fetched and how politely is said by the page crawl's ``Settings``; of
these the ones named in `PAGE_SETTINGS` have a meaning here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from semcrawl.crawl.settings import (
    NonNegative,
    Positive,
    Settings,
    StoredSettings,
    full_in_spec,
    with_full_paths,
)
from semcrawl.errors import ConfigError
from semcrawl.page.background import find_background
from semcrawl.web.urls import SiteName

if TYPE_CHECKING:
    from typing import Self

    from semcrawl.graph import CrawlGraph
    from semcrawl.models.site_classifiers import PageClassifier
    from semcrawl.topics import Topic

# fmt: off
PAGE_SETTINGS = (
    "pages", "seconds", "include", "exclude", "frontier_size", "background", "sketches",
    "statements", "contact", "robots", "nofollow", "delay", "max_delay", "workers", "tries",
    "retry_delay", "connect_timeout", "read_timeout", "total_timeout", "max_bytes", "oversize",
    "max_redirects", "allow_private", "proxy", "replay",
)
# fmt: on
"""The settings of a page crawl that a crawl for websites has too."""


class SiteSettings(StoredSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How websites are looked for, beside how pages are fetched."""

    # What a site is and how it is judged
    site_by: Annotated[
        str, Meta(description="what a site is: host, domain, or path:N for N folders")
    ] = "host"
    model: Annotated[
        str, Meta(description="page classifier of 'semcrawl train sites' [default: the topic's]")
    ] = ""
    lens: Annotated[
        str, Meta(description="judge that sees pages through the topic, without a model")
    ] = "ssrm"
    p_threshold: Annotated[
        float,
        Meta(gt=0.5, lt=1, description="probability from which on a site's class is sure"),
    ] = 0.9
    l_threshold: Annotated[
        float, Meta(ge=0, le=1e9, description="LinkRank up to which links of a site are gathered")
    ] = 20.0
    link_constant: Annotated[
        float, Meta(ge=1, le=1e9, description="what each page adds to the LinkRank at least")
    ] = 1.0
    pages_per_site: Annotated[
        Positive, Meta(description="at most so many pages of one site, and four times the requests")
    ] = 100

    # Which site is next
    weights: Annotated[
        Literal["combined", "global", "local"], Meta(description="weights of links between sites")
    ] = "combined"
    sites_at_once: Annotated[
        NonNegative, Meta(description="sites read side by side [default: one for each worker]")
    ] = 0
    sites_per_domain: Annotated[
        NonNegative,
        Meta(
            description="at most so many sites of one domain (0: no limit); "
            "folders (site_by path:N) are not limited"
        ),
    ] = 50

    # When to stop
    sites: Annotated[
        NonNegative, Meta(description="stop after so many relevant sites (0: no limit)")
    ] = 0
    pprs_window: Annotated[
        NonNegative,
        Meta(description="latest sites whose pages per relevant site are watched (0: none)"),
    ] = 0
    pprs_rise: Annotated[
        float, Meta(gt=1, le=1e9, description="stop when they rise to so many times their lowest")
    ] = 3.0

    def changed(self, values: dict[str, Any]) -> Self:
        """Return these settings with some others in place.

        Raises:
            ConfigError: a value of the wrong kind.
        """
        made = self.convert({**msgspec.structs.asdict(self), **values})
        SiteName.parse(made.site_by)
        return made

    @property
    def naming(self) -> SiteName:
        """How the site of a URL is found."""
        return SiteName.parse(self.site_by)


class JudgedBy(msgspec.Struct, frozen=True):
    """By what the pages of a crawl are judged, so that it is known again.

    What one classifier says cannot be compared with what another says. ``kind`` is
    ``model``, ``lens``, or ``object`` for a classifier that a program gave; ``error``
    is its p_err; a model is known by the ``digest`` of its file, wherever it lies.
    """

    kind: str
    name: str
    classes: tuple[str, ...]
    error: float
    digest: str = ""


class StoredSiteSettings(SiteSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings as they stand in the graph, with the mark of the classifier."""

    judged_by: JudgedBy

    @classmethod
    def of(cls, settings: SiteSettings, judged_by: JudgedBy) -> Self:
        """Return settings with the mark of the classifier, which stays the first one."""
        return cls(**{"judged_by": judged_by, **msgspec.structs.asdict(settings)})


def stored_settings(graph: CrawlGraph) -> tuple[StoredSiteSettings, Settings]:
    """Return the settings of a crawl for websites, from its graph.

    Raises:
        ConfigError: it is a crawl for pages.
    """
    row = next(iter(graph.query("sites/site-settings")), None)
    if row is None:
        raise ConfigError(
            f"{graph.folder} holds a crawl for pages, not for websites: "
            f"go on with 'semcrawl resume {graph.folder}'"
        )
    pages = Settings.from_json(graph.describe().settings)
    return StoredSiteSettings.from_json(row["settings"]), pages


def for_recorded_web(settings: Settings) -> Settings:
    """The settings of fetching where a recording answers that they do not name.

    As with ``replay``: nobody is asked, so that neither robots.txt nor delays nor
    nofollow apply, and one worker is enough unless more are asked for.
    """
    workers = settings.workers or 1
    return settings.changed({"robots": False, "nofollow": False, "delay": 0.0, "workers": workers})


def split_settings(
    values: dict[str, Any], own: SiteSettings | None = None, pages: Settings | None = None
) -> tuple[SiteSettings, Settings]:
    """Put values by name into the settings that they belong to; the files among them in full.

    Raises:
        ConfigError: a name that neither has, or a value of the wrong kind.
    """
    names = SiteSettings.__struct_fields__
    mine = {name: value for name, value in values.items() if name in names}
    rest = {name: value for name, value in values.items() if name not in names}
    for name in rest:
        if name not in PAGE_SETTINGS:
            raise ConfigError(
                f"a crawl for websites has no setting {name!r}; see 'semcrawl sites --help'"
            )
    # A crawl can be resumed from another folder.
    if (model := mine.get("model")) and Path(model).exists():
        mine["model"] = str(Path(model).resolve())
    if isinstance(lens := mine.get("lens"), str):
        mine["lens"] = full_in_spec(lens)
    site = (own or SiteSettings()).changed(mine)
    # The judge is noted for who asks the graph how near a text is to the topic.
    settings = (pages or Settings()).changed(
        {**rest, "strategy": "breadth-first", "judge": site.lens}
    )
    return site, with_full_paths(settings)


def find_classifier(topic: Topic, settings: SiteSettings, background: str) -> PageClassifier:
    """The page classifier of the model that the settings name, or one made of the topic alone.

    Raises:
        ConfigError: a model or a judge that cannot be used.
    """
    return choose_classifier(topic, settings, background)[0]


def choose_classifier(
    topic: Topic, settings: SiteSettings, background: str, given: PageClassifier | None = None
) -> tuple[PageClassifier, JudgedBy]:
    """The page classifier that is given, else that of the settings, and its mark.

    Raises:
        ConfigError: a model or a judge that cannot be used, or a model of other sites.
    """
    if given is not None:
        return given, _mark("object", type(given).__name__, given)
    if settings.model:
        return _of_model(settings)
    from semcrawl.models.site_classifiers import LensClassifier

    lens = LensClassifier(topic, find_background(background), settings.lens)
    return lens, _mark("lens", settings.lens, lens)


def _of_model(settings: SiteSettings) -> tuple[PageClassifier, JudgedBy]:
    from semcrawl.models.site_classifiers import load_site_model

    model = load_site_model(Path(settings.model))
    learnt, wanted = model.facts.site_by, str(settings.naming)
    if learnt and learnt != wanted:
        raise ConfigError(
            f"the model {settings.model} was trained on sites by {learnt[:40]}, and the crawl has "
            f"sites by {wanted}: set site_by to {learnt[:40]}, or train a model with {wanted}"
        )
    mark = _mark("model", model.facts.classifier, model.classifier, model.digest)
    return model.classifier, mark


def _mark(kind: str, name: str, classifier: PageClassifier, digest: str = "") -> JudgedBy:
    classes = tuple(map(str, classifier.classes))
    return JudgedBy(kind, name, classes, float(classifier.error), digest)


def require_model_file(before: StoredSiteSettings, now: SiteSettings) -> None:
    """Say what to do where the model of a crawl that goes on is no longer in its place.

    Raises:
        ConfigError: it is not there, and no other place was named.
    """
    if now.model and now.model == before.model and not Path(now.model).exists():
        raise ConfigError(
            f"the model of the crawl is no longer at {now.model}: put it back, or name the place "
            "where it lies now with --model"
        )


def require_same_classifier(
    before: StoredSiteSettings, now: SiteSettings, judged_by: JudgedBy
) -> None:
    """Refuse to go on with another classifier than the crawl began with.

    A classifier that is given as an object is taken for the right one if it has
    the same classes: nothing else is known of it.

    Raises:
        ConfigError: it is another one.
    """
    was = before.judged_by
    if was.kind == "object" and judged_by.kind != "object":
        raise ConfigError(
            f"the crawl began with a classifier of its own, {was.name}: go on in Python, with "
            "SiteCrawl.resume(folder, classifier=...)"
        )
    if judged_by.kind not in (was.kind, "object"):
        raise _another(before.model, now.model)
    if judged_by.kind == "model" and was.digest != judged_by.digest:
        raise ConfigError(
            f"the model {now.model} is not the one that the crawl began with"
            f"{_other(was, judged_by)}: it was trained again, or is a different one; name the "
            "first one with --model, or start a new crawl"
        )
    if was.classes != judged_by.classes:
        raise ConfigError(
            f"the crawl began with another classifier{_other(was, judged_by)}: give the first one, "
            "or start a new crawl"
        )


def _another(was: str, wanted: str) -> ConfigError:
    return ConfigError(
        f"the crawl began with {_told(was)}, and what it has read cannot be compared with what "
        f"{_told(wanted)} says: start a new crawl for it"
    )


def _told(model: str) -> str:
    return f"the model {model}" if model else "the topic's lens"


def _other(was: JudgedBy, now: JudgedBy) -> str:
    """The classes of both, where they differ."""
    if was.classes == now.classes:
        return ""
    return f" (classes {', '.join(was.classes)}, now {', '.join(now.classes)})"
