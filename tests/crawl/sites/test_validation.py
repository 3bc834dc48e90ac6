"""Ten-fold cross-validation over sites (Ester 2004, section 5.2, table 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.crawl.sites.progress import SiteTally
from semcrawl.crawl.sites.rivals import validate_sites
from semcrawl.errors import ConfigError
from semcrawl.models.site_training import SiteSample, read_site
from semcrawl.models.training_options import SiteTrainingOptions
from semcrawl.models.training_pages import PageSource
from semcrawl.web import open_replay
from tests.crawl.sites.conftest import page, write_web

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.web import Replay

BAYES = SiteTrainingOptions(classifier="naive-bayes")
INSIDE = {
    "boat": ("Sails and mast of a boat", "A keel, wind and a harbour"),
    "ball": ("A goal in the match", "Tickets for the stadium, a team"),
}


def web_of(folder: Path, number: int) -> Replay:
    """Sites of two kinds; the homepages of one in four are those of the other kind."""
    pages: dict[str, str | tuple[int, str]] = {}
    for kind, other in (("boat", "ball"), ("ball", "boat")):
        for n in range(number):
            home = f"http://{kind}{n}.test/"
            pages[home] = page(f"Welcome, {INSIDE[kind if n % 4 else other][0]}", "/1", "/2", "/3")
            for inner in (1, 2, 3):
                pages[f"{home}{inner}"] = page(" ".join(INSIDE[kind]))
    return open_replay(write_web(folder, pages))


def samples_of(web: Replay, number: int) -> dict[str, list[SiteSample]]:
    source = PageSource(web)
    return {kind: [read_site(f"http://{kind}{n}.test/", source) for n in range(number)] for kind in ("boat", "ball")}


def test_every_site_is_held_out_once_in_ten_folds_as_in_table_2(tmp_path: Path) -> None:
    web = web_of(tmp_path / "web", 12)
    found = validate_sites(samples_of(web, 12), web, BAYES)
    assert found.folds == 10
    assert sum(found.several) == sum(found.homepage) == 24


def test_several_pages_tell_sites_that_homepages_do_not_as_in_section_5_2(tmp_path: Path) -> None:
    web = web_of(tmp_path / "web", 8)
    # A homepage alone makes the classifier of these tidy sites surer than the usual 0.9.
    found = validate_sites(samples_of(web, 8), web, BAYES, p_threshold=0.99)
    assert found.several == SiteTally(right=8, refused=8)
    assert found.homepage.f_measure is not None
    assert found.homepage.f_measure < 1
    assert 1 < found.pages <= 4


def test_with_few_sites_there_are_as_many_folds_as_the_smallest_class_has(tmp_path: Path) -> None:
    web = web_of(tmp_path / "web", 3)
    samples = samples_of(web, 3)
    assert validate_sites(samples, web, BAYES).folds == 3
    samples["ball"] = samples["ball"][:1]
    with pytest.raises(ConfigError, match="two relevant sites and two others"):
        validate_sites(samples, web, BAYES)
