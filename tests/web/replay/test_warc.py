from __future__ import annotations

import gzip
import os
import pickle
import random
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from semcrawl.errors import FetchError, ReplayError
from semcrawl.web import DropReason, open_replay
from semcrawl.web.warc import MAX_BODY

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[[str, bytes | str], Path]


class Warc(Protocol):
    data: bytes

    def add(self, url: str, body: bytes = ..., *args: str, **fields: str) -> Warc: ...


def test_responses_are_found_and_read(warc: Warc, write: Write) -> None:
    warc.add("http://A.test:80/x#top", b"<p>one").add("https://b.test/?q=1", b"<p>two")
    replay = open_replay(write("web.warc", warc.data))
    assert list(replay.urls()) == ["http://a.test/x", "https://b.test/?q=1"]
    assert len(replay) == 2
    assert "http://a.test/x" in replay
    response = replay.fetch("http://a.test/x")
    assert (response.status, response.body, response.content_type) == (200, b"<p>one", "text/html")
    assert response.fetched_at == 1177977600.0
    assert replay.problems == []


def test_other_records_are_left_out_and_the_first_response_wins(warc: Warc, write: Write) -> None:
    warc.add("http://a.test/", b"", kind="request").add("http://a.test/", b"first")
    warc.add("http://a.test/", b"second").add("dns:a.test", b"1.2.3.4")
    replay = open_replay(write("web.warc", warc.data))
    assert [replay.fetch(url).body for url in replay.urls()] == [b"first"]


def test_what_was_not_recorded_is_not_in_the_replay(warc: Warc, write: Write) -> None:
    replay = open_replay(write("web.warc", warc.add("http://a.test/x/").data))
    with pytest.raises(FetchError) as caught:
        replay.fetch("http://a.test/x")
    assert (caught.value.reason, caught.value.temporary) == (DropReason.NOT_IN_REPLAY, False)


def test_of_a_record_that_is_larger_than_any_page_only_the_beginning_is_read(write: Write) -> None:
    size = 10**12
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: %d\r\n\r\n" % size
    path = write("web.warc", head + b"HTTP/1.1 200 OK\r\n\r\n<p>page")
    os.truncate(path, len(head) + size)  # nearly all of it is missing
    answer = open_replay(path).fetch("http://a.test/")
    assert answer.truncated
    assert (answer.body[:7], len(answer.body)) == (b"<p>page", MAX_BODY)


def test_spaces_in_a_field_take_no_time_beyond_their_number(write: Write) -> None:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page"
    odd = b"A: y" + b" " * 60_000 + b"y"
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI:\t http://a.test/ \r\n" + odd
    data = head + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body + b"\r\n\r\n"
    replay = open_replay(write("web.warc", data * 100))
    assert replay.fetch("http://a.test/").body == b"<p>page"


def test_a_recorded_head_without_end_is_not_read_to_its_end(warc: Warc, write: Write) -> None:
    many = "\r\n".join(["x", *["a:"] * 4_000_000])
    replay = open_replay(write("web.warc", warc.add("http://a.test/", Odd=many).data))
    answer = replay.fetch("http://a.test/")
    assert answer.body == b""
    assert len(answer.headers["a"]) < 65_536


def test_recorded_statuses_behave_as_over_http(warc: Warc, write: Write) -> None:
    warc.add("http://a.test/old", b"", "301 Moved", Location="/new#x")
    warc.add("http://a.test/gone", b"<p>no", "404 Not Found")
    warc.add("http://a.test/busy", b"", "503 Busy", Retry_After="9")
    replay = open_replay(write("web.warc", warc.data))
    assert replay.fetch("http://a.test/old").redirect == "http://a.test/new"
    with pytest.raises(FetchError) as gone:
        replay.fetch("http://a.test/gone")
    assert (gone.value.reason, gone.value.status, gone.value.temporary) == ("HttpError", 404, False)
    with pytest.raises(FetchError) as busy:
        replay.fetch("http://a.test/busy")
    assert (busy.value.temporary, busy.value.retry_after) == (True, 9.0)


