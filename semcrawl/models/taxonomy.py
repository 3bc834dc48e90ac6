"""A trained taxonomy: training, marking, classifying, correcting."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from semcrawl.errors import TopicError
from semcrawl.models.taxonomy_classifier import TrainingOptions, train_classifier
from semcrawl.models.taxonomy_examples import DocumentReader, ExampleSet
from semcrawl.models.taxonomy_file import load_model, save_model
from semcrawl.models.taxonomy_tree import is_url, read_tree
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from semcrawl.models.taxonomy_classifier import Classification, Classifier
    from semcrawl.models.taxonomy_tree import CategoryTree

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A category to mark: how many documents' best paths pass it, and its mean Pr[c|d]."""

    category: str
    documents: int
    probability: float


class Taxonomy:
    """A tree of categories with examples, and the classifier that they make.

    Examples can be added, moved and removed at any time: the next
    classification is made by a classifier of all examples that are there.

    Attributes:
        tree: the categories.
        examples: the counted words of the examples.
        options: how the classifier is made.
        good: the categories that are marked good.
        unread: the examples that could not be read, with the reason, as (source, reason).
    """

    def __init__(
        self,
        tree: CategoryTree,
        examples: ExampleSet | None = None,
        options: TrainingOptions | None = None,
        good: Iterable[str] = (),
    ) -> None:
        self.tree = tree
        self.examples = ExampleSet() if examples is None else examples
        self.options = options or TrainingOptions()
        self.good = tuple(dict.fromkeys(good))
        self.unread: list[tuple[str, str]] = []

    @classmethod
    def train(
        cls,
        path: str | Path,
        *,
        reader: DocumentReader | None = None,
        options: TrainingOptions | None = None,
        language: str = "en",
        first_parent: bool = False,
        skip_empty: bool = False,
        each: Callable[[int, int], None] | None = None,
    ) -> Taxonomy:
        """Read a tree with its examples, and learn them.

        Examples that cannot be read are left out and listed in ``unread``. With
        ``skip_empty``, categories that have no example, nor any below them, stay
        in the tree and are never chosen. After every example ``each`` is told how
        many are done with, and of how many.

        Raises:
            TopicError: no tree can be read there, or a category has no example.
        """
        file = read_tree(path, language=language, first_parent=first_parent)
        taxonomy = cls(file.tree, options=options)
        with _open(reader) as documents:
            for category, places in file.counted(each):
                taxonomy._learn(category, places, documents)
        empty = taxonomy.empty_categories()
        if empty and (not skip_empty or not len(taxonomy.examples)):
            raise TopicError(taxonomy._told_of_empty(str(path), empty))
        return taxonomy

    @classmethod
    def load(cls, path: str | Path) -> Taxonomy:
        """Read a model file; ConfigError if it is none, damaged, or of another format."""
        parts = load_model(path)
        return cls(parts.tree, parts.examples, parts.options, parts.good)

    def save(self, path: str | Path) -> None:
        """Write a model file; an interruption leaves the one that was there."""
        save_model(path, self.tree, self.examples, self.options, self.good)

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
        """The categories on the best paths of some documents, as candidates to mark.

        Those that most documents pass come first, and of these the more special.
        """
        layout = self.classifier.layout
        passed: dict[str, int] = {}
        sums = dict.fromkeys(layout.ids, 0.0)
        for terms in documents:
            for category in self.classify(terms).path:
                passed[category] = passed.get(category, 0) + 1
            for column, value in enumerate(self.classifier.log_probabilities(terms).tolist()):
                sums[layout.ids[column]] += exp(min(0.0, value))
        found = [
            Suggestion(category, number, sums[category] / len(documents))
            for category, number in passed.items()
        ]
        return sorted(found, key=lambda one: (-one.documents, -len(self.tree.trail(one.category))))

    def is_good(self, category: str) -> bool:
        """Whether a category is good, by its own mark or by one above it."""
        return any(step in self.good for step in self.tree.trail(category))

    def mark(
        self, *names: str, widen: Literal["parents", "siblings"] | None = None
    ) -> tuple[str, ...]:
        """Mark categories good, and with ``widen`` their parents or siblings too.

        Without names, those that are marked already are widened. Returns the
        categories that were not marked before.
        """
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
        """Add documents as examples of a category; return those that were read.

        A category that is not there yet is made: write its path. What could
        not be read is in ``unread``; TopicError if nothing could.
        """
        target = self._category(category)
        with _open(reader) as documents:
            found = list(documents.read(places, lambda *why: self.unread.append(why)))
        if places and not found:
            raise TopicError(f"no example could be read: {self.unread[-1][1]}")
        where = target or self.tree.add(category)
        for place, terms in found:
            self.examples.add(_named(place), where, terms)
        self._changed()
        return [place for place, _ in found]

    def move_example(self, source: str, to: str, *, leaving: str | None = None) -> str:
        """Correct the category of an example; return the category that it leaves.

        ``leaving`` says which one, where the document is an example of several.
        """
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
        """Put a category with all under it under another one, or (None) at the top.

        Returns whether anything changed: False where it stands there already.
        """
        target = None if to is None else self.tree.find(to)
        if not self.tree.move(self.tree.find(category), target):
            return False
        self._changed()
        return True

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
        trained = {
            step for category in self.examples.numbers() for step in self.tree.trail(category)
        }
        return [category for category in self.tree if category not in trained]

    def _learn(self, category: str, places: Iterable[str], reader: DocumentReader) -> None:
        for place, terms in reader.read(places, lambda *why: self.unread.append(why)):
            self.examples.add(_named(place), category, terms)
        self._changed()

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
            raise TopicError(
                f"{self.tree.path(category)} is a top category: above it is everything"
            )
        return [parent]

    def _changed(self) -> None:
        self.__dict__.pop("classifier", None)

    def _told_of_empty(self, where: str, empty: list[str]) -> str:
        shown = ", ".join(self.tree.path(category) for category in empty[:_SHOWN])
        more = f" and {len(empty) - _SHOWN} more" if len(empty) > _SHOWN else ""
        unread = (
            f"; {len(self.unread)} could not be read: {self.unread[0][1]}" if self.unread else ""
        )
        return (
            f"{where}: no example for {shown}{more}{unread}; give each category examples, "
            "or go on without them with --skip-empty"
        )


