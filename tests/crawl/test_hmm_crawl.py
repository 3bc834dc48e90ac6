"""The states of the HMM crawlers flow along the path, through stops as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.models.hmm import save_hmm, train_hmm
from semcrawl.models.training_options import HmmOptions
from semcrawl.text.background import Background
from semcrawl.text.terms import count_terms
from tests.crawl.conftest import html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXTS = {
    "": "portal news weather",
    "health": "health hospital doctor",
    "lungs": "lungs breathing doctor",
    "asthma": "asthma inhaler wheezing",
    "wheeze": "wheezing asthma breath",
    "sport": "football match goal",
    "goal": "goal team league",
}
LINKS = {
    "": ("sport", "health"),
    "sport": ("goal", ""),
    "goal": ("sport",),
    "health": ("lungs", "sport"),
    "lungs": ("asthma", "wheeze"),
    "asthma": ("wheeze",),
}
HOST = "http://a.test/"


def write_model(file: Path) -> Path:
    paths = ("/health/lungs/asthma", "/sport//health/lungs/wheeze", "/sport/goal/sport")
    urls = [tuple(HOST + name for name in path.split("/")) for path in paths]
    pages = {HOST + name: count_terms(text) for name, text in TEXTS.items()}
    targets = {f"{HOST}asthma", f"{HOST}wheeze"}
    model = train_hmm(urls, targets, pages, Background.default(), HmmOptions(neighbours=1))
    save_hmm(model, file)
    return file


def visits(folder: Path) -> list[str]:
    with CrawlGraph.read(folder) as graph:
        return [row["url"].removeprefix(HOST) for row in graph.query("harvest")]


@pytest.mark.parametrize("strategy", ["hmm", "hybrid-hmm", "hybrid-hmm-anchor"])
def test_a_stopped_crawl_goes_on_as_if_it_had_not(
    strategy: str, make_web: Callable[[dict[str, str | tuple[int, str]]], Path], tmp_path: Path
) -> None:
    pages: dict[str, str | tuple[int, str]] = {
        HOST + name: html(name, {f"/{to}": "more" for to in LINKS.get(name, ())}, text) for name, text in TEXTS.items()
    }
    web, model = str(make_web(pages)), write_model(tmp_path / "m.hmm")
    settings: dict[str, Any] = {"strategy": f"{strategy}:model={model}", "replay": [web]}
    with Crawl("keywords:asthma", [HOST], tmp_path / "whole", **settings) as crawl:
        crawl.run()
    with Crawl("keywords:asthma", [HOST], tmp_path / "parts", pages=1, **settings) as crawl:
        crawl.run()
    for number in range(2, len(TEXTS) + 1):
        with Crawl.resume(tmp_path / "parts", pages=number) as crawl:
            crawl.run()
    order = visits(tmp_path / "whole")
    assert visits(tmp_path / "parts") == order
    assert order.index("lungs") < order.index("goal")
