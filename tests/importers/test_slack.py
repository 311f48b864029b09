"""Slack exports: names in place of ids, the writer's own clock, nobody's voice guessed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.slack import SLACK
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]
DAY = "general/2020-01-17.json"
USERS = [
    {"id": "U1", "name": "zoe", "tz": "America/New_York",
     "profile": {"real_name": "Zoë B", "display_name": "zoe", "email": "zoe@example.org"}},
    {"id": "U2", "name": "robin", "real_name": "Robin Wren", "profile": {}},
]  # fmt: skip
LISTS = {
    "users.json": USERS,
    "channels.json": [{"id": "C1", "name": "general", "members": ["U1", "U2"]}],
    "dms.json": [{"id": "D1", "members": ["U1", "U2"]}],
}


def message(text: str = "Hello", **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "text": text, "ts": "1579294140.000200", **more}


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads what is claimed of these files."""

    def read_files(files: dict[str, Any], *me: str) -> list[Found]:
        members = [member_of(path, json.dumps(content).encode()) for path, content in files.items()]
        claim = SLACK.claim(members)
        assert claim is not None
        claimed = [one for one in members if one.path in claim.paths]
        return list(SLACK.read(claimed, Reading(frozenset(me))))

    return read_files


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


def test_a_message_says_all_that_is_known(read: Read) -> None:
    found = read({DAY: [message()], **LISTS})
    (item,) = items(found)
    assert item == Item(
        key="slack:C1:1579294140.000200", medium="chat", moment=item.moment, text="Hello", mine=False,
        locator=f"{DAY}#0", author="Zoë B", title="#general", recipients=("#general",),
        thread="slack:C1",
    )  # fmt: skip
    assert item.moment.iso() == "2020-01-17T15:49:00-05:00"
    assert [one.locator for one in found if isinstance(one, Skipped)] == list(LISTS)


@pytest.mark.parametrize("me", ["zoë b", "zoe", "zoe@example.org", "u1"])
def test_mine_is_what_is_signed_with_one_of_my_names(read: Read, me: str) -> None:
    found = items(read({DAY: [message(), message(user="U2")], **LISTS}, me))
    assert [one.mine for one in found] == [True, False]


def test_a_talk_of_two_names_the_other(read: Read) -> None:
    found = items(read({"D1/2020-01-17.json": [message(), message(user="U2")], **LISTS}))
    assert [(one.author, one.recipients, one.title) for one in found] == [
        ("Zoë B", ("Robin Wren",), "Zoë B, Robin Wren"),
        ("Robin Wren", ("Zoë B",), "Zoë B, Robin Wren"),
    ]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("<@U2> a &lt;b&gt; &amp;", "@Robin Wren a <b> &"),
        ("<@U9> <@U9|ann>", "@U9 @ann"),
        ("<#C1> <#C9|birds>", "#general #birds"),
        ("<!here> <!subteam^S1|@team>", "@here @team"),
        ("<https://example.org/a?b&amp;c>", "https://example.org/a?b&c"),
        ("<https://example.org|the page> <mailto:a@b.org|a@b.org>", "the page a@b.org"),
        ("1 < 2", "1 < 2"),
    ],
)
def test_marks_are_read_as_they_were_shown(read: Read, written: str, plain: str) -> None:
    (item,) = items(read({DAY: [message(written)], **LISTS}))
    assert item.text == plain


def test_without_lists_the_message_says_who_wrote_it(read: Read) -> None:
    profile = {"real_name": "Zoë B", "name": "zoe"}
    found = items(
        read(
            {
                DAY: [
                    message(user_profile=profile),
                    message(user="", username="Bot", subtype="bot_message"),
                    message(),
                ]
            }
        )
    )
    assert [one.author for one in found] == ["Zoë B", "Bot", "U1"]
    assert found[0].key == "slack:general:1579294140.000200"
    assert found[0].moment.iso() == "2020-01-17T20:49:00+00:00"


def test_what_the_program_wrote_is_counted_and_what_is_attached_is_others(read: Read) -> None:
    found = read(
        {
            DAY: [
                message("<@U1> has joined the channel", subtype="channel_join"),
                message("", files=[{"id": "F1"}]),
                message(
                    "Look",
                    files=[{"id": "F1"}],
                    attachments=[{"text": "Quoted &amp; said"}, {"id": 1}],
                ),
                7,
                message("", attachments=[{"text": "Quoted"}]),
            ]
        },
        "u1",
    )
    assert [(one.text, one.context, one.labels, one.mine) for one in items(found)] == [
        ("Look", "Quoted & said", ("attachment",), True),
        ("", "Quoted", (), False),
    ]
    assert [one for one in found if not isinstance(one, Item)] == [
        ImportProblem(f"{DAY}#3", "is no message"),
        Skipped(f"{DAY}#program", "1 note of the program on members, names and pins"),
        Skipped(f"{DAY}#wordless", "1 picture or file without words"),
    ]


def test_a_day_without_a_stamp_keeps_a_key_of_its_own(read: Read) -> None:
    (item,) = items(read({DAY: [message(client_msg_id="x", ts=None)]}))
    assert item.moment.iso() is None
    assert item.key.startswith("slack:undated:")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("journal/2020-01-17.json", '{"text": "Up early"}'),
        ("general/notes.json", json.dumps([message()])),
        ("users.json", json.dumps(USERS)),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert SLACK.claim([member_of(path, text.encode())]) is None


KEYS = st.sampled_from(
    ["ts", "text", "user", "user_profile", "profile", "real_name", "attachments", "files", "subtype", "id",
     "name", "members", "tz", "username"]
)  # fmt: skip
ODD = st.sampled_from(
    [None, "1579294140.000200", "U1", "<@U1>", "<#C1|", "../x", "\ud800\x00", 1e300, 10**400, True]
)
VALUES = st.recursive(
    ODD | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=15,
)


@settings(max_examples=150)
@given(VALUES, st.integers(0, 20))
def test_any_json_gives_items_or_problems(member_of: MakeMember, value: Any, cut: int) -> None:
    for whole in (value, [value], [{"id": "U1", "profile": value, "name": value}]):
        text = json.dumps(whole)
        data = (text[:-cut] if cut else text).encode()
        members = [member_of(path, data) for path in ("users.json", "channels.json", DAY)]
        SLACK.claim(members)
        for one in SLACK.read(members, Reading()):
            assert isinstance(one, Item | ImportProblem | Skipped)
            if isinstance(one, Item):
                (one.text + one.context + one.author + one.title + one.key).encode()
