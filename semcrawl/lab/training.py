"""Training a model once, whoever asks first, and finding it afterwards."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from random import Random

import msgspec

from semcrawl.crawl import Crawl
from semcrawl.crawl.settings import Settings
from semcrawl.errors import LabError
from semcrawl.graph.snapshots import HAS_LOCKS
from semcrawl.lab.experiment import ModelPlan, fill_in, models_in, read_options
from semcrawl.lab.ground_truth import GroundTruth, is_below
from semcrawl.lab.plan import RunPlan, file_digest, model_key
from semcrawl.lab.records import make_folder, read_kept, write_in_folder
from semcrawl.lab.web import LabWeb
from semcrawl.models.apprentice import pages_of_crawl, save_apprentice, train_offline
from semcrawl.models.browsing import BrowsingPath, click_distances, read_paths, urls_of
from semcrawl.models.category_tree import CategoryTree
from semcrawl.models.context_graph import save_context_graph, train_context_graph
from semcrawl.models.hmm import save_hmm, train_hmm
from semcrawl.models.site_classifiers import save_site_model
from semcrawl.models.site_training import FIRST_PAGES, read_site, set_of_samples, train_site_model
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.models.training_pages import PageSource, topic_digest
from semcrawl.plots.axes import count
from semcrawl.relevance import JUDGES
from semcrawl.topics import Topic


class Lesson(msgspec.Struct, frozen=True):
    """A model that is to be trained for a run, with all that may be looked at."""

    plan: ModelPlan
    run: RunPlan
    web: LabWeb
    truth: GroundTruth
    judge: str  # that of the run, with the models that it names in their places

    @property
    def topic(self) -> Topic:
        """The topic of the run's crawler."""
        return Topic.parse(self.run.spec)

    @property
    def targets(self) -> frozenset[str]:
        """The pages on the topic that training may see."""
        return self.truth.training[self.run.topic.name]


def _train_apprentice(lesson: Lesson, path: Path) -> str:
    """Train with a crawl from the run's seeds and its judge (Chakrabarti 2002, section 3.5)."""
    options, topic, web = read_options(lesson.plan), lesson.topic, lesson.web
    shared = {k: v for k, v in lesson.run.settings.items() if k in Settings.__struct_fields__}
    values = shared | web.settings()
    values |= {"pages": lesson.plan.pages, "workers": 1, "sketches": False, "alarm_window": 0}
    judge = JUDGES.create(lesson.judge, topic=topic, background=web.background)
    with Crawl(
        topic,
        lesson.run.seeds,
        strategy=options.strategy,
        judge=lesson.judge,
        fetcher=web.replay,
        reader=web.pages.read,
        **values,
    ) as crawl:
        read = crawl.run().progress.pages
        pages = pages_of_crawl(crawl.graph, web.replay, read=web.page, languages=topic.languages)
        trained = train_offline(pages, topic, options, judge=judge, judge_spec=lesson.judge)
    save_apprentice(trained, path)
    links = int(trained.model.links.sum())
    return (
        f"apprentice from {count(links, 'link')} between {count(read, 'page')} of a "
        f"{options.strategy} crawl, judged by {lesson.run.contender.judge}; it has read "
        f"{count(read, 'page')} of this web before, which are counted"
    )


def browsed_pages(lesson: Lesson) -> tuple[list[BrowsingPath], Mapping[str, Mapping[str, int]]]:
    """The paths of a model, and the term counts of the pages that it may read."""
    paths = _paths(lesson.plan.paths, file_digest(lesson.plan.paths))
    # Pages that are to be found stay unread: a model would learn that they are no targets.
    readable = lesson.web.urls - (lesson.truth.on_topic[lesson.run.topic.name] - lesson.targets)
    urls = [url for url in urls_of(paths) if url in readable]
    targets = [url for url in urls if url in lesson.targets]
    if not targets:
        raise LabError(
            f"model {lesson.plan.name}: none of the {len(lesson.targets)} training pages of "
            f"{lesson.run.topic.name} is on a browsing path; raise training_share in [truth]"
        )
    most = lesson.plan.pages
    if 0 < most < len(urls):
        others = sorted(set(urls).difference(targets))
        drawn = Random(f"{lesson.plan.kind} {most}").sample(others, max(0, most - len(targets)))
        urls = [*targets[:most], *drawn]
    languages = lesson.topic.languages
    terms = {url: lesson.web.terms(url, languages) for url in urls}
    return paths, {url: counts for url, counts in terms.items() if counts}


@lru_cache(maxsize=2)
def _paths(file: str, digest: str) -> list[BrowsingPath]:  # noqa: ARG001 - it is the key
    return read_paths(file)


