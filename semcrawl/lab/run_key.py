"""The key of a run: a digest of all that its outcome depends on, and of nothing else.

Two runs of one key have the same outcome, so that a run is made once, whatever
it is called and in which experiment. A strategy's code is a part of it: one that
was edited runs again, as does all where semcrawl itself was.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semcrawl.judges import JUDGES
from semcrawl.lab.digests import DIGEST_SIZE, code_digest, file_digest, package_digest
from semcrawl.lab.model_names import fill_in, fill_in_settings, models_in
from semcrawl.lab.oracle_names import is_oracle
from semcrawl.lab.record import FORMAT
from semcrawl.lab.topic_files import topic_digests
from semcrawl.strategies import STRATEGIES
from semcrawl.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.lab.experiment import ModelPlan
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.plan import RunPlan
    from semcrawl.registry import Registry

__all__ = ["model_key", "portable", "run_key"]

_PLACES = re.compile(r"[?#,:=]")


def run_key(plan: RunPlan, web: LabWeb, truth: GroundTruth) -> str:
    """The key of a run.

    Args:
        plan: the run; its own key is not looked at.
        web: the recorded web.
        truth: what training may see, and what an oracle sees.
    """
    contender = plan.contender
    models = {model.name: model_key(model, plan, web, truth) for model in plan.models}
    return _digest(
        [
            FORMAT,
            VERSION,
            package_digest(),
            _web(web),
            portable(plan.spec),
            topic_digests(plan.spec),
            portable(fill_in(contender.strategy, models)),
            portable(fill_in(contender.judge, models)),
            contender.seeds,
            contender.crawler,
            _settings(fill_in_settings(plan.settings, models)),
            _code(contender.strategy, STRATEGIES),
            _code(contender.judge, JUDGES),
            plan.seeds,
            plan.pages,
            _seen_by_oracle(plan, truth) if is_oracle(contender.strategy) else [],
        ]
    )


def model_key(model: ModelPlan, plan: RunPlan, web: LabWeb, truth: GroundTruth) -> str:
    """The key of what is trained for a run: a digest of all that the training sees."""
    topic = plan.topic.name
    seen: list[Any] = [VERSION, package_digest(), model.kind, model.pages, model.options]
    seen += [_web(web)]
    if model.kind == "apprentice":
        judge = plan.contender.judge
        needed = {one.name: one for one in plan.models if one.name in models_in(judge)}
        keys = {name: model_key(one, plan, web, truth) for name, one in needed.items()}
        seen += [portable(fill_in(judge, keys)), _code(judge, JUDGES)]
        seen += [plan.seeds, _settings(plan.settings)]
    if model.kind in ("hmm", "context-graph"):
        held_out = truth.on_topic[topic] - truth.training[topic]
        seen += [file_digest(model.paths), sorted(truth.training[topic]), sorted(held_out)]
    if model.kind in ("hmm", "context-graph", "apprentice"):
        seen += [portable(plan.spec), topic_digests(plan.spec)]
    if model.kind == "taxonomy":
        seen += [truth.samples[model.name, topic], plan.topic.on_topic, plan.topic.name]
    if model.kind == "sites":
        lesson = truth.site_lessons[model.name, topic]
        seen += [lesson.relevant, lesson.other]
    return _digest(seen)


def portable(text: str) -> str:
    """A spec or a setting with what is in the files that it names instead of where they are.

    >>> portable("keywords:space, planet")
    'keywords:space, planet'
    """
    for part in sorted(set(_PLACES.split(text)), key=len, reverse=True):
        if _is_file(part):
            text = text.replace(part, f"<{file_digest(part)}>")
    return text


def _seen_by_oracle(plan: RunPlan, truth: GroundTruth) -> list[list[str]]:
    """An oracle sees what is on topic, and which of it is counted."""
    pages = truth.on_topic[plan.topic.name]
    return [sorted(pages), sorted(pages.intersection(plan.left_out))]


def _web(web: LabWeb) -> list[Any]:
    """The recorded web, and what of it may be crawled."""
    source = web.source
    return [web.digest, source.include, source.exclude, portable(source.background)]


def _settings(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _setting(value) for name, value in values.items()}


def _setting(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_setting(item) for item in value]
    return portable(value) if isinstance(value, str) else value


def _code(spec: str, registry: Registry) -> list[str]:
    """What a part is made of."""
    if is_oracle(spec):
        found = importlib.util.find_spec("semcrawl.lab.oracle")
        return [file_digest(found.origin)] if found and found.origin else []
    return code_digest(registry, spec)


def _is_file(name: str) -> bool:
    try:
        return bool(name) and Path(name).is_absolute() and Path(name).is_file()
    except (OSError, ValueError):
        return False


def _digest(content: object) -> str:
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_SIZE).hexdigest()
