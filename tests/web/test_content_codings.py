from __future__ import annotations

import gzip
import zlib
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import FetchError
from semcrawl.web.response import Inflater, decode


def coded(coding: str, data: bytes) -> bytes:
    if coding == "gzip":
        return gzip.compress(data)
    return zlib.compress(data) if coding == "deflate" else data


@given(st.sampled_from(["", "gzip", "deflate"]), st.binary(max_size=2000), st.integers(0, 2500), st.integers(1, 300))
def test_pieces_of_any_size_give_the_body_up_to_the_limit(coding: str, data: bytes, limit: int, step: int) -> None:
    inflater = Inflater(coding, limit)
    packed = coded(coding, data)
    for start in range(0, len(packed), step):
        inflater.feed(packed[start : start + step])
    assert inflater.body == data[:limit]
    assert inflater.overflow is (len(data) > limit)
    assert inflater.complete is (len(data) <= limit)


@given(st.sampled_from(["gzip", "deflate"]), st.binary(max_size=200))
def test_damaged_data_is_a_fetch_error_or_cut(coding: str, data: bytes) -> None:
    reason, body = "BadEncoding", b""
    try:
        body, _ = decode(data, coding, 1000)
    except FetchError as problem:
        reason = problem.reason
    assert reason == "BadEncoding"
    assert len(body) <= 1000


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, gzip"])
def test_other_codings_are_not_guessed(coding: str) -> None:
    with pytest.raises(FetchError, match="unknown content coding"):
        decode(b"x", coding, 10, "http://e.org/")


def test_a_body_of_several_members_is_one() -> None:
    body = gzip.compress(b"first") + gzip.compress(b"") * 5_000 + gzip.compress(b"last")
    assert decode(body, "gzip", 1_000) == (b"firstlast", True)


def test_members_without_end_are_refused_before_they_take_long() -> None:
    began = process_time()
    with pytest.raises(FetchError, match="more than 10,000 members of gzip") as caught:
        decode(gzip.compress(b"") * 800_000, "gzip", 1_000)  # took minutes: what follows each was copied
    assert caught.value.reason == "BadEncoding"
    assert process_time() - began < 20


def test_a_bomb_is_known_by_its_ratio() -> None:
    inflater = Inflater("gzip", 1000)
    inflater.feed(gzip.compress(bytes(10_000_000)))
    assert inflater.overflow
    assert inflater.ratio > 10
    assert len(inflater.body) == 1000
