"""Which page classifier a crawl for websites has, and whether it is the one it began with.

What was read with one classifier cannot be compared with what another says, so
a crawl keeps a mark of its own, `JudgedBy`, among its settings. A model is known
by the digest of its file, wherever that lies.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.page.background import find_background
from semcrawl.site_crawl.settings import JudgedBy

if TYPE_CHECKING:
    from semcrawl.site_crawl.settings import SiteSettings, StoredSiteSettings
    from semcrawl.sites.classifier import PageClassifier
    from semcrawl.topics import Topic

__all__ = ["choose_classifier", "find_classifier", "require_model_file", "require_same_classifier"]


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
    from semcrawl.sites.classifier import LensClassifier

    lens = LensClassifier(topic, find_background(background), settings.lens)
    return lens, _mark("lens", settings.lens, lens)


def _of_model(settings: SiteSettings) -> tuple[PageClassifier, JudgedBy]:
    from semcrawl.sites.model_file import load_site_model

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
    if was is None:  # A crawl of a version that kept no mark.
        if judged_by.kind != "object" and before.model != now.model:
            raise _another(before.model, now.model)
    elif was.kind == "object" and judged_by.kind != "object":
        raise ConfigError(
            f"the crawl began with a classifier of its own, {was.name}: go on in Python, with "
            "SiteCrawl.resume(folder, classifier=...)"
        )
    elif judged_by.kind not in (was.kind, "object"):
        raise _another(before.model, now.model)
    elif judged_by.kind == "model" and was.digest != judged_by.digest:
        raise ConfigError(
            f"the model {now.model} is not the one that the crawl began with"
            f"{_other(was, judged_by)}: it was trained again, or is a different one; name the "
            "first one with --model, or start a new crawl"
        )
    elif was.classes != judged_by.classes:
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
