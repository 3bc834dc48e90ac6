"""The tree of categories: reading it with the places of its examples, and changing it."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pyoxigraph as ox
from msgspec import Struct

from semcrawl.errors import TopicError
from semcrawl.models.training_pages import is_url
from semcrawl.topics.category_files import CATEGORY_IRI, Category, category_graph, read_taxonomy
from semcrawl.topics.file_graph import FileGraph, FileNotes, find_concept
from semcrawl.topics.labels import normal_label, words_of_name
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.rdf_files import RDF_SUFFIXES, is_rdf, read_triples

_SHOWN = 5
_SHOWN_PARENTS = 3
_EXAMPLE_OF = ("https://w3id.org/semcrawl/ns#example", "http://xmlns.com/foaf/0.1/page")
_SUBJECT = "http://purl.org/dc/terms/subject"
# What a relative IRI in a file without a base becomes when the file is read.
_FILE_BASE = "https://w3id.org/semcrawl/file/"


class CategoryTree:
    """Categories by their IRIs, each under one other or at the top.

    A category is found by its IRI, its path (``Science/Biology/Birds``, also with dots), or its
    name where no other has it. ``place`` is the file that errors name. A cycle, an unknown parent,
    or two of one name under the same parent are a TopicError.

    >>> tree = CategoryTree("pets", [Category("ex:pets", "Pets")])
    >>> cat = tree.add("Pets/Cats")
    >>> tree.path(cat), tree.children("ex:pets") == [cat], tree.find("cats") == cat
    ('Pets/Cats', True, True)
    """

    def __init__(
        self, name: str, categories: Iterable[Category] = (), *, language: str = "en", place: str = ""
    ) -> None:
        self.name = name
        self.language = language
        self.place = place or name
        self._all = {category.id: category for category in categories}
        self._check()

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, category: object) -> bool:
        return category in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(self.below(None))

    def __getitem__(self, category: str) -> Category:
        return self._all[category]

    def categories(self) -> tuple[Category, ...]:
        """All categories, each before those under it."""
        return tuple(self._all[category] for category in self)

    def children(self, category: str | None) -> list[str]:
        """What stands directly under a category; under None, the top categories."""
        return list(self._children.get(category, ()))

    def parent(self, category: str) -> str | None:
        """What a category stands under; None for a top one."""
        return self._all[category].parent

    def below(self, category: str | None) -> list[str]:
        """A category and all under it, each before those under it; all of them for None."""
        found, pending = [], [category] if category is not None else self.children(None)[::-1]
        while pending:
            one = pending.pop()
            found.append(one)
            pending += self.children(one)[::-1]
        return found

    def trail(self, category: str) -> list[str]:
        """The categories from the top down to one, which is the last."""
        found: list[str] = []
        step: str | None = category
        while step is not None:
            found.append(step)
            step = self._all[step].parent
        return found[::-1]

    def path(self, category: str) -> str:
        """The names from the top down to a category: ``Science/Biology/Birds``."""
        return "/".join(self._all[step].name for step in self.trail(category))

    def find(self, name: str) -> str:
        """The IRI of the category that a name means; TopicError if none does, or several do."""
        return find_concept(self.graph, name, self.language)

    def add(self, path: str) -> str:
        """The IRI of the category of a path; it and what is missing above it are made."""
        names = [name.strip() for name in path.strip("/").split("/")]
        if not all(names):
            raise TopicError(f"{path!r} is no path of a category: write Science/Biology/Birds")
        parent: str | None = None
        for name in names:
            known = {normal_label(self._all[one].name): one for one in self.children(parent)}
            parent = known.get(normal_label(name)) or self._new(parent, name)
        assert parent is not None
        return parent

    def move(self, category: str, to: str | None) -> bool:
        """Put a category with all under it under another; return whether anything changed."""
        moved = self._all[category]
        if moved.parent == to:
            return False
        if to is not None and to in self.below(category):
            raise TopicError(
                f"{self.path(category)} cannot be moved under {self.path(to)}, which is the same or under it"
            )
        self._check_names(to, [*self.children(to), category])
        self._all[category] = Category(moved.id, moved.name, moved.labels, to)
        self._forget()
        return True

    def remove(self, category: str) -> None:
        """Take a category out, with all under it."""
        for gone in self.below(category):
            del self._all[gone]
        self._forget()

    @cached_property
    def graph(self) -> FileGraph:
        """The categories as a concept graph."""
        return category_graph(self.categories(), FileNotes(self.place, trained=True), language=self.language)

    @cached_property
    def _children(self) -> dict[str | None, list[str]]:
        found: dict[str | None, list[str]] = {}
        for category in self._all.values():
            found.setdefault(category.parent, []).append(category.id)
        return found

    def _new(self, parent: str | None, name: str) -> str:
        place = parent if parent is not None else CATEGORY_IRI + quote(self.name, safe="")
        if not place.startswith(CATEGORY_IRI):
            # The IRIs of someone's thesaurus are not ours to add to.
            above = self.trail(parent) if parent is not None else []
            steps = (self.name, *(self._all[step].name for step in above))
            place = CATEGORY_IRI + "/".join(quote(step, safe="") for step in steps)
        iri, number = f"{place}/{quote(name, safe='')}", 2
        while iri in self._all:  # one that was moved elsewhere has kept its IRI
            iri, number = f"{place}/{quote(name, safe='')}-{number}", number + 1
        self._all[iri] = Category(iri, name, (words_of_name(name) or name,), parent)
        self._forget()
        return iri

    def _forget(self) -> None:
        for name in ("graph", "_children"):
            self.__dict__.pop(name, None)

    def _check(self) -> None:
        self._forget()
        for category in self._all.values():
            if category.parent is not None and category.parent not in self._all:
                raise TopicError(f"{self.place}: {category.name!r} is under an unknown category")
        try:
            TopologicalSorter({one.id: {one.parent} for one in self._all.values()}).prepare()
        except CycleError as error:
            names = [self._all[one].name for one in reversed(error.args[1])]
            shown = " < ".join(names if len(names) <= _SHOWN else [*names[:_SHOWN], "…"])
            raise TopicError(
                f"{self.place}: the categories stand under each other in a circle: {shown}; a tree has no cycle"
            ) from error
        for parent, children in self._children.items():
            self._check_names(parent, children)

    def _check_names(self, parent: str | None, children: list[str]) -> None:
        known: dict[str, str] = {}
        for child in children:
            name = self._all[child].name
            other = known.setdefault(normal_label(name), child)
            if other != child:
                where = f"under {self.path(parent)}" if parent is not None else "at the top"
                raise TopicError(
                    f"{self.place}: two categories {where} are named {name!r} "
                    f"(<{other}> and <{child}>); rename one, or make them one"
                )


class TreeFile(Struct, frozen=True):
    """A tree as it was read: the categories, and per category where its examples are."""

    tree: CategoryTree
    examples: dict[str, tuple[str, ...]]


def read_tree(path: str | Path, *, language: str = "en", first_parent: bool = False) -> TreeFile:
    """Read the tree of a file or folder, as `read_taxonomy`, or of SKOS in any syntax of RDF.

    In SKOS, ``sc:example`` and ``foaf:page`` of a concept name its examples, and so does
    ``dcterms:subject`` of a document. Paths of examples are relative to the folder of the file.
    With ``first_parent``, a concept with several broader ones stands under the first of them.
    Raises TopicError: it cannot be read, or is no tree: a cycle, several parents, equal names.
    """
    place = Path(path)
    if not place.is_dir() and (place.suffix.lower() in RDF_SUFFIXES or is_rdf(place)):
        graph = read_ontology(place, language=language)
        examples = _rdf_examples(place, graph)
    else:
        graph = read_taxonomy(place, language=language)
        examples = {category: list(found) for category, found in graph.notes.examples.items()}
    categories = _categories(graph, place, first_parent=first_parent)
    tree = CategoryTree(place.stem, categories, language=language, place=str(place))
    # A folder's own examples come with the folder's path already.
    folder = Path() if place.is_dir() else place.parent
    placed = {
        category: dict.fromkeys(one if is_url(one) else str(folder / one) for one in found)
        for category, found in examples.items()
    }
    return TreeFile(tree, {category: tuple(found) for category, found in placed.items()})


def _categories(graph: FileGraph, place: Path, *, first_parent: bool) -> Iterator[Category]:
    for concept in graph:
        parents = graph.broader(concept)
        labels = tuple(dict.fromkeys(label.text for label in graph.labels(concept)))
        if len(parents) > 1 and not first_parent:
            named = ", ".join(graph.label(parent) for parent in parents[:_SHOWN_PARENTS])
            raise TopicError(
                f"{place}: {graph.label(concept)!r} stands under {len(parents)} concepts "
                f"({named}), and a tree has one parent each: keep one skos:broader, or take "
                "the first of each with --first-parent"
            )
        name = labels[0] if labels else concept
        if concept.startswith(CATEGORY_IRI):  # the name as the file writes it
            name = unquote(concept.rpartition("/")[2])
        yield Category(concept, name, labels, parents[0] if parents else None)


def _rdf_examples(place: Path, graph: FileGraph) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for triple in read_triples(place):
        subject, named, value = triple.subject, triple.predicate.value, triple.object
        if named in _EXAMPLE_OF and isinstance(subject, ox.NamedNode):
            category, document = subject.value, _document(value)
        elif named == _SUBJECT and isinstance(value, ox.NamedNode):
            category, document = value.value, _document(subject)
        else:
            continue
        if document and category in graph:
            found.setdefault(category, []).append(document)
    return found


def _document(term: object) -> str:
    """Where a document is that RDF names: a URL, or a path relative to the file."""
    if isinstance(term, ox.Literal):
        return term.value.strip()
    if not isinstance(term, ox.NamedNode):
        return ""
    if term.value.startswith(_FILE_BASE):
        return unquote(term.value.removeprefix(_FILE_BASE))
    if term.value.startswith("file:"):
        return unquote(urlsplit(term.value).path)
    return term.value
