"""What long work tells reaches who listens, and the command line shows it after a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.cli.progress import ReadingProgress, working
from semcrawl.progress import listening, tell

if TYPE_CHECKING:
    import pytest


def test_who_listens_is_told() -> None:
    heard: list[str] = []
    tell("nobody listens")
    with listening(heard.append):
        tell("half")
        tell("")
    tell("nobody listens")
    assert heard == ["half", ""]


def test_what_takes_long_is_shown_a_line_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    with listening(ReadingProgress(after=0.0, every=0.0)):
        tell("big.owl: 1,000\nstatements read\x1b[2J")
        tell("")
    assert capsys.readouterr().err.startswith("big.owl: 1,000 statements read")


def test_what_is_quick_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with listening(ReadingProgress(after=60.0)):
        tell("small.owl: read")
        tell("")
    assert capsys.readouterr().err == ""


def test_in_a_terminal_one_line_is_redrawn_and_cleared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    progress = ReadingProgress(after=0.0)
    progress("one")
    progress("")
    progress("")
    assert capsys.readouterr().err == "\r\x1b[Kone\r\x1b[K"


def test_work_that_takes_long_is_told_in_a_terminal_until_it_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with working("asking the crawl", after=0.02):
        told = ""
        while not told:
            told = capsys.readouterr().err
    assert told.startswith("\r\x1b[Kasking the crawl, 0 s")
    assert capsys.readouterr().err.endswith("\r\x1b[K")


def test_elsewhere_nobody_is_told_that_work_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with working("asking the crawl", after=0.0):
        pass
    assert capsys.readouterr().err == ""
