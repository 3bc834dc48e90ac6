"""``python -m benchmarks [--quick] [--write] [NAME ...]``: run benchmarks, print figures and verdicts."""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.checks import machine
from benchmarks.table import PAGE, updated

if TYPE_CHECKING:
    from benchmarks.checks import Check

NAMES = (
    "road",
    "real_pages",
    "startup",
    "frontier",
    "recording",
    "mirror",
    "resume",
    "archive",
    "kills",
    "agreement",
    "lens",
    "labels",
    "ontology_cache",
    "semantic_crawl",
    "distillation",
    "classifier",
    "robustness",
    "policy_overhead",
    "distiller_gain",
    "apprentice",
    "hmm",
    "websites",
    "quality",
    "default_cost",
    "growth",
    "shards",
    "lab",
    "statements",
    "serve",
    "serve_tables",
    "picture",
    "fuzz",
    "soak",
)
"""A benchmark is a module of this package with ``run(*, quick: bool) -> list[Check]``."""


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(NAMES))
@click.option("--quick", is_flag=True, help="Smaller sizes: a look in passing, not a verdict.")
@click.option("--write", is_flag=True, help="Write the figures into the table of docs/benchmarks.md.")
@click.option("--minutes", type=float, help="How long fuzz runs.  [default: 2]")
@click.option("--failures", type=Path, help="Where fuzz keeps inputs that fail.")
def main(names: tuple[str, ...], quick: bool, write: bool, minutes: float | None, failures: Path | None) -> None:
    """Run the benchmarks NAMES, or all of them; the exit code is 1 where a target is missed."""
    print(machine() + (", quick sizes" if quick else ""))
    checks: list[Check] = []
    for name in names or NAMES:
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        more = {"minutes": minutes, "failures": failures} if name == "fuzz" else {}
        found: list[Check] = import_module(f"benchmarks.{name}").run(quick=quick, **more)
        for check in found:
            print(check)
        if write:
            PAGE.write_text(updated(PAGE.read_text("utf-8"), name, found, _when(quick=quick), NAMES), "utf-8")
        print(f"({time.monotonic() - started:.0f} s)", flush=True)
        checks += found
    missed = sum(not check.is_met for check in checks)
    print(f"\n{len(checks) - missed} of {len(checks)} targets met")
    sys.exit(1 if missed else 0)


def _when(*, quick: bool) -> str:
    """The day, and how busy the machine was: the mean of the last 15 minutes."""
    return f"{datetime.now(UTC):%Y-%m-%d}, load {os.getloadavg()[2]:.0f}{', quick' if quick else ''}"


if __name__ == "__main__":
    main()
