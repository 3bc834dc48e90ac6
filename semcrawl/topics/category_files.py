"""Taxonomies: a tree of categories with example documents, in one of three forms.

- ``.tsv``: a line per example: URL or path, a tab, category (``A/B/C`` or ``A.B.C``)
- ``.txt``: a category per line, indented below its parent, other names after ``|``;
  a line ``- URL`` is an example of the category above it
- a folder of folders: each folder is a category, each file in it an example

Lines that start with ``#`` are comments.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from semcrawl.errors import TopicError, os_errors
from semcrawl.model_files import ModelKind, open_model
from semcrawl.text.text_files import read_text
from semcrawl.topics.concepts import ConceptGraphBuilder
from semcrawl.topics.file_graph import FileGraph, FileNotes
from semcrawl.topics.labels import Label, words_of_name

CATEGORY_IRI = "https://w3id.org/semcrawl/category/"  # then the file's name and the path
_DEEPEST = 50
_MOST_FILES = 1_000_000


def read_taxonomy(path: str | Path, *, language: str = "en") -> FileGraph:
    """Return the categories of a taxonomy as a concept graph; TopicError if it is none."""
    place = Path(path)
    tree = _Tree(place, language)
    with os_errors(TopicError, f"cannot read {path}"):
        if place.is_dir():
            _read_folder(place, tree)
        else:
            lines = list(_lines(place))
            holds_rows = bool(lines) and all(re.match(r"\S[^\t]*\t+\S", line) for _, line in lines)
            (_read_table if holds_rows or place.suffix.lower() == ".tsv" else _read_text)(lines, tree)
    return tree.graph()


class _Tree(msgspec.Struct):
    place: Path
    language: str
    labels: dict[tuple[str, ...], list[str]] = {}
    examples: dict[tuple[str, ...], dict[str, None]] = {}

    def add(self, category: tuple[str, ...], names: Sequence[str] = ()) -> None:
        if len(category) > _DEEPEST:
            raise TopicError(f"{self.place}: a category is nested more than {_DEEPEST} deep")
        for size in range(1, len(category) + 1):
            self.labels.setdefault(category[:size], [])
        self.labels[category] += names

    def add_example(self, category: tuple[str, ...], example: str) -> bool:
        known = self.examples.setdefault(category, {})
        new = example not in known
        known[example] = None
        return new

    def graph(self) -> FileGraph:
        if not self.labels:
            raise TopicError(f"{self.place} holds no categories")
        categories = [
            Category(
                self._id(path),
                path[-1],
                (words_of_name(path[-1]) or path[-1], *names),
                self._id(path[:-1]) if len(path) > 1 else None,
            )
            for path, names in self.labels.items()
        ]
        examples = {self._id(path): tuple(found) for path, found in self.examples.items()}
        notes = FileNotes(str(self.place), examples=examples)
        return category_graph(categories, notes, language=self.language)

    def _id(self, category: tuple[str, ...]) -> str:
        return CATEGORY_IRI + "/".join(quote(p, safe="") for p in (self.place.stem, *category))


def _lines(place: Path) -> Iterator[tuple[int, str]]:
    text = read_text(place, error=TopicError)
    if "\0" in text:
        raise TopicError(f"{place} is not text: it holds NUL characters")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.rstrip()


def _read_table(lines: list[tuple[int, str]], tree: _Tree) -> None:
    rows: list[tuple[int, str, str]] = []
    for number, line in lines:
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise TopicError(f"{tree.place}, line {number}: a line holds a URL or path, one tab, and a category")
        rows.append((number, cells[0], cells[1]))
    joint = "/" if any("/" in category for _, _, category in rows) else "."
    for number, example, path in rows:
        category = tuple(part.strip() for part in path.strip(joint).split(joint))
        if not all(category):
            raise TopicError(f"{tree.place}, line {number}: {path!r} has an empty part")
        tree.add(category)
        if not tree.add_example(category, example):
            raise TopicError(f"{tree.place}, line {number}: {example!r} is in {path!r} twice")


def _read_text(lines: list[tuple[int, str]], tree: _Tree) -> None:
    trail: list[tuple[int, str]] = []
    for number, line in lines:
        text = line.expandtabs(8).lstrip()
        indent = len(line.expandtabs(8)) - len(text)
        where = f"{tree.place}, line {number}"
        if text.startswith("- "):
            if not trail:
                raise TopicError(f"{where}: an example stands before the first category")
            tree.add_example(tuple(name for _, name in trail), text[2:].strip())
            continue
        while trail and trail[-1][0] >= indent:
            trail.pop()
        name, *others = (part.strip() for part in text.split("|"))
        if not name:
            raise TopicError(f"{where}: a category has no name")
        trail.append((indent, name))
        category = tuple(name for _, name in trail)
        if category in tree.labels:
            raise TopicError(f"{where}: the category {'/'.join(category)!r} is there already")
        tree.add(category, others)


def _read_folder(place: Path, tree: _Tree) -> None:
    pending: list[tuple[Path, tuple[str, ...]]] = [(place, ())]
    files = 0
    while pending:
        folder, category = pending.pop()
        for path in sorted(folder.iterdir()):
            if path.name.startswith("."):
                continue
            inner = (*category, path.name)
            if path.is_dir():
                if path.is_symlink():
                    raise TopicError(f"{path} is a link to a folder, which may lead in circles")
                tree.add(inner)
                pending.append((path, inner))
            elif category and path.is_file():
                tree.add_example(category, str(path))
                files += 1
                if files > _MOST_FILES:
                    raise TopicError(f"{place} holds more than {_MOST_FILES:,} files")


TAXONOMY = ModelKind("taxonomy", "trained taxonomy", "semcrawl taxonomy train TREE -o MODEL")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`\x7f]+")


class Category(msgspec.Struct, frozen=True):
    """A node of the tree: its IRI, its step in a path, its labels, what it is under."""

    id: str
    name: str
    labels: tuple[str, ...] = ()
    parent: str | None = None


class TaxonomyFacts(msgspec.Struct, frozen=True):
    """What a trained taxonomy says of itself; ValueError if parents do not come first."""

    name: str
    language: str
    categories: tuple[Category, ...]
    good: tuple[str, ...]
    options: dict[str, Any]
    documents: int

    def __post_init__(self) -> None:
        known: set[str] = set()
        for category in self.categories:
            if not _IRI.fullmatch(category.id) or category.id in known:
                raise ValueError(f"the category {category.id[:80]!r}")
            if category.parent is not None and category.parent not in known:
                raise ValueError(f"{category.id[:80]!r} is under no category")
            known.add(category.id)
        if not known or not known.issuperset(self.good):
            raise ValueError("it marks what it does not have")


def read_trained_taxonomy(path: str | Path) -> FileGraph:
    """Return the categories of a file, the good ones in ``notes.good``, or raise ModelError."""
    with open_model(path, TAXONOMY) as file:
        facts = file.facts(TaxonomyFacts)
    notes = FileNotes(str(path), trained=True, good=facts.good)
    return category_graph(facts.categories, notes, language=facts.language)


def category_graph(categories: Sequence[Category], notes: FileNotes, *, language: str = "en") -> FileGraph:
    """Return the graph of a tree of categories; names and paths become notations."""
    builder = ConceptGraphBuilder(Path(notes.path).name)
    paths: dict[str | None, tuple[str, ...]] = {None: ()}
    notations: dict[str, list[str]] = {}
    for category in categories:
        broader = None if category.parent is None else [category.parent]
        labels = [Label(text, language) for text in category.labels or (category.name,)]
        builder.add(category.id, *labels, broader=broader)
        path = paths[category.id] = (*paths[category.parent], category.name)
        for written in dict.fromkeys(("/".join(path), ".".join(path), category.name)):
            notations.setdefault(written, []).append(category.id)
    tops = tuple(category.id for category in categories if category.parent is None)
    notes = replace(notes, prefix="taxonomy:", tops=tops, notations=notations)
    return FileGraph(builder.build(), notes)
