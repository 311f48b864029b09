"""A Maildir's files are one mail each, wherever its folders lie."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.maildir import MAILDIR
from clone_app.protocols import Member, Reading

MemberOf = Callable[[str, bytes], Member]
MAIL = b"From: kim@x.org\nTo: me@x.org\nDate: Mon, 5 Jan 2015 10:00:00 +0000\nSubject: a\n\nHello\n"


def test_mail_in_cur_and_new_is_claimed_at_any_depth(member_of: MemberOf) -> None:
    paths = [
        "cur/51:2,S",
        "new/1420.M1.host",
        "Archive/.2015/cur/52:2,",
        "a/b/c/new/53",
        "54:2,RS",
        "x/55;2,S",
    ]
    others = [
        member_of("dovecot-uidlist", b"3 V1"),
        member_of("cur/notes.txt", b"just words"),
        member_of("letters/1.eml", MAIL),
    ]
    claim = MAILDIR.claim([*(member_of(path, MAIL) for path in paths), *others])
    assert claim is not None
    assert claim.paths == set(paths)
    assert MAILDIR.claim(others) is None


@pytest.mark.parametrize("path", ["Mail/cur/51:2,S", "51:2,S", "Mail/new/1420.host"])
def test_each_file_is_one_mail(member_of: MemberOf, path: str) -> None:
    (found,) = MAILDIR.read([member_of(path, MAIL)], Reading())
    assert isinstance(found, Item)
    assert (found.text, found.locator) == ("Hello", path)


def test_a_file_that_starts_with_an_mboxs_line_is_still_one_mail(member_of: MemberOf) -> None:
    body = b"\n\nFrom kim@x.org Mon Jan  5 10:00:00 2015\nFrom: x\n\nall one\n"
    data = b"From kim@x.org Mon Jan  5 10:00:00 2015\n" + MAIL + body
    (found,) = MAILDIR.read([member_of("cur/51:2,S", data)], Reading())
    assert isinstance(found, Item)
    assert found.author == "kim@x.org"
    assert "all one" in found.text + found.context


def test_folders_and_flags_become_labels(member_of: MemberOf) -> None:
    sent, draft = MAILDIR.read(
        [member_of(".Sent/cur/51:2,S", MAIL), member_of("cur/52:2,DT", MAIL)], Reading()
    )
    assert isinstance(sent, Item)
    assert isinstance(draft, Item)
    assert (sent.mine, sent.labels) == (True, ("Sent",))
    assert (draft.mine, draft.labels) == (False, ("Drafts", "Trash"))


def test_what_was_never_delivered_whole_is_left_out_and_said(member_of: MemberOf) -> None:
    members = [member_of("Mail/cur/51:2,S", MAIL), member_of("Mail/tmp/52", MAIL)]
    claim = MAILDIR.claim(members)
    assert claim is not None
    assert claim.paths == {"Mail/cur/51:2,S", "Mail/tmp/52"}
    found = list(MAILDIR.read(members, Reading()))
    assert found[1] == Skipped("Mail/tmp/52", "It lies in tmp: its delivery was never finished.")
    assert MAILDIR.claim([member_of("tmp/52", MAIL)]) is None


def test_one_bad_file_never_stops_the_rest(member_of: MemberOf) -> None:
    members = [
        member_of("cur/1:2,", b"\x00\xff"),
        member_of("cur/2:2,", b""),
        member_of("cur/3:2,", MAIL),
    ]
    problem, empty, item = MAILDIR.read(members, Reading())
    assert isinstance(problem, ImportProblem)
    assert problem.locator == "cur/1:2,"
    assert isinstance(empty, Skipped)
    assert isinstance(item, Item)
