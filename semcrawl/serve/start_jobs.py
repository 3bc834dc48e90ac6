"""What the start page asks a worker about a folder: crawls, files, concepts, what is looked for."""

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from semcrawl.crawl.shards.layout import ShardedFolder, is_sharded
from semcrawl.errors import CrawlLockedError, RequestError, SemcrawlError, TopicError, refused_with
from semcrawl.graph import snapshots
from semcrawl.redaction import without_folders
from semcrawl.resources import ontologies_folder
from semcrawl.serve import api_types as api
from semcrawl.serve.snapshots import folder_stamp
from semcrawl.serve.worker import Job, ServedGraph

WORDNET, KEYWORDS, DEMO_WEB = "wordnet", "keywords", "demo-web"
_MOST_CRAWLS, _MOST_FILES, _MOST_CONCEPTS, _MOST_LABELS = 200, 200, 30, 40
_SENSE = re.compile(r"wordnet:[^\s,#?<>]+\.[nvasr]\.[0-9]{1,3}")
_IRI = re.compile(r"[^\s<>\"{}|^`\\]+")
_FILE_NAME = re.compile(r"[^#?,:<>\x00-\x1f]+")


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, by name: nothing hidden, no names that are no text, no links, which may lead out of it."""
    return sorted(path for path in folder.glob("[!.~]*") if path.name.isprintable() and not path.is_symlink())


def crawl_folders(folder: Path) -> dict[str, Path]:
    """Return the crawls in a folder, and in the folders of it, by their path below it; one in shards is one."""
    places = [place for one in _entries(folder) for place in (one, *(() if is_sharded(one) else _entries(one)))]
    crawls = (place for place in places if is_sharded(place) or (place / "graph" / "CURRENT").is_file())
    return {place.relative_to(folder).as_posix(): place for place in crawls}


class CrawlsHere(Job, frozen=True):
    """The crawls in the folder."""

    def do(self, folder: Path) -> list[Any]:
        """Read the figures of each; the crawl that began last comes first."""
        found = list(crawl_folders(folder).items())[:_MOST_CRAWLS]
        notes = [_crawl_note(name, place) for name, place in found]
        return sorted(notes, key=lambda note: note.started, reverse=True)


def _crawl_note(name: str, place: Path) -> Any:
    try:
        if is_sharded(place):
            return _shards_note([_crawl_note(name, shard) for shard in ShardedFolder.open(place).begun], name)
        if not snapshots.is_locked(place):
            return _finished(name, place, str(folder_stamp(place)))
        return _read_note(name, snapshots.request_snapshot(place) or snapshots.link_snapshot(place), "running")
    except (SemcrawlError, ValueError) as error:  # the latter of a forged graph
        state = "running" if isinstance(error, CrawlLockedError) else "broken"
        return api.CrawlNote(name=name, state=state, reason=without_folders(str(error)))


def _shards_note(notes: list[Any], name: str) -> Any:
    """The notes of all shards as one; a shard that runs or is broken tells the state."""
    last = min(notes, key=lambda note: note.state, default=api.CrawlNote(name=name, reason="no shard has begun"))
    sums = {one: sum(getattr(note, one) for note in notes) for one in ("pages", "relevant", "waiting")}
    return replace(last, started=min((note.started for note in notes), default=""), shards=len(notes), **sums)


@lru_cache(maxsize=_MOST_CRAWLS)
def _finished(name: str, place: Path, _stamp: str) -> Any:
    return _read_note(name, snapshots.link_snapshot(place), "stopped")


def _read_note(name: str, snapshot: Path, state: str) -> Any:
    from semcrawl.crawl import StopReason

    try:
        with ServedGraph(snapshots.open_snapshot(snapshot), None) as graph:
            about, kind = graph.describe(), graph.kind
            figures = next(iter(graph.query("monitor/progress")))
    finally:
        snapshots.remove_snapshot(snapshot)
    why = about.stopped and StopReason(about.stopped.rpartition("#")[2]).sentence
    counts = {one: figures[one] for one in ("pages", "relevant", "waiting")}
    reason = "" if state == "running" else why or "it was ended from outside"
    said = {"name": name, "topic": about.name, "kind": kind, "state": state, "reason": reason}
    return api.CrawlNote(started=about.started.isoformat(timespec="seconds"), **said, **counts)


class FilesHere(Job, frozen=True):
    """The files to start from: of concepts, and recorded webs."""

    def do(self, folder: Path) -> Any:
        """Look for them, in the folder itself only."""
        return api.FilesReply(folder.resolve().name, concept_files(folder), webs(folder))


def concept_files(folder: Path) -> list[str]:
    """Return the files of concepts in a folder, then the shipped ones."""
    from semcrawl.topics.rdf_files import RDF_SUFFIXES

    own = [one.name for one in _entries(folder) if one.is_file() and _FILE_NAME.fullmatch(one.name)]
    shipped = sorted(path.name for path in ontologies_folder().glob("[!s]*.ttl"))
    found = [name for name in own if Path(name.removesuffix(".gz")).suffix.lower() in RDF_SUFFIXES]
    return list(dict.fromkeys([*found[:_MOST_FILES], *shipped]))


def webs(folder: Path) -> list[str]:
    """Return the recorded webs in a folder, and that of the demo, which need not be there yet."""
    found = [
        one.name
        for one in _entries(folder)
        if (one.is_file() and one.name.endswith((".warc", ".warc.gz")))
        or (one.is_dir() and (one / "urls.tsv").is_file())
    ]
    return list(dict.fromkeys([*found[:_MOST_FILES], DEMO_WEB]))


class Concepts(Job, frozen=True):
    """Concepts of WordNet or of a file, by a part of a label."""

    source: Annotated[str, Meta(max_length=200, description="wordnet, a file of the folder, or keywords.")] = WORDNET
    text: Annotated[str, Meta(max_length=1_000, description="A part of a label, or words.")] = ""
    language: Annotated[str, Meta(max_length=60, description="Of labels and pages: fr,de.")] = ""

    def do(self, folder: Path) -> list[Any]:
        """Search; without a text, the top concepts."""
        from semcrawl.topics.file_graph import FileGraph
        from semcrawl.topics.sources import ReadOptions, read_graph
        from semcrawl.topics.topic import language_tags
        from semcrawl.topics.wordnet import describe_sense, frequent_senses

        languages = language_tags(self.language or "en")
        place = f"{WORDNET}:" if self.source == WORDNET else self._file(folder)
        graph = read_graph(place, ReadOptions(languages=languages, folder=folder))
        text = self.text.strip()
        found = frequent_senses(text) if self.source == WORDNET and text else []
        if text:
            found += [one for _, one in graph.search(text, _MOST_CONCEPTS)]
        elif isinstance(graph, FileGraph):
            found = graph.top_concepts()
        if not found:
            near = ", ".join(graph.near_labels(text))
            hint = f": did you mean {near}?" if near else ": try a shorter part of a word"
            raise RequestError(f"{graph.name} has nothing called “{text[:80]}”{hint}", 404)
        return [describe_sense(concept, graph) for concept in list(dict.fromkeys(found))[:_MOST_CONCEPTS]]

    def _file(self, folder: Path) -> str:
        if self.source not in concept_files(folder):
            raise RequestError(f"there is no file of concepts called {self.source[:80]!r} here")
        return self.source


class ChosenTopic(Concepts, frozen=True, forbid_unknown_fields=True):
    """What a crawl for a topic would look for: the labels of chosen concepts, or the words of ``text``."""

    concepts: tuple[str, ...] = ()

    def spec(self, folder: Path) -> str:
        """Return the topic as commands take it; it cannot name any other file."""
        if self.source == KEYWORDS:
            return f"{KEYWORDS}:{' '.join(self.text.split())}"
        is_file = self.source != WORDNET
        form = _IRI if is_file else _SENSE
        if not self.concepts or not all(map(form.fullmatch, self.concepts)):
            raise RequestError("choose a concept first")
        if not is_file:
            return f"{WORDNET}:{','.join(one.partition(':')[2] for one in self.concepts)}"
        return f"{self._file(folder)}#{','.join(f'<{one}>' for one in self.concepts)}"

    def do(self, folder: Path) -> Any:
        """Compile it as the judge of a new crawl does."""
        from semcrawl.relevance import JUDGES
        from semcrawl.relevance.label_similarity import LabelSimilarity
        from semcrawl.relevance.lens_check import check_lens
        from semcrawl.topics import Topic

        os.chdir(folder)  # of this worker, as the crawl will have it
        labels: list[Any] = []
        size, spec = 0, self.spec(folder)
        with refused_with(422, TopicError):
            topic = Topic.parse(spec, language=self.language or None)
            judge = JUDGES.create("labels", topic=topic, background=topic.background())
            warnings = check_lens(topic, judge.similarity)
        for one in judge.similarity.each_language() if judge.similarity else ():
            assert isinstance(one, LabelSimilarity)
            size += len(one.lens)
            labels += one.lens.strongest(_MOST_LABELS, first=one.labels.names)
        shown = sorted(labels, key=lambda label: -label.weight)[:_MOST_LABELS]
        notes = [api.LabelNote(label.text, label.weight, label.concept) for label in shown]
        return api.LensReply(topic.name, spec, size, notes, warnings)
