"""The demo web, made once for all tests of this folder."""

from __future__ import annotations

import pytest

from semcrawl.demo import DemoWeb, demo_web


@pytest.fixture(scope="session")
def web() -> DemoWeb:
    return demo_web()
