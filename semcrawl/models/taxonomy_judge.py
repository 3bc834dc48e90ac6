"""The judge that was taught by examples: hierarchical naive Bayes over a tree of categories."""

from dataclasses import dataclass, replace

from semcrawl.errors import ConfigError
from semcrawl.models.category_classifier import Classifier, compare
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.page import Page
from semcrawl.relevance.explanation import Explanation, weighted_match
from semcrawl.relevance.judges import BaseJudge, Judgement
from semcrawl.relevance.lens import Reason, TopicPart
from semcrawl.relevance.similarities import TextSimilarity
from semcrawl.text.languages import analyser
from semcrawl.topics import Topic
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.topic import ConceptNote


class TaxonomyJudge(BaseJudge):
    """Relevance is the probability of the good categories (Chakrabarti 1999, sec. 3.1).

    Good are those that the topic names, else those marked in the model (by default the topic's). A
    page is on the topic if its best category is good or under a good one.
    """

    threshold = 0.5
    similarity: "CategorySimilarity"

    def __init__(self, topic: Topic, model: str = "") -> None:
        place = model or model_of(topic)
        self.taxonomy = Taxonomy.load(place)
        named = tuple(part.id for part in topic.concepts if part.id in self.taxonomy.tree)
        self.good = named or self.taxonomy.good
        if not self.good:
            raise ConfigError(
                f"no category of {place} is good, neither by the topic nor by a mark; mark some "
                f"with 'semcrawl taxonomy mark {place} CATEGORY', or name one: "
                f"taxonomy:{place}#CATEGORY"
            )
        self.classifier = self.taxonomy.classifier_for(self.good)
        if not len(self.classifier.good_tops):
            names = ", ".join(self.taxonomy.tree.path(category) for category in self.good)
            raise ConfigError(
                f"no good category of {place} has an example ({names}); "
                f"add some with 'semcrawl taxonomy add {place} CATEGORY PAGE'"
            )
        self._languages = (self.taxonomy.tree.language,)  # that its examples were read in
        self.similarity = CategorySimilarity(self.classifier, self.taxonomy)

    def judge(self, page: Page) -> Judgement:
        """R(d) with its logarithm, the best leaf, and whether its path is good."""
        found = self.classifier.classify(page.read_in(self._languages).terms)
        return Judgement(found.relevance, found.best, found.log_relevance, found.on_good_path, found.top)

    def outline(self) -> list[ConceptNote]:
        """All categories of the model, each after the one that it is under."""
        tree = self.taxonomy.tree
        return [
            ConceptNote(
                category.id,
                category.labels[0] if category.labels else category.name,
                (category.parent,) if category.parent is not None else (),
                good=category.id in self.good,
            )
            for category in tree.categories()
        ]


class CategorySimilarity(TextSimilarity):
    """A text's R(d), and what it is made of."""

    for_short_texts = False

    def __init__(self, classifier: Classifier, taxonomy: Taxonomy) -> None:
        self._classifier = classifier
        self._taxonomy = taxonomy

    def of_page(self, page: Page) -> float:
        """The probability of the good categories for a page."""
        return self._classifier.classify(page.terms).relevance

    def of_text(self, text: str) -> float:
        """The probability of the good categories for a text in the model's language."""
        counts = analyser(self._taxonomy.tree.language).count_terms(text)
        return self._classifier.classify(counts).relevance

    def explain(self, text: str) -> "CategoryExplanation":
        """Which words spoke for the best good category, and against the best other one."""
        reading = analyser(self._taxonomy.tree.language)
        counts = reading.count_terms(text)
        found = self._classifier.classify(counts)
        compared = compare(self._classifier, counts)
        plain = CategoryExplanation("taxonomy", (), (), squashed=False, limit=None, relevance=found.relevance)
        if compared is None:
            return plain
        tree = self._taxonomy.tree
        name, other = tree.path(compared.category), tree.path(compared.other)
        part, forms = TopicPart(name, 1.0, compared.category), reading.forms(text)
        told = ((Reason(0, None, one.term, one.log_ratio, 1.0), one.count) for one in compared.terms)
        matches = tuple(
            weighted_match(part, why, forms.get(why.label, []), text_weight=count, topic_weight=1.0)
            for why, count in told
        )
        return replace(
            plain,
            similarity=f"taxonomy: {name} against {other}",
            matches=matches,
            log_relevance=found.log_relevance,
            best=found.best,
            log_prior=compared.log_prior,
        )


@dataclass(frozen=True, slots=True)
class CategoryExplanation(Explanation):
    """Why a classifier gave a text its relevance, by logarithms of ratios of good to other."""

    relevance: float = 0.0
    log_relevance: float = 0.0
    best: str = ""
    log_prior: float = 0.0  # of the numbers of examples

    @property
    def score(self) -> float:
        """The relevance."""
        return self.relevance


def model_of(topic: Topic) -> str:
    """The model file that the categories of a topic are from; ConfigError if from none."""
    graphs = [part.graph for part in topic.concepts]
    places = [graph.notes.path for graph in graphs if isinstance(graph, FileGraph) and graph.notes.trained]
    if not places:
        raise ConfigError(
            "the judge 'taxonomy' needs a model: give taxonomy:model=FILE, or a topic such as "
            "taxonomy:FILE#CATEGORY, where FILE was made by 'semcrawl taxonomy train'"
        )
    return places[0]
