"""What was fetched is kept as it was sent, in files that other tools read, also after a kill."""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
from argparse import Namespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import BufferedReader
from warcio.checker import Checker

from semcrawl.errors import FetchError, StoreError
from semcrawl.web import open_replay
from semcrawl.web.response import HttpExchange
from semcrawl.web.warc_writer import WarcArchive, WarcFile, mend_archive
from tests.web.conftest import PAGE, PLAIN_ANSWERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from semcrawl.web.http import HttpFetcher
    from semcrawl.web.response import Response

ABOUT = {"software": "semcrawl"}


def exchange(number: int = 0, body: bytes = b"<p>asthma", **given: Any) -> HttpExchange:
    said: dict[str, Any] = {
        "url": f"http://a.test/{number}",
        "request_line": f"GET /{number} HTTP/1.1",
        "request": [("Host", "a.test")],
        "status": 200,
        "status_line": "HTTP/1.1 200 OK",
        "headers": [("Content-Type", "text/html")],
        "body": body,
        "began_at": 1_700_000_000.25,
    }
    return HttpExchange(**(said | given))


def records(folder: Path) -> Iterator[tuple[Any, bytes]]:
    """Records as warcio reads them, digests checked, with their content as it was sent."""
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                yield record, record.raw_stream.read()


def kinds(folder: Path) -> list[str]:
    return [record.rec_type for record, _ in records(folder)]


def is_sound(folder: Path) -> bool:
    files = [str(path) for path in folder.glob("*.warc.gz")]
    checker = Checker(Namespace(verbose=False, inputs=files))
    # Digests are of what was sent. What warcio unpacks itself fails with brotli 1.2 installed.
    with patch.dict(BufferedReader.DECOMPRESSORS):
        BufferedReader.DECOMPRESSORS.pop("br", None)
        checker.process_all()
    return bool(checker.exit_value == 0)


def indexed(folder: Path) -> list[dict[str, str]]:
    lines = [line for path in folder.glob("*.cdxj") for line in path.read_text().splitlines()]
    return [json.loads(line.split(" ", 2)[2]) for line in lines]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "warc"


def fetched(fetcher: HttpFetcher, url: str) -> tuple[Response | None, HttpExchange]:
    try:
        response = fetcher.fetch(url)
    except FetchError as failure:
        return None, failure.exchange
    assert response.exchange is not None
    return response, response.exchange


