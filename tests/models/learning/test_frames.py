from __future__ import annotations

import signal
import struct
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, StoreError
from semcrawl.models.link_memory import FrameFile

if TYPE_CHECKING:
    from pathlib import Path

TITLE = "a memory, format 1"


def kept(path: Path | None, title: str = TITLE) -> list[bytes]:
    frames = FrameFile(path, title)
    found = [frames.read(number) for number in range(len(frames))]
    frames.close()
    return found


def written(path: Path, *frames: bytes) -> int:
    file = FrameFile(path, TITLE)
    for frame in frames:
        file.append(frame)
    file.close()
    return path.stat().st_size


def test_what_was_written_is_read_in_order(tmp_path: Path) -> None:
    written(tmp_path / "deep" / "m", b"one", b"2", b"three" * 1000)
    written(tmp_path / "deep" / "m", b"four")
    assert kept(tmp_path / "deep" / "m") == [b"one", b"2", b"three" * 1000, b"four"]


def test_frames_can_be_read_while_more_are_written(tmp_path: Path) -> None:
    file = FrameFile(tmp_path / "m", TITLE)
    for number in range(50):
        assert file.append(b"%d" % number) == number
        assert file.read(number // 2) == b"%d" % (number // 2)
    assert kept(tmp_path / "m") == [b"%d" % number for number in range(50)]  # safe unclosed, too
    file.close()


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=8))
def test_in_memory_it_is_the_same(data: list[bytes]) -> None:
    file = FrameFile(None, TITLE)
    for frame in data:
        file.append(frame)
    assert [file.read(number) for number in range(len(file))] == data


def test_a_file_torn_at_any_byte_loses_its_last_frame_only(tmp_path: Path) -> None:
    path = tmp_path / "m"
    start = written(path, b"first")
    end = written(path, b"second frame")
    whole = path.read_bytes()
    for cut in range(start, end):
        path.write_bytes(whole[:cut])
        assert kept(path) == [b"first"]
        written(path, b"another")
        assert kept(path) == [b"first", b"another"]


def test_a_file_torn_in_its_title_begins_anew(tmp_path: Path) -> None:
    for cut in range(len(TITLE) + 1):
        (tmp_path / "m").write_bytes(TITLE.encode()[:cut])
        assert kept(tmp_path / "m") == []


def test_a_killed_process_loses_no_frame_that_it_had_written(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from semcrawl.models.link_memory import FrameFile\n"
        "file = FrameFile(Path(sys.argv[1]), sys.argv[2])\n"
        "for number in range(100): file.append(b'%d' % number)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "m"), TITLE]
    done = subprocess.run(words, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert kept(tmp_path / "m") == [b"%d" % number for number in range(100)]


def test_a_last_frame_whose_bytes_never_arrived_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "m"
    written(path, b"first", b"second")
    path.write_bytes(path.read_bytes().replace(b"second", b"sec\0\0\0"))
    assert kept(path) == [b"first"]


FRAMES = (b"first", b"second frame", b"third", b"x" * 300)


@pytest.mark.parametrize("number", range(8 + len(FRAMES[1])))
@pytest.mark.parametrize("bit", [1, 128])
def test_a_changed_byte_with_frames_behind_it_is_said_and_nothing_is_cut_off(
    tmp_path: Path, number: int, bit: int
) -> None:
    path = tmp_path / "m"
    start = written(path, FRAMES[0])
    written(path, *FRAMES[1:])
    data = bytearray(path.read_bytes())
    data[start + number] ^= bit
    path.write_bytes(data)
    with pytest.raises(StoreError, match=rf"m is damaged at byte {start}, .* or remove it"):
        FrameFile(path, TITLE)
    assert path.read_bytes() == data


def test_lengths_that_all_lead_to_the_end_are_not_all_looked_at(tmp_path: Path) -> None:
    path, size = tmp_path / "m", 4_000_000  # it would take half an hour
    begin = written(path, b"first")
    words = b"".join(struct.pack("<I", max(0, size - place - 8)) for place in range(0, size, 4))
    with path.open("ab") as file:
        file.write(struct.pack("<II", 1 << 24, 0) + words)
    with pytest.raises(StoreError, match=rf"m is damaged at byte {begin}, "):
        FrameFile(path, TITLE)


def test_garbage_at_the_end_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "m"
    written(path, b"first")
    with path.open("ab") as file:
        file.write(b"\xff" * 100)
    assert kept(path) == [b"first"]


@pytest.mark.parametrize("content", ["another memory, format 1\n", "\x00" * 64, TITLE + ", more\n"])
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "m").write_text(content)
    with pytest.raises(ConfigError, match="was not made with these options"):
        FrameFile(tmp_path / "m", TITLE)
    assert (tmp_path / "m").read_text() == content


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot keep what was learned"):
        FrameFile(tmp_path / "file" / "m", TITLE)


@pytest.mark.parametrize("head", [(0, 0), (1 << 30, 0)])
def test_a_file_of_holes_is_damaged_and_not_read_without_end(tmp_path: Path, head: tuple[int, int]) -> None:
    path = tmp_path / "m"
    path.write_bytes(TITLE.encode() + b"\n" + struct.pack("<II", *head))
    with path.open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(StoreError, match="damaged"):
        FrameFile(path, TITLE)


def test_a_file_that_is_another_file_too_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "m").hardlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="another file, too"):
        FrameFile(tmp_path / "m", TITLE)
    assert (tmp_path / "precious").read_text() == "mine"
