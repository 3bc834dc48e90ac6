"""What ``semcrawl train`` does; apart from its options, which need none of these imports."""

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

import click
import msgspec

from semcrawl.cli.options import chosen
from semcrawl.cli.progress import PageProgress
from semcrawl.cli.screen import count, one_line, print_json
from semcrawl.cli.topic import read_topic
from semcrawl.crawl.sites.rivals import validate_sites
from semcrawl.crawl.trust import VIEW, require_trust
from semcrawl.errors import ConfigError, FetchError, PageError
from semcrawl.graph import CrawlGraph
from semcrawl.model_files import is_model_file
from semcrawl.models import apprentice, browsing, context_graph, hmm
from semcrawl.models import site_training as sites
from semcrawl.models.category_tree import read_tree
from semcrawl.models.site_classifiers import save_site_model
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_options import ApprenticeOptions, ContextGraphOptions, HmmOptions, SiteTrainingOptions
from semcrawl.models.training_pages import (
    PageSource,
    TrainingPages,
    open_page_source,
    read_training_pages,
    topic_digest,
)
from semcrawl.page.background import background_of_replay, find_background
from semcrawl.registry import split_spec
from semcrawl.relevance import JUDGES, Judge
from semcrawl.text.background import Background
from semcrawl.text.languages import language_code
from semcrawl.topics import Topic
from semcrawl.topics.topic import checked_languages
from semcrawl.web import open_replay
from semcrawl.web.urls import SiteName

CountsOf = Callable[[str], Mapping[str, int] | None]

_SHOWN = 3


def model_file(output: Path) -> Path:
    """Return the file of a model, ``~`` expanded; ConfigError if its folder cannot be written."""
    place = output.expanduser()
    if not place.parent.is_dir():
        raise ConfigError(
            f"there is no folder {place.parent} for the model {place.name}: make it, or choose another place with -o"
        )
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise ConfigError(f"the folder {place.parent} cannot be written to: choose another place with -o")
    return place


def _topic(options: Mapping[str, Any]) -> Topic | None:
    given = options["topic"]
    return read_topic(given, language=options["language"]) if given else None


def _languages(topic: Topic | None, options: Mapping[str, Any]) -> tuple[str, ...]:
    return topic.languages if topic else checked_languages(options["language"] or "en")


def _is_english(languages: Sequence[str]) -> bool:
    return [language_code(tag) for tag in languages] == ["en"]


def _background(named: str, topic: Topic | None, languages: tuple[str, ...], web: Sequence[str | Path]) -> Background:
    """Return the background that is named; else, if not in English, that of the web to read."""
    if named or not web or _is_english(languages):
        return find_background(named, topic)
    with open_replay(list(web)) as replay:
        return background_of_replay(replay, languages)


def _require_none(options: Mapping[str, Any], *names: str) -> None:
    if given := [f"--{name}" for name in names if options[name]]:
        raise ConfigError(f"a crawl has its own: leave {' and '.join(given)} out")


def _web_of_crawl(folder: Path, settings: dict[str, Any], replay: Sequence[str]) -> list[str]:
    web = replay or settings.get("replay") or ()
    if not web:
        raise ConfigError(
            f"the crawl in {folder} was made over the network, and its pages are needed again: give them with --replay"
        )
    return list(web)


def train_apprentice(source: Sequence[str], output: Path, **options: Any) -> None:
    """Train an apprentice, and say what it learned from."""
    how = chosen(ApprenticeOptions, options)
    apprentice.feature_kinds(how)
    place = model_file(output)
    sources = [Path(name).expanduser() for name in source]
    for one in sources:
        if not one.exists():
            raise ConfigError(f"there is no {one} to learn from: name the folder of a crawl, or a recorded web")
    is_crawl = any((one / "graph").is_dir() for one in sources)
    trained = (_apprentice_of_crawl if is_crawl else _apprentice_of_web)(sources, how, options)
    apprentice.save_apprentice(trained, place)
    model = trained.model
    click.echo(
        f"{count(int(model.links.sum()), 'link')}, {model.links[1]:,} of them to pages of a "
        f"relevance of {model.boundary:.4g} or more; {count(model.vocabulary, 'feature')} "
        f"written to {output}"
    )


