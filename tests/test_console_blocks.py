"""Every console block of the docs is run, page by page, from a wheel in an empty folder.

Each line that a page shows below a command must be in what is printed, in that order, but for its
numbers, which change with the crawlers, and for what `...` or `…` stands for. Blocks that a page
says to save ("as `name`:") are saved; in tutorials the blocks of Python are run as well. A page
that links to the practice folder is followed in one. A block below `<!-- not run: REASON -->` is
left out: it needs what a test cannot have.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.between_workers import shared_folder
from tests.installed import ROOT, Installed, Step

PRACTICE = "crawling.md#a-folder-to-practise-in"
CLAIM = """
from semcrawl import CrawlGraph
with CrawlGraph.open("lungs") as graph:
    graph.claim()
"""
"""Makes the crawl of a copied folder the user's own, as if it had been made there."""

BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^>]+) -->\n)?(?:as `(?P<name>[\w.-]+)`:\n\n)?"
    r"```(?P<kind>\w+)\n(?P<text>.*?)```",
    re.DOTALL,
)
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "```console" in (text := page.read_text("utf-8")) or page.stem.startswith("tutorial")
]


def blocks(text: str) -> list[re.Match[str]]:
    """The blocks of a page that are run."""
    return [block for block in BLOCK.finditer(text) if not block["reason"]]


def commands(block: str) -> list[str]:
    """The commands of a console block, each in one line."""
    return re.findall(r"^\$ (.*)", re.sub(r"\\\n\s*", "", block), re.MULTILINE)


def steps(page: Path) -> list[Step]:
    """What a page says to do; blocks of other kinds are not run."""
    text = page.read_text("utf-8")
    found: list[Step] = []
    for block in blocks(text):
        if block["name"] or (block["kind"] == "python" and page.stem.startswith("tutorial")):
            found.append((block["kind"], block["name"] or "", block["text"]))
        elif block["kind"] == "console":
            found += [("console", "", command) for command in commands(block["text"])]
    return found


@pytest.fixture(scope="session")
def practice(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The practice folder, made once for all workers; pages get copies of it."""
    page = (ROOT / "docs" / "crawling.md").read_text("utf-8")
    section = page.split("## A folder to practise in\n")[1].split("\n## ")[0]
    made = [("console", "", one) for block in blocks(section) for one in commands(block["text"])]
    with shared_folder(tmp_path_factory, "practice") as shared:
        if not (shared / "done").exists():
            (shared / "folder").mkdir()
            installed.follow(shared / "folder", made)
            (shared / "done").touch()
    return shared / "folder"


def plain(text: str) -> str:
    """A text without its numbers, and with one space for many: columns are as wide as these."""
    return re.sub(r"[ \t]+", " ", re.sub(r"[+-]?\d[\d.,]*", "0", text))


def shown(page: Path) -> list[str]:
    """The lines of output that a page shows, and its commands, in order."""
    text = page.read_text("utf-8")
    run = [block["text"] for block in blocks(text) if block["kind"] == "console"]
    lines = "".join(re.sub(r"\\\n\s*", "", block) for block in run).splitlines()
    parts = [part.strip() for line in lines for part in re.split(r"…|\.\.\.", line)]
    return [plain(part) for part in parts if part]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_can_be_followed(page: Path, installed: Installed, practice: Path, tmp_path: Path) -> None:
    wanted = steps(page)
    assert [text for kind, _, text in wanted if kind == "console" and text[:8] != "semcrawl"] == []
    if PRACTICE in page.read_text("utf-8"):
        shutil.copytree(practice, tmp_path, dirs_exist_ok=True)
        installed.follow(tmp_path, [("python", "", CLAIM)])
    rest = plain(installed.follow(tmp_path, wanted))
    for line in shown(page):
        assert line in rest, f"{line!r} is not in what is printed from here on:\n{rest[:3000]}"
        rest = rest[rest.index(line) + len(line) :]


def test_few_blocks_are_not_run() -> None:
    texts = [page.read_text("utf-8") for page in PAGES]
    reasons = [block["reason"] for text in texts for block in BLOCK.finditer(text)]
    assert len(list(filter(None, reasons))) <= 8