def _train_context_graph(lesson: Lesson, path: Path) -> str:
    paths, pages = browsed_pages(lesson)
    topic = lesson.topic
    distances = click_distances(paths, lesson.targets)
    graph = train_context_graph(
        {url: far for url, far in distances.items() if url in pages},
        pages.get,
        lesson.web.background,
        topic=topic.name,
        topic_digest=topic_digest(topic),
        options=read_options(lesson.plan),
    )
    save_context_graph(graph, path)
    layers = ", ".join(f"{layer.pages:,}" for layer in graph.layers)
    return (
        f"context-graph from {count(len(paths), 'path')}, layers of {layers} pages, "
        f"training pages of {lesson.run.topic.name} as targets"
    )


def _train_hmm(lesson: Lesson, path: Path) -> str:
    paths, pages = browsed_pages(lesson)
    topic = lesson.topic
    model = train_hmm(
        paths,
        lesson.targets,
        pages,
        lesson.web.background,
        read_options(lesson.plan),
        topic=topic.name,
        topic_digest=topic_digest(topic),
    )
    save_hmm(model, path)
    facts = model.facts
    return (
        f"hmm from {count(len(paths), 'path')} over {count(facts.pages, 'page')}, "
        f"{count(facts.state_sizes[0], 'training page')} of {lesson.run.topic.name} as targets, "
        f"{len(facts.cluster_sizes)} clusters by {facts.clustering}"
    )


def _train_sites(lesson: Lesson, path: Path) -> str:
    sites = lesson.truth.homepages[lesson.plan.name, lesson.run.topic.name]
    source = PageSource(lesson.web.replay, reader=lesson.web.pages.read, languages=lesson.topic.languages)
    most = lesson.plan.pages or FIRST_PAGES
    samples = {name: [read_site(url, source, most=most) for url in homepages] for name, homepages in sites.items()}
    model = train_site_model(set_of_samples(samples), read_options(lesson.plan), topic=lesson.topic.name)
    save_site_model(model, path)
    return (
        f"{model.facts.classifier} from {count(sum(model.facts.pages), 'page')} of "
        f"{count(len(sites['relevant']), 'site')} on {lesson.run.topic.name} and "
        f"{count(len(sites['other']), 'other')}"
    )


def _train_taxonomy(lesson: Lesson, path: Path) -> str:
    samples = lesson.truth.samples[lesson.plan.name, lesson.run.topic.name]
    taxonomy = Taxonomy(CategoryTree("categories"), options=read_options(lesson.plan))
    wanted = lesson.run.topic.on_topic or (lesson.run.topic.name,)
    good, pages = list[str](), 0
    for name, urls in samples.items():
        category = taxonomy.tree.add(name.replace("/", "_").replace(".", "/"))
        for url in urls:
            if terms := lesson.web.terms(url):
                pages += taxonomy.examples.add(url, category, terms)
        if is_below(name, wanted):
            good.append(category)
    if not good:
        raise LabError(
            f"model {lesson.plan.name}: training may see no page of the categories of "
            f"{lesson.run.topic.name}; raise training_share in [truth]"
        )
    if len(samples) == len(good):
        raise LabError(
            f"model {lesson.plan.name}: every category that the truth knows is on "
            f"{lesson.run.topic.name}, and there is nothing to tell them from"
        )
    taxonomy.good = tuple(good)
    taxonomy.save(path)
    return (
        f"taxonomy of {len(samples)} categories, {len(good)} of them on "
        f"{lesson.run.topic.name}, from {count(pages, 'page')}"
    )


_TRAINERS = {
    "hmm": _train_hmm,
    "context-graph": _train_context_graph,
    "apprentice": _train_apprentice,
    "taxonomy": _train_taxonomy,
    "sites": _train_sites,
}


class TrainedModel(msgspec.Struct, frozen=True):
    """The file of a model, and what it was trained on, for the report."""

    path: Path
    sentence: str


def train_model(plan: ModelPlan, run: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path) -> TrainedModel:
    """Train a model for a run, or find it; of two processes that want the same, one waits."""
    stem = f"{plan.kind}-{model_key(plan, run, web, truth)}"
    path, note = folder / f"{stem}.model", folder / f"{stem}.json"
    make_folder(folder)
    judge = ""
    if plan.kind == "apprentice":  # what is asked while it is trained may need models itself
        needed = [one for one in run.models if one.name in models_in(run.contender.judge)]
        trained = {one.name: str(train_model(one, run, web, truth, folder).path) for one in needed}
        judge = fill_in(run.contender.judge, trained)
    with _alone(folder / f"{stem}.lock"):
        known = (read_kept(note, dict[str, str]) or {}).get("sentence")
        if known is None or not path.is_file():
            known = _TRAINERS[plan.kind](Lesson(plan, run, web, truth, judge), path)
            write_in_folder(note, msgspec.json.encode({"sentence": known}))
    return TrainedModel(path, known)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait until no other process holds a lock; it ends with the process."""
    with path.open("a") as file:
        if HAS_LOCKS:  # elsewhere two may train the same, to the same end
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
