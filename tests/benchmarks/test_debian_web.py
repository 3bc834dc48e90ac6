"""The Debian web, where it was built; where not, only its list of packages is looked at."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import benchmarks.debian_web
from benchmarks.debian_web import read_truth, web_folder
from semcrawl.page import read_page
from semcrawl.web import open_replay

BUILT = (web_folder() / "sites.tsv").is_file()
needs_web = pytest.mark.skipif(not BUILT, reason="python -m benchmarks.debian_web was not run")


def test_list_has_enough_packages_over_enough_topics() -> None:
    lines = Path(benchmarks.debian_web.__file__).with_name("debian_packages.tsv").read_text()
    rows = [line.split("\t") for line in lines.splitlines() if not line.startswith("#")]
    packages = [row[1] for row in rows]
    assert len(packages) == len(set(packages)) >= 60
    topics = Counter(row[0] for row in rows)
    assert len(topics) >= 8
    assert min(topics.values()) >= 6


def test_cache_folder_is_given_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SEMCRAWL_CACHE", str(tmp_path))
    assert web_folder() == tmp_path / "debian-web"
    assert web_folder("elsewhere") == Path("elsewhere/debian-web")


@needs_web
def test_every_site_has_a_homepage_that_answers() -> None:
    replay = open_replay(web_folder() / "pages.warc.gz")
    for site in read_truth(web_folder()):
        answer = replay.fetch(f"http://{site.host}/")
        assert read_page(replay.fetch(answer.redirect) if answer.redirect else answer).url
