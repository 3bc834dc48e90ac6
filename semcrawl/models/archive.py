"""Model files are ZIP archives of a manifest, words and arrays: how they are written.

The same members always give the same bytes. Nothing is ever pickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.relevance import Judge
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
           ValueError, KeyError, msgspec.DecodeError)  # fmt: skip
"""What reading a damaged archive can raise, beside OSError."""

_TIME = (1980, 1, 1, 0, 0, 0)


class ModelHead(msgspec.Struct):
    """What can be read of a manifest of any format."""

    kind: str = ""
    format: int = 0
    made_by: str = ""
    facts: msgspec.Raw = msgspec.Raw(b"")


def write_archive(target: Path, members: Mapping[str, bytes]) -> None:
    """Write the members to a file; a failure leaves the old file as it was.

    Raises:
        ConfigError: the file cannot be written.
    """
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            for name, data in members.items():
                archive.writestr(zipfile.ZipInfo(name, _TIME), data, zipfile.ZIP_DEFLATED)
        unfinished.replace(target)
    except OSError as error:
        raise ConfigError(f"cannot write the model {target}: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def array_bytes(array: Any) -> bytes:
    """An array in numpy's own format."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def background_bytes(background: Background) -> bytes:
    """Document frequencies, as ``Background.save`` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        background.save(f"{folder}/background")
        return Path(folder, "background").read_bytes()


# What a model was made for: digests that tell topics and judges of one name apart.


def topic_digest(topic: Topic) -> str:
    """A digest of what a topic is about: its name, language, keywords and concepts with weights.

    Seeds, examples and description say nothing of what is relevant. Nor does it
    matter in which order the parts come, or where an ontology's file lies.
    """
    keywords = sorted((keyword.text, float(keyword.weight)) for keyword in topic.keywords)
    concepts = sorted((concept.id, float(concept.weight)) for concept in topic.concepts)
    return _digest([topic.name, topic.language, keywords, concepts])


def judge_digest(judge: Judge) -> str:
    """A digest of what a judge looks for, with its options; "" where it cannot be seen.

    It is seen of judges that look through a lens, by the weights of its labels.
    """
    weights = getattr(getattr(getattr(judge, "similarity", None), "lens", None), "weights", None)
    if not isinstance(weights, dict):
        return ""
    rounded = sorted((str(label), round(float(weight), 6)) for label, weight in weights.items())
    return _digest([type(judge).__name__, rounded])


def require_topic(model: str, name: str, digest: str, topic: Topic) -> None:
    """See to it that a model is for a topic; one without a name is for any.

    A model without a digest, of an earlier version, goes by the name alone.

    Raises:
        ConfigError: it was trained for another topic.
    """
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
