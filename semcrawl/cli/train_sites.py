"""``semcrawl train sites``: a page classifier for the crawler of whole websites."""

from __future__ import annotations

import json
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from semcrawl.cli.screen import count, one_line
from semcrawl.cli.train_source import training_fetcher, training_source
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from semcrawl.sites.model import SiteFacts
    from semcrawl.sites.sample import SiteSample
    from semcrawl.sites.site import SiteName
    from semcrawl.sites.training_set import TrainingSet
    from semcrawl.text.background import Background

__all__ = ["sites"]

_SHOWN = 3


@click.command()
@click.option("--relevant", multiple=True, metavar="[NAME=]FILE",
              help="A file of homepages of relevant sites, a URL a line; may be "
              "repeated.")  # fmt: skip
@click.option("--other", multiple=True, metavar="[NAME=]FILE",
              help="A file of homepages of other sites; with a name, of a class of their own; may "
              "be repeated.")  # fmt: skip
@click.option("--taxonomy", type=click.Path(path_type=Path),
              help="A tree of categories with homepages as examples, or a trained taxonomy, "
              "instead of the lists.")  # fmt: skip
@click.option("--category", multiple=True,
              help="A relevant category of the taxonomy; may be repeated.  "
              "[default: those marked good]")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True,
              help="Model file to write.")  # fmt: skip
@click.option("--replay", multiple=True, type=click.Path(),
              help="The recorded web that the sites are in, WARC files or a folder of pages; may "
              "be repeated.  [default: they are fetched]")  # fmt: skip
@click.option("--topic", help="What the relevant sites are about.")
@click.option("--site-by", default="host", show_default=True, metavar="host|domain|path:N",
              help="What a site is: a host, a registered domain, or N folders of a "
              "host.")  # fmt: skip
@click.option("--pages", type=click.IntRange(1, 10_000), default=25, show_default=True,
              help="How many pages of a site are read, breadth-first.")  # fmt: skip
@click.option("--classifier", type=click.Choice(["centroids", "naive-bayes"]),
              default="centroids", show_default=True, help="What is trained.")  # fmt: skip
@click.option("--centroids", type=click.IntRange(1, 1000), default=5, show_default=True,
              help="The most centroids of a class; there are ten pages for each at "
              "least.")  # fmt: skip
@click.option("--terms", type=click.IntRange(min=0), default=0, show_default=True,
              help="How many terms of a page are looked at, the heaviest; 0 for all.")  # fmt: skip
@click.option("--background", default="", help="Where document frequencies come from, as in a "
              "crawl.  [default: the training pages]")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, (1 << 32) - 1), default=0, show_default=True,
              help="For clusters and folds that repeat themselves.")  # fmt: skip
@click.option("--delay", type=click.FloatRange(0, 60), default=1.0, show_default=True,
              help="Seconds between two requests to a host, where pages are fetched.")  # fmt: skip
