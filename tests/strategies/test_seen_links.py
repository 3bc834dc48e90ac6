from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, StoreError
from semcrawl.models.link_memory import FrameFile
from semcrawl.strategies.link_counts import SeenLinks

TITLE = "semcrawl links 2"
A, B, C, D = (f"http://{host}.test/" for host in "abcd")


def filled(folder: Path) -> SeenLinks:
    seen = SeenLinks()
    seen.open(folder)
    seen.add(A, [B, C])
    seen.add(B, [C])
    return seen


def test_links_are_counted_once_a_page() -> None:
    seen = SeenLinks()
    assert seen.add(A, [B, B, C])
    assert not seen.add(A, [D])
    assert [seen.in_links(url) for url in (A, B, C, D)] == [0, 1, 1, 0]
    assert A in seen
    assert B not in seen


def test_another_process_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    filled(tmp_path).close()
    again = SeenLinks()
    again.open(tmp_path)
    assert len(again) == 2
    assert again.in_links(C) == 2
    assert again.add(C, [A, D])
    again.close()
    third = SeenLinks()
    third.open(tmp_path)
    assert (third.urls, third.in_links(D), third.in_links(A)) == ([A, B, C, D], 1, 1)
    third.close()


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_file_that_ends_anywhere_is_read_up_to_its_last_whole_page(tmp_path: Path, cut: int) -> None:
    filled(tmp_path).close()
    file = tmp_path / "links.bin"
    file.write_bytes(file.read_bytes()[:-cut])
    again = SeenLinks()
    again.open(tmp_path)
    # The page that was cut off comes again, as after a crash.
    again.add(A, [B, C])
    again.add(B, [C])
    again.close()
    third = SeenLinks()
    third.open(tmp_path)
    assert [third.in_links(url) for url in (A, B, C)] == [0, 1, 2]
    third.close()


@pytest.mark.parametrize(
    "frame",
    [([], [9, 9]), ([], [0, -1]), ([], []), ([A], ["x"]), ([b"\xff"], [0]), "neither URLs nor numbers", ([], [0], 1)],
)
def test_damage_is_said_and_left_as_it_is(tmp_path: Path, frame: object) -> None:
    filled(tmp_path).close()
    file = tmp_path / "links.bin"
    frames = FrameFile(file, TITLE)
    frames.append(msgspec.msgpack.encode(frame))
    frames.append(msgspec.msgpack.encode(([], [2, 0])))
    frames.close()
    damaged = file.read_bytes()
    with pytest.raises(StoreError, match=r"links\.bin is damaged, its page 3 .* or remove it"):
        SeenLinks().open(tmp_path)
    assert file.read_bytes() == damaged


def test_bytes_overwritten_in_the_middle_are_damage(tmp_path: Path) -> None:
    filled(tmp_path).close()
    file = tmp_path / "links.bin"
    file.write_bytes(file.read_bytes().replace(b"b.test", b"x.test"))
    with pytest.raises(StoreError, match=r"links\.bin is damaged at byte"):
        SeenLinks().open(tmp_path)


def test_the_urls_of_a_torn_page_are_forgotten(tmp_path: Path) -> None:
    filled(tmp_path).close()
    file = tmp_path / "links.bin"
    whole = file.read_bytes()
    torn = filled(tmp_path)
    torn.add(D, ["http://x.test/", "http://y.test/"])
    torn.close()
    file.write_bytes(file.read_bytes()[:-3])
    again = SeenLinks()
    again.open(tmp_path)
    assert again.urls == [A, B, C]
    assert again.number("http://x.test/") is None
    assert file.read_bytes() == whole
    again.add(D, ["http://y.test/", A])
    again.close()
    third = SeenLinks()
    third.open(tmp_path)
    assert third.urls == [A, B, C, D, "http://y.test/"]
    assert list(third.pages())[-1] == (D, ["http://y.test/", A])
    third.close()


@pytest.mark.parametrize("content", ["semcrawl links 3\n+http://a.test/\n", "other", "\0" * 99])
def test_a_file_of_another_kind_or_version_is_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "links.bin").write_text(content)
    with pytest.raises(ConfigError, match=r"links\.bin was not made .* by this version"):
        SeenLinks().open(tmp_path)
    assert (tmp_path / "links.bin").read_text() == content


@pytest.mark.parametrize("cut", [0, 1, 16])
def test_a_file_torn_in_its_title_begins_anew(tmp_path: Path, cut: int) -> None:
    (tmp_path / "links.bin").write_text(f"{TITLE}\n"[:cut])
    filled(tmp_path).close()
    again = SeenLinks()
    again.open(tmp_path)
    assert len(again) == 2
    again.close()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot keep what was learned in"):
        SeenLinks().open(tmp_path / "file")


URLS = st.sampled_from([A, B, C, D])


@given(st.lists(st.tuples(URLS, st.lists(URLS, max_size=5)), max_size=8))
def test_what_is_read_is_what_was_written(pages: list[tuple[str, list[str]]]) -> None:
    with TemporaryDirectory() as folder:
        first, second = SeenLinks(), SeenLinks()
        first.open(Path(folder))
        for page, targets in pages:
            first.add(page, targets)
        first.close()
        second.open(Path(folder))
        second.close()
    assert (first.urls, first.sources, first.targets) == (second.urls, second.sources, second.targets)
    assert len(first) == len(second) == len({page for page, _ in pages})
