"""An mbox is split where its messages start, byte for byte, and nowhere else."""

from __future__ import annotations

import io
import random
import time
import tracemalloc
import zlib
from collections.abc import Callable
from typing import BinaryIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers import mbox
from clone_app.importers.mbox import MBOX, split
from clone_app.protocols import Found, Member, Reading

MemberOf = Callable[[str, bytes], Member]


def message(
    number: int, body: str, *, line: str = "From kim@x.org Mon Jan  5 10:00:00 2015"
) -> str:
    return (
        f"{line}\nFrom: Kim <kim@x.org>\nTo: me@x.org\n"
        f"Date: Mon, 5 Jan 2015 10:0{number % 10}:00 +0000\n"
        f"Message-ID: <{number}@x.org>\nSubject: {number}\n\n{body}\n\n"
    )


def read(member: Member) -> list[Found]:
    return list(MBOX.read([member], Reading()))


def items(member: Member) -> list[Item]:
    found = read(member)
    assert all(isinstance(one, Item) for one in found), found
    return [one for one in found if isinstance(one, Item)]


def test_messages_come_one_by_one_with_a_place_to_reopen_them(member_of: MemberOf) -> None:
    data = (message(1, "one") + message(2, "two")).encode()
    found = items(member_of("Mail/Inbox.mbox", data))
    assert [(one.key, one.text) for one in found] == [("1@x.org", "one"), ("2@x.org", "two")]
    for one in found:
        path, _, offset = one.locator.partition("#")
        assert path == "Mail/Inbox.mbox"
        assert data[int(offset) :].startswith(b"From kim@x.org")


@pytest.mark.parametrize(
    "line",
    [
        "From Paris we take the train.",
        "From Monday on we take the train at 10:00.",
        "From Mon Jan 5 on, all is well",
        "From here: nothing",
        "From\nthere",
        "From Paris we take the train.\nNote: bring your passport\nTime: 10:00",
        "From kim@x.org I heard that",
    ],
)
def test_a_body_line_that_starts_with_from_splits_nothing(member_of: MemberOf, line: str) -> None:
    body = f"Dear all,\n\n{line}\n\nFrom Rome we fly.\n\nKim"
    found = items(member_of("a.mbox", (message(1, body) + message(2, "two")).encode()))
    assert [one.text for one in found] == [body, "two"]


@pytest.mark.parametrize("line", ["From - ", "From - Mon Jan 05 10:00:00 2015"])
def test_netscapes_lines_start_a_message_without_an_empty_line_above(
    member_of: MemberOf, line: str
) -> None:
    data = (
        message(1, "--end--", line=line).rstrip("\n") + "\n" + message(2, "two", line=line)
    ).encode()
    assert [one.text for one in items(member_of("a.mbox", data))] == ["--end--", "two"]


@pytest.mark.parametrize(
    "lines",
    ["From Russia with love\nYear: 1963", "From Bob:\nFrom: Bob\nTo: me", "From -\nless to more"],
)
def test_other_lines_below_a_word_never_start_one(member_of: MemberOf, lines: str) -> None:
    body = f"My favourite:\n{lines}"
    (found,) = items(member_of("a.mbox", message(1, body).encode()))
    assert found.text == body


def test_a_from_that_was_guarded_when_the_mail_was_filed_is_read_as_written(
    member_of: MemberOf,
) -> None:
    body = ">From the top\n>>From below\n>from here\n> From quoted"
    (found,) = items(member_of("a.mbox", message(1, body).encode()))
    assert found.text == "From the top"
    assert found.context == ">From below\n>from here\n> From quoted"


@pytest.mark.parametrize(
    "line",
    [
        "From - Mon Jan 05 10:00:00 2015",
        "From MAILER-DAEMON Mon Jan  5 10:00:00 2015",
        "From 1488@xxx Mon Jan 05 10:00:00 +0000 2015",
        "From kim@x.org Mon Jan  5 10:00:00 MET 2015",
        "From kim@x.org  Mon Jan  5 10:00 2015",
        'From "Kim K."@x.org Mon Jan  5 10:00:00 2015 remote from home',
        "From jörg müller Mon Jan  5 10:00:00 2015",
        "From kim@x.org",
        "From ???@??? Mon Jan 05 10:00:00 2015",
        "From kim@x.org Mon, 5 Jan 2015 10:00:00 +0000",
    ],
)
def test_all_kinds_of_separators_are_known(member_of: MemberOf, line: str) -> None:
    data = message(1, "one", line=line) + message(2, "two", line=line)
    for raw in (data.encode(), data.encode("latin-1"), data.replace("\n", "\r\n").encode()):
        member = member_of("Inbox", raw)
        assert MBOX.claim([member]) is not None
        assert [one.text for one in items(member)] == ["one", "two"]


