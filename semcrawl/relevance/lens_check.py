"""Whether pages can be found through the lens of a topic, and what to do where they cannot."""

from collections.abc import Iterable, Sequence

from semcrawl.errors import TopicError
from semcrawl.page import Page
from semcrawl.relevance.label_similarity import LabelSimilarity
from semcrawl.relevance.lens import Lens
from semcrawl.relevance.similarities import TextSimilarity
from semcrawl.relevance.topic_labels import label_remarks
from semcrawl.text.languages import language_code
from semcrawl.topics.topic import Topic

AMBIGUOUS = 0.33
"""A label with a smaller share of its use below the topic mostly means something else."""

_SHOWN = 3


def check_lens(topic: Topic, similarity: TextSimilarity | None) -> list[str]:
    """Return what is weak in the lens of a similarity, in sentences; nothing without a lens.

    Raises TopicError: the lens has no label in any language of the topic.

    >>> from semcrawl.topics import Topic
    >>> topic = Topic.parse("wordnet:crane.n.04")
    >>> check_lens(topic, LabelSimilarity.of_topic(topic))[0].partition(":")[0]
    "the name of the topic 'crane' mostly means something else"
    """
    each = () if similarity is None else similarity.each_language()
    lenses = [one.lens for one in each if one.lens is not None]
    empty = [lens.language for lens in lenses if not lens.weights]
    if lenses and len(empty) == len(lenses):
        raise TopicError(_no_labels(topic, empty))
    found = [
        f"the topic {topic.name!r} has no label in {code}: pages in it will score 0{_other_languages(topic, empty)}"
        for code in empty
    ]
    if topic.examples:  # which tell what is meant
        return found
    labels = (one for one in each if isinstance(one, LabelSimilarity))
    return [*found, *filter(None, (_ambiguity(topic, one) for one in labels))]


def seed_warning(lens: Lens, page: Page) -> str:
    """Return what to tell of a seed page on which a lens has found nothing."""
    told = f"the seed page {page.url} scores 0: it names nothing of {lens.name!r}"
    language = page.language
    if language and language_code(language) not in map(language_code, page.languages):
        tags = ",".join((*page.languages, language))
        return f"{told}; it is in {language}: give --language {tags} if the topic has such labels"
    return (
        f"{told}; start from a page on the topic, or see what is looked for with "
        "'semcrawl topic TOPIC --lens' and choose another concept, or add keywords"
    )


def _no_labels(topic: Topic, languages: Sequence[str]) -> str:
    if topic.examples and not (topic.concepts or topic.keywords):
        return (
            f"the topic {topic.name!r} is given by examples alone, which 'semcrawl crawl' with the "
            "judge adaptive learns from: elsewhere add concepts or keywords in a topic file"
        )
    remarks = [
        f"{one.text[:60]!r} is {one.remark}"
        for language in languages
        for one in label_remarks(topic.in_language(language))
        if one.remark.startswith("left out")
    ]
    why = f" ({'; '.join(remarks[:_SHOWN])})" if remarks else ""
    return (
        f"the topic {topic.name!r} has no label in {' or '.join(languages)} that a page could "
        f"hold{why}{_other_languages(topic, languages)}; name a concept with narrower ones "
        "(FILE#NAME+), look for another with --search TEXT, or add keywords in a topic file"
    )


def _other_languages(topic: Topic, missing: Iterable[str]) -> str:
    tags = {
        language_code(label.language)
        for part in topic.concepts
        for label in part.graph.labels(part.id)
        if label.language
    }
    others = sorted(tags.difference(missing))
    return f"; there are labels in {', '.join(others[:10])}: give --language" if others else ""


def _ambiguity(topic: Topic, similarity: LabelSimilarity) -> str:
    """Return what to tell where none of the topic's own names mostly means the topic."""
    lens, names = similarity.lens, similarity.labels.names
    shares = {key: max(why.value for why in lens.reasons[key]) for key in names}
    if not shares or max(shares.values()) >= AMBIGUOUS:
        return ""
    label_of = {key: max(lens.reasons[key], key=lambda why: why.value).label for key in names}
    shown = ", ".join(f"{label_of[key]!r} {shares[key]:.0%}" for key in names[:_SHOWN])
    many = len(names) > 1
    return (
        f"the name{'s' if many else ''} of the topic {topic.name!r} mostly "
        f"mean{'' if many else 's'} something else: of the uses of {shown} mean the topic; "
        "expect wrong pages, or give a topic file with keywords beside it"
    )
