"""What is really on topic, which of it training may see, and where crawls begin."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random

from msgspec import Struct

from semcrawl.demo import demo_web
from semcrawl.errors import LabError, UrlError
from semcrawl.lab.experiment import Experiment, LabTopic
from semcrawl.lab.web import LabWeb
from semcrawl.relevance import JUDGES
from semcrawl.text.text_files import read_text
from semcrawl.topics import Topic
from semcrawl.web.urls import canonical, host_of

OTHER = "other"  # the category of pages that are in none
_SHOWN = 3


class TruthTable(Struct, frozen=True):
    """The categories of pages, by URL; ``no_urls`` is what stands where a URL should."""

    categories: dict[str, tuple[str, ...]] = {}
    kinds: frozenset[str] = frozenset()
    no_urls: tuple[str, ...] = ()


def read_labels(path: str | Path, kinds: Collection[str] = ()) -> TruthTable:
    """The table of url, kind and categories joined by ``|``, only of ``kinds`` if there are any."""
    rows = list(_rows(Path(path), ("url", "kind", "categories")))
    categories = (
        (url, filter(None, map(str.strip, names.split("|")))) for url, kind, names in rows if not kinds or kind in kinds
    )
    return _table(categories, frozenset(kind for _, kind, _ in rows))


def read_judged(path: str | Path) -> TruthTable:
    """The table of topic, url and grade; a grade of 0 says that the page is not on the topic."""

    def topics(topic: str, url: str, grade: str) -> list[str]:
        try:
            return [topic] if float(grade) != 0 else []
        except ValueError:
            raise LabError(
                f"{path}: the grade {grade!r} of {url} is no number; write 0 for a page that is "
                "not on the topic, and another number for one that is"
            ) from None

    rows = _rows(Path(path), ("topic", "url", "grade"))
    return _table((url, topics(topic, url, grade)) for topic, url, grade in rows)


def read_targets(path: str | Path) -> TruthTable:
    """The table of topic and url, the pages to be found."""
    return _table((url, [topic]) for topic, url in _rows(Path(path), ("topic", "url")))


def _table(rows: Iterable[tuple[str, Iterable[str]]], kinds: frozenset[str] = frozenset()) -> TruthTable:
    found, broken = defaultdict[str, dict[str, None]](dict), list[str]()
    for url, names in rows:
        try:
            found[canonical(url)] |= dict.fromkeys(names)
        except UrlError:
            broken.append(url)
    return TruthTable({url: tuple(names) for url, names in found.items()}, kinds, tuple(broken))


def _rows(path: Path, columns: Sequence[str]) -> Iterator[list[str]]:
    for number, line in enumerate(read_text(path, error=LabError).split("\n"), start=1):
        cells = [cell.strip() for cell in line.rstrip("\r").split("\t")]
        if not any(cells) or cells[: len(columns)] == list(columns):
            continue
        if len(cells) < len(columns):
            raise LabError(
                f"{path}, line {number}: there are {len(cells)} columns; write "
                f"{', '.join(columns)} with tabs between them"
            )
        yield cells[: len(columns)]


def labelled_pages(experiment: Experiment, web: LabWeb) -> tuple[TruthTable, list[str]]:
    """The categories (of the labels, else topics) of the pages to crawl, and warnings."""
    truth = experiment.truth
    if truth.demo:
        return TruthTable(_of_demo(web)), []
    if truth.judge:
        return TruthTable(_of_judge(experiment, web)), []
    if truth.labels:
        table = read_labels(truth.labels, truth.kinds)
    else:
        table = read_judged(truth.judged) if truth.judged else read_targets(truth.targets)
    warnings = _strangers(experiment, table, web)
    known = {url: names for url, names in table.categories.items() if url in web.urls}
    return TruthTable(known, table.kinds), warnings


def _strangers(experiment: Experiment, table: TruthTable, web: LabWeb) -> list[str]:
    unknown = [url for url in table.categories if url not in web.urls and web.scope.allows(url)]
    warnings = []
    if unknown:
        what = "is about a page that is" if len(unknown) == 1 else "are about pages that are"
        warnings.append(
            f"{len(unknown):,} of {len(table.categories):,} labels {what} not in the recorded web: {_some(unknown)}"
        )
    if table.no_urls:
        have = "label has" if len(table.no_urls) == 1 else "labels have"
        warnings.append(f"{len(table.no_urls):,} {have} no URL: {_some(table.no_urls)}")
    there = ", ".join(sorted(table.kinds))
    absent = [kind for kind in experiment.truth.kinds if there and kind not in table.kinds]
    warnings += [f"no labelled page is of the kind {kind!r}; there are: {there}" for kind in absent]
    return warnings


def _of_demo(web: LabWeb) -> dict[str, tuple[str, ...]]:
    found = {url: list[str]() for url in sorted(web.urls)}
    for name, topic in demo_web().topics.items():
        for url in topic.pages & found.keys():
            found[url].append(name)
    return {url: tuple(names) for url, names in found.items()}


def _of_judge(experiment: Experiment, web: LabWeb) -> dict[str, tuple[str, ...]]:
    topics = {topic.name: Topic.parse(topic.topic) for topic in experiment.topic}
    judges = {
        name: JUDGES.create(experiment.truth.judge, topic=topic, background=web.background)
        for name, topic in topics.items()
    }
    found: dict[str, tuple[str, ...]] = {}
    for url in sorted(web.urls):
        page = web.page(url)
        if page is None:
            continue
        names = []
        for name, judge in judges.items():
            said = judge.judge(page.read_in(topics[name].languages))
            reached = said.relevance >= judge.threshold
            names += [name] if (reached if said.on_topic is None else said.on_topic) else []
        found[url] = tuple(names)
    return found


def _some(urls: Sequence[str]) -> str:
    return ", ".join(urls[:_SHOWN]) + (", …" if len(urls) > _SHOWN else "")


def is_below(category: str, wanted: Collection[str]) -> bool:
    """Whether a category is one of those wanted, or below one in the tree that dots make.

    >>> is_below("life.Sports.Tennis", ["life.Sports"]), is_below("life.Sports", ["life.Sports"])
    (True, True)
    >>> is_below("life.Sports_events", ["life.Sports"])
    False
    """
    return any(category == one or category.startswith(f"{one}.") for one in wanted)


def category_samples(
    categories: Mapping[str, tuple[str, ...]],
    on_topic: Collection[str],
    training: Collection[str],
    most: int,
    chance: str,
) -> dict[str, tuple[str, ...]]:
    """Draw at most ``most`` pages of each category; on the topic only those of ``training``."""
    members: dict[str, list[str]] = {}
    for url in sorted(categories):
        if url not in on_topic or url in training:
            for name in categories[url] or (OTHER,):
                members.setdefault(name, []).append(url)
    taken: set[str] = set()  # a page is drawn for one category only
    samples: dict[str, tuple[str, ...]] = {}
    # Small categories choose first: what they leave is enough for the others.
    for name in sorted(members, key=lambda name: (len(members[name]), name)):
        free = [url for url in members[name] if url not in taken]
        drawn = Random(f"{chance} {name}").sample(free, min(most, len(free)))
        taken.update(drawn)
        if drawn:
            samples[name] = tuple(sorted(drawn))
    return {name: samples[name] for name in sorted(samples)}


def training_sites(relevant: Collection[str], pages: Collection[str], chance: str) -> dict[str, tuple[str, ...]]:
    """The homepages of one half of the sites of each class, drawn by chance; others are to find."""
    homepages: dict[str, str] = {}
    for url in sorted(pages, key=lambda url: (len(url), url)):
        homepages.setdefault(host_of(url), url)
    good = sorted(host for host in homepages if host in relevant)
    other = sorted(host for host in homepages if host not in relevant)
    draw = Random(chance)
    return {
        name: tuple(homepages[host] for host in sorted(draw.sample(hosts, len(hosts) // 2)))
        for name, hosts in (("relevant", good), ("other", other))
    }


class GroundTruth(Struct, frozen=True):
    """The truth of an experiment; all URLs are pages of the recorded web that may be crawled."""

    on_topic: Mapping[str, frozenset[str]]
    known: frozenset[str]  # the pages that the truth says anything of
    training: Mapping[str, frozenset[str]]  # pages that training may see; never counted
    examples: Mapping[str, tuple[str, ...]]  # pages that stand for a topic in the harvest ratio
    sites: Mapping[str, frozenset[str]]  # the hosts that are on a topic as a whole
    warnings: tuple[str, ...] = ()
    categories: Mapping[str, tuple[str, ...]] = {}
    # What taxonomies and models of sites are trained with, by model and topic; never counted.
    samples: Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}
    homepages: Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}

    def training_hosts(self, topic: str) -> frozenset[str]:
        """The hosts of the sites that models of sites are trained with."""
        taught = (sites for (_, name), sites in self.homepages.items() if name == topic)
        return frozenset(host_of(url) for sites in taught for urls in sites.values() for url in urls)


def read_truth(experiment: Experiment, web: LabWeb) -> GroundTruth:
    """The ground truth of an experiment; what is drawn by chance is the same every time."""
    table, warnings = labelled_pages(experiment, web)
    on_topic, known = _on_topic(experiment, web, table)
    training, examples = {}, {}
    for topic in experiment.topic:
        pages = on_topic[topic.name]
        training[topic.name] = _training(experiment, topic, pages)
        examples[topic.name] = _examples(experiment, topic, pages, training[topic.name])
    sites = _sites(experiment, on_topic, known)
    samples, lessons = {}, {}
    for model, topic in product(experiment.model, experiment.topic):
        name, chance = topic.name, f"{experiment.random_seed} {model.kind} {topic.name}"
        if model.kind == "taxonomy":
            samples[model.name, name] = category_samples(
                table.categories, on_topic[name], training[name], model.pages, chance
            )
        elif model.kind == "sites":
            lessons[model.name, name] = training_sites(sites[name], known, chance)
    told = (*warnings, *_reach(experiment, web, on_topic, training))
    return GroundTruth(on_topic, known, training, examples, sites, told, table.categories, samples, lessons)


def _on_topic(
    experiment: Experiment, web: LabWeb, table: TruthTable
) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    has_tree = bool(experiment.truth.labels)
    has_categories = has_tree or experiment.truth.demo
    found = {}
    for topic in experiment.topic:
        wanted = (has_categories and topic.on_topic) or (topic.name,)
        found[topic.name] = frozenset(
            url
            for url, names in table.categories.items()
            if any(is_below(n, wanted) if has_tree else n in wanted for n in names)
        )
    # What a list of targets does not name is not on topic; a table of labels may leave pages out.
    known = web.urls if experiment.truth.targets else frozenset(table.categories)
    return found, known


def _training(experiment: Experiment, topic: LabTopic, pages: Collection[str]) -> frozenset[str]:
    size = round(experiment.truth.training_share * len(pages))
    chance = Random(f"{experiment.random_seed} training {topic.name}")
    return frozenset(chance.sample(sorted(pages), size))


def _examples(
    experiment: Experiment, topic: LabTopic, pages: frozenset[str], training: frozenset[str]
) -> tuple[str, ...]:
    """Pages that stand for the topic; those of training only where there are too few others."""
    wanted = experiment.truth.examples
    chance = Random(f"{experiment.random_seed} examples {topic.name}")
    fresh, seen = sorted(pages - training), sorted(training)
    drawn = chance.sample(fresh, min(wanted, len(fresh)))
    drawn += chance.sample(seen, min(wanted - len(drawn), len(seen)))
    return tuple(sorted(drawn))


def _sites(
    experiment: Experiment, on_topic: Mapping[str, frozenset[str]], known: Iterable[str]
) -> dict[str, frozenset[str]]:
    """The hosts on each topic: as the demo web says, else those with most of their pages on it."""
    if experiment.truth.demo:
        topics = demo_web().topics
        return {
            topic.name: frozenset().union(*(topics[n].sites for n in topic.on_topic or (topic.name,) if n in topics))
            for topic in experiment.topic
        }
    pages = Counter(map(host_of, known))
    found = {}
    for name, urls in on_topic.items():
        relevant = Counter(map(host_of, urls))
        found[name] = frozenset(host for host, n in relevant.items() if 2 * n > pages[host])
    return found


def _reach(
    experiment: Experiment, web: LabWeb, on_topic: Mapping[str, frozenset[str]], training: Mapping[str, frozenset[str]]
) -> list[str]:
    warnings = []
    for topic in experiment.topic:
        pages = on_topic[topic.name]
        if not pages:
            named = f" ({', '.join(topic.on_topic)})" if topic.on_topic else ""
            warnings.append(f"no page of the recorded web is on the topic {topic.name}{named}")
        countable = pages - training[topic.name]
        sets = seed_sets(experiment, topic, countable, web)
        targets = countable.difference(*sets) if experiment.seeds.are_drawn else countable
        for number, seeds in enumerate(dict.fromkeys(sets), start=1):
            if targets and not web.reachable(seeds, targets):
                which = f" of repetition {number}" if len(sets) > 1 else ""
                warnings.append(f"no page on the topic {topic.name} can be reached from its seeds{which}")
    return warnings


def seed_sets(
    experiment: Experiment, topic: LabTopic, pages: Collection[str], web: LabWeb
) -> tuple[tuple[str, ...], ...]:
    """The seeds of each repetition: those that the topic names, or drawn from ``pages``."""
    if experiment.seeds.are_drawn:
        return _drawn(experiment, topic, sorted(pages))
    given = demo_web().seeds if experiment.web.demo and not topic.seeds else topic.seeds
    seeds = tuple(dict.fromkeys(_checked(url, topic, web) for url in given))
    if absent := [url for url in seeds if web.first_page(url) is None]:
        lost = f". They may be lost: {'; '.join(web.problems)}" if web.problems else ""
        raise LabError(
            f"topic {topic.name}: not in the recorded web: {', '.join(absent)}; name pages that "
            f"are in it as seeds{lost}"
        )
    return (seeds,) * experiment.repetitions


def _drawn(experiment: Experiment, topic: LabTopic, pages: list[str]) -> tuple[tuple[str, ...], ...]:
    draw, times = experiment.seeds, experiment.repetitions
    size = draw.size or max(1, round(draw.share * len(pages)))
    if draw.disjoint and not draw.size:
        size = min(size, len(pages) // times)
    wanted = size * times if draw.disjoint else size
    if not 0 < wanted <= len(pages):
        each = f"{times} times {size} different" if draw.disjoint else f"{size}"
        raise LabError(
            f"topic {topic.name}: {each} seeds are to be drawn from {len(pages)} pages on it that "
            "training has not seen; draw fewer in [seeds]"
        )
    chance = f"{experiment.random_seed} seeds {topic.name}"
    if draw.disjoint:
        mixed = Random(chance).sample(pages, wanted)
        sets = [mixed[n * size : (n + 1) * size] for n in range(times)]
    else:
        sets = [Random(f"{chance} {n}").sample(pages, size) for n in range(times)]
    return tuple(tuple(sorted(drawn)) for drawn in sets)


def _checked(url: str, topic: LabTopic, web: LabWeb) -> str:
    try:
        seed = canonical(url)
    except UrlError as error:
        raise LabError(f"topic {topic.name}: a seed is {error}") from error
    if seed not in web.urls and not web.scope.allows(seed):
        raise LabError(f"topic {topic.name}: the seed {seed} is shut out by include or exclude in [web]; name another")
    return seed
