"""Ten-fold cross-validation over sites: how well new sites are told (Ester 2004, table 2)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from semcrawl.crawl.sites.progress import SiteTally, tally
from semcrawl.crawl.sites.rivals import SiteVerdict, classify_homepage, classify_site
from semcrawl.errors import ConfigError
from semcrawl.models.site_classifiers import PageClassifier
from semcrawl.models.site_training import (
    FOLDS,
    LabelledPage,
    SiteSample,
    folds,
    read_site,
    set_of_samples,
    train_site_model,
)
from semcrawl.models.training_options import SiteTrainingOptions
from semcrawl.models.training_pages import PageSource
from semcrawl.text.background import Background
from semcrawl.web import Fetcher
from semcrawl.web.urls import SiteName

PAGES_PER_SITE = 10


@dataclass(frozen=True, slots=True)
class SiteValidation:
    """What came of sites that were held out, by the internal crawler and by homepages alone."""

    folds: int
    several: SiteTally
    pages: float  # that the internal crawler read of a site, on average
    homepage: SiteTally


def validate_sites(
    samples: Mapping[str, Sequence[SiteSample]],
    fetcher: Fetcher,
    options: SiteTrainingOptions | None = None,
    *,
    background: Background | None = None,
    site_by: str = "host",
    languages: tuple[str, ...] = ("en",),
    p_threshold: float = 0.9,
) -> SiteValidation:
    """Train without a tenth of the sites of each class and classify these, ten times.

    ``samples`` are the first pages of the sites by class, the target first, ``fetcher`` the
    recorded web that they are in. As in Ester 2004, section 5.2, the internal crawler does not
    gather links, and the homepage classifier is trained with homepages only. With fewer than ten
    sites in the smallest class there are as many folds as it has; a class of one site is always
    trained with.

    Raises:
        ConfigError: too few sites, or what cannot be trained with.
    """
    options = options or SiteTrainingOptions()
    read = [(n, one) for n, sites in enumerate(samples.values()) for one in sites if one.pages]
    sites = {one.site: (label, one) for label, one in read}
    source, name = PageSource(fetcher, languages=languages), SiteName.parse(site_by)
    front = {
        site: read_site(one.homepage, source, name, most=1) for site, (_, one) in sites.items()
    }
    train = partial(_classifier, samples, options, background)
    settings: dict[str, Any] = {
        "site_by": site_by,
        "languages": languages,
        "p_threshold": p_threshold,
    }
    several: dict[str, SiteVerdict] = {}
    homepage: dict[str, SiteVerdict] = {}
    parts = _parts({site: label for site, (label, _) in sites.items()}, options.seed)
    for held_out in parts:
        kept = {site: one for site, (_, one) in sites.items() if site not in held_out}
        by_pages, by_front = train(kept), train({site: front[site] for site in kept})
        for site in held_out:
            home = sites[site][1].homepage
            several[site] = classify_site(
                home, fetcher, by_pages, pages_per_site=PAGES_PER_SITE, **settings
            )
            homepage[site] = classify_homepage(home, fetcher, by_front, **settings)

    def told(verdicts: Mapping[str, SiteVerdict]) -> SiteTally:
        return tally((one.is_relevant, sites[site][0] == 0) for site, one in verdicts.items())

    pages = sum(one.pages for one in several.values()) / len(several)
    return SiteValidation(len(parts), told(several), pages, told(homepage))


def _parts(labels: Mapping[str, int], seed: int) -> list[set[str]]:
    """The sites that are held out in each fold."""
    marks = [LabelledPage({}, label, site) for site, label in labels.items()]
    number = Counter(labels.values())
    if number[0] < 2 or max(number[label] for label in (1, *number) if label) < 2:
        raise ConfigError(
            "sites are held out to try the classifier on: give two relevant sites and two others "
            "of one class at least"
        )
    held_out = folds(marks, max(number) + 1, most=FOLDS, seed=seed)
    return [{mark.site for mark in part} for part in held_out]


def _classifier(
    samples: Mapping[str, Sequence[SiteSample]],
    options: SiteTrainingOptions,
    background: Background | None,
    kept: Mapping[str, SiteSample],
) -> PageClassifier:
    """A classifier of what is ``kept`` of each class, by the name of the site."""
    classes = {
        name: [kept[one.site] for one in sites if one.site in kept]
        for name, sites in samples.items()
    }
    return train_site_model(set_of_samples(classes), options, background=background).classifier
