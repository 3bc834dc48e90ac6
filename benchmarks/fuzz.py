"""Fuzzing: random, mutated and forged inputs for every reader of foreign bytes, for some minutes.

The kinds are those of ``tests/fuzz/targets.py``, of which the tests try a few inputs each.
An input that fails, or takes more than ``SLOWEST``, is made as small as it can be and kept in
``FOLDER/KIND/``. Put it into ``tests/fuzz/failures/KIND/``, and it is a test. An input that ends
the process is left there as ``running``.
"""

from __future__ import annotations

import hashlib
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from benchmarks.checks import Check
from tests.fuzz.targets import TARGETS, Target

__all__ = ["run"]

SLOWEST = 20  # seconds of CPU that one input may take
ROUND = 300  # inputs between two looks at the clock


def run(*, quick: bool, minutes: float | None = None, failures: Path | None = None) -> list[Check]:
    """Fuzz every kind for its share of the minutes; 2 where none are given, or a half."""
    folder = failures or Path(tempfile.mkdtemp(prefix="semcrawl-fuzz-failures-"))
    share = 60 * (minutes or (0.5 if quick else 2)) / len(TARGETS)
    tried: Counter[str] = Counter()
    failed: dict[str, int] = {}
    for target in TARGETS.values():
        failed[target.name] = _fuzz(target, folder / target.name, share, tried)
        print(f"{target.name}: {tried[target.name]:,} inputs, {failed[target.name]} failures", flush=True)
    if any(failed.values()):
        print(f"the inputs that failed are in {folder}")
    return [Check("inputs", tried.total(), "at least", 1), Check("failures", sum(failed.values()), "at most", 0)]


def _fuzz(target: Target, folder: Path, seconds: float, tried: Counter[str]) -> int:
    """Try inputs until the time is over; how many different failures were kept."""
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + seconds
    kept: set[str] = set()
    while time.monotonic() < until:
        failing: list[bytes] = []
        try:
            _round(target, folder / "running", failing, tried)
        except Exception as problem:  # noqa: BLE001 - any is a finding
            # The last one that failed is the smallest that was found.
            digest = hashlib.sha256(failing[-1]).hexdigest()[:12] if failing else "no-input"
            if digest not in kept:
                (folder / digest).write_bytes(failing[-1] if failing else b"")
                (folder / f"{digest}.txt").write_text("".join(traceback.format_exception(problem)))
            kept.add(digest)
    (folder / "running").unlink(missing_ok=True)
    return len(kept)


def _round(target: Target, running: Path, failing: list[bytes], tried: Counter[str]) -> None:
    @settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def holds(data: bytes) -> None:
        tried[target.name] += 1
        running.write_bytes(data)
        try:
            with tempfile.TemporaryDirectory() as place:
                _in_time(lambda: target.check(data, Path(place)))
        except BaseException:
            failing.append(data)
            raise

    holds()


def _in_time(work: Callable[[], object]) -> None:
    def too_slow(*_: Any) -> None:
        raise TimeoutError(f"it took more than {SLOWEST} seconds of CPU")

    before = signal.signal(signal.SIGPROF, too_slow)
    signal.setitimer(signal.ITIMER_PROF, SLOWEST)
    try:
        work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
