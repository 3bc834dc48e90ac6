"""What a model was made for: digests that tell topics and judges of one name apart."""

from __future__ import annotations

import hashlib
import json

from semcrawl.errors import ConfigError
from semcrawl.relevance import Judge
from semcrawl.relevance.judges import as_judge
from semcrawl.topics import Topic


def topic_digest(topic: Topic) -> str:
    """Return a digest of a topic's name, language, keywords and concepts with weights."""
    keywords = sorted((keyword.text, float(keyword.weight)) for keyword in topic.keywords)
    concepts = sorted((concept.id, float(concept.weight)) for concept in topic.concepts)
    return _digest([topic.name, ",".join(topic.languages), keywords, concepts])


def judge_digest(judge: Judge) -> str:
    """Return a digest of the weights of a judge's lens; "" for a judge without one."""
    similarity = as_judge(judge).similarity
    if similarity is None or similarity.lens is None:
        return ""
    weights = similarity.lens.weights
    rounded = sorted((label, round(float(weight), 6)) for label, weight in weights.items())
    return _digest([type(judge).__name__, rounded])


def require_topic(model: str, name: str, digest: str, topic: Topic) -> None:
    """Raise ConfigError if a model was trained for another topic; one without a name fits any."""
    if not name:
        return
    if name != topic.name:
        ours, theirs = repr(name), repr(topic.name)
    elif digest and digest != topic_digest(topic):
        ours = f"{name!r} with the digest {digest}"
        theirs = f"another of that name, with {topic_digest(topic)}"
    else:
        return
    raise ConfigError(
        f"{model} was trained for the topic {ours}, this crawl has {theirs}: train one for it, or "
        "add any_topic=true to use it all the same"
    )


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
