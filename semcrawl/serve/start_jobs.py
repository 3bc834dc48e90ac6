"""What the start page asks a worker about a folder: crawls, files, concepts, what is looked for."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from semcrawl.errors import CrawlLockedError, RequestError, SemcrawlError, TopicError
from semcrawl.graph.snapshots import (
    is_locked,
    link_snapshot,
    open_snapshot,
    remove_snapshot,
    request_snapshot,
)
from semcrawl.resources import ontologies_folder
from semcrawl.serve import api_types as api
from semcrawl.serve.snapshots import folder_stamp
from semcrawl.serve.worker import FolderJob, ServedGraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.topics import ConceptGraph, Topic

WORDNET, KEYWORDS, DEMO_WEB = "wordnet", "keywords", "demo-web"
_MOST_CRAWLS, _MOST_FILES, _MOST_CONCEPTS, _MOST_LABELS = 200, 200, 30, 40
_SENSE = re.compile(r"wordnet:[^\s,#?<>]+\.[nvasr]\.[0-9]{1,3}")
_IRI = re.compile(r"[^\s<>\"{}|^`\\]+")
_FILE_NAME = re.compile(r"[^#?,:<>\x00-\x1f]+")


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder holds, by name: nothing hidden, and no links, which may lead out of it."""
    try:
        with os.scandir(folder) as found:
            shown = [one for one in found if one.name[0] not in ".~" and not one.is_symlink()]
    except OSError:
        return []
    return sorted(shown, key=lambda entry: entry.name)


def crawl_folders(folder: Path) -> dict[str, Path]:
    """Return the crawls in a folder, and in the folders of it, by their path below it."""
    return dict(_crawls(folder, "", 2))


def _crawls(folder: Path, above: str, levels: int) -> Iterator[tuple[str, Path]]:
    for entry in _entries(folder):
        place, name = Path(entry.path), above + entry.name
        if not entry.is_dir():
            continue
        if (place / "graph" / "CURRENT").is_file():
            yield name, place
        elif levels > 1:
            yield from _crawls(place, f"{name}/", levels - 1)


class CrawlsHere(FolderJob, frozen=True):
    """The crawls in the folder."""

    def do_in(self, folder: Path) -> list[Any]:
        """Read the figures of each; the crawl that began last comes first."""
        found = list(crawl_folders(folder).items())[:_MOST_CRAWLS]
        notes = [_crawl_note(name, place) for name, place in found]
        return sorted(notes, key=lambda note: note.started, reverse=True)


def _crawl_note(name: str, place: Path) -> Any:
    try:
        if not is_locked(place):
            return _finished(name, place, str(folder_stamp(place)))
        return _read_note(name, request_snapshot(place) or link_snapshot(place), "running")
    except CrawlLockedError:
        return api.CrawlNote(name=name, state="running", reason="it does not answer now")
    except SemcrawlError as error:
        return api.CrawlNote(name=name, state="broken", reason=str(error))


@lru_cache(maxsize=_MOST_CRAWLS)
def _finished(name: str, place: Path, _stamp: str) -> Any:
    return _read_note(name, link_snapshot(place), "stopped")


def _read_note(name: str, snapshot: Path, state: str) -> Any:
    from semcrawl.crawl import StopReason

    try:
        with ServedGraph(open_snapshot(snapshot), None) as graph:
            about, figures = graph.describe(), next(iter(graph.query("monitor/progress")))
            kind = graph.kind
    finally:
        remove_snapshot(snapshot)
    why = about.stopped and StopReason(about.stopped.rpartition("#")[2]).sentence
    return api.CrawlNote(
        name=name,
        topic=about.name,
        kind=kind,
        state=state,
        reason="" if state == "running" else why or "it was ended from outside",
        started=about.started.isoformat(timespec="seconds"),
        pages=figures["pages"],
        relevant=figures["relevant"],
        waiting=figures["waiting"],
    )


class FilesHere(FolderJob, frozen=True):
    """The files to start from: of concepts, and recorded webs."""

    def do_in(self, folder: Path) -> Any:
        """Look for them, in the folder itself only."""
        return api.FilesReply(folder.resolve().name, concept_files(folder), _webs(folder))


def concept_files(folder: Path) -> list[str]:
    """Return the files of concepts in a folder, then the shipped ones."""
    from semcrawl.topics.rdf_files import RDF_SUFFIXES

    own = [
        entry.name
        for entry in _entries(folder)
        if entry.is_file()
        and _FILE_NAME.fullmatch(entry.name)
        and Path(entry.name.removesuffix(".gz")).suffix.lower() in RDF_SUFFIXES
    ]
    shipped = sorted(path.name for path in ontologies_folder().glob("*.ttl"))
    ours = [name for name in shipped if not name.startswith("semcrawl")]
    return list(dict.fromkeys([*own[:_MOST_FILES], *ours]))