def _open(reader: DocumentReader | None) -> AbstractContextManager[DocumentReader]:
    """A reader to use and close; one that was given stays open."""
    return DocumentReader() if reader is None else nullcontext(reader)


def _named(place: str) -> str:
    """The name under which a document is kept: its canonical URL, or its tidy path."""
    return canonical(place) if is_url(place) else " ".join(str(Path(place)).splitlines())


# Which words speak for a category, and which spoke for it in one document.


@dataclass(frozen=True, slots=True)
class TellingTerm:
    """A term, how often it counts in the document, and ln (Pr[t|c] / Pr[t|other])."""

    term: str
    count: float
    log_ratio: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The decision between the best good category and the best other one for a document.

    The two are siblings: where the paths to the best good leaf and to the best
    other leaf part. ``log_prior`` and the sum of count · log_ratio over the terms are
    together ln (Pr[category|d] / Pr[other|d]), where each of the two has one part;
    where it is a mixture, its most probable part speaks for it.
    """

    category: str
    other: str
    log_prior: float
    terms: tuple[TellingTerm, ...]


def compare(classifier: Classifier, terms: Mapping[str, int]) -> Comparison | None:
    """What decided between good and other categories; None where all or none are good."""
    layout, weights = classifier.layout, classifier.weights
    logs = classifier.log_probabilities(terms)
    leaves = layout.leaves.tolist()
    good = [leaf for leaf in leaves if classifier.is_good(leaf)]
    others = [leaf for leaf in leaves if not classifier.is_good(leaf)]
    if not good or not others:
        return None
    one, other = _parting(classifier, max(good, key=logs.item), max(others, key=logs.item))
    scores = classifier.part_scores(terms)
    part, rival = _best_part(classifier, scores, one), _best_part(classifier, scores, other)
    group = int(layout.group[one])
    found = []
    for term, count in terms.items():
        said = _said(classifier, term)
        if said is not None and len(weights.prior) + group in said:
            ratio = said.get(part, 0.0) - said.get(rival, 0.0)
            base = float(weights.unseen[part] - weights.unseen[rival])
            found.append(TellingTerm(term, float(count), ratio + base))
    total = sum(telling.count for telling in found)
    if weights.length and total > weights.length:
        scale = weights.length / total
        found = [TellingTerm(one.term, one.count * scale, one.log_ratio) for one in found]
    found.sort(key=lambda telling: (-telling.count * telling.log_ratio, telling.term))
    prior = float(weights.prior[part] - weights.prior[rival])
    return Comparison(layout.ids[one], layout.ids[other], prior, tuple(found))


def telling_terms(classifier: Classifier, category: str, number: int = 10) -> list[TellingTerm]:
    """The terms that tell a category from its siblings best.

    They are ordered by Pr[t|c] ln (Pr[t|c] / Pr[t|siblings]), where Pr[t|siblings]
    is the mean over the other parts of the decision, weighted by their examples.
    Empty for an only child and for a category without examples.
    """
    layout, weights = classifier.layout, classifier.weights
    if category not in layout.ids:
        return []
    column = layout.ids.index(category)
    own = _parts(classifier, column)
    inside = np.zeros(len(weights.prior), bool)
    inside[own] = True
    rivals = np.flatnonzero((weights.part_group == layout.group[column]) & ~inside)
    if not len(rivals):
        return []
    # Words that the category itself has: only they can speak for it.
    rows = np.repeat(np.arange(len(weights.start) - 1), np.diff(weights.start))
    used = np.unique(rows[np.isin(weights.column, own)])
    with_rows = np.isin(rows, used)
    table = np.zeros((len(used), len(weights.prior)))
    entry_parts = weights.column[with_rows]
    is_part = entry_parts < len(weights.prior)
    at = np.searchsorted(used, rows[with_rows][is_part])
    table[at, entry_parts[is_part]] = weights.value[with_rows][is_part]
    chances = np.exp(table + weights.unseen)
    here, there = (
        _mixed(chances, weights.prior, np.array(own)),
        _mixed(chances, weights.prior, rivals),
    )
    words = {row: term for term, row in weights.rows.items()}
    ratio = np.log(here / there)
    order = np.argsort(-here * ratio, kind="stable")[:number]
    return [TellingTerm(words[int(used[at])], 1.0, float(ratio[at])) for at in order]


def _mixed(
    chances: NDArray[np.float64], prior: NDArray[np.float64], parts: NDArray[np.int64]
) -> NDArray[np.float64]:
    shares = np.exp(prior[parts] - prior[parts].max())
    mixed: NDArray[np.float64] = chances[:, parts] @ (shares / shares.sum())
    return mixed


def _parting(classifier: Classifier, one: int, other: int) -> tuple[int, int]:
    """The columns in which the ways to two leaves differ first; they are siblings."""
    trails = zip(classifier.layout.trail(one), classifier.layout.trail(other), strict=False)
    return next((mine, theirs) for mine, theirs in trails if mine != theirs)


def _parts(classifier: Classifier, column: int) -> list[int]:
    starts = classifier.weights.part_starts
    ends = [*starts[1:].tolist(), len(classifier.weights.prior)]
    return list(range(int(starts[column]), ends[column]))


def _best_part(classifier: Classifier, scores: NDArray[np.float64], column: int) -> int:
    return max(_parts(classifier, column), key=scores.item)


def _said(classifier: Classifier, term: str) -> dict[int, float] | None:
    weights = classifier.weights
    row = weights.rows.get(term)
    if row is None:
        return None
    entries = slice(int(weights.start[row]), int(weights.start[row + 1]))
    return dict(zip(weights.column[entries].tolist(), weights.value[entries].tolist(), strict=True))
