"""Headers with structure: people, and a part's parameters."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.importers.addresses import addresses, parameters


@pytest.mark.parametrize(
    ("raw", "right"),
    [
        ("Robin Weber <robin@example.org>", ["Robin Weber <robin@example.org>"]),
        ('"Weber, Robin" <r@x.org>, b@x.org', ["Weber, Robin <r@x.org>", "b@x.org"]),
        ("=?utf-8?Q?Weber,_J=C3=B6rg?= <j@x.org>", ["Weber, Jörg <j@x.org>"]),
        ("=?utf-8?Q?Weber, J=C3=B6rg?= <j@x.org>", ["Weber, Jörg <j@x.org>"]),
        ("r@x.org (Robin Weber)", ["Robin Weber <r@x.org>"]),
        ("<r@x.org>", ["r@x.org"]),
        ("r@x.org <r@x.org>", ["r@x.org"]),
        ("Friends: a@x.org, B <b@x.org>;", ["a@x.org", "B <b@x.org>"]),
        ("Undisclosed recipients:;", []),
        ("Robin", ["Robin"]),
        ("a@x.org; b@x.org", ["a@x.org", "b@x.org"]),
        ('"Robin \\"Bob\\" W" <r@x.org>', ['Robin "Bob" W <r@x.org>']),
        ("'Robin' <r@x.org>", ["Robin <r@x.org>"]),
        ("J\udcf6rg <j@x.org>", ["Jörg <j@x.org>"]),
        ("", []),
    ],
)
def test_people_are_read_as_senders_write_them(raw: str, right: list[str]) -> None:
    assert [str(one) for one in addresses(raw)] == right


@pytest.mark.parametrize(
    ("raw", "right"),
    [
        (
            'Text/Plain; charset="utf-8"; format=flowed',
            ("text/plain", {"charset": "utf-8", "format": "flowed"}),
        ),
        ("attachment; filename*=UTF-8''%e2%82%ac.txt", ("attachment", {"filename": "€.txt"})),
        ("a/b; name*0*=utf-8''J%C3%B6; name*1=rg.txt", ("a/b", {"name": "Jörg.txt"})),
        ('attachment; filename="=?utf-8?q?J=C3=B6.txt?="', ("attachment", {"filename": "Jö.txt"})),
        ("text/plain; name=two words.txt", ("text/plain", {"name": "two words.txt"})),
        ('x; filename="a;b\\"c.txt"', ("x", {"filename": 'a;b"c.txt'})),
        ("", ("", {})),
    ],
)
def test_parameters_are_read_as_senders_write_them(
    raw: str, right: tuple[str, dict[str, str]]
) -> None:
    assert parameters(raw) == right


@pytest.mark.parametrize(
    "piece", ["(", '"', '\\"', "<", ",", ";", "=?a?q?", "a@b,", "; a", "[", "= "]
)
def test_senseless_headers_finish_quickly(piece: str) -> None:
    started = time.perf_counter()
    addresses(piece * 100_000)
    parameters(piece * 100_000)
    assert time.perf_counter() - started < 10


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab@<>\"\\(),;:=?*'%0 \udce9\ud800"), max_size=60))
def test_no_header_raises(raw: str) -> None:
    for one in addresses(raw):
        str(one).encode("utf-8")
    for value in parameters(raw)[1].values():
        value.encode("utf-8")
