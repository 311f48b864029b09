"""Posts, comments and messages of a LinkedIn export."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.linkedin import LINKEDIN
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]

PROFILE = b"First Name,Last Name,Maiden Name,Headline\nRobin,Wren,,Binder\n"
NOTES = 'Notes:\n"When exporting, you may notice that some, or all, rows are missing."\n\n'
SHARES = "Date,ShareLink,ShareCommentary,SharedUrl,MediaUrl,Visibility\n"
MESSAGES = (
    "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,DATE,SUBJECT,CONTENT,FOLDER\n"
)


def read(member_of: MakeMember, files: dict[str, str | bytes], *me: str) -> list[Found]:
    members = [
        member_of(path, data.encode() if isinstance(data, str) else data)
        for path, data in files.items()
    ]
    claim = LINKEDIN.claim(members)
    assert claim is not None
    assert claim.paths == set(files)
    return list(LINKEDIN.read(members, Reading(frozenset(me))))


def test_a_share_says_all_that_is_known(member_of: MakeMember) -> None:
    rows = (
        '2024-01-31 10:11:12 UTC,https://l.org/urn:1,"Bound a ""book""!",https://b.org/x,,MEMBER\n'
    )
    whose, item = read(member_of, {"Shares.csv": SHARES + rows, "Profile.csv": PROFILE})
    assert whose == Skipped("Profile.csv", "only says whose data it is")
    assert isinstance(item, Item)
    assert item.moment.iso() == "2024-01-31T10:11:12+00:00"
    assert item == Item(
        key="https://l.org/urn:1",
        medium="post",
        moment=item.moment,
        text='Bound a "book"!\n\nhttps://b.org/x',
        mine=True,
        locator="Shares.csv#1",
        author="Robin Wren",
    )


def test_a_note_above_the_header_is_no_row(member_of: MakeMember) -> None:
    found = read(member_of, {"Shares.csv": NOTES + SHARES + "2024-01-31,l,Hello,,,\n"})
    assert [(one.text, one.moment.iso()) for one in found if isinstance(one, Item)] == [
        ("Hello", "2024-01-31")
    ]


def test_the_quotation_marks_an_export_puts_around_lines_go(member_of: MakeMember) -> None:
    rows = '2024-01-31,l,"One""\n""two""\n""three",,,\n2024-01-31,m,"He: ""a""\n""b""\nend",,,\n'
    first, second = read(member_of, {"Shares.csv": SHARES + rows})
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert first.text == "One\ntwo\nthree"
    assert second.text == 'He: "a"\n"b"\nend'


def test_messages_are_chat_and_mine_by_sender(member_of: MakeMember) -> None:
    rows = (
        "c1,,Robin Wren,https://l.org/in/r,Ann Bee,2024-01-31 10:11:12 UTC,Hi,<p>One</p><p>two</p>,INBOX\n"
        'c1,,Ann Bee,https://l.org/in/a,"Robin Wren,Bob",2024-02-01 10:11:12 UTC,,Yes,INBOX\n'
        "c1,,Someone,,Ann,2024-02-01 10:11:12 UTC,,Mine,SENT\n"
        "c1,,Someone,,Ann,2024-02-01 10:11:12 UTC,,,\n"
    )
    _, mine, hers, sent, empty = read(
        member_of, {"messages.csv": MESSAGES + rows, "Profile.csv": PROFILE}
    )
    assert isinstance(mine, Item)
    assert isinstance(hers, Item)
    assert isinstance(sent, Item)
    assert (mine.medium, mine.mine, mine.text, mine.title) == ("chat", True, "One\n\ntwo", "Hi")
    assert (hers.mine, hers.author, hers.thread) == (False, "Ann Bee", "c1")
    assert hers.recipients == ("Robin Wren", "Bob")
    assert sent.mine
    assert empty == Skipped("messages.csv#4", "a message without words")


def test_without_a_profile_the_users_own_names_tell(member_of: MakeMember) -> None:
    rows = "c1,,Robin Wren,https://l.org/in/r,Ann,2024-01-31 10:11:12 UTC,,Hi,\n"
    (unknown,) = read(member_of, {"messages.csv": MESSAGES + rows})
    (known,) = read(member_of, {"messages.csv": MESSAGES + rows}, "robin wren")
    assert isinstance(unknown, Item)
    assert isinstance(known, Item)
    assert (unknown.mine, known.mine) == (False, True)


def test_the_columns_of_older_exports_are_read(member_of: MakeMember) -> None:
    text = 'From,To,Date,Subject,Content,Direction,Folder\nAnn,Robin,"9/12/17, 6:32 PM",Hi,Yo,,\n'
    (item,) = read(member_of, {"Messages.csv": text})
    assert isinstance(item, Item)
    assert (item.moment.iso(), item.text) == ("2017-09-12T18:32", "Yo")


@pytest.mark.parametrize("date", ["99/99/17, 6:32 PM", "soon", "", "1/1/17, 13:00 PM"])
def test_a_date_nobody_can_read_is_not_invented(member_of: MakeMember, date: str) -> None:
    (item,) = read(member_of, {"Shares.csv": f'{SHARES}"{date}",l,Hello,,,\n'})
    assert isinstance(item, Item)
    assert item.moment.iso() is None


def test_comments_and_recommendations_are_kept(member_of: MakeMember) -> None:
    praise = "First Name,Last Name,Company,Job Title,Text,Creation Date,Status\n"
    row = 'Ann,Bee,B,Baker,She bakes well.,"01/02/24, 03:04 PM",VISIBLE\n'
    comment, given, got = read(
        member_of,
        {
            "Comments.csv": "Date,Link,Message\n2024-01-31 10:11:12,https://l.org/p,So true\n",
            "Recommendations_Given.csv": praise + row,
            "Recommendations_Received.csv": praise + row,
        },
    )
    assert isinstance(comment, Item)
    assert isinstance(given, Item)
    assert isinstance(got, Item)
    assert (comment.text, comment.thread, comment.mine) == ("So true", "https://l.org/p", True)
    assert (given.mine, given.recipients) == (True, ("Ann Bee",))
    assert (got.mine, got.author) == (False, "Ann Bee")


def test_address_lists_are_not_claimed(member_of: MakeMember) -> None:
    header = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"
    members = [
        member_of("Connections.csv", (NOTES + header).encode()),
        member_of("Profile.csv", PROFILE),
    ]
    assert LINKEDIN.claim(members) is None


HEADERS = (SHARES, MESSAGES, "Date,Link,Message\n", "From,To,Date,Subject,Content\n",
           "First Name,Last Name,Text,Creation Date\n", PROFILE.decode())  # fmt: skip


@given(st.sampled_from(HEADERS), st.lists(st.lists(st.text(max_size=9), max_size=9), max_size=4))
def test_any_rows_are_read(member_of: MakeMember, header: str, rows: list[list[str]]) -> None:
    text = header + "\n".join(",".join(row) for row in rows)
    member = member_of("Shares.csv", text.encode("utf-8", "surrogatepass"))
    for one in LINKEDIN.read([member], Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            (one.text + one.key + one.author).encode()