def _apprentice_of_crawl(
    sources: list[Path], how: ApprenticeOptions, options: dict[str, Any]
) -> apprentice.TrainedApprentice:
    if len(sources) > 1:
        raise ConfigError("one crawl at a time: its model is for its topic")
    _require_none(options, "topic", "judge", "background")
    with CrawlGraph.read(sources[0], trust=options["trust"]) as graph:
        require_trust(graph, (*VIEW, "replay"), named=("replay",) if options["replay"] else ())
        about = graph.describe()
        settings = json.loads(about.settings)
        web = _web_of_crawl(sources[0], settings, options["replay"])
        topic = Topic.from_toml(about.topic)
        spec, judge = settings.get("judge", ""), None
        name, _ = split_spec(spec)
        if name in JUDGES.names() or ".py" in name:  # not one that was given as an object
            background = _background(settings.get("background", ""), topic, topic.languages, web)
            judge = JUDGES.create(spec, topic=topic, background=background)
        with PageProgress() as progress:
            pages = apprentice.pages_of_crawl(graph, open_replay(web), progress, languages=topic.languages)
            return apprentice.train_offline(pages, topic, how, judge=judge, judge_spec=spec)


def _apprentice_of_web(
    sources: list[Path], how: ApprenticeOptions, options: dict[str, Any]
) -> apprentice.TrainedApprentice:
    if not options["topic"]:
        raise ConfigError("a recorded web is judged by a topic: give it with --topic")
    if options["replay"]:
        raise ConfigError("--replay is for the pages of a crawl: name the recorded web alone")
    topic = read_topic(options["topic"], language=options["language"])
    background = _background(options["background"] or "", topic, topic.languages, sources)
    spec = options["judge"] or "labels"
    judge = JUDGES.create(spec, topic=topic, background=background)
    with PageProgress() as progress:
        pages = apprentice.pages_of_replay(open_replay(sources), judge, progress, topic.languages)
        return apprentice.train_offline(pages, topic, how, judge=judge, judge_spec=spec)


def train_context_graph(source: Path, output: Path, **options: Any) -> None:
    """Train a context graph, and say how large its layers are."""
    how = chosen(ContextGraphOptions, options)
    place, source = model_file(output), source.expanduser()
    if not source.exists():
        raise ConfigError(
            f"there is no {source} to learn from: name the folder of a crawl, or a file of browsing paths"
        )
    graph = (_context_of_crawl if source.is_dir() else _context_of_paths)(source, how, options)
    context_graph.save_context_graph(graph, place)
    for number, layer in enumerate(graph.layers):
        click.echo(f"layer {number}: {count(layer.pages, 'page')}")
    click.echo(f"{count(len(graph.terms), 'term')} written to {output}")


def _context_of_crawl(folder: Path, how: ContextGraphOptions, options: dict[str, Any]) -> context_graph.ContextGraph:
    _require_none(options, "topic", "judge")
    with CrawlGraph.read(folder, trust=options["trust"]) as graph:
        given = [name for name in ("replay", "background") if options[name]]
        require_trust(graph, ("topic", "background", "replay"), named=given)
        about = graph.describe()
        links = [(row["source"], row["target"]) for row in graph.query("export/links", min_relevance=0.0)]
        targets = {row["url"] for row in graph.query("export/pages", min_relevance=about.threshold)}
    if options["targets"]:
        targets = set(browsing.read_targets(options["targets"]))
    settings = json.loads(about.settings)
    topic = Topic.from_toml(about.topic)
    web = _web_of_crawl(folder, settings, options["replay"])
    return _context_graph(
        browsing.click_distances([*links, *((url,) for url in sorted(targets))], targets),
        partial(_counts, open_page_source(web, languages=topic.languages)),
        _background(options["background"] or settings.get("background") or "", topic, topic.languages, web),
        how,
        topic,
        "" if options["targets"] else settings.get("judge", ""),
    )