CHUNKS = b"3\r\n<p>\r\n4;x\r\nbody\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("stored", "fields"),
    [
        (gzip.compress(b"<p>body", mtime=0), {"Content_Encoding": "gzip"}),
        (b"<p>body", {"Content_Encoding": "gzip"}),
        (CHUNKS, {"Transfer_Encoding": "chunked"}),
        (b"<p>body", {"Transfer_Encoding": "chunked"}),
        (b"<p>body", {"Content_Encoding": "br"}),
    ],
)
def test_bodies_are_decoded_where_they_still_are_coded(
    warc: Warc, write: Write, stored: bytes, fields: dict[str, str]
) -> None:
    replay = open_replay(write("web.warc", warc.add("http://a.test/", stored, **fields).data))
    assert replay.fetch("http://a.test/").body == b"<p>body"


def test_a_bomb_is_cut(warc: Warc, write: Write) -> None:
    bomb = gzip.compress(bytes(40_000_000))
    warc.add("http://a.test/", bomb, Content_Encoding="gzip")
    response = open_replay(write("web.warc", warc.data)).fetch("http://a.test/")
    assert response.truncated
    assert len(response.body) == 16 * 1024 * 1024


@pytest.mark.parametrize("missing", [1, 5, 40, 150])
def test_a_file_that_breaks_off_keeps_its_whole_records(warc: Warc, write: Write, missing: int) -> None:
    for number in range(3):
        body = random.Random(number).randbytes(3000)
        warc.add(f"http://a.test/{number}", body)
    replay = open_replay(write("web.warc", warc.data[: -missing - 4]))
    assert list(replay.urls()) == ["http://a.test/0", "http://a.test/1"]
    assert len(replay.fetch("http://a.test/1").body) == 3000
    assert "breaks off" in replay.problems[0]
    assert "the 2 responses before it are used" in replay.problems[0]


def test_urls_that_cannot_be_fetched_are_reported(warc: Warc, write: Write) -> None:
    warc.add("http://a.test/").add("http://a{b/x")
    replay = open_replay(write("web.warc", warc.data))
    assert (len(replay), len(replay.problems)) == (1, 1)


@pytest.mark.parametrize(
    "data", [b"", b"garbage", b"\x1f\x8b garbage", gzip.compress(b"garbage", mtime=0), b"WARC/1.0\r\n", bytes(5000)]
)
def test_what_is_no_warc_is_an_error(write: Write, data: bytes) -> None:
    with pytest.raises(ReplayError, match="no WARC record in"):
        open_replay(write("web.warc.gz", data))


def test_a_file_compressed_as_a_whole_is_refused_with_advice(write: Write) -> None:
    record = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 100\r\n\r\n" + "x" * 100 + "\r\n\r\n"
    with pytest.raises(ReplayError, match="recompress"):
        open_replay(write("web.warc.gz", gzip.compress(record.encode() * 2)))


def test_a_file_that_changes_under_the_replay_is_noticed(warc: Warc, write: Write) -> None:
    path = write("web.warc", warc.add("http://a.test/1").data)
    replay = open_replay(path)
    path.write_bytes(b"x" * 10_000)
    with pytest.raises(FetchError, match="changed since it was indexed"):
        replay.fetch("http://a.test/1")
    path.unlink()
    with pytest.raises(FetchError, match="cannot read the record"):
        replay.fetch("http://a.test/1")


def test_folders_and_lists_of_files_are_one_web(warc: Warc, write: Write) -> None:
    write("all/2.warc", warc.add("http://a.test/", b"two").data)
    warc.add("http://b.test/", b"only")
    first = write("all/1.warc.gz", warc.data)
    assert list(open_replay(first.parent).urls()) == ["http://a.test/", "http://b.test/"]
    assert len(open_replay([first, str(first)])) == 2


def test_a_replay_can_be_handed_to_another_process(warc: Warc, write: Write) -> None:
    replay = open_replay(write("web.warc", warc.add("http://a.test/", b"x").data))
    assert pickle.loads(pickle.dumps(replay)).fetch("http://a.test/").body == b"x"


@pytest.mark.data
def test_the_recorded_schools_wikipedia_is_whole() -> None:
    folder = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / "schools-wikipedia"
    if not (folder / "pages.warc.gz").is_file():
        pytest.skip(f"there is no recorded web in {folder}; set SEMCRAWL_DATA")
    replay = open_replay(folder / "pages.warc.gz")
    urls = list(replay.urls())
    assert len(urls) == 4834
    assert replay.problems == []
    for url in random.Random(1).sample(urls, 50):
        response = replay.fetch(url)
        assert response.url == url
        assert response.is_html
        assert len(response.body) == int(response.headers["content-length"])
