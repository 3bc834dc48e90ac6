"""The background that a topic has where the user names none: one for each of its languages."""

from collections.abc import Iterator
from math import ceil

from semcrawl.text.background import Background, GrowingBackground
from semcrawl.text.languages import analyser, language_code
from semcrawl.topics.labels import is_label_in
from semcrawl.topics.topic import Topic

_MOST_CONCEPTS = 20_000  # whose labels are counted; of more, every n-th


def topic_background(topic: Topic) -> Background:
    """Return the background of a topic, one by language.

    English has the shipped table. Other languages begin with the labels of the topic's sources,
    and grow with the pages of a crawl; `Background.of` gives that of each language.
    """
    codes = dict.fromkeys(map(language_code, topic.languages))
    return Background.of_languages(
        {code: Background.default() if code == "en" else GrowingBackground(_labels(topic, code)) for code in codes}
    )


def _labels(topic: Topic, language: str) -> Iterator[list[str]]:
    """Yield the terms of each concept's labels in a language, as if they were a text."""
    terms = analyser(language).terms
    graphs = {id(concept.graph): concept.graph for concept in topic.concepts}
    for graph in graphs.values():
        for concept in graph.ids[:: ceil(len(graph.ids) / _MOST_CONCEPTS) or 1]:
            own = [label.text for label in graph.labels(concept) if is_label_in([language], label)]
            if own:
                yield terms(" | ".join(own))
