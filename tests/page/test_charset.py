from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.read import _LABELS, codec_of, decode


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
            b"<META http-equiv='Content-Type' content='text/html; charset=GB2312'>" + "汉语".encode("gbk"),
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
def test_encoding_is_found_in_the_order_of_browsers(body: bytes, header: str | None, text: str, codec: str) -> None:
    assert decode(body, header) == (text, codec)


@given(st.binary(max_size=300), st.none() | st.sampled_from(sorted(_LABELS)) | st.text(max_size=9))
def test_any_bytes_decode_under_any_label(body: bytes, label: str | None) -> None:
    text, codec = decode(body, label)
    assert codec in _LABELS
    assert len(text) <= len(body)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_utf8_needs_no_declaration(text: str) -> None:
    assert decode(text.encode()) == (text, "utf-8")


# The labels of the WHATWG Encoding standard, by the codec that reads them here.
LABELS = """
utf-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
ibm866: 866 cp866 csibm866 ibm866
iso-8859-2: csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3: csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4: csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5: csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
iso-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical
iso-8859-10: csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13: iso-8859-13 iso8859-13 iso885913
iso-8859-14: iso-8859-14 iso8859-14 iso885914
iso-8859-15: csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16: iso-8859-16
koi8-r: cskoi8r koi koi8 koi8-r koi8_r
koi8-u: koi8-ru koi8-u
mac-roman: csmacintosh mac macintosh x-mac-roman
cp874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
cp1250: cp1250 windows-1250 x-cp1250
cp1251: cp1251 windows-1251 x-cp1251
cp1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
cp1253: cp1253 windows-1253 x-cp1253
cp1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
cp1255: cp1255 windows-1255 x-cp1255
cp1256: cp1256 windows-1256 x-cp1256
cp1257: cp1257 windows-1257 x-cp1257
cp1258: cp1258 windows-1258 x-cp1258
mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
gb18030: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030
big5hkscs: big5 big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp: cseucpkdfmtjapanese euc-jp x-euc-jp
iso-2022-jp: csiso2022jp iso-2022-jp
cp932: csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
cp949: cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
iso-2022-kr: csiso2022kr iso-2022-kr
hz: hz-gb-2312
ascii: iso-2022-cn iso-2022-cn-ext replacement x-user-defined
utf-16-be: unicodefffe utf-16be
utf-16-le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
"""  # noqa: E501
BY_CODEC = [line.split(": ", 1) for line in LABELS.split("\n") if line]


def test_all_labels_of_the_encoding_standard_are_known() -> None:
    known = {label: codec for codec, labels in BY_CODEC for label in labels.split()}
    assert len(known) == 228
    for label, codec in known.items():
        found = codec_of(label)
        assert found is not None, label
        assert codecs.lookup(found).name == codecs.lookup(codec).name, label
