"""Small webs for crawls: pages written into a folder replay, served over real HTTP where asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.web import ReplayServer, open_replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from semcrawl.web import Replay

WORDS = "asthma lung breath inhaler bronchial disease"


def html(title: str, links: dict[str, str] | None = None, body: str = "", head: str = "") -> str:
    """A page; ``links`` maps targets to anchor texts."""
    anchors = "".join(f'<p><a href="{url}">{text}</a>' for url, text in (links or {}).items())
    return f"<html><head><title>{title}</title>{head}</head><body><p>{body}{anchors}</body></html>"


@pytest.fixture
def make_web(tmp_path: Path) -> Callable[[dict[str, str | tuple[int, str]]], Path]:
    """Write a folder replay from URL to HTML, or to (status, content or redirect target)."""

    def make(pages: dict[str, str | tuple[int, str]]) -> Path:
        folder = tmp_path / "web"
        folder.mkdir()
        lines = []
        for number, (url, page) in enumerate(pages.items()):
            status, content = page if isinstance(page, tuple) else (200, page)
            if 300 <= status < 400:
                lines.append(f"{url}\t{content}\t{status}")
                continue
            (folder / f"{number}.html").write_text(content, encoding="utf-8")
            kind = "text/plain" if url.endswith("robots.txt") else "text/html"
            lines.append(f"{url}\t{number}.html\t{status}\t{kind}")
        (folder / "urls.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return folder

    return make


@pytest.fixture
def serve() -> Iterator[Callable[[Path], ReplayServer]]:
    """Serve a folder replay over real HTTP until the test ends."""
    running: list[ReplayServer] = []

    def start(folder: Path) -> ReplayServer:
        replay: Replay = open_replay(folder)
        server = ReplayServer(replay)
        server.__enter__()
        running.append(server)
        return server

    yield start
    for server in running:
        server.__exit__(None, None, None)


@pytest.fixture(scope="session")
def web_folder(recorded: Path) -> str:
    """The name of the folder with the demo web."""
    return str(recorded)