@click.option("--contact", default="", help="URL or mail address for the User-Agent.")
@click.option("--proxy", default="", help="HTTP proxy to fetch through.")
@click.option("--allow-private", is_flag=True, help="Fetch from private and local addresses, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def sites(output: Path, as_json: bool, **options: Any) -> None:
    """Train a page classifier that tells relevant websites from others.

    It learns from the first pages of the sites whose homepages are listed, or of
    those in the categories of a taxonomy.

    \b
    semcrawl train sites --relevant clinics.txt --other other.txt -o clinics.sites
    semcrawl train sites --relevant r.txt --other shops=s.txt --other news=n.txt -o r.sites
    semcrawl train sites --taxonomy directory.skos.ttl --category Sailing -o sailing.sites
    """
    from semcrawl.sites.model_file import save_site_model
    from semcrawl.sites.site import SiteName
    from semcrawl.sites.training import SiteTrainingOptions, train_site_model

    names = ("classifier", "centroids", "terms", "seed")
    how = SiteTrainingOptions(**{name: options[name] for name in names})
    name = SiteName.parse(options["site_by"])
    background, topic = _background(options["background"]), _topic(options["topic"])
    if not output.absolute().parent.is_dir():
        raise ConfigError(f"cannot write the model {output}: its folder is not there")
    lesson, samples = _lesson(name, options)
    model = train_site_model(lesson, how, background=background, topic=topic, site_by=str(name))
    save_site_model(model, output)
    if as_json:
        silent = {one.homepage: _reason(one) for one in _silent(samples)}
        click.echo(json.dumps(msgspec.to_builtins(model.facts) | {"silent": silent}, indent=1))
    else:
        _show(model.facts, output)


def _background(source: str) -> Background | None:
    from semcrawl.page.background import find_background

    return find_background(source) if source else None


def _topic(given: str | None) -> str:
    from semcrawl.topics import Topic

    return Topic.parse(given).name if given else ""


def _lesson(
    name: SiteName, options: dict[str, Any]
) -> tuple[TrainingSet, Mapping[str, Sequence[SiteSample]]]:
    """The training pages, from lists or a taxonomy, and the sites that were read for them."""
    from semcrawl.sites.training_set import set_of_samples, set_of_taxonomy
    from semcrawl.topics.trained_taxonomy import is_trained_taxonomy

    place = options["taxonomy"]
    if place is not None and (options["relevant"] or options["other"]):
        raise ConfigError("give either --taxonomy, or lists with --relevant and --other")
    if place is not None and is_trained_taxonomy(place):
        taxonomy, good = _trained(place, options["category"])
        return set_of_taxonomy(taxonomy, good, name=name), {}
    listed = _listed(options) if place is None else _of_tree(place, options["category"])
    samples = _read(listed, name, options)
    lesson = set_of_samples(samples)
    if silent := _silent(samples):
        shown = ", ".join(f"{one.homepage} ({_reason(one)})" for one in silent[:_SHOWN])
        more = ", …" if len(silent) > _SHOWN else ""
        words = f"warning: {count(len(silent), 'site')} gave no page, left out: {shown}{more}"
        click.echo(one_line(words), err=True)
    return lesson, samples


def _listed(options: dict[str, Any]) -> dict[str, list[str]]:
    """The homepages of the lists, by class, the target class first."""
    from semcrawl.sites.site_lists import OTHER, TARGET, class_and_file, read_homepages

    if options["category"]:
        raise ConfigError("--category names a category of a taxonomy: give it with --taxonomy")
    for option, what in (("relevant", "relevant"), ("other", "other")):
        if not options[option]:
            raise ConfigError(
                f"no {what} site is given: list homepages in a file, a URL a line, and name it "
                f"with --{option}; the others are what the relevant ones are told from"
            )
    relevant = [class_and_file(given, TARGET) for given in options["relevant"]]
    target = relevant[0][0]
    if any(name != target for name, _ in relevant):
        raise ConfigError("all relevant sites are one class: give all --relevant the same name")
    listed: dict[str, list[str]] = {}
    for name, file in (*relevant, *(class_and_file(given, OTHER) for given in options["other"])):
        listed.setdefault(name, []).extend(read_homepages(file))
    if len(listed) < 2:
        raise ConfigError(f"the relevant and the other sites are both named {target!r}")
    _require_apart(listed)
    return {name: list(dict.fromkeys(urls)) for name, urls in listed.items()}


def _require_apart(listed: Mapping[str, Sequence[str]]) -> None:
    """Stop at a homepage of two classes, before anything is fetched."""
    owner: dict[str, str] = {}
    for name, urls in listed.items():
        for url in urls:
            if owner.setdefault(url, name) != name:
                raise ConfigError(
                    f"{url} is listed among the sites of {owner[url]!r} and of {name!r}: leave it "
                    "out of one"
                )


def _of_tree(place: Path, categories: Sequence[str]) -> dict[str, list[str]]:
    from semcrawl.sites.site_lists import homepages_of_tree
    from semcrawl.taxonomy import read_tree

    if not categories:
        raise ConfigError(f"name the relevant categories of {place} with --category")
    return homepages_of_tree(read_tree(place, first_parent=True), categories)


def _trained(place: Path, categories: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    from semcrawl.taxonomy import Taxonomy

    taxonomy = Taxonomy.load(place)
    good = tuple(taxonomy.tree.find(name) for name in categories) or taxonomy.good
    if not good:
        raise ConfigError(f"no category of {place} is marked good: name some with --category")
    return taxonomy, good


def _read(
    listed: Mapping[str, Sequence[str]], name: SiteName, options: dict[str, Any]
) -> dict[str, list[SiteSample]]:
    """Read the first pages of all sites, with a bar where someone watches."""
    from semcrawl.sites.sample import read_site

    fetcher = training_fetcher(options)
    with closing(fetcher), _bar(sum(map(len, listed.values()))) as bar:
        source = training_source(fetcher, options)
        samples: dict[str, list[SiteSample]] = {}
        for label, homepages in listed.items():
            found = samples.setdefault(label, [])
            for url in homepages:
                found.append(read_site(url, source, name, most=options["pages"]))
                if bar is not None:
                    bar.update(1)
    return samples


def _bar(length: int) -> Any:
    if not sys.stderr.isatty():
        return nullcontext()
    return click.progressbar(length=length, label="Reading sites", file=sys.stderr)


def _silent(samples: Mapping[str, Sequence[SiteSample]]) -> list[SiteSample]:
    """The sites that gave no page with words."""
    return [one for found in samples.values() for one in found if not one.pages]


def _reason(sample: SiteSample) -> str:
    return next(iter(sample.missing.values()), "no words")


def _show(facts: SiteFacts, output: Path) -> None:
    width = max(map(len, facts.classes))
    for number, name in enumerate(facts.classes):
        line = f"{name:<{width}}  {count(facts.sites[number], 'site')}"
        line += f", {count(facts.pages[number], 'page')}, error {facts.errors[number]:.2f}"
        if facts.centroids:
            line += f", {count(facts.centroids[number], 'centroid')}"
        click.echo(line)
    click.echo(f"p_err {facts.error:.3f}, {facts.classifier}; written to {output}")
