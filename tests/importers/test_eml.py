"""Files that are one mail each are known by their ending or by their head."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.errors import ArchiveError
from clone_app.importers.eml import EML
from clone_app.protocols import Member, Reading

MemberOf = Callable[[str, bytes], Member]
MAIL = b"From: kim@x.org\nTo: me@x.org\nDate: Mon, 5 Jan 2015 10:00:00 +0000\nSubject: a\n\nHello\n"


@pytest.mark.parametrize(
    "path",
    [
        "a.eml",
        "B.EML",
        "Messages/1.emlx",
        "msg_29.txt",
        "child",
        "mail_test_1",
        "x/fake-root",
        "PATCH-1-2.txt",
    ],
)
def test_mail_is_claimed_by_ending_or_head(member_of: MemberOf, path: str) -> None:
    claim = EML.claim([member_of(path, MAIL), member_of("README", b"This folder holds mail.\n")])
    assert claim is not None
    assert claim.paths == {path}


def test_what_is_no_mail_or_anothers_is_not_claimed(member_of: MemberOf) -> None:
    others = [
        member_of("README", b"From: where\n\nthis comes"),
        member_of("diary/2015-01-05.md", b"---\nDate: 2015-01-05\nSubject: tea\n---\nHello"),
        member_of("page.mhtml", MAIL),
        member_of("Inbox", b"From kim@x.org Mon Jan  5 10:00:00 2015\n" + MAIL),
        member_of("cur/51:2,S", MAIL),
        member_of("msg-3-3:2,", MAIL),
        member_of("python.gif", b"GIF87a"),
        member_of("empty", b""),
    ]
    assert EML.claim(others) is None


def test_a_mail_is_read(member_of: MemberOf) -> None:
    (found,) = EML.read([member_of("x/a.eml", MAIL)], Reading(frozenset({"kim@x.org"})))
    assert isinstance(found, Item)
    assert (found.text, found.title, found.mine, found.locator) == ("Hello", "a", True, "x/a.eml")


def test_an_eml_that_starts_with_an_mboxs_line_is_one_mail(member_of: MemberOf) -> None:
    member = member_of("a.eml", b"From kim@x.org Mon Jan  5 10:00:00 2015\n" + MAIL)
    assert EML.claim([member]) is not None
    (found,) = EML.read([member], Reading())
    assert isinstance(found, Item)
    assert found.author == "kim@x.org"


def test_apples_frame_around_an_emlx_is_taken_off(member_of: MemberOf) -> None:
    data = (
        f"{len(MAIL)}      \n".encode()
        + MAIL
        + b'<?xml version="1.0"?><plist><key>flags</key></plist>\n'
    )
    (found,) = EML.read([member_of("1.emlx", data)], Reading())
    assert isinstance(found, Item)
    assert found.text == "Hello"
    (found,) = EML.read([member_of("1.partial.emlx", MAIL)], Reading())
    assert isinstance(found, Item)


def test_one_bad_file_never_stops_the_rest(member_of: MemberOf) -> None:
    members = [
        member_of("1.eml", b"PK\x03\x04"),
        member_of("2.eml", b" \n"),
        member_of("3.eml", MAIL),
    ]
    problem, empty, item = EML.read(members, Reading())
    assert isinstance(problem, ImportProblem)
    assert isinstance(empty, Skipped)
    assert isinstance(item, Item)


def test_a_file_that_cannot_be_opened_is_a_problem_with_its_reason() -> None:
    class Locked:
        path = locator = "a.zip!1.eml"
        size = 10

        def head(self) -> bytes:
            return b""

        def open(self) -> BinaryIO:
            raise ArchiveError("It is encrypted.")

    (problem,) = EML.read([Locked()], Reading())
    assert problem == ImportProblem(
        "a.zip!1.eml", "It can't be read: It is encrypted. Get the file again and import it."
    )
