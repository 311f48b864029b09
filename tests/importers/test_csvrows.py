"""Rows of CSV files by the names of their columns."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.importers.csvrows import CsvFault, header, rows
from clone_app.protocols import Member

MakeMember = Callable[[str, bytes], Member]


def test_rows_are_told_by_their_columns_in_any_order_and_case(member_of: MakeMember) -> None:
    member = member_of("a.csv", b'\xef\xbb\xbfDate, Body ,Extra\n2024-01-01,"two\nlines",x\n\n,b\n')
    assert header(member, "date", "body") == {"date", "body", "extra"}
    first, second = rows(member, "date", "body")
    assert (first.number, first["date"], first["body"]) == (1, "2024-01-01", "two\nlines")
    assert (second["date"], second["body"], second["extra"], second["none"]) == ("", "b", "", "")
    assert second.first("date", "body") == "b"


def test_notes_above_the_header_are_passed_by(member_of: MakeMember) -> None:
    member = member_of("a.csv", b'Notes:\n"Some, of these, rows"\n\nDate,Body\n1,2\n')
    assert [row["body"] for row in rows(member, "date", "body")] == ["2"]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_are_found(member_of: MakeMember, delimiter: str) -> None:
    member = member_of("a.csv", f"Date{delimiter}Body\n1{delimiter}2, 3\n".encode())
    assert [row["body"] for row in rows(member, "date", "body")] == ["2, 3"]


def test_a_long_field_is_read_and_one_without_end_is_named(member_of: MakeMember) -> None:
    long = "x" * 300_000
    member = member_of("a.csv", f"Date,Body\n1,{long}\n".encode())
    assert [row["body"] for row in rows(member, "date", "body")] == [long]
    member = member_of("a.csv", b'Date,Body\n1,2\n1,"' + b"x\n" * 3_000_000)
    found = rows(member, "date", "body")
    assert next(found)["body"] == "2"
    with pytest.raises(CsvFault, match="never ends"):
        next(found)


def test_a_file_without_the_columns_is_named(member_of: MakeMember) -> None:
    member = member_of("a.csv", b"x\n" * 100)
    assert header(member, "date") == frozenset()
    with pytest.raises(CsvFault, match="no header"):
        next(rows(member, "date"))


@given(st.binary(max_size=200), st.text(max_size=60))
def test_any_bytes_are_rows_or_a_fault(member_of: MakeMember, data: bytes, text: str) -> None:
    for content in (data, b"date,body\n" + data, f"date;body\n{text}".encode()):
        member = member_of("a.csv", content)
        header(member, "date")
        with contextlib.suppress(CsvFault):
            for row in rows(member, "date", "body"):
                row["body"].encode()
