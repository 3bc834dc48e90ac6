from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.browsing import history_paths, read_paths, seconds_of

if TYPE_CHECKING:
    from pathlib import Path

A, B, C = (f"http://{name}.test/" for name in "abc")


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_history_is_cut_where_nothing_was_opened_for_a_while(tmp_path: Path) -> None:
    rows = f"url,time\n{A},2024-05-01T10:00:00Z\n{B},2024-05-01T10:05:00Z\n{C},2024-05-01T11:00:00Z\n"
    file = write(tmp_path, "history.csv", rows)
    assert read_paths(file) == [(A, B), (C,)]
    assert read_paths(file, gap=3600) == [(A, B, C)]


def test_newest_first_is_turned_around(tmp_path: Path) -> None:
    file = write(tmp_path, "history.csv", f"Time,URL\n1714557660,{B}\n1714557600,{A}\n")
    assert read_paths(file) == [(A, B)]


@pytest.mark.parametrize(
    "rows",
    [
        [{"url": A, "time": 1714557600}, {"url": B, "time": 1714557601}],
        {"Browser History": [{"url": A, "time_usec": 1714557600000000, "title": "x"},
                             {"url": B, "time_usec": 1714557601000000}]},
        [{"url": A, "visitTime": 1714557600000.5}, {"url": B, "visitTime": 1714557601000}],
        [{"URL": A, "Last Visited": "2024-05-01 10:00:00"},
         {"URL": B, "Last Visited": "2024-05-01 10:00:01+00:00"}],
    ],
    ids=["plain", "wrapped, microseconds", "milliseconds", "other names, ISO 8601"],
)  # fmt: skip
def test_exports_of_several_browsers_are_read(tmp_path: Path, rows: object) -> None:
    assert read_paths(write(tmp_path, "history.json", json.dumps(rows))) == [(A, B)]


def test_what_is_no_web_page_is_passed_over(tmp_path: Path) -> None:
    rows = f"url,time\n{A},1\nabout:settings,2\nfile:///etc/motd,3\n{B},4\n"
    assert read_paths(write(tmp_path, "history.csv", rows)) == [(A, B)]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("h.csv", "", "holds no browsing path"),
        ("h.csv", "a,b\n1,2\n", "line 2 has no URL"),
        ("h.csv", f"url,seen\n{A},1\n", "has no time"),
        ("h.csv", f"url,time\n{A},yesterday\n", "'yesterday' is no time"),
        ("h.csv", f"url,time\n{A},nan\n", "'nan' is no time"),
        ("h.csv", f"url,time\n{A},1,2\n{B},\n", "line 3 has no time"),
        ("h.json", "{", "is no JSON"),
        ("h.json", "[1, 2]", "is no history"),
        ("h.json", "{}", "is no history"),
        ("h.json", '[{"url": "http://a.test/", "time": true}]', "'True' is no time"),
        ("h.json", "[" * 100_000, "is no JSON"),
    ],
)
def test_a_bad_history_is_named_with_what_is_wrong(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_paths(write(tmp_path, name, text))


@pytest.mark.parametrize("gap", [0, -1, float("nan")])
def test_a_gap_must_be_a_time(tmp_path: Path, gap: float) -> None:
    with pytest.raises(ConfigError, match="longer than 0"):
        read_paths(write(tmp_path, "h.csv", f"url,time\n{A},1\n"), gap=gap)


@pytest.mark.parametrize("nothing", [None, "", "soon", -1, 0, float("inf"), [], "9" * 400])
def test_what_is_no_time_has_no_seconds(nothing: object) -> None:
    assert seconds_of(nothing) is None


def test_empty_lines_of_a_history_take_no_memory() -> None:
    text = "Time,URL\r\n" + "\n" * 500_000 + f"1714557600,{A}"
    tracemalloc.start()
    assert history_paths(text, ".csv", "history.csv", 1800) == [[A]]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
