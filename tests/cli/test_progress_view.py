from __future__ import annotations

import io

from rich.console import Console

from semcrawl.cli.progress_view import TerminalView
from semcrawl.crawl import PageVisited, Progress


def shown(*titles: str, goal: int = 0, width: int = 100) -> str:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=width, color_system=None)
    with TerminalView(goal, console) as view:
        for step, title in enumerate(titles, 1):
            progress = Progress(pages=step, relevant=1, waiting=7, hosts=1)
            url = f"http://a.test/{step}"
            view(PageVisited(step, url, title, 0.5, step % 2 == 1, 1.0, 0, progress))
    return screen.getvalue()


def test_the_live_view_shows_figures_and_latest_pages() -> None:
    picture = shown("Asthma", "Cars", goal=10)
    assert "waiting for the first page" in picture
    assert "2 pages, 1 relevant (50%)" in picture
    assert "20% of 10" in picture
    assert "● 0.50  Asthma  http://a.test/1" in picture
    assert "○ 0.50  Cars  http://a.test/2" in picture


def test_only_the_five_latest_pages_are_shown() -> None:
    last = shown(*(f"Page {n}." for n in range(1, 8))).rpartition("7 pages")[2]
    assert "Page 2." not in last
    assert [n for n in range(1, 8) if f"Page {n}." in last] == [3, 4, 5, 6, 7]


def test_a_page_without_a_title_is_shown_by_its_url() -> None:
    assert "0.50  http://a.test/1  http://a.test/1" in shown("")


def test_a_title_can_neither_steer_the_terminal_nor_the_markup() -> None:
    picture = shown("[red]\x1b[2Jgone[/red]\nsecond")
    assert "[red]\ufffd[2Jgone[/red] second" in picture


def test_a_narrow_window_cuts_lines_and_does_not_fold_them() -> None:
    picture = shown("A very long title " * 4, width=40).splitlines()
    assert max(len(line.split("\r")[-1]) for line in picture if "0.50" in line) <= 60
    assert any(line.rstrip().endswith("…") for line in picture if "0.50" in line)
