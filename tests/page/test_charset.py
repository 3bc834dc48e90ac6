from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.charset import _LABELS, codec_of, decode


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("UTF-8", "utf-8"),
        (" utf8 ", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("gb2312", "gb18030"),
        ("Shift_JIS", "cp932"),
        ("ks_c_5601-1987", "cp949"),
        ("iso-8859-9", "cp1254"),
        ("utf-7", None),
        ("hz-gb-2312", None),
        ("rot13", None),
        ("zlib", None),
        ("", None),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label: str, codec: str | None) -> None:
    assert codec_of(label) == codec


def test_every_codec_of_the_table_exists_and_no_label_has_two() -> None:
    labels = [label for labels in _LABELS.values() for label in labels.split()]
    assert len(labels) == len(set(labels))
    for codec in _LABELS:
        assert "<p>".encode(codec).decode(codec) == "<p>"


@pytest.mark.parametrize(
    ("body", "header", "text", "codec"),
    [
        pytest.param(codecs.BOM_UTF8 + b"x", "koi8-r", "x", "utf-8", id="mark beats header"),
        pytest.param("é".encode("utf-16"), None, "é", "utf-16-le", id="utf-16 with mark"),
        pytest.param("<p>é".encode("utf-16-le"), None, "<p>é", "utf-16-le", id="bare utf-16-le"),
        pytest.param("<p>é".encode("utf-16-be"), None, "<p>é", "utf-16-be", id="bare utf-16-be"),
        pytest.param(b"<p>x", "utf-16", "<p>x", "utf-8", id="header lies about utf-16"),
        pytest.param("мир".encode("cp1251"), "windows-1251", "мир", "cp1251", id="header"),
        pytest.param(
            b"<meta charset=utf-8>" + "мир".encode("cp1251"),
            "windows-1251",
            "<meta charset=utf-8>мир",
            "cp1251",
            id="header beats meta",
        ),
        pytest.param(
            b"<META http-equiv='Content-Type' content='text/html; charset=GB2312'>"
            + "汉语".encode("gbk"),
            None,
            "<META http-equiv='Content-Type' content='text/html; charset=GB2312'>汉语",
            "gb18030",
            id="meta http-equiv",
        ),
        pytest.param(
            b"<!-- <meta charset=koi8-r> -->\xe9",
            None,
            "<!-- <meta charset=koi8-r> -->é",
            "cp1252",
            id="meta in a comment",
        ),
        pytest.param(
            b"<meta charset=utf-16>" + "é".encode(),
            None,
            "<meta charset=utf-16>é",
            "utf-8",
            id="meta cannot say utf-16",
        ),
        pytest.param(
            b"<?xml version='1.0' encoding='iso-8859-2'?>\xb1",
            None,
            "<?xml version='1.0' encoding='iso-8859-2'?>ą",
            "iso8859-2",
            id="xml declaration",
        ),
        pytest.param(b"+ADw-script+AD4-", "utf-7", "+ADw-script+AD4-", "utf-8", id="utf-7"),
        pytest.param("naïve".encode(), None, "naïve", "utf-8", id="undeclared utf-8"),
        pytest.param(b"na\xefve \x93x\x94", None, "naïve “x”", "cp1252", id="undeclared cp1252"),
        pytest.param(b"na\xefve", "utf-8", "naïve", "cp1252", id="cp1252 declared as utf-8"),
        pytest.param(b"caf\xe9", None, "café", "cp1252", id="last byte decides"),
        pytest.param("é".encode() + b"\xe9 x", "utf-8", "é\ufffd x", "utf-8", id="damaged utf-8"),
        pytest.param("éé".encode()[:-1], "utf-8", "é", "utf-8", id="cut inside a character"),
        pytest.param(b"", None, "", "utf-8", id="empty"),
    ],
)
def test_encoding_is_found_in_the_order_of_browsers(
    body: bytes, header: str | None, text: str, codec: str
) -> None:
    assert decode(body, header) == (text, codec)


@given(st.binary(max_size=300), st.none() | st.sampled_from(sorted(_LABELS)) | st.text(max_size=9))
def test_any_bytes_decode_under_any_label(body: bytes, label: str | None) -> None:
    text, codec = decode(body, label)
    assert codec in _LABELS
    assert len(text) <= len(body)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_utf8_needs_no_declaration(text: str) -> None:
    assert decode(text.encode()) == (text, "utf-8")
