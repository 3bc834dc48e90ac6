"""A trained taxonomy: training, marking, classifying, correcting."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from math import exp
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from semcrawl.errors import StoreError, TopicError
from semcrawl.model_files import Member, ModelFile, is_model_file, open_model, write_model
from semcrawl.models.category_classifier import Classification, Classifier, Example, ExampleSet, train_classifier
from semcrawl.models.category_tree import CategoryTree, read_tree
from semcrawl.models.training_options import TaxonomyOptions
from semcrawl.models.training_pages import DocumentReader, is_url
from semcrawl.topics.category_files import TAXONOMY, TaxonomyFacts
from semcrawl.web.urls import canonical

_SHOWN = 5


class Suggestion(msgspec.Struct, frozen=True):
    """A category to mark: how many documents' best paths pass it, and its mean Pr[c|d]."""

    category: str
    documents: int
    probability: float


class Taxonomy:
    """A tree of categories with examples, and the classifier made of them after every change."""

    def __init__(
        self,
        tree: CategoryTree,
        examples: ExampleSet | None = None,
        options: TaxonomyOptions | None = None,
        good: Iterable[str] = (),  # the marked categories
    ) -> None:
        self.tree = tree
        self.examples = ExampleSet() if examples is None else examples
        self.options = options or TaxonomyOptions()
        self.good = tuple(dict.fromkeys(good))
        self.unread: list[tuple[str, str]] = []  # (source, reason)

    @classmethod
    def train(
        cls,
        path: str | Path,
        *,
        reader: DocumentReader | None = None,
        options: TaxonomyOptions | None = None,
        language: str = "en",
        first_parent: bool = False,
        skip_empty: bool = False,
        each: Callable[[int, int], None] | None = None,
    ) -> "Taxonomy":
        """Read a tree and learn its examples; ``each`` is told how many are done, and of how many.

        Examples that cannot be read are listed in ``unread``. With ``skip_empty``, categories without examples stay in
        the tree and are never chosen. Raises TopicError: no tree can be read there, or a category has no example.
        """
        file = read_tree(path, language=language, first_parent=first_parent)
        taxonomy = cls(file.tree, options=options)
        with _open(reader) as documents:
            listed = [(one, place) for one, places in file.examples.items() for place in places]
            for done, (category, place) in enumerate(listed, start=1):
                for _, terms in documents.read([place], taxonomy.unread, language):
                    taxonomy.examples.add(_named(place), category, terms)
                if each is not None:
                    each(done, len(listed))
        empty = taxonomy.empty_categories()
        if empty and (not skip_empty or not len(taxonomy.examples)):
            shown = ", ".join(taxonomy.tree.path(category) for category in empty[:_SHOWN])
            more = f" and {len(empty) - _SHOWN} more" if len(empty) > _SHOWN else ""
            if unread := taxonomy.unread:
                more += f"; {len(unread)} could not be read: {unread[0][1]}"
            raise TopicError(
                f"{path}: no example for {shown}{more}; give each category examples, "
                "or go on without them with --skip-empty"
            )
        return taxonomy

    @classmethod
    def load(cls, path: str | Path) -> "Taxonomy":
        """Read a model file; ModelError if it is missing, damaged, or of another kind."""
        with open_model(path, TAXONOMY) as file:
            facts = file.facts(TaxonomyFacts)
            tree = CategoryTree(facts.name, facts.categories, language=facts.language, place=str(path))
            options = msgspec.convert(facts.options, TaxonomyOptions)
            return cls(tree, _read_examples(file, facts), options, facts.good)

    def save(self, path: str | Path) -> None:
        """Write a model file, whole or not at all; StoreError if the place holds something else."""
        if problem := output_problem(Path(path).expanduser()):
            raise StoreError(problem)
        tree, rows = self.tree, list(self.examples)
        facts = TaxonomyFacts(
            name=tree.name,
            language=tree.language,
            categories=tree.categories(),
            good=self.good,
            options=msgspec.structs.asdict(self.options),
            documents=len(rows),
        )
        place = {category: number for number, category in enumerate(tree)}
        none = np.empty(0, np.int32)
        members: dict[str, Member] = {
            "terms": self.examples.vocabulary,
            "sources": [row.source for row in rows],
            "categories": np.array([place[row.category] for row in rows], np.int32),
            "sizes": np.array([len(row.terms) for row in rows], np.int32),
            "columns": np.concatenate([none, *(row.terms for row in rows)]),
            "counts": np.concatenate([none, *(row.counts for row in rows)]),
        }
        write_model(path, TAXONOMY, facts, members)

    @cached_property
    def classifier(self) -> Classifier:
        """The classifier of the examples as they are, with the marked categories as good ones."""
        return self.classifier_for(self.good)

    def classifier_for(self, good: Iterable[str]) -> Classifier:
        """A classifier with other good categories than the marked ones."""
        return train_classifier(self.tree, self.examples, self.options, good)

    def classify(self, terms: Mapping[str, int]) -> Classification:
        """R(d), best leaf and path of a document given as term counts (``page.terms``)."""
        return self.classifier.classify(terms)

    def ranking(self, terms: Mapping[str, int], number: int = 5) -> list[tuple[str, float]]:
        """The leaves with the highest Pr[c|d], the best first."""
        classifier = self.classifier
        layout, logs = classifier.layout, classifier.log_probabilities(terms)
        order = sorted(layout.leaves.tolist(), key=lambda column: -logs[column])
        return [(layout.ids[column], exp(min(0.0, logs[column]))) for column in order[:number]]

    def suggest(self, documents: Sequence[Mapping[str, int]]) -> list[Suggestion]:
        """The categories on the best paths of some documents, those of the most documents first."""
        layout = self.classifier.layout
        passed = Counter(one for terms in documents for one in self.classify(terms).path)
        sums = np.zeros(len(layout.ids))
        for terms in documents:
            sums += np.exp(np.minimum(0.0, self.classifier.log_probabilities(terms)))
        mean = dict(zip(layout.ids, (sums / max(1, len(documents))).tolist(), strict=True))
        found = [Suggestion(one, number, mean[one]) for one, number in passed.items()]
        return sorted(found, key=lambda one: (-one.documents, -len(self.tree.trail(one.category))))

    def is_good(self, category: str) -> bool:
        """Whether a category is good, by its own mark or by one above it."""
        return any(step in self.good for step in self.tree.trail(category))

    def mark(self, *names: str, widen: Literal["parents", "siblings"] | None = None) -> tuple[str, ...]:
        """Mark categories good and widen them, by default the marked ones; return the new ones."""
        wanted = [self.tree.find(name) for name in names] or list(self.good if widen else ())
        if not wanted:
            raise TopicError("name a category to mark; 'semcrawl taxonomy show' lists them")
        for category in list(wanted):
            if widen is not None:
                wanted += self._around(category, widen)
        before = set(self.good)
        self.good = tuple(dict.fromkeys((*self.good, *wanted)))
        self._changed()
        return tuple(category for category in self.good if category not in before)

    def unmark(self, *names: str) -> tuple[str, ...]:
        """Take marks away; without names, all. Returns the categories that were marked."""
        wanted = {self.tree.find(name) for name in names} if names else set(self.good)
        gone = tuple(category for category in self.good if category in wanted)
        self.good = tuple(category for category in self.good if category not in wanted)
        self._changed()
        return gone

    def add(self, category: str, *places: str, reader: DocumentReader | None = None) -> list[str]:
        """Add documents to a category, made if need be; return those read, TopicError if none."""
        target = self._category(category)
        with _open(reader) as documents:
            found = list(documents.read(places, self.unread, self.tree.language))
        if places and not found:
            raise TopicError(f"no example could be read: {self.unread[-1][1]}")
        where = target or self.tree.add(category)
        for place, terms in found:
            self.examples.add(_named(place), where, terms)
        self._changed()
        return [place for place, _ in found]

    def move_example(self, source: str, to: str, *, leaving: str | None = None) -> str:
        """Correct the category of an example; return the one of several that it leaves."""
        name, target = self.find_example(source), self.tree.find(to)
        of = self.examples.categories_of(name)
        if leaving is not None:
            of = [category for category in of if category == self.tree.find(leaving)]
        if len(of) != 1:
            paths = ", ".join(self.tree.path(one) for one in self.examples.categories_of(name))
            raise TopicError(f"{source} is an example of {paths}; say which one to leave")
        if of[0] != target:
            self.examples.move(name, of[0], target)
            self._changed()
        return of[0]

    def remove_example(self, source: str) -> tuple[str, ...]:
        """Take a document out of the examples; return the categories that it was in."""
        name = self.find_example(source)
        of = tuple(self.examples.categories_of(name))
        for category in of:
            self.examples.remove(name, category)
        self._changed()
        return of

    def move_category(self, category: str, to: str | None) -> bool:
        """Put a category under another one, or (None) at the top; return whether that is new."""
        target = None if to is None else self.tree.find(to)
        moved = self.tree.move(self.tree.find(category), target)
        if moved:
            self._changed()
        return moved

    def remove_category(self, category: str) -> int:
        """Take a category out with all below it; return how many examples went with it."""
        gone = self.tree.below(self.tree.find(category))
        of = [example for one in gone for example in self.examples.of(one)]
        if len(of) == len(self.examples):
            path = self.tree.path(gone[0])
            raise TopicError(f"{path} has all examples there are: without it nothing is left")
        for example in of:
            self.examples.remove(example.source, example.category)
        self.tree.remove(gone[0])
        self.good = tuple(one for one in self.good if one not in gone)
        self._changed()
        return len(of)

    def find_example(self, place: str) -> str:
        """The source of the example that a path, a URL or a file's name means."""
        sources = self.examples.sources()
        exact = {place, _named(place)}
        found = [source for source in sources if source in exact]
        if not found and not is_url(place):
            found = [source for source in sources if Path(source).name == Path(place).name]
        if len(found) != 1:
            what = f"{len(found)} examples are named" if found else "there is no example"
            raise TopicError(f"{what} {place!r}; 'semcrawl taxonomy show --examples' lists them")
        return found[0]

    def empty_categories(self) -> list[str]:
        """The categories that have no example, nor any below them."""
        trained = {step for category in self.examples.numbers() for step in self.tree.trail(category)}
        return [category for category in self.tree if category not in trained]

    def _category(self, name: str) -> str | None:
        try:
            return self.tree.find(name)
        except TopicError:
            if "/" not in name and self.tree.graph.find(name):
                raise  # several have the name: a new one would be a third
            return None

    def _around(self, category: str, widen: str) -> list[str]:
        parent = self.tree.parent(category)
        if widen == "siblings":
            return self.tree.children(parent)
        if parent is None:
            raise TopicError(f"{self.tree.path(category)} is a top category: above it is everything")
        return [parent]

    def _changed(self) -> None:
        self.__dict__.pop("classifier", None)


