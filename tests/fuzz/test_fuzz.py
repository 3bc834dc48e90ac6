"""A few inputs of every kind that is fuzzed, and again every one that once failed."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from tests.fuzz.targets import TARGETS, Target

FAILURES = Path(__file__).with_name("failures")
FEW = {"graphs": 4, "folders": 15, "answers": 40, "models": 40}
"""Kinds whose inputs take longer than a few milliseconds."""


@pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))
def test_any_input_is_read_or_refused(target: Target) -> None:
    @settings(max_examples=FEW.get(target.name, 100))
    @given(target.inputs)
    def holds(data: bytes) -> None:
        with TemporaryDirectory() as place:
            target.check(data, Path(place))

    holds()


@pytest.mark.parametrize("file", sorted(FAILURES.glob("*/*")), ids=lambda file: f"{file.parent.name}-{file.name}")
def test_what_once_failed_holds(file: Path, tmp_path: Path) -> None:
    TARGETS[file.parent.name].check(file.read_bytes(), tmp_path)
