"""A recorded web of two seeds and pages that link to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.web import open_replay

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.web import Replay

A, B, C = "http://a.test/", "http://b.test/x", "http://c.test/"
SEEDS = (A, B, C)


def links(*urls: str) -> str:
    return "".join(f"<a href='{url}'>here</a> " for url in urls)


PAGES = {
    A: f"The first seed, {links(B, C)}",
    B: "The second seed.",
    C: "The third seed.",
    "http://hub.test/all": f"Asthma links, many and good, {links(A, B, C, A)}",
    "http://hub.test/copy": f"Asthma links, many and good, {links(A, B, C)}",
    "http://hub.test/two": f"Lung doctors and hospitals, {links(A, B)}",
    "http://hub.test/one": f"A diary of some cyclist, {links(A)}",
    "http://list.test/": f"Adverts of all kinds. Directory of breathing help, {links(B, C)}",
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded web as a folder."""
    place = tmp_path_factory.mktemp("recorded")
    rows = []
    for number, (url, html) in enumerate(PAGES.items()):
        (place / f"{number}.html").write_text(f"<title>t</title>{html}", encoding="utf-8")
        rows.append(f"{url}\t{number}.html\t200\ttext/html\n")
    (place / "picture.png").write_bytes(b"\x89PNG")
    rows.append("http://hub.test/picture\tpicture.png\t200\timage/png\n")
    (place / "urls.tsv").write_text("".join(rows), encoding="utf-8")
    return place


@pytest.fixture
def web(folder: Path) -> Replay:
    return open_replay(folder)
