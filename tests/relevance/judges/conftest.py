"""The one small collection that the worked examples are computed on."""

from __future__ import annotations

import pytest

from semcrawl.text.background import Background


@pytest.fixture(scope="session")
def background() -> Background:
    """A thousand documents; idf: asthma ln 100, inhaler ln 10, car ln 2."""
    return Background.from_counts({"asthma": 10, "inhal": 100, "car": 500}, documents=1000)
