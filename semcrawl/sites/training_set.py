"""What a page classifier is trained with: pages of sites, each in a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.sites.site import SiteName
from semcrawl.taxonomy.reading import is_url
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from semcrawl.sites.sample import SiteSample
    from semcrawl.taxonomy import Taxonomy

__all__ = ["FEWEST_PAGES", "LabelledPage", "TrainingSet", "set_of_samples", "set_of_taxonomy"]

FEWEST_PAGES = 2
"""So many pages a class must have, so that one can be left out to try the classifier on."""

_SHOWN = 3


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPage:
    """A page to learn from: its term counts, the number of its class, and its site."""

    terms: Mapping[str, int]
    label: int
    site: str


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """The pages of the classes; checked when made.

    Attributes:
        classes: the names of the classes, the target class first.
        pages: all pages.

    Raises:
        ConfigError: there are fewer than two classes, two have the same name, or a
            class has too few pages.
    """

    classes: tuple[str, ...]
    pages: tuple[LabelledPage, ...]

    def __post_init__(self) -> None:
        if len(self.classes) < 2:
            raise ConfigError(
                "there is one class of sites only: give other sites too, which the relevant "
                "ones are to be told from"
            )
        if len(set(self.classes)) < len(self.classes):
            raise ConfigError(f"two classes have the same name: {', '.join(self.classes)}")
        for name, pages in zip(self.classes, self.pages_of_classes(), strict=True):
            if pages < FEWEST_PAGES:
                raise ConfigError(
                    f"the class {name!r} has too few pages to learn from: {pages}, and "
                    f"{FEWEST_PAGES} are needed at least; give more sites of it"
                )

    def pages_of_classes(self) -> tuple[int, ...]:
        """How many pages each class has."""
        labels = [page.label for page in self.pages]
        return tuple(labels.count(number) for number in range(len(self.classes)))

    def sites_of_classes(self) -> tuple[int, ...]:
        """How many sites each class has."""
        found = {(page.label, page.site) for page in self.pages}
        labels = [label for label, _ in found]
        return tuple(labels.count(number) for number in range(len(self.classes)))


def set_of_samples(samples: Mapping[str, Sequence[SiteSample]]) -> TrainingSet:
    """The pages of sites that were read, by class, the target class first.

    A site that two homepages of a class led to counts once. Sites without a page
    with words are left out.

    Raises:
        ConfigError: a class has no site, a site is in two classes, or as for TrainingSet.
    """
    owner: dict[str, str] = {}
    pages: list[LabelledPage] = []
    for label, (name, sites) in enumerate(samples.items()):
        _require_answers(name, sites)
        for sample in sites:
            if not sample.pages or owner.get(sample.site) == name:
                continue
            if sample.site in owner:
                raise ConfigError(
                    f"the site {sample.site} is among those of {owner[sample.site]!r} and of "
                    f"{name!r}: leave it out of one"
                )
            owner[sample.site] = name
            pages += [LabelledPage(terms, label, sample.site) for terms in sample.pages.values()]
    return TrainingSet(tuple(samples), tuple(pages))


def _require_answers(name: str, sites: Sequence[SiteSample]) -> None:
    if not sites:
        raise ConfigError(f"no site of the class {name!r} is given: list some homepages of it")
    if not any(sample.pages for sample in sites):
        why = [
            f"{sample.homepage}: {next(iter(sample.missing.values()), 'no words')}"
            for sample in sites[:_SHOWN]
        ]
        more = ", …" if len(sites) > _SHOWN else ""
        raise ConfigError(
            f"no site of the class {name!r} gave a page with words ({', '.join(why)}{more}); "
            "give other sites, or the recorded web that they are in"
        )


def set_of_taxonomy(
    taxonomy: Taxonomy,
    good: Collection[str],
    *,
    classes: tuple[str, str] = ("target", "other"),
    name: SiteName | None = None,
) -> TrainingSet:
    """The examples of a trained taxonomy: the good categories and those under them, and the rest.

    An example that is a URL belongs to its site, any other is a site of its own.
    An example of a good category and of another is one of the good.

    Raises:
        ConfigError: as for TrainingSet.
    """
    wanted = {below for category in good for below in taxonomy.tree.below(category)}
    words = taxonomy.examples.vocabulary
    found: dict[str, LabelledPage] = {}
    for example in taxonomy.examples:
        label = 0 if example.category in wanted else 1
        if label and example.source in found:
            continue
        terms = [words[number] for number in example.terms.tolist()]
        counts = dict(zip(terms, example.counts.tolist(), strict=True))
        site = _site_of(example.source, name or SiteName())
        found[example.source] = LabelledPage(counts, label, site)
    return TrainingSet(classes, tuple(found.values()))


def _site_of(source: str, name: SiteName) -> str:
    return name.of(canonical(source)) if is_url(source) else source