def _webs(folder: Path) -> list[str]:
    found = [
        entry.name
        for entry in _entries(folder)
        if (entry.is_file() and entry.name.endswith((".warc", ".warc.gz")))
        or (entry.is_dir() and (Path(entry.path) / "urls.tsv").is_file())
    ]
    return list(dict.fromkeys([*found[:_MOST_FILES], DEMO_WEB]))


class RequiredWeb(FolderJob, frozen=True):
    """A recorded web that is to be crawled."""

    name: str

    def do_in(self, folder: Path) -> None:
        """Raise a RequestError where the folder has none of this name."""
        if self.name not in _webs(folder):
            raise RequestError(f"there is no recorded web called {self.name[:80]!r} here", 404)


class Concepts(FolderJob, frozen=True):
    """Concepts of WordNet or of a file, by a part of a label."""

    source: Annotated[
        str, Meta(max_length=200, description="wordnet, a file of the folder, or keywords.")
    ] = WORDNET
    text: Annotated[str, Meta(max_length=1_000, description="A part of a label, or words.")] = ""
    language: Annotated[str, Meta(max_length=60, description="Of labels and pages: fr,de.")] = ""

    def do_in(self, folder: Path) -> list[Any]:
        """Search; without a text, the top concepts."""
        from semcrawl.topics.sources import ReadOptions, read_graph
        from semcrawl.topics.topic import language_tags
        from semcrawl.topics.wordnet import frequent_senses

        languages = language_tags(self.language or "en")
        place = f"{WORDNET}:" if self.source == WORDNET else self._file(folder)
        graph = read_graph(place, ReadOptions(languages=languages, folder=folder))
        text = self.text.strip()
        found = frequent_senses(text) if self.source == WORDNET and text else []
        found += [one for _, one in graph.search(text, _MOST_CONCEPTS)] if text else _tops(graph)
        if not found:
            near = ", ".join(graph.near_labels(text))
            hint = f": did you mean {near}?" if near else ": try a shorter part of a word"
            raise RequestError(f"{graph.name} has nothing called “{text[:80]}”{hint}", 404)
        shown = list(dict.fromkeys(found))[:_MOST_CONCEPTS]
        return [_concept_note(graph, concept) for concept in shown]

    def _file(self, folder: Path) -> str:
        if self.source not in concept_files(folder):
            raise RequestError(f"there is no file of concepts called {self.source[:80]!r} here")
        return self.source


def _tops(graph: ConceptGraph) -> list[str]:
    from semcrawl.topics import FileGraph

    if not isinstance(graph, FileGraph):
        return []
    tops = graph.top_concepts()
    return tops if len(tops) > 1 else [*tops, *(graph.narrower(tops[0]) if tops else ())]


def _concept_note(graph: ConceptGraph, concept: str) -> Any:
    from semcrawl.topics import wordnet

    means = wordnet().definition(concept) if concept.startswith(f"{WORDNET}:") else ""
    path = min(graph.paths_to_root(concept), key=len)
    return api.ConceptNote(
        id=concept,
        label=graph.label(concept),
        others=list(dict.fromkeys(label.text for label in graph.labels(concept)))[1:6],
        means=means,
        path=[graph.label(step) for step in path[:-1]],
        narrower=len(graph.narrower(concept)),
    )


class ChosenTopic(Concepts, frozen=True, forbid_unknown_fields=True):
    """What a crawl would look for: the labels of chosen concepts, or the words of ``text``."""

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

    def topic(self, folder: Path) -> Topic:
        """Read the topic; RequestError where there is none."""
        from semcrawl.topics import Topic

        os.chdir(folder)  # of this worker, as the crawl will have it
        try:
            return Topic.parse(self.spec(folder), language=self.language or None)
        except TopicError as error:
            raise RequestError(str(error), 422) from error

    def do_in(self, folder: Path) -> Any:
        """Compile it as the judge of a new crawl does."""
        from semcrawl.relevance import JUDGES
        from semcrawl.relevance.label_similarity import LabelSimilarity
        from semcrawl.relevance.lens_check import check_lens

        topic = self.topic(folder)
        similarity = JUDGES.create("labels", topic=topic, background=topic.background()).similarity
        try:
            warnings = check_lens(topic, similarity)
        except TopicError as error:
            raise RequestError(str(error), 422) from error
        labels: list[Any] = []
        size = 0
        for one in () if similarity is None else similarity.each_language():
            assert isinstance(one, LabelSimilarity)
            size += len(one.lens)
            labels += one.lens.strongest(_MOST_LABELS, first=one.labels.names)
        shown = sorted(labels, key=lambda label: -label.weight)[:_MOST_LABELS]
        notes = [api.LabelNote(label.text, label.weight, label.concept) for label in shown]
        return api.LensReply(topic.name, self.spec(folder), size, notes, warnings)