def _context_of_paths(paths: Path, how: ContextGraphOptions, options: dict[str, Any]) -> context_graph.ContextGraph:
    if not options["replay"]:
        raise ConfigError("the pages of the paths are needed: give a recorded web with --replay")
    if options["judge"] and not options["topic"]:
        raise ConfigError("--judge needs a topic to judge by: give it with --topic")
    walked = browsing.read_paths(paths)
    topic, judge = _topic(options), ""
    languages = _languages(topic, options)
    background = _background(options["background"] or "", topic, languages, options["replay"])
    source = open_page_source(options["replay"], languages=languages)
    counts_of: CountsOf = partial(_counts, source)
    if options["targets"]:
        targets = browsing.read_targets(options["targets"])
    elif topic is not None:
        judge = options["judge"] or "labels"
        counts_of, targets = _judged(walked, source, judge, topic, background)
    else:
        targets = browsing.last_pages(walked)
    return _context_graph(browsing.click_distances(walked, targets), counts_of, background, how, topic, judge)


def _context_graph(
    distances: Mapping[str, int],
    counts_of: CountsOf,
    background: Background,
    how: ContextGraphOptions,
    topic: Topic | None,
    judge: str,
) -> context_graph.ContextGraph:
    layers = Counter(far for far in distances.values() if far <= how.depth)
    total = sum(min(size, how.most) for size in layers.values())
    with PageProgress() as progress:

        def counted(url: str) -> Mapping[str, int] | None:
            progress(total)
            return counts_of(url)

        return context_graph.train_context_graph(
            distances,
            counted,
            background,
            topic=topic.name if topic else "",
            topic_digest=topic_digest(topic) if topic else "",
            judge=judge,
            options=how,
        )


def _judged(
    walked: Sequence[browsing.BrowsingPath], source: PageSource, spec: str, topic: Topic, background: Background
) -> tuple[CountsOf, frozenset[str]]:
    """Read the pages of paths once, and find those of them that are on the topic."""
    judge = JUDGES.create(spec, topic=topic, background=background)
    pages, urls = _pages_of_paths(walked, source, judge), browsing.urls_of(walked)
    if not pages.terms:
        raise ConfigError(
            f"none of the {count(len(urls), 'page')} on the paths is in the recording "
            f"({', '.join(urls[:_SHOWN])}, …): give the recorded web that they are in"
        )
    return pages.terms.get, _relevant(pages, judge.threshold)


def _pages_of_paths(paths: Sequence[browsing.BrowsingPath], source: PageSource, judge: Judge | None) -> TrainingPages:
    urls = browsing.urls_of(paths)
    with PageProgress() as progress:
        return read_training_pages(urls, source, judge=judge, each=lambda _: progress(len(urls)))


def _relevant(pages: TrainingPages, threshold: float) -> frozenset[str]:
    return frozenset(url for url, value in pages.relevance.items() if value >= threshold)


def _counts(source: PageSource, url: str) -> Mapping[str, int] | None:
    try:
        return source.page(url).terms
    except (FetchError, PageError):
        return None


def _page_source(topic: Topic | None, options: Mapping[str, Any]) -> PageSource:
    given = {name: options[name] for name in ("contact", "allow_private", "proxy", "delay")}
    return open_page_source(options["replay"], languages=_languages(topic, options), **given)


def train_hmm(paths: Path, output: Path, as_json: bool, **options: Any) -> None:
    """Train an HMM, and say how large its states and clusters are."""
    how = chosen(HmmOptions, options)
    place = model_file(output)
    browsed = browsing.read_paths(paths, gap=options["gap"] and 60 * options["gap"])
    by_judge = options["targets"] == "judge"
    if by_judge and not options["topic"]:
        raise ConfigError("--targets judge needs a topic to judge by: give it with --topic")
    topic = _topic(options)
    languages = _languages(topic, options)
    background = _background(options["background"], topic, languages, options["replay"])
    judge, threshold = None, options["threshold"]
    if by_judge:
        judge = JUDGES.create(options["judge"], topic=topic, background=background)
        threshold = judge.threshold if threshold is None else threshold
        if isnan(threshold):  # no range keeps it out
            raise ConfigError("--threshold nan is no relevance: give a number from 0 to 1")
    listed = None if by_judge else _listed_targets(options["targets"], browsed)
    with _page_source(topic, options) as source:
        pages = _pages_of_paths(browsed, source, judge)
    if pages.missing:
        reasons = ", ".join(f"{why} {n:,}" for why, n in Counter(pages.missing.values()).items())
        _warn(f"{count(len(pages.missing), 'page')} not known ({reasons}): ", list(pages.missing))
    model = hmm.train_hmm(
        browsed,
        _relevant(pages, threshold) if listed is None else listed,
        pages.terms,
        # The shipped table is English: in other languages the pages have their own.
        background if options["background"] or _is_english(languages) else None,
        how,
        topic=topic.name if topic else "",
        topic_digest=topic_digest(topic) if topic else "",
        judge=options["judge"] if by_judge else "",
    )
    hmm.save_hmm(model, place)
    if as_json:
        print_json(msgspec.to_builtins(model.facts) | {"missing": pages.missing})
    else:
        _show_hmm(model.facts, output)