def output_problem(path: Path) -> str:
    """Return why no taxonomy can be written to a place, "" where one can."""
    if path.exists() and not is_model_file(path):
        return f"{path} holds something else, which is not overwritten; name another"
    if not path.parent.is_dir():
        return f"cannot write the model {path}: there is no folder {path.parent}"
    return ""


def _read_examples(file: ModelFile, facts: TaxonomyFacts) -> ExampleSet:
    terms, sources = file.lines("terms"), file.lines("sources")
    categories, sizes, columns, counts = (
        file.array(name, "i4") for name in ("categories", "sizes", "columns", "counts")
    )
    ends = np.cumsum(sizes, dtype=np.int64)
    if not (
        len(categories) == len(sizes) == len(sources)
        and len(columns) == len(counts) == (int(ends[-1]) if len(ends) else 0)
        and (columns < len(terms)).all()
        and (categories < len(facts.categories)).all()
    ):
        raise ValueError("its parts do not fit together")
    examples = ExampleSet(terms)
    for row, end in enumerate(ends.tolist()):
        part = slice(end - int(sizes[row]), end)
        category = facts.categories[categories[row]].id
        examples.put(Example(sources[row], category, columns[part], counts[part]))
    return examples


def _open(reader: DocumentReader | None) -> AbstractContextManager[DocumentReader]:
    return DocumentReader() if reader is None else nullcontext(reader)


def _named(place: str) -> str:
    """The name under which a document is kept: its canonical URL, or its tidy path."""
    return canonical(place) if is_url(place) else " ".join(str(Path(place)).splitlines())
