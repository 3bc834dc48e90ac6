"""The two crawlers that see the labels, by name: the best that is possible."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from semcrawl.registry import split_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ORACLES", "is_oracle"]

ORACLES: Mapping[str, str] = MappingProxyType(
    {"oracle": "oracle", "oracle (sources)": "oracle:sees=sources"}
)
"""Their strategies by the names that they have in a report."""


def is_oracle(strategy: str) -> bool:
    """Whether a strategy is one of the oracles, which sees labels.

    >>> is_oracle("oracle:sees=sources"), is_oracle("breadth-first")
    (True, False)
    """
    return split_spec(strategy)[0] == "oracle"
