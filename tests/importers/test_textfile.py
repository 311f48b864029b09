"""Text files come as lines of letters, whatever bytes they are made of."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from clone_app.importers.archive import open_tree
from clone_app.importers.textfile import LINE_LIMIT, head_text, is_binary, lines
from clone_app.protocols import Member

MakeMember = Callable[[str, bytes], Member]
GERMAN = "Grüße aus Köln, schöne Äpfel – „gut“ für 5 €\n"
RUSSIAN = "Сегодня я гулял по городу и думал о том, что скоро придёт весна.\n" * 5
CHINESE = "今天天气很好，我和朋友一起去公园散步，晚上写了日记。\n" * 5


@pytest.mark.parametrize(
    ("data", "right"),
    [
        (GERMAN.encode("utf-8"), GERMAN),
        (GERMAN.encode("utf-8-sig"), GERMAN),
        (GERMAN.encode("utf-16"), GERMAN),
        (b"\xfe\xff" + GERMAN.encode("utf-16-be"), GERMAN),
        (GERMAN.encode("utf-32"), GERMAN),
        (GERMAN.encode("cp1252"), GERMAN),
        (b"caf\xe9\n", "café\n"),
        (RUSSIAN.encode("cp1251"), RUSSIAN),
        (CHINESE.encode("gb18030"), CHINESE),
        (b"", ""),
    ],
)
def test_encodings_are_found_out(member_of: MakeMember, data: bytes, right: str) -> None:
    assert "".join(lines(member_of("a.txt", data))) == right


def test_one_damaged_byte_does_not_turn_utf8_into_something_else(member_of: MakeMember) -> None:
    data = GERMAN.encode() * 20 + b"\xff" + GERMAN.encode()
    assert "".join(lines(member_of("a.txt", data))) == GERMAN * 20 + "\ufffd" + GERMAN


def test_a_wrong_byte_far_into_a_file_is_found_too(member_of: MakeMember) -> None:
    text = "plain words and no more\n" * 60_000
    assert "".join(lines(member_of("a.txt", text.encode() + b"caf\xe9\n"))) == text + "café\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems_are_line_feeds(member_of: MakeMember, ending: str) -> None:
    data = ending.join(["one", "two", "three"]).encode()
    assert list(lines(member_of("a.txt", data))) == ["one\n", "two\n", "three"]


def test_a_line_of_ten_megabytes_comes_in_pieces(member_of: MakeMember) -> None:
    pieces = list(lines(member_of("a.txt", b"x" * 10_000_000 + b"\nend\n")))
    assert max(map(len, pieces)) <= LINE_LIMIT
    assert "".join(pieces) == "x" * 10_000_000 + "\nend\n"


def test_a_large_file_stays_flat_in_memory(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("w") as stream:
        for number in range(600_000):
            stream.write(f"{number:07d} words of a day\n")
    with open_tree(tmp_path / "big.txt") as tree:
        (member,) = tree.members()
        tracemalloc.start()
        count = sum(1 for _ in lines(member))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert count == 600_000
    assert peak < 6_000_000


def test_binary_files_are_told_from_text() -> None:
    assert is_binary(b"\x00\x01\x02\x00" * 100)
    assert not is_binary("Grüße".encode("utf-16"))
    assert not is_binary(b"one stray \x00 in a long text" * 10)
    assert not is_binary(b"")
    assert not is_binary(b"\0" * 4000 + b"# 2 March")
    assert is_binary(b"\0" * 40 + b"\x01\x02" * 40)


def test_a_head_cut_within_a_letter_is_still_text() -> None:
    assert head_text("ä".encode()[:1]) == "\ufffd"
    assert head_text("Grüße".encode("utf-16")) == "Grüße"


def test_nul_is_left_out_wherever_it_stands(member_of: MakeMember) -> None:
    data = b"\0\0# One\n\0\nt\0wo" + b"\0" * (2 * LINE_LIMIT)
    assert list(lines(member_of("a.md", data))) == ["# One\n", "\n", "two"]
    assert head_text(b"\0\0# One") == "# One"
