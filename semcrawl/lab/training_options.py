"""Options of trainings in an experiment, named as on the command line of ``semcrawl train``."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

import msgspec

from semcrawl.errors import ConfigError, LabError
from semcrawl.lab.experiment import ModelPlan
from semcrawl.models import training_options as options


class LabApprenticeOptions(options.ApprenticeOptions, frozen=True):
    """``strategy`` is the crawler whose pages an apprentice learns from."""

    strategy: str = "soft-focus:n=1"  # the baseline in Chakrabarti et al. 2002


_KINDS: dict[str, type[options.TrainingOptions]] = {
    "hmm": options.HmmOptions,
    "context-graph": options.ContextGraphOptions,
    "apprentice": LabApprenticeOptions,
    "taxonomy": options.TaxonomyOptions,
    "sites": options.SiteTrainingOptions,
}


def hint_for(name: str, names: Iterable[str]) -> str:
    """What somebody may have meant by an unknown name.

    >>> hint_for("titel", ["title", "about"]), hint_for("x", ["title", "about"])
    ("did you mean 'title'?", 'there are: title, about')
    """
    known = list(names)
    near = get_close_matches(name, known, n=1)
    listed = f"there are: {', '.join(known)}" if known else "there is none"
    return f"did you mean {near[0]!r}?" if near else listed


def read_options(plan: ModelPlan) -> Any:
    """Return the training options of a model; LabError for an unknown one or a wrong value."""
    kind = _KINDS[plan.kind]
    values = {name.replace("-", "_"): value for name, value in plan.options.items()}
    known = kind.__struct_fields__
    for name in values:
        if name not in known:
            what = f"{plan.kind} has no option {name!r}; {hint_for(name, known)}"
            raise LabError(f"model {plan.name}: {what}")
    for name, meta in options.field_metas(kind):
        words = (meta.extra or {}).get("words", {})
        if values.get(name) in words:
            values[name] = words[values[name]]
    try:
        with suppress(TypeError):
            kind(**values)  # a number out of bounds is told in our words
        made = msgspec.convert(values, type=kind)
        if isinstance(made, options.ApprenticeOptions):
            from semcrawl.models.apprentice import feature_kinds

            feature_kinds(made)
    except (msgspec.ValidationError, ConfigError) as error:
        what = str(error).replace(" - at `$.", " at `")
        raise LabError(f"model {plan.name}: options: {what}") from error
    return made