def test_without_a_date_of_its_own_the_line_before_a_message_dates_it(member_of: MemberOf) -> None:
    data = b"From kim@x.org Mon Jan  5 10:00:00 2015\nFrom: kim@x.org\nSubject: a\n\nx\n"
    (found,) = items(member_of("a.mbox", data))
    assert found.moment.iso() == "2015-01-05T10:00:00"
    assert found.labels == ("date:mbox",)


def test_takeouts_labels_say_what_the_user_sent(member_of: MemberOf) -> None:
    labels = "X-Gmail-Labels: =?UTF-8?Q?Gesendet,Ge=C3=B6ffnet?=\n"
    data = message(1, "one").replace("To: me", labels + "To: me") + message(2, "two")
    sent, received = items(member_of("Takeout/Mail/All mail.mbox", data.encode()))
    assert (sent.mine, sent.labels) == (True, ("Sent", "Geöffnet"))
    assert (received.mine, received.labels) == (False, ())


def test_a_file_of_sent_mail_is_the_users(member_of: MemberOf) -> None:
    (found,) = items(member_of("Local Folders/Sent", message(1, "one").encode()))
    assert found.mine


def test_the_same_mail_twice_has_the_same_key_and_body(member_of: MemberOf) -> None:
    one, two = items(member_of("a.mbox", (message(1, "one") * 2).encode()))
    assert (one.key, one.body_hash()) == (two.key, two.body_hash())


def test_what_thunderbird_deleted_is_left_out_and_said(member_of: MemberOf) -> None:
    gone = message(1, "gone").replace("Subject", "X-Mozilla-Status: 0009\nSubject")
    kept = message(2, "kept").replace("Subject", "X-Mozilla-Status: 0001\nSubject")
    found = read(member_of("Inbox", (gone + kept).encode()))
    assert [one.text for one in found if isinstance(one, Item)] == ["kept"]
    assert found[1:] == [
        Skipped("Inbox", "1 message in it was deleted in Thunderbird and left out.")
    ]


def test_a_truncated_last_message_is_kept_with_what_is_there(member_of: MemberOf) -> None:
    data = (message(1, "one") + message(2, "two and more")).encode()
    for cut in range(data.index(b"From kim", 10) + 60, len(data), 7):
        found = read(member_of("a.mbox", data[:cut]))
        assert isinstance(found[0], Item)
        assert found[0].text == "one"
        assert len([one for one in found if not isinstance(one, Skipped)]) == 2


def test_an_end_in_the_middle_of_a_message_is_said_with_a_way_out(member_of: MemberOf) -> None:
    whole = message(1, "one") + (
        "From kim@x.org Mon Jan  5 11:00:00 2015\nFrom: kim@x.org\nDate: Mon, 5 Jan 2015 11:00:00 +0000\n"
        'MIME-Version: 1.0\nContent-Type: multipart/mixed;\n boundary="=-cut"\n\n'
        "--=-cut\nContent-Type: text/plain\n\nSee the plan.\n"
        "--=-cut\nContent-Type: application/pdf; name=plan.pdf\n"
        "Content-Transfer-Encoding: base64\n\nJVBERi0xLjQK\nJVBERi0xLjQK\n--=-cut--\n"
    )
    assert all(isinstance(one, Item) for one in read(member_of("a.mbox", whole.encode())))
    cut = whole.encode()[: whole.index("JVBERi0xLjQK\n--=-cut--")]
    first, last, said = read(member_of("a.mbox", cut))
    assert isinstance(first, Item)
    assert isinstance(last, Item)
    assert last.text == "See the plan."
    assert isinstance(said, Skipped)
    assert "middle of its last message" in said.reason


def test_a_start_without_a_message_is_a_problem_and_the_others_follow(member_of: MemberOf) -> None:
    data = b"From kim@x.org Mon Jan  5 10:00:00 2015\n\n" + message(2, "two").encode()
    problem, item = read(member_of("a.mbox", data))
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "a.mbox#0"
    assert isinstance(item, Item)


def test_an_empty_mbox_is_said_to_be_empty(member_of: MemberOf) -> None:
    for data in (b"", b"\n\n"):
        member = member_of("Old.mbox", data)
        assert MBOX.claim([member]) is not None
        assert read(member) == [Skipped("Old.mbox", "It is empty: there is no message in it.")]


def test_a_file_that_only_is_called_mbox_is_a_problem_with_a_way_out(member_of: MemberOf) -> None:
    (problem,) = read(member_of("Old.mbox", b"\x00\x01PK not a mailbox"))
    assert isinstance(problem, ImportProblem)
    assert problem.reason.endswith("Export the mailbox again.")


