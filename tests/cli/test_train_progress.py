from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from semcrawl.cli.progress import PageProgress

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    """A stderr that someone watches."""

    def isatty(self) -> bool:
        return True


def read(progress: PageProgress, pages: int) -> None:
    with progress:
        for _ in range(pages):
            progress(pages)


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    read(PageProgress(), 40)
    assert "Reading pages" in screen.getvalue()
    assert "100%" in screen.getvalue()


def test_lines_elsewhere_and_none_for_what_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    read(PageProgress(every=3600), 3)
    assert capsys.readouterr().err == ""
    read(PageProgress(every=0), 2)
    assert capsys.readouterr() == ("", "1 of 2 pages read\n2 of 2 pages read\n")
