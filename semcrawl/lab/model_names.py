"""Models named in braces: ``hmm:model={browsing}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.lab.experiment import Contender

__all__ = ["fill_in", "fill_in_settings", "models_in", "models_named"]

_BRACES = re.compile(r"\{([^{}]*)\}")


def models_in(text: str) -> tuple[str, ...]:
    """The models that a text names.

    >>> models_in("taxonomy:model={tree}")
    ('tree',)
    """
    return tuple(dict.fromkeys(_BRACES.findall(text)))


def models_named(contender: Contender) -> tuple[str, ...]:
    """The models that a crawler's strategy, judge and settings name, each once.

    >>> from semcrawl.lab.experiment import Contender
    >>> models_named(Contender(strategy="hmm:model={browsing}"))
    ('browsing',)
    """
    settings = (value for value in contender.settings.values() if isinstance(value, str))
    return models_in(" ".join([contender.strategy, contender.judge, *settings]))


def fill_in(text: str, values: Mapping[str, str]) -> str:
    """A text with what stands for each model in the place of its braces.

    >>> fill_in("hmm:model={browsing}", {"browsing": "/models/1.hmm"})
    'hmm:model=/models/1.hmm'
    """
    return _BRACES.sub(lambda found: values.get(found[1], found[0]), text)


def fill_in_settings(settings: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """The same for the texts among settings."""
    return {
        name: fill_in(value, values) if isinstance(value, str) else value
        for name, value in settings.items()
    }
