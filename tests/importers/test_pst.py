"""Outlook's mailboxes, through what libpff shows of them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.pst import PST
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
HEAD = b"!BDN" + b"\0" * 4 + b"SM" + b"\x17\0" + b"\0" * 600


def entry(number: int, value: str | int | bytes) -> Any:
    kind, data = 0x1F, b""
    if isinstance(value, str):
        data = value.encode("utf-16-le")
    elif isinstance(value, int):
        kind, data = 3, value.to_bytes(4, "little")
    else:
        kind, data = 0x102, value
    return SimpleNamespace(entry_type=number, value_type=kind, data=data)


@dataclass
class Thing:
    """Stand for whatever libpff returns: sets of entries, folders, messages, attachments."""

    sets: list[dict[int, str | int | bytes]] = field(default_factory=list)
    name: str = ""
    messages: list[Any] = field(default_factory=list)
    folders: list[Thing] = field(default_factory=list)
    attachments: list[Thing] = field(default_factory=list)
    recipients: Any = None
    content: bytes = b""

    identifier = property(lambda self: id(self))
    number_of_record_sets = property(lambda self: len(self.sets))
    number_of_sub_messages = property(lambda self: len(self.messages))
    number_of_sub_folders = property(lambda self: len(self.folders))
    number_of_attachments = property(lambda self: len(self.attachments))
    size = property(lambda self: len(self.content))

    def get_record_set(self, at: int) -> Any:
        entries = [entry(number, value) for number, value in self.sets[at].items()]
        return SimpleNamespace(number_of_entries=len(entries), get_entry=entries.__getitem__)

    def get_sub_folder(self, at: int) -> Thing:
        return self.folders[at]

    def get_sub_message(self, at: int) -> Any:
        if isinstance(self.messages[at], Exception):
            raise self.messages[at]
        return self.messages[at]

    def get_attachment(self, at: int) -> Thing:
        return self.attachments[at]

    def read_buffer(self, size: int) -> bytes:
        return self.content[:size]


Read = Callable[..., list[Found]]


@pytest.fixture
def read(member_of: MakeMember, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Return a function that reads a mailbox in which libpff finds this root."""

    def read_mailbox(root: Thing, *me: str, password: int = 0) -> list[Found]:
        store = Thing([{0x67FF: password}])
        mailbox = SimpleNamespace(
            open_file_object=lambda stream: stream.seek(0), close=lambda: None,
            get_message_store=lambda: store, get_root_folder=lambda: root,
        )  # fmt: skip
        monkeypatch.setitem(sys.modules, "pypff", SimpleNamespace(file=lambda: mailbox))
        members = [member_of("mail.pst", HEAD)]
        claim = PST.claim(members)
        assert claim is not None
        assert claim.confidence > 0.9
        return list(PST.read(members, Reading(frozenset(me))))

    return read_mailbox


def mail(number: str = "1", **more: Any) -> Thing:
    return Thing(
        [{0x1A: "IPM.Note", 0x37: "\x01\x05Re: Tea?", 0x42: "Ann", 0x5D02: "ann@b.org",
          0x1000: "Yes.", 0x1035: f"<{number}@b.org>"}],
        recipients=Thing([{0x3001: "Robin", 0x39FE: "r@x.org", 0xC15: 1},
                          {0x3001: "Bob", 0x39FE: "bob@b.org", 0xC15: 2}]),
        **more,
    )  # fmt: skip


def test_a_mail_says_all_that_is_known(read: Read) -> None:
    attached = [Thing([{0x3707: "list.txt"}], content=b"bread, tea"), Thing([{0x3704: "a.png"}])]
    (item,) = read(Thing(folders=[Thing(name="Inbox", messages=[mail(attachments=attached)])]))
    assert isinstance(item, Item)
    assert (item.key, item.title, item.text) == ("1@b.org", "Re: Tea?", "Yes.")
    assert (item.author, item.mine) == ("Ann <ann@b.org>", False)
    assert item.recipients == ("Robin <r@x.org>", "Bob <bob@b.org>")
    assert item.locator == "mail.pst#Inbox/1"
    assert {"attachment:list.txt", "attachment:a.png"} <= set(item.labels)
    assert "bread, tea" in item.context


def test_what_lies_in_a_folder_of_sent_mail_is_mine(read: Read) -> None:
    sent = Thing(name="Gesendete Elemente", messages=[mail()])
    (item,) = read(Thing(folders=[Thing(name="Top/of it", folders=[sent])]))
    assert isinstance(item, Item)
    assert item.mine
    assert item.locator == "mail.pst#Top_of it/Gesendete Elemente/1"


def test_a_damaged_mail_never_stops_the_next_and_no_mail_is_counted(read: Read) -> None:
    contact = Thing([{0x1A: "IPM.Contact"}])
    inbox = Thing(name="Inbox", messages=[OSError("x"), contact, contact, mail()])
    problem, item, skipped = read(Thing(folders=[inbox]))
    assert isinstance(problem, ImportProblem)
    assert "scanpst" in problem.reason
    assert isinstance(item, Item)
    assert skipped == Skipped("mail.pst#others", "2 times a contact")


def test_a_folder_within_itself_is_read_once(read: Read) -> None:
    inbox = Thing(name="Inbox", messages=[mail()])
    inbox.folders.append(inbox)
    assert len(read(Thing(folders=[inbox]))) == 1


def test_a_password_is_named_with_what_to_do(read: Read) -> None:
    (problem,) = read(Thing(messages=[mail()]), password=0xBEEF)
    assert isinstance(problem, ImportProblem)
    assert "Change Password" in problem.reason


def test_an_empty_mailbox_is_skipped(read: Read) -> None:
    assert read(Thing()) == [Skipped("mail.pst", "no messages in it")]


def test_encryption_by_windows_is_named(member_of: MakeMember) -> None:
    head = bytearray(HEAD)
    head[513] = 0x10
    (problem,) = PST.read([member_of("mail.pst", bytes(head))], Reading())
    assert isinstance(problem, ImportProblem)
    assert "encrypted by Windows" in problem.reason


def test_without_libpff_it_says_how_to_get_it(
    member_of: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypff", None)
    (problem,) = PST.read([member_of("mail.pst", HEAD)], Reading())
    assert isinstance(problem, ImportProblem)
    assert "pip install 'clone-app[sources]'" in problem.reason


@pytest.mark.parametrize("data", [b"", b"<html>", HEAD, HEAD[:40]])
def test_what_libpff_itself_cannot_open_is_named(member_of: MakeMember, data: bytes) -> None:
    pytest.importorskip("pypff", reason="the optional extra `sources` is not installed")
    (problem,) = PST.read([member_of("mail.pst", data)], Reading())
    assert isinstance(problem, ImportProblem)
    assert "again" in problem.reason


@pytest.mark.parametrize(("size", "reason"), [(10**9, "unpack it"), (len(HEAD), "scanpst")])
def test_a_large_mailbox_packed_in_an_archive_is_named(size: int, reason: str) -> None:
    pytest.importorskip("pypff", reason="the optional extra `sources` is not installed")
    member: Any = SimpleNamespace(
        path="mail.pst", locator="a.zip!mail.pst", size=size, head=lambda: HEAD,
        open=lambda: io.BytesIO(HEAD),
    )  # fmt: skip
    (problem,) = PST.read([member], Reading())
    assert isinstance(problem, ImportProblem)
    assert reason in problem.reason
