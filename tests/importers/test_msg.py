"""Single messages as Outlook saves them."""

from __future__ import annotations

import struct
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.mapi import BINARY, RTF, OutlookMessage, Properties, read_outlook
from clone_app.importers.message import Origin
from clone_app.importers.msg import MSG
from clone_app.importers.no_source import no_source
from clone_app.importers.rtf import text_of_rtf
from clone_app.protocols import Found, Member, Reading

olefile = pytest.importorskip("olefile", reason="the optional extra `sources` is not installed")

MakeMember = Callable[[str, bytes], Member]
# A container as [MS-CFB] and [MS-OXMSG] describe it, written by hand.
Tree = dict[str, "bytes | Tree"]

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def container(tree: Tree) -> bytes:
    """Return a compound file of these storages and streams, each smaller than 4,096 bytes."""
    entries: list[list[object]] = []
    mini = bytearray()
    minifat: list[int] = []

    def entry(name: str, kind: int) -> int:
        entries.append([name, kind, _FREE, _FREE, 0, 0])  # name, kind, right, child, start, size
        return len(entries) - 1

    def fill(parent: int, inside: Tree) -> None:
        before = -1
        for name, value in inside.items():
            number = entry(name, 2 if isinstance(value, bytes) else 1)
            if before < 0:
                entries[parent][3] = number
            else:
                entries[before][2] = number
            before = number
            if isinstance(value, bytes):
                assert len(value) < 4096
                count = -(-len(value) // 64)
                start = len(minifat)
                minifat.extend([*range(start + 1, start + count), _END] if count else [])
                mini.extend(value.ljust(count * 64, b"\0"))
                entries[number][4:] = [start if count else _END, len(value)]
            else:
                fill(number, value)

    root = entry("Root Entry", 5)
    fill(root, tree)

    def sectors(data: bytes) -> list[bytes]:
        data = data.ljust(-(-len(data) // 512) * 512, b"\0")
        return [data[at : at + 512] for at in range(0, len(data), 512)]

    fat_table = sectors(b"".join(struct.pack("<I", value) for value in minifat).ljust(512, b"\xff"))
    streams = sectors(bytes(mini) or b"\0")
    directory_size = -(-len(entries) // 4)
    # One sector of the table holds 128 others: the rest of the file must fit.
    first_directory, first_minifat = 1, 1 + directory_size
    first_stream = first_minifat + len(fat_table)
    entries[root][4:] = [first_stream, len(mini)]
    fat = [_FAT]
    for start, count in (
        (first_directory, directory_size),
        (first_minifat, len(fat_table)),
        (first_stream, len(streams)),
    ):
        fat += [*range(start + 1, start + count), _END]
    assert len(fat) <= 128
    fat += [_FREE] * (128 - len(fat))
    directory = b""
    for name, kind, right, child, start, size in entries:
        raw = str(name).encode("utf-16-le")
        directory += struct.pack(
            "<64sHBBIII16sIQQIQ", raw, len(raw) + 2, kind, 1, _FREE, right, child, b"", 0, 0, 0,
            start, size,
        )  # fmt: skip
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6,
        0, 1, first_directory, 0, 4096, first_minifat, len(fat_table), _END, 0, 0,
    ) + struct.pack("<109I", *([_FREE] * 108), _FREE)  # fmt: skip
    header = header[:76] + struct.pack("<I", 0) + header[80:512]
    return b"".join([header, struct.pack("<128I", *fat), *sectors(directory), *fat_table, *streams])


def table(above: int, **numbers: int | datetime) -> bytes:
    """Return the table of numbers and moments; names are `x` and the number of the property."""
    out = b"\0" * above
    for name, value in numbers.items():
        number = int(name[1:], 16)
        if isinstance(value, int):
            out += struct.pack("<HHIQ", 3, number, 6, value)
        else:
            seconds = (value - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()
            out += struct.pack("<HHIQ", 0x40, number, 6, int(seconds) * 10_000_000)
    return out


def texts(**values: str) -> Tree:
    """Return streams of Unicode text; names are `x` and the number of the property."""
    return {
        f"__substg1.0_{name[1:].upper()}001F": value.encode("utf-16-le")
        for name, value in values.items()
    }


WHEN = datetime(2019, 5, 1, 21, 30, tzinfo=UTC)


def message(*, without: str = "", **more: bytes | Tree) -> Tree:
    """Return the streams of a message from Ann to Robin and Bob."""
    tree: Tree = {
        "__properties_version1.0": table(32, x0039=WHEN),
        **texts(
            x001a="IPM.Note", x0037="Re: Tea?", x0042="Bee, Ann", x5d02="ann@b.org",
            x1000="Yes.\r\n\r\nOn Wed, Robin <r@x.org> wrote:\r\n> Tea?", x1035="<1@b.org>",
        ),
        "__recip_version1.0_#00000000": {
            "__properties_version1.0": table(8, x0C15=1),
            **texts(x3001="Robin W.", x39fe="r@x.org"),
        },
        "__recip_version1.0_#00000001": {
            "__properties_version1.0": table(8, x0C15=2),
            **texts(x3001="Bob", x3003="/o=Org/cn=bob"),
        },
    }  # fmt: skip
    kept = {name: value for name, value in tree.items() if not without or without not in name}
    return {**kept, **more}


def read(member_of: MakeMember, tree: Tree | bytes, *me: str, path: str = "tea.msg") -> Found:
    member = member_of(path, tree if isinstance(tree, bytes) else container(tree))
    assert MSG.claim([member]) is not None
    assert no_source(member) == ""
    (found,) = MSG.read([member], Reading(frozenset(me)))
    return found


def test_a_message_is_read_like_any_mail(member_of: MakeMember) -> None:
    item = read(member_of, message())
    assert isinstance(item, Item)
    assert item.moment.iso() == "2019-05-01T21:30:00+00:00"
    assert (item.key, item.medium, item.title) == ("1@b.org", "mail", "Re: Tea?")
    assert (item.author, item.mine) == ("Bee, Ann <ann@b.org>", False)
    assert item.recipients == ("Robin W. <r@x.org>", "Bob")
    assert item.text == "Yes."
    assert "Tea?" in item.context
    assert item.locator == "tea.msg"


@pytest.mark.parametrize(("me", "path"), [("ann@b.org", "tea.msg"), ("", "Sent Items/tea.msg")])
def test_it_is_mine_by_its_sender_or_its_folder(member_of: MakeMember, me: str, path: str) -> None:
    item = read(member_of, message(), me, path=path)
    assert isinstance(item, Item)
    assert item.mine


def test_the_headers_it_came_with_say_more_than_the_properties(member_of: MakeMember) -> None:
    headers = (
        "From: Ann Bee <ann@b.org>\r\nDate: Thu, 2 May 2019 01:30:00 +0400\r\n"
        "Content-Type: text/html\r\nReferences: <0@b.org>\r\n <00@b.org>\r\n"
    )
    item = read(member_of, message(**texts(x007d=headers)))
    assert isinstance(item, Item)
    assert item.moment.iso() == "2019-05-02T01:30:00+04:00"
    assert (item.author, item.thread, item.text) == ("Ann Bee <ann@b.org>", "0@b.org", "Yes.")


def test_a_message_in_html_alone_keeps_its_paragraphs(member_of: MakeMember) -> None:
    html = "<html><body><p>Café</p><p>au lait</p></body></html>".encode("cp1252")
    tree = message(without="1000", **{"__substg1.0_10130102": html})
    tree["__properties_version1.0"] = table(32, x0039=WHEN, x3FDE=1252)
    item = read(member_of, tree)
    assert isinstance(item, Item)
    assert item.text == "Café\n\nau lait"


def test_text_of_before_unicode_is_read_in_its_codepage(member_of: MakeMember) -> None:
    tree = message(without="1000", **{"__substg1.0_1000001E": "Привет всем".encode("cp1251")})
    tree["__properties_version1.0"] = table(32, x3FFD=1251)
    recipient = {"__substg1.0_3001001E": "Анна".encode("cp1251")}
    tree["__recip_version1.0_#00000001"] = recipient
    item = read(member_of, tree)
    assert isinstance(item, Item)
    assert (item.text, item.moment.iso()) == ("Привет всем", None)
    assert "undated:missing" in item.labels
    assert item.recipients == ("Robin W. <r@x.org>", "Анна")


def test_attached_files_are_named_and_attached_text_is_kept(member_of: MakeMember) -> None:
    picture = {**texts(x3707="harbour.png"), "__substg1.0_37010102": b"\x89PNG"}
    note = {**texts(x3704="list.txt"), "__substg1.0_37010102": b"bread, tea"}
    item = read(
        member_of,
        message(**{"__attach_version1.0_#0": picture, "__attach_version1.0_#1": note}),
    )
    assert isinstance(item, Item)
    assert {"attachment:harbour.png", "attachment:list.txt"} <= set(item.labels)
    assert "bread, tea" in item.context


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (rb"{\rtf1\ansi\ansicpg1252 Tea at four\'2c caf\'e9.\par Kim}", "Tea at four, café.\nKim"),
        (b"{\\rtf1\\ansi\\ansicpg1251 \xcf\xf0\xe8\xe2\xe5\xf2}", "Привет"),
        (rb"{\rtf1\ansi\uc1 \u-10179?\u-8704? \u20320?\u22909?}", "\U0001f600 你好"),
        (
            rb"{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}Tea at four.\htmlrtf {\htmlrtf0 "
            rb"{\*\htmltag72 </p>}\htmlrtf\par}\htmlrtf0}",
            "Tea at four.",
        ),
        (
            rb'{\rtf1 See {\field{\*\fldinst{HYPERLINK "https://x.org/a"}}{\fldrslt{the house}}}.}',
            "See the house.",
        ),
    ],
)
def test_a_text_in_outlooks_own_form_alone_is_read(
    member_of: MakeMember, rtf: bytes, text: str
) -> None:
    packed = pytest.importorskip("compressed_rtf").compress(rtf, compressed=True)
    found = read(member_of, message(without="1000", **{"__substg1.0_10090102": packed}))
    assert isinstance(found, Item)
    assert found.text == text


@pytest.mark.parametrize("data", [b"LZFu", b"\0" * 16, b"x" * 2_000_000])
def test_outlooks_own_form_damaged_is_a_problem_that_says_what_to_do(data: bytes) -> None:
    about = Properties({RTF: (BINARY, data)})
    found = read_outlook(OutlookMessage(about), Origin("tea.msg"), Reading())
    assert isinstance(found, ImportProblem)
    assert "save it as HTML" in found.reason


def test_without_the_libraries_outlooks_own_form_says_how_to_get_them(
    member_of: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "compressed_rtf", None)
    found = read(member_of, message(without="1000", **{"__substg1.0_10090102": b"LZFu"}))
    assert isinstance(found, ImportProblem)
    assert "clone-app[sources]" in found.reason


@given(st.binary(max_size=400), st.booleans())
def test_any_rtf_has_words_or_none(data: bytes, packed: bool) -> None:
    rtf = pytest.importorskip("compressed_rtf").compress(data, compressed=packed)
    text_of_rtf(rtf).encode("utf-8")
    text_of_rtf(data).encode("utf-8")


@pytest.mark.parametrize(
    "part", [b"{\\field{\\*\\fldinst{", b"\\'e9", b"{", b'HYPERLINK "', b"\\u1 "]
)
def test_rtf_made_to_hurt_costs_little_time(part: bytes) -> None:
    rtf = pytest.importorskip("compressed_rtf").compress(
        b"{\\rtf1 " + part * 90_000, compressed=False
    )
    began = time.process_time()
    text_of_rtf(rtf[:1_000_000])
    assert time.process_time() - began < 20


def test_an_appointment_is_no_mail(member_of: MakeMember) -> None:
    found = read(member_of, message(**texts(x001a="IPM.Appointment")))
    assert isinstance(found, Skipped)
    assert ".ics" in found.reason


def test_a_damaged_file_is_named_with_what_to_do(member_of: MakeMember) -> None:
    for data in (container(message())[:700], container(message())[:512] + b"\xff" * 4000):
        found = read(member_of, data)
        assert isinstance(found, ImportProblem)
        assert "save it again" in found.reason
    found = read(member_of, container({"WordDocument": b"x" * 100}))
    assert found == ImportProblem("tea.msg", "holds no message of Outlook; save it again")


def test_without_olefile_it_says_how_to_get_it(
    member_of: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "olefile", None)
    found = read(member_of, message())
    assert isinstance(found, ImportProblem)
    assert "pip install 'clone-app[sources]'" in found.reason


def test_plain_mail_called_msg_is_left_to_the_mail_reader(member_of: MakeMember) -> None:
    assert MSG.claim([member_of("a.msg", b"From: a@b.org\nTo: c@d.org\n\nHi")]) is None


@given(st.integers(0, 8_000), st.binary(min_size=1, max_size=40), st.booleans())
def test_any_damage_is_named(member_of: MakeMember, place: int, damage: bytes, cut: bool) -> None:
    data = bytearray(container(message()))
    place %= len(data)
    data[place : place + len(damage)] = damage
    if cut:
        del data[place + 1 :]
    for found in MSG.read([member_of("tea.msg", bytes(data))], Reading()):
        assert isinstance(found, Item | ImportProblem | Skipped)
