"""An experiment with a change or two, for a quick look: fewer pages, fewer or more crawlers."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import LabError
from semcrawl.lab.cross_references import check_references
from semcrawl.lab.experiment import Contender
from semcrawl.lab.model_names import models_named
from semcrawl.lab.oracle_names import ORACLES
from semcrawl.lab.written_places import WrittenPlaces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.experiment import Experiment, Finding

__all__ = ["vary"]


def vary(
    experiment: Experiment,
    *,
    pages: int = 0,
    only: Sequence[str] = (),
    extra: Sequence[str] = (),
) -> Experiment:
    """Return the experiment with some of it changed, checked again.

    Findings about crawlers that no longer take part are left out, and what was asked after
    more pages than there are is asked at the end.

    Args:
        experiment: one that was read from a file.
        pages: how many pages each crawl may fetch; 0 for as many as it says.
        only: the names of the crawlers that take part; none for all.
        extra: strategies that take part too; ``file.py:Class`` is relative to the folder
            that semcrawl runs in.

    Raises:
        LabError: a name that is not there, or a strategy that cannot be had.
    """
    strategies = [*_chosen(experiment.strategy, only), *_added(extra)]
    there = {contender.name for contender in strategies}
    if experiment.oracles:
        there.update(ORACLES)
    named = {name for contender in strategies for name in models_named(contender)}
    budget = pages or experiment.pages
    changed = msgspec.structs.replace(
        experiment,
        pages=budget,
        at=tuple(number for number in experiment.at if number <= budget),
        strategy=tuple(strategies),
        model=tuple(model for model in experiment.model if model.name in named),
        finding=tuple(
            _within(finding, budget)
            for finding in experiment.finding
            if {*finding.left, *finding.right} <= there
        ),
    )
    check_references(changed, Path("the changed experiment"))
    return changed


def _chosen(contenders: Sequence[Contender], only: Sequence[str]) -> list[Contender]:
    names = [contender.name for contender in contenders]
    for name in only:
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
            raise LabError(f"--only: the experiment has no strategy {name!r}; {hint}")
    return [contender for contender in contenders if not only or contender.name in only]


def _added(specs: Sequence[str]) -> list[Contender]:
    here = WrittenPlaces(Path.cwd() / "--with")
    return [Contender(name=spec, strategy=here.part(spec, "--with")) for spec in specs]


def _within(finding: Finding, pages: int) -> Finding:
    return finding if finding.at <= pages else msgspec.structs.replace(finding, at=0)