def test_recognised_by_its_head_whatever_it_is_called(member_of: MemberOf) -> None:
    data = message(1, "one").encode()
    members = [
        member_of("Inbox", data),
        member_of("Archive.mbox/mbox", b"\xef\xbb\xbf" + data),
        member_of("list/2015-January.txt", b"\n" + data),
        member_of("Archive.mbox/table_of_contents", b"\x00\x00"),
        member_of("trip.txt", b"From Paris we take the train.\n"),
        member_of("one.eml", data),
        member_of("cur/51:2,S", data),
    ]
    claim = MBOX.claim(members)
    assert claim is not None
    assert claim.paths == {"Inbox", "Archive.mbox/mbox", "list/2015-January.txt"}
    assert claim.confidence >= 0.9
    assert MBOX.claim([member_of("trip.txt", b"From Paris we take the train.\n")]) is None


class _Torn(io.BytesIO):
    """A stream that breaks after its data, as one from a damaged archive does."""

    def __init__(self, data: bytes, error: Exception) -> None:
        super().__init__(data)
        self._error = error

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        if not data:
            raise self._error
        return data


@pytest.mark.parametrize(
    "error",
    [OSError("Input/output error"), ArchiveError("Its checksum is wrong."), zlib.error("bad")],
)
def test_a_file_that_breaks_off_gives_what_came_before_and_a_reason(error: Exception) -> None:
    class Torn:
        path = locator = "a.mbox"
        size = 1000

        def head(self) -> bytes:
            return b""

        def open(self) -> BinaryIO:
            return _Torn((message(1, "one") + message(2, "two") * 1000).encode(), error)

    *before, problem = MBOX.read([Torn()], Reading())
    assert len(before) == 1001
    assert all(isinstance(one, Item) for one in before)
    assert isinstance(problem, ImportProblem)
    assert str(error).rstrip(".") in problem.reason


@pytest.mark.parametrize("chunk", [1, 7, 64, 5000, 10_000])
def test_splitting_does_not_depend_on_how_the_file_arrives(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(7)
    text = "".join(
        message(
            n, "\n\n".join(["From Paris we go.", "x" * draw.randrange(9000), ">From a"][: n % 4])
        )
        for n in range(12)
    )
    whole = list(split(io.BytesIO(text.encode())))
    monkeypatch.setattr(mbox, "_CHUNK", chunk)
    assert list(split(io.BytesIO(text.encode()))) == whole
    assert len(whole) == 12


def test_the_pieces_are_the_file_byte_for_byte() -> None:
    data = b"".join(message(n, "a\r\n\xff\x00 b\n\n\n").encode("latin-1") for n in range(5))
    pieces = list(split(io.BytesIO(data)))
    assert b"".join(piece.from_line + b"\n" + piece.data for piece in pieces) == data
    assert [data[piece.offset :][:5] for piece in pieces] == [b"From "] * 5


class _Endless(io.RawIOBase):
    """An mbox of a given size that exists only while it is read."""

    def __init__(self, piece: bytes, size: int) -> None:
        self._piece, self._left = piece, size // len(piece)

    def read(self, size: int = -1) -> bytes:
        times = min(max(size // len(self._piece), 1), self._left)
        self._left -= times
        return self._piece * times


def test_memory_stays_flat_on_a_large_file() -> None:
    piece = message(1, "a line of words\n" * 2000).encode()
    tracemalloc.start()
    count = sum(1 for _ in split(_Endless(piece, 300_000_000)))  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 300_000_000 // len(piece)
    assert peak < 12_000_000


def test_a_message_without_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mbox, "MESSAGE_LIMIT", 1_000_000)
    data = message(1, "x" * 50_000_000).encode() + message(2, "two").encode()
    first, second = split(io.BytesIO(data))
    assert len(first.data) < 1_000_001
    assert b"two" in second.data


@pytest.mark.parametrize(
    "junk", [b"\n\nFrom ", b"\n\nFrom a\nFrom: b\n", b"From ", b"x" * 1_000_000, b"\x00", b"\n"]
)
def test_senseless_files_finish_quickly(junk: bytes) -> None:
    started = time.perf_counter()
    list(split(io.BytesIO(message(1, "x").encode() + junk * (5_000_000 // len(junk)))))
    assert time.perf_counter() - started < 20


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                b"From ",
                b"\n",
                b"\r\n",
                b"a@b Mon Jan  5 10:00:00 2015",
                b"From: x",
                b"\xff",
                b">",
                b"Subject: y",
            ]
        ),
        max_size=30,
    )
)
def test_no_file_raises_and_none_loses_a_byte(parts: list[bytes]) -> None:
    data = b"".join(parts)
    pieces = list(split(io.BytesIO(data)))
    if pieces:
        assert sum(len(piece.from_line) + len(piece.data) for piece in pieces) <= len(data)
        assert pieces[0].offset == len(data) - len(data.lstrip(b"\r\n"))
