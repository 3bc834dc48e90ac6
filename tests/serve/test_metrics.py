"""Figures for Prometheus, in its text format."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from semcrawl.serve.monitor_routes import _lines
from tests.serve.conftest import PAGES

if TYPE_CHECKING:
    from tests.serve.conftest import Served

SAMPLE = re.compile(r'([a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (\d+(\.\d+)?(e[+-]\d+)?)')


def test_every_line_is_a_sample_or_says_what_samples_mean(served: Served) -> None:
    answer = served.client.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    explained: set[str] = set()
    typed: dict[str, str] = {}
    for line in answer.text.splitlines():
        if line.startswith("# HELP "):
            explained.add(line.split()[2])
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            typed[name] = kind
        else:
            found = SAMPLE.fullmatch(line)
            assert found, line
            assert found[1] in explained & typed.keys()
    assert all(name.startswith("semcrawl_") for name in typed)
    assert all(name.endswith("_total") == (kind == "counter") for name, kind in typed.items())


def test_the_figures_of_the_crawl_are_there(served: Served) -> None:
    lines = served.client.get("/metrics").text.splitlines()
    progress = served.client.get("/api/crawl").json()["progress"]
    assert f"semcrawl_crawl_pages_total {PAGES}" in lines
    assert f"semcrawl_crawl_waiting {progress['waiting']}" in lines
    assert 'semcrawl_crawl_state{state="stopped"} 1' in lines
    assert 'semcrawl_crawl_state{state="running"} 0' in lines


def test_a_label_cannot_break_out() -> None:
    *_, line = _lines("crawl_pages_total", {'a"} 1\n\\': 2.0}, "pool")
    assert line == r'semcrawl_crawl_pages_total{pool="a\"} 1\n\\"} 2'


def test_a_counter_keeps_all_its_digits() -> None:
    values = {"page": 12_345_678.0, "tables": 1_000_001, "queries": 0.25}
    *_, many, more, share = _lines("crawl_pages_total", values, "pool")
    assert many == 'semcrawl_crawl_pages_total{pool="page"} 12345678'
    assert more == 'semcrawl_crawl_pages_total{pool="tables"} 1000001'
    assert share == 'semcrawl_crawl_pages_total{pool="queries"} 0.25'
