from __future__ import annotations

import re

import pytest

from semcrawl.web import DropReason


@pytest.mark.parametrize("reason", list(DropReason))
def test_a_reason_is_its_local_name_and_explains_itself(reason: DropReason) -> None:
    assert re.fullmatch(r"([A-Z][a-z]+)+", reason.value)
    assert str(reason) == reason.value == f"{reason}"
    assert DropReason(reason.value) is reason
    assert re.fullmatch(r"[A-Z].*\w\.", reason.sentence)
