"""JSON is read part by part, and what is broken or made to hurt ends with a sentence."""

from __future__ import annotations

import contextlib
import io
import json
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.importers import jsonstream
from clone_app.importers.archive import open_tree
from clone_app.importers.jsonstream import JsonFault, elements, pairs
from clone_app.protocols import Member

MakeMember = Callable[[str, bytes], Member]


def taken(member: Member) -> tuple[list[Any], str]:
    """Return what could be read, and the sentence at its end."""
    values: list[Any] = []
    try:
        values.extend(elements(member))  # a list keeps what came before the fault
    except JsonFault as fault:
        return values, str(fault)
    return values, ""


@pytest.mark.parametrize("block", [1, 2, 3, 5, 8, 1000])
def test_parts_are_whole_wherever_the_blocks_end(
    member_of: MakeMember, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(jsonstream, "_BLOCK", block)
    data = ' [1, 23 ,"aé🦊", {"x":[3]} ,  45.5, null,"\\u00e9" ]\n'.encode()
    assert list(elements(member_of("a", data))) == [1, 23, "aé🦊", {"x": [3]}, 45.5, None, "é"]
    data = b'{"a": 12, "list" :[1 ,{"b":2}], "c":"d" , "empty":[] }'
    assert list(pairs(member_of("a", data), streamed="list")) == [
        ("a", 12), ("list", 1), ("list", {"b": 2}), ("c", "d"), ("empty", []),
    ]  # fmt: skip


def test_javascript_before_the_data_is_passed_over(member_of: MakeMember) -> None:
    data = b"\xef\xbb\xbfwindow.YTD.tweets.part0 = [ 1, 2 ];"
    assert list(elements(member_of("a.js", data), script=True)) == [1, 2]


@pytest.mark.parametrize(
    ("data", "before", "sentence"),
    [
        (b"[1, 2", [1, 2], "breaks off"),
        (b'[1, "ab', [1], "breaks off"),
        (b'[1, {"a": 2,', [1], "breaks off"),
        (b"[1, x]", [1], "no JSON"),
        (b"[1 2]", [1], "no JSON"),
        (b"", [], "breaks off"),
        (b"<html>", [], "no JSON"),
        (b'{"a": 1}', [], "no JSON"),
        (b"[" * 100_000, [], "nested deeper"),
        (b"[1, " + b"[" * 100_000 + b"]" * 100_000 + b"]", [1], "nested deeper"),
        (b"[1" + b"0" * 5_000 + b"]", [], "no JSON"),
    ],
)
def test_what_came_before_a_broken_place_is_kept(
    member_of: MakeMember, data: bytes, before: list[Any], sentence: str
) -> None:
    values, fault = taken(member_of("a", data))
    assert values == before
    assert sentence in fault


@pytest.mark.parametrize(
    ("data", "right"),
    [
        (b'["a\x00b\tc"]', ["a\x00b\tc"]),
        (b'["\\ud800"]', ["\ud800"]),
        (b'["\xff"]', ["\ufffd"]),
        (b"[1e999999]", [float("inf")]),
    ],
)
def test_small_slips_are_let_pass(member_of: MakeMember, data: bytes, right: list[Any]) -> None:
    assert taken(member_of("a", data)) == (right, "")


def test_a_text_of_ten_megabytes_is_read_and_one_of_forty_refused(member_of: MakeMember) -> None:
    long = "a\\n" * 5_000_000
    assert taken(member_of("a", f'["{long}"]'.encode()))[0] == ["a\n" * 5_000_000]
    values, fault = taken(member_of("a", b'[1, "' + b"a" * 40_000_000 + b'"]'))
    assert values == [1]
    assert "sixteen million" in fault


def test_a_large_file_stays_flat_in_memory(tmp_path: Path) -> None:
    part = json.dumps({"text": "words of a day " * 10, "number": 1})
    with (tmp_path / "big.json").open("w") as stream:
        stream.write("[" + ",".join([part] * 50_000) + "]")
    with open_tree(tmp_path / "big.json") as tree:
        (member,) = tree.members()
        assert member.size > 8_000_000
        tracemalloc.start()
        count = sum(1 for _ in elements(member))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert count == 50_000
    assert peak < 3_000_000


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@dataclass(frozen=True)
class Bytes:
    data: bytes
    path: str = "a.json"
    locator: str = "a.json"

    @property
    def size(self) -> int:
        return len(self.data)

    def head(self) -> bytes:
        return self.data[:4096]

    def open(self) -> BinaryIO:
        return io.BytesIO(self.data)


@settings(max_examples=40)
@given(st.lists(VALUES, max_size=5))
def test_any_list_comes_back_as_it_was(values: list[Any]) -> None:
    assert list(elements(Bytes(json.dumps(values).encode()))) == values


@settings(max_examples=40)
@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_any_object_comes_back_as_it_was(values: dict[str, Any]) -> None:
    assert dict(pairs(Bytes(json.dumps(values).encode()), streamed="\0")) == values


@given(st.binary() | st.text(alphabet='[]{}",:\\ a1eé.-').map(str.encode))
def test_any_bytes_end_with_a_fault_at_most(data: bytes) -> None:
    for read in (lambda: elements(Bytes(data)), lambda: pairs(Bytes(data), streamed="a")):
        with contextlib.suppress(JsonFault):
            list(read())