@pytest.mark.parametrize("path", sorted(set(PLAIN_ANSWERS) - {"/two-members", "/folded"}))
def test_every_answer_is_kept_as_it_was_sent(
    make_fetcher: Callable[..., HttpFetcher], loopback: str, folder: Path, path: str
) -> None:
    response, sent = fetched(make_fetcher(keep_exchanges=True), loopback + path)
    with WarcArchive(folder, ABOUT) as archive:
        archive.keep(sent, {"via": "http://a.test/", "hopsFromSeed": 2})
    _, answer, request, notes = records(folder)
    assert is_sound(folder)
    head, _, body = PLAIN_ANSWERS[path].rpartition(b"\r\n\r\n")
    if path == "/chunked":
        body = b"<p>Hi there"
        assert answer[0].http_headers.get_header("X-Crawler-Transfer-Encoding") == "chunked"
    assert answer[1] == body or answer[0].rec_headers.get_header("WARC-Truncated")
    assert answer[0].http_headers.get_statuscode().encode() in head
    assert request[0].http_headers.to_str().startswith(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:")
    assert notes[1] == b"via: http://a.test/\r\nhopsFromSeed: 2\r\n"
    if response is not None and response.body:
        assert open_replay(folder).answer(response.url).body == response.body  # type: ignore[union-attr]


def test_a_coded_body_stays_coded(make_fetcher: Callable[..., HttpFetcher], loopback: str, folder: Path) -> None:
    _, sent = fetched(make_fetcher(keep_exchanges=True), f"{loopback}/gzip")
    with WarcArchive(folder, ABOUT) as archive:
        archive.keep(sent, {})
    [answer] = [one for one in records(folder) if one[0].rec_type == "response"]
    assert answer[0].http_headers.get_header("Content-Encoding") == "gzip"
    assert gzip.decompress(answer[1]) == PAGE


def test_a_body_that_was_cut_says_so(make_fetcher: Callable[..., HttpFetcher], loopback: str, folder: Path) -> None:
    _, sent = fetched(make_fetcher(keep_exchanges=True, max_bytes=10_000), f"{loopback}/endless")
    with WarcArchive(folder, ABOUT) as archive:
        archive.keep(sent, {})
    [answer] = [one for one, _ in records(folder) if one.rec_type == "response"]
    assert answer.rec_headers.get_header("WARC-Truncated") == "length"
    assert open_replay(folder).answer(f"{loopback}/endless").truncated  # type: ignore[union-attr]


def test_nothing_is_kept_where_nobody_asked(make_fetcher: Callable[..., HttpFetcher], loopback: str) -> None:
    assert make_fetcher().fetch(f"{loopback}/page").exchange is None


def test_letters_of_headers_are_kept(folder: Path) -> None:
    with WarcArchive(folder, ABOUT) as archive:
        archive.keep(exchange(headers=[("Location", "/caf\xc3\xa9"), ("X", "a\r\nSet-Cookie: b")]), {})
    [path] = folder.glob("*.warc.gz")
    plain = gzip.decompress(path.read_bytes())
    assert b"Location: /caf\xc3\xa9\r\nX: a Set-Cookie: b\r\n" in plain


def test_unchanged_content_refers_to_the_first_record(folder: Path) -> None:
    with WarcArchive(folder, ABOUT) as archive:
        first = archive.keep(exchange(), {})
        archive.keep(exchange(), {}, first)
        not_modified = exchange(body=b"", status=304, status_line="HTTP/1.1 304 Not Modified")
        archive.keep(not_modified, {}, first)
        archive.keep(exchange(body=b"other"), {}, first)
    answers = [one for one, _ in records(folder) if one.rec_type in ("response", "revisit")]
    assert [one.rec_type for one in answers] == ["response", "revisit", "revisit", "response"]
    profiles = [one.rec_headers.get_header("WARC-Profile") for one in answers[1:3]]
    assert [text.rpartition("/")[2] for text in profiles] == ["identical-payload-digest", "server-not-modified"]
    for one in answers[1:3]:
        for name in ("WARC-Payload-Digest", "WARC-Date"):
            refers = name.replace("WARC-Date", "WARC-Refers-To-Date")
            said = one.rec_headers.get_header(refers)
            assert said == answers[0].rec_headers.get_header(name)
    assert is_sound(folder)
    assert [one["mime"] for one in indexed(folder)].count("warc/revisit") == 2


def test_an_earlier_record_that_is_not_there_is_not_referred_to(folder: Path) -> None:
    with WarcArchive(folder, ABOUT) as archive:
        place = archive.keep(exchange(), {})
        for file, offset in (("../secret.warc.gz", 0), (place.file, 7), (place.file, 10**9)):
            archive.keep(exchange(), {}, type(place)(file, offset))
    assert kinds(folder).count("response") == 4


def test_files_have_a_limited_size_and_each_its_index(folder: Path) -> None:
    with WarcArchive(folder, ABOUT, size=50_000) as archive:
        places = [archive.keep(exchange(n, os.urandom(9_500)), {}) for n in range(20)]
    files = sorted(folder.glob("*.warc.gz"))
    assert len(files) == 5
    assert all(path.stat().st_size <= 50_000 for path in files)
    assert len(list(folder.glob("*.cdxj"))) == 5
    known = {(one["filename"], int(one["offset"])) for one in indexed(folder)}
    assert known == {(place.file, place.offset) for place in places}


def test_the_index_is_what_a_scan_finds(folder: Path) -> None:
    with WarcArchive(folder, ABOUT) as archive:
        first = archive.keep(exchange(), {})
        archive.keep(exchange(), {}, first)
        archive.keep(exchange(2, headers=[]), {})
        archive.note("http://a.test/3", {"failure": "TimedOut"})
    [path] = folder.glob("*.warc.gz")
    [index] = folder.glob("*.cdxj")
    whole = index.read_text()
    index.unlink()
    assert "".join(WarcFile(path).lines()) == whole


@given(cut=st.integers(0, 5_000))
def test_a_file_that_was_cut_anywhere_is_mended(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    folder = tmp_path_factory.mktemp("cut") / "warc"
    with WarcArchive(folder, ABOUT) as archive:
        places = [archive.keep(exchange(number), {}) for number in range(4)]
    [path] = folder.glob("*.warc.gz")
    [index] = folder.glob("*.cdxj")
    index.unlink()
    size = min(cut, path.stat().st_size)
    os.truncate(path, size)
    mend_archive(folder)
    if path.exists():
        assert is_sound(folder)
        kept = {int(one["offset"]) for one in indexed(folder)}
        # What was whole is there still: all but the last that begins before the cut, at least.
        assert kept >= {place.offset for place in places if place.offset < size} - {
            max((place.offset for place in places if place.offset < size), default=0)
        }
    with WarcArchive(folder, ABOUT) as archive:
        archive.keep(exchange(9), {})
    assert is_sound(folder)


def test_what_follows_a_damaged_place_is_not_cut_off(folder: Path) -> None:
    with WarcArchive(folder, ABOUT) as archive:
        places = [archive.keep(exchange(number), {}) for number in range(4)]
    [path] = folder.glob("*.warc.gz")
    [index] = folder.glob("*.cdxj")
    index.unlink()
    data = bytearray(path.read_bytes())
    data[places[2].offset] ^= 0xFF
    path.write_bytes(data)
    mend_archive(folder)
    assert path.read_bytes() == data
    assert len(indexed(folder)) == 2


def test_files_of_others_are_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.warc.gz").write_bytes(b"no WARC at all")
    WarcArchive(folder, ABOUT).close()
    assert [path.name for path in folder.iterdir()] == ["mine.warc.gz"]


def test_a_full_disk_leaves_whole_records(folder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    archive = WarcArchive(folder, ABOUT)
    archive.keep(exchange(), {})
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        with pytest.raises(StoreError, match=r"cannot write the archive .*: File too large"):
            archive.keep(exchange(1, os.urandom(30_000)), {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    archive.keep(exchange(2), {})
    archive.close()
    assert is_sound(folder)
    assert sorted(one["url"] for one in indexed(folder)) == ["http://a.test/0", "http://a.test/2"]


def test_after_the_end_nothing_is_written(folder: Path) -> None:
    archive = WarcArchive(folder, ABOUT)
    archive.close()
    with pytest.raises(StoreError, match="is closed"):
        archive.keep(exchange(), {})
    assert list(folder.iterdir()) == []