def _listed_targets(given: str, paths: Sequence[browsing.BrowsingPath]) -> frozenset[str]:
    if given == "last":
        return browsing.last_pages(paths)
    named = browsing.read_targets(given)
    absent = sorted(named.difference(browsing.urls_of(paths)))
    if len(absent) == len(named):
        raise ConfigError(
            f"no target of {given} is on a browsing path ({', '.join(absent[:_SHOWN])}, …); "
            "compare how the URLs are written in both files"
        )
    if absent:
        _warn(f"{count(len(absent), 'target')} on no path, left out: ", absent)
    return named


def _warn(what: str, names: Sequence[str]) -> None:
    more = ", …" if len(names) > _SHOWN else ""
    click.echo(one_line(f"warning: {what}{', '.join(names[:_SHOWN])}{more}"), err=True)


def _show_hmm(facts: hmm.HmmFacts, output: Path) -> None:
    click.echo(f"{count(facts.paths, 'path')}, {count(facts.pages, 'page')} read")
    last = len(facts.state_sizes) - 1
    for state, size in enumerate(facts.state_sizes):
        far = "targets" if not state else f"{state} link{'s' if state > 1 else ''} away"
        click.echo(f"  {size:>8,}  {far}{', or more' if state == last else ''}")
    sizes = ", ".join(f"{size:,}" for size in facts.cluster_sizes)
    click.echo(f"{len(facts.cluster_sizes)} clusters by {facts.clustering}: {sizes} pages")
    if facts.state_sizes[0] < 10:
        found = count(facts.state_sizes[0], "target")
        click.echo(f"warning: {found} only; a model of more is more to be trusted", err=True)
    click.echo(f"written to {output}")


def train_sites(output: Path, as_json: bool, **options: Any) -> None:
    """Train a page classifier of sites, and say how often it errs."""
    how = chosen(SiteTrainingOptions, options)
    name = SiteName.parse(options["site_by"])
    background = find_background(options["background"]) if options["background"] else None
    topic, place = _topic(options), model_file(output)
    if options["validate"] and not options["replay"]:
        raise ConfigError("--validate reads sites many times: give the recorded web that they are in with --replay")
    lesson, samples = _site_lesson(name, topic, options)
    about = topic.name if topic else ""
    model = sites.train_site_model(lesson, how, background=background, topic=about, site_by=str(name))
    facts = msgspec.to_builtins(model.facts)
    facts["silent"] = {one.homepage: one.problem for one in _silent(samples)}
    if options["validate"]:
        facts["validation"] = _validated(samples, how, background, topic, options)
    save_site_model(model, place)
    if as_json:
        print_json(facts)
        return
    found = model.facts
    width = max(map(len, found.classes))
    for number, label in enumerate(found.classes):
        line = f"{label:<{width}}  {count(found.sites[number], 'site')}"
        line += f", {count(found.pages[number], 'page')}, error {found.errors[number]:.2f}"
        if found.centroids:
            line += f", {count(found.centroids[number], 'centroid')}"
        click.echo(line)
    click.echo(f"p_err {found.error:.3f}, {found.classifier}; written to {output}")
    for way, scores in facts.get("validation", {}).items():
        told = ", ".join(f"{score} {value:.2f}" for score, value in scores.items())
        click.echo(f"held-out sites by {way}: {told}")


