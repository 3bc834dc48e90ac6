from __future__ import annotations

import gzip
import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.models.browsing import click_distances, last_pages, read_paths, read_targets, urls_of

A, B, C, T = (f"http://{name}.test/" for name in "abct")


def test_a_line_is_a_path_and_comments_and_empty_lines_are_none(tmp_path: Path) -> None:
    file = tmp_path / "paths.tsv"
    file.write_text(f"# mine\n{A}\t{B}\t{T}\n\n{C}\t{T}\r\n", encoding="utf-8")
    assert read_paths(file) == [(A, B, T), (C, T)]


def test_urls_become_canonical_and_reloads_one_step(tmp_path: Path) -> None:
    file = tmp_path / "paths.tsv"
    file.write_text("HTTP://A.test:80\thttp://a.test/#top\t\thttp://b.test\n", encoding="utf-8-sig")
    assert read_paths(file) == [(A, B)]


def test_a_gzipped_file_is_read_in_all_its_members(tmp_path: Path) -> None:
    file = tmp_path / "paths.tsv.gz"
    file.write_bytes(gzip.compress(f"{A}\t{B}\n".encode()) + gzip.compress(f"{C}\n".encode()))
    assert read_paths(file) == [(A, B), (C,)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "holds no browsing path"),
        (b"# nothing but this\n\n", "holds no browsing path"),
        (b"http://a.test/\tnot a url\n", "line 1"),
        (b"http://a.test/\nmailto:me@a.test\n", "line 2"),
        (b"http://a.test/ \xff\xfe\n", "no UTF-8"),
        (gzip.compress(b"http://a.test/\n" * 50, mtime=0)[:-9], "cut off"),
        (b"\x1f\x8b garbage", "damaged gzip"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "paths.tsv"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=words) as raised:
        read_paths(file)
    assert "paths.tsv" in str(raised.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.tsv: No such file"):
        read_paths(tmp_path / "gone.tsv")


def test_targets_are_a_url_a_line(tmp_path: Path) -> None:
    file = tmp_path / "targets.txt"
    file.write_text(f"# sought\n{T}\n  {A}\n", encoding="utf-8")
    assert read_targets(file) == {T, A}
    file.write_text("# none\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="names no target"):
        read_targets(file)
    file.write_text("ftp://a.test/\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="line 1"):
        read_targets(file)


def test_distances_are_the_fewest_clicks_over_all_paths() -> None:
    # A-B-C-T is three clicks, but another path went from B to T at once: A is two away.
    paths = [(A, B, C, T), (B, T)]
    assert click_distances(paths, {T}) == {T: 0, B: 1, C: 1, A: 2}


def test_pages_after_the_last_target_have_no_distance() -> None:
    assert click_distances([(A, T, B, C)], {T}) == {T: 0, A: 1}


def test_targets_that_no_path_has_count_for_nothing() -> None:
    assert click_distances([(A, B)], {T}) == {}


PATHS = st.lists(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=6).map(tuple), min_size=1, max_size=6)


@given(PATHS, st.sets(st.sampled_from("abcdefg")))
def test_a_click_brings_nobody_nearer_than_by_one(paths: list[tuple[str, ...]], targets: set[str]) -> None:
    found = click_distances(paths, targets)
    far = len("abcdefg")
    for path in paths:
        for source, target in pairwise(path):
            assert found.get(source, far) <= found.get(target, far) + 1
    assert {url for url, distance in found.items() if distance == 0} == targets & set(urls_of(paths))


@pytest.mark.data
def test_the_recorded_browsing_paths_are_read() -> None:
    data = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data"))
    file = data / "schools-wikipedia" / "browsing-paths.tsv.gz"
    if not file.is_file():
        pytest.skip(f"there are no browsing paths at {file}; set SEMCRAWL_DATA")
    paths = read_paths(file)
    assert len(paths) == 51_312
    assert last_pages(paths) <= set(urls_of(paths))


def test_a_gap_is_for_histories_only(tmp_path: Path) -> None:
    (tmp_path / "paths.tsv").write_text(f"{A}\t{B}\n")
    with pytest.raises(ConfigError, match=r"paths\.tsv are paths already: leave it out"):
        read_paths(tmp_path / "paths.tsv", gap=60)


def test_files_may_be_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "paths.tsv").write_text(f"{A}\t{B}\n")
    (tmp_path / "targets.txt").write_text(f"{B}\n")
    assert read_paths("~/paths.tsv") == [(A, B)]
    assert read_targets("~/targets.txt") == {B}
