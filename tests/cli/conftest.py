"""The command line as a person uses it, in this process, over a small recorded web."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from semcrawl.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEED = "http://a.test/"

PAGES = {
    SEED: '<title>Start</title><p>A page. <a href="/asthma">asthma</a> <a href="/cars">cars</a>'
    '<a href="/gone">gone</a>',
    "http://a.test/asthma": "<title>Asthma [bold]\x1b[31m</title><p>Asthma asthma of the lungs."
    ' <a href="http://b.test/">bronchial asthma</a> <a href="/asthma2">more asthma</a>',
    "http://a.test/asthma2": "<title>Inhalers</title><p>An asthma attack, bronchial asthma.",
    "http://a.test/cars": '<title>Cars</title><p>Wheels and engines. <a href="/vans">vans</a>',
    "http://a.test/vans": "<title>Vans</title><p>Larger cars.",
    "http://b.test/": '<title>Asthma, elsewhere</title><p>Asthma. <a href="http://a.test/">back</a>',
}


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    def fails(self, code: int, *words: str) -> None:
        """It failed with this code and one line on stderr, which holds all the words."""
        assert self.code == code, self
        assert self.out == ""
        assert self.err.startswith("semcrawl: error: "), self.err
        assert self.err.count("\n") == 1
        for word in words:
            assert word in self.err


def write_web(folder: Path, pages: dict[str, str]) -> Path:
    """Write a recorded web as a folder with a map of its URLs."""
    folder.mkdir()
    lines = []
    for number, (url, page) in enumerate(pages.items()):
        (folder / f"{number}.html").write_text(page, encoding="utf-8")
        lines.append(f"{url}\t{number}.html\t200\ttext/html; charset=utf-8\n")
    (folder / "urls.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded web of PAGES."""
    return write_web(tmp_path_factory.mktemp("recorded") / "web", PAGES)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run ``semcrawl`` with the given words, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["semcrawl", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        written = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return Ran(code, written.out, written.err)

    return command


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory, web: Path) -> Path:
    """The folder of a finished crawl of the recorded web; not to be written to."""
    from semcrawl import Crawl

    folder = tmp_path_factory.mktemp("finished") / "asthma"
    with Crawl(
        "wordnet:asthma", [SEED], folder, replay=(str(web),), strategy="best-first-page-anchor", judge="labels"
    ) as crawl:
        crawl.run()
    return folder