def _validated(
    samples: Mapping[str, Sequence[sites.SiteSample]],
    how: SiteTrainingOptions,
    background: Background | None,
    topic: Topic | None,
    options: dict[str, Any],
) -> dict[str, dict[str, float]]:
    """How well held-out sites are told, by several pages and by homepages alone."""
    if not samples:
        raise ConfigError(
            "--validate is about sites, and a trained taxonomy has pages: list the sites, or name "
            "a tree of categories with homepages"
        )
    found = validate_sites(
        samples,
        open_replay(options["replay"]),
        how,
        background=background,
        site_by=options["site_by"],
        languages=_languages(topic, options),
    )
    ways = {"several pages": found.several, "homepages": found.homepage}
    told = {way: {"precision": one.precision, "recall": one.recall, "F": one.f_measure} for way, one in ways.items()}
    scores = {way: {n: value or 0.0 for n, value in one.items()} for way, one in told.items()}
    scores["several pages"]["pages a site"] = found.pages
    return scores


def _site_lesson(
    name: SiteName, topic: Topic | None, options: dict[str, Any]
) -> tuple[sites.TrainingSet, Mapping[str, Sequence[sites.SiteSample]]]:
    """Return the training pages, from lists or a taxonomy, and the sites that were read."""
    place = options["taxonomy"]
    if place is not None and (options["relevant"] or options["other"]):
        raise ConfigError("give either --taxonomy, or lists with --relevant and --other")
    if place is not None and is_model_file(place):
        taxonomy = Taxonomy.load(place)
        good = tuple(taxonomy.tree.find(one) for one in options["category"]) or taxonomy.good
        if not good:
            raise ConfigError(f"no category of {place} is marked good: name some with --category")
        return sites.set_of_taxonomy(taxonomy, good, name=name), {}
    if place is None:
        listed = _listed(options)
    elif options["category"]:
        listed = sites.homepages_of_tree(read_tree(place, first_parent=True), options["category"])
    else:
        raise ConfigError(f"name the relevant categories of {place} with --category")
    samples = _read_sites(listed, name, topic, options)
    lesson = sites.set_of_samples(samples)
    if silent := _silent(samples):
        named = [f"{one.homepage} ({one.problem})" for one in silent]
        _warn(f"{count(len(silent), 'site')} gave no page, left out: ", named)
    return lesson, samples


def _listed(options: dict[str, Any]) -> dict[str, list[str]]:
    if options["category"]:
        raise ConfigError("--category names a category of a taxonomy: give it with --taxonomy")
    for option in ("relevant", "other"):
        if not options[option]:
            raise ConfigError(
                f"no {option} site is given: list homepages in a file, a URL a line, and name it "
                f"with --{option}; the others are what the relevant ones are told from"
            )
    relevant = [sites.class_and_file(given, sites.TARGET) for given in options["relevant"]]
    target = relevant[0][0]
    if any(name != target for name, _ in relevant):
        raise ConfigError("all relevant sites are one class: give all --relevant the same name")
    listed: dict[str, list[str]] = {}
    others = [sites.class_and_file(given, sites.OTHER) for given in options["other"]]
    for name, file in relevant + others:
        listed.setdefault(name, []).extend(sites.read_homepages(file))
    if len(listed) < 2:
        raise ConfigError(f"the relevant and the other sites are both named {target!r}")
    owner: dict[str, str] = {}
    for name, url in ((name, url) for name, urls in listed.items() for url in urls):
        if owner.setdefault(url, name) != name:
            raise ConfigError(f"{url} is listed among the sites of {owner[url]!r} and of {name!r}: leave it out of one")
    return {name: list(dict.fromkeys(urls)) for name, urls in listed.items()}


def _read_sites(
    listed: Mapping[str, Sequence[str]], name: SiteName, topic: Topic | None, options: dict[str, Any]
) -> dict[str, list[sites.SiteSample]]:
    total = sum(map(len, listed.values()))
    samples: dict[str, list[sites.SiteSample]] = {label: [] for label in listed}
    with _page_source(topic, options) as source, PageProgress(what="site") as progress:
        for label, homepages in listed.items():
            for url in homepages:
                samples[label].append(sites.read_site(url, source, name, most=options["pages"]))
                progress(total)
    return samples


def _silent(samples: Mapping[str, Sequence[sites.SiteSample]]) -> list[sites.SiteSample]:
    return [one for found in samples.values() for one in found if not one.pages]
