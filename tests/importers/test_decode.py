"""Bytes and headers of mail become the text their sender meant."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.importers.decode import header, text


@pytest.mark.parametrize(
    "charset", ["unknown-8bit", "x-unknown", "", "us-ascii", "8bit", "\x00", "zip", "iso-8859-1"]
)
def test_the_byte_e9_under_any_label_is_an_e_with_an_accent(charset: str) -> None:
    assert text(b"caf\xe9", charset) == "café"


@pytest.mark.parametrize(
    ("data", "charset", "right"),
    [
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode(), "utf-8", "Grüße"),
        (b"\xef\xbb\xbfGr\xc3\xbc\xc3\x9fe", "us-ascii", "Grüße"),
        (b"\x93quoted\x94", "iso-8859-1", "“quoted”"),
        ("中文邮件".encode("gb18030"), "gb2312", "中文邮件"),
        ("星期二可以，谢谢你".encode(), "gb2312", "星期二可以，谢谢你"),
        ("火曜日".encode("iso2022_jp"), "iso-2022-jp", "火曜日"),
        ("①髙橋".encode("cp932"), "shift_jis", "①髙橋"),
        ("Привет".encode("koi8-r"), "koi8-r", "Привет"),
        ("naïve — “so” ".encode() + b"caf\xe9", "utf-8", "naïve — “so” café"),
    ],
)
def test_charsets_that_lie_or_mean_a_superset(data: bytes, charset: str, right: str) -> None:
    assert text(data, charset) == right


def test_an_unlabelled_russian_text_is_recognised() -> None:
    words = "Завтра утром встречаемся у метро, не опаздывай, пожалуйста. Я возьму хлеб и чай."
    assert text(words.encode("cp1251"), "") == words


def test_text_encoded_twice_is_mended_and_right_text_is_not_touched() -> None:
    assert text("cafÃ© and itâ€™s late".encode(), "utf-8") == "café and it’s late"
    for right in ("naïve", "NÃO SÃO", "Ça va à Noël", "©2015 ½ €"):
        assert text(right.encode(), "utf-8") == right


def test_nul_and_line_ends_are_cleaned() -> None:
    assert text(b"a\x00b\r\nc\rd", "utf-8") == "ab\nc\nd"


@pytest.mark.parametrize(
    ("raw", "right"),
    [
        ("=?utf-8?q?Caf=C3=A9?=", "Café"),
        ("=?UTF-8?B?Q2Fmw6k=?=", "Café"),
        ("=?utf-8?B?Q2Fmw6k?=", "Café"),  # padding lost
        ("=?utf-8?q?Caf=C3?= =?utf-8?q?=A9_noir?=", "Café noir"),  # cut inside a letter
        ("=?utf-8?B?Q2Fm?=\r\n =?utf-8?B?w6k?=", "Café"),  # folded
        ("=?nonsense-9?q?caf=E9?=", "café"),
        ("=?utf-8*en?q?Caf=C3=A9?=", "Café"),
        ("=?utf-8?q?two words?= after", "two words after"),
        ("=?iso-8859-1?Q?a?= and =?utf-8?Q?b?=", "a and b"),
        ("=?us-ascii?Q?a?==?us-ascii?Q?b?=", "ab"),
        ("=?utf-8?q?no end", "no end"),
        ('"=?utf-8?q?J=C3=B6rg?="', '"Jörg"'),
        ("caf\udce9", "café"),  # a raw byte E9
        ("caf\udcc3\udca9", "café"),  # raw UTF-8
        ("=?utf-8?x?what?=", "=?utf-8?x?what?="),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_headers_are_read_as_meant(raw: str, right: str) -> None:
    assert header(raw) == right


def test_raw_bytes_in_a_header_are_read_in_the_charset_of_the_body() -> None:
    raw = "Встреча".encode("cp1251").decode("ascii", "surrogateescape")
    assert header(raw, charset="windows-1251") == "Встреча"


@pytest.mark.parametrize(
    "piece", ["=?", "=?a?q?", "=?utf-8?b?", "[", chr(0xD800), chr(0xDCE9), "\x00", "=41"]
)
def test_a_senseless_header_finishes_quickly(piece: str) -> None:
    started = time.perf_counter()
    header(piece * 100_000).encode("utf-8")
    assert time.perf_counter() - started < 5


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.text(max_size=20))
def test_no_bytes_under_any_charset_raise(data: bytes, charset: str) -> None:
    read = text(data, charset)
    read.encode("utf-8")
    assert "\x00" not in read


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("=?utf-8bBqQ_ \r\n\tA\udce9\ud800é"), max_size=80))
def test_no_header_raises(raw: str) -> None:
    header(raw).encode("utf-8")
