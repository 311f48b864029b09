"""Discord packages: one's own messages, their true moment, and names in place of numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.discord import DISCORD
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[[dict[str, Any]], list[Found]]
FOLDER = "messages/c1000000001"
MESSAGE = {
    "ID": 668000000000000000,
    "Timestamp": "2020-01-17 20:49:00",
    "Contents": "Hello",
    "Attachments": "",
}
USER = {
    "id": "77777",
    "username": "robin",
    "relationships": [{"id": "88888", "type": 1, "user": {"id": "88888", "username": "zoe"}}],
}
NAMES = "names of channels and people, no messages"


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads what is claimed of these files."""

    def read_files(files: dict[str, Any]) -> list[Found]:
        members = [
            member_of(
                path, content.encode() if isinstance(content, str) else json.dumps(content).encode()
            )
            for path, content in files.items()
        ]
        claim = DISCORD.claim(members)
        assert claim is not None
        assert claim.confidence > 0.9
        return list(DISCORD.read([one for one in members if one.path in claim.paths], Reading()))

    return read_files


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


def test_a_message_says_all_that_is_known(read: Read) -> None:
    found = read(
        {
            f"{FOLDER}/messages.json": [MESSAGE],
            f"{FOLDER}/channel.json": {
                "id": "1000000001",
                "type": "DM",
                "recipients": ["88888", "77777"],
            },
            "messages/index.json": {"1000000001": "Direct Message with zoe#0"},
            "account/user.json": USER,
        }
    )
    (item,) = items(found)
    assert item == Item(
        key="discord:668000000000000000", medium="chat", moment=item.moment, text="Hello", mine=True,
        locator=f"{FOLDER}/messages.json#0", author="robin", title="Direct Message with zoe#0",
        recipients=("zoe",), thread="discord:1000000001",
    )  # fmt: skip
    assert item.moment.iso() == "2020-01-17T20:49:00+00:00"
    assert [one for one in found if not isinstance(one, Item)] == [
        Skipped("account/user.json", NAMES),
        Skipped("messages/index.json", NAMES),
        Skipped(f"{FOLDER}/channel.json", NAMES),
    ]


CSV = (
    "ID,Timestamp,Contents,Attachments\r\n"
    '668000000000000000,2020-01-17 20:49:00.089000+00:00,"Two\nlines, ""quoted""",\r\n'
    "668000000000000001,2020-01-17 21:49:00+00:00,,https://cdn.example/a.png\r\n"
    "668000000000000002,,Look,https://cdn.example/a.png\r\n"
)


def test_older_packages_hold_csv_in_folders_of_numbers_alone(read: Read) -> None:
    found = read({"package/messages/1000000001/messages.csv": CSV})
    first, second = items(found)
    assert (first.text, first.key) == ('Two\nlines, "quoted"', "discord:668000000000000000")
    assert first.moment.iso() == "2020-01-17T20:49:00+00:00"
    assert second.labels == ("attachment",)
    assert found[2] == Skipped(
        "package/messages/1000000001/messages.csv#wordless", "1 picture or file without words"
    )


def test_without_a_stamp_the_number_tells_the_time(read: Read) -> None:
    (item,) = items(
        read({f"{FOLDER}/messages.json": [{**MESSAGE, "Timestamp": "", "ID": 175928847299117063}]})
    )
    assert item.moment.iso() == "2016-04-30T11:18:25+00:00"  # the example in Discord's reference
    (item,) = items(read({f"{FOLDER}/messages.json": [{**MESSAGE, "Timestamp": "", "ID": 5}]}))
    assert item.moment.iso() is None


def test_channels_of_servers_are_named_with_them(read: Read) -> None:
    channel = {"id": "1000000001", "name": "general", "guild": {"id": "5", "name": "Birds"}}
    (item,) = items(read({f"{FOLDER}/messages.json": [MESSAGE], f"{FOLDER}/channel.json": channel}))
    assert (item.title, item.recipients) == ("general in Birds", ("general in Birds",))


def test_emojis_and_people_stand_as_they_were_typed(read: Read) -> None:
    message = {**MESSAGE, "Contents": "<:wave:123456> <@88888> <@!99999> <a:party:123456>"}
    (item,) = items(read({f"{FOLDER}/messages.json": [message], "account/user.json": USER}))
    assert item.text == ":wave: @zoe <@!99999> :party:"


def test_folders_may_be_named_in_any_language(read: Read) -> None:
    assert items(read({"Nachrichten/c1000000001/messages.json": [MESSAGE]}))


def test_empty_channels_and_broken_messages_are_named(read: Read) -> None:
    found = read(
        {f"{FOLDER}/messages.json": [MESSAGE, 5], "messages/c1000000002/messages.json": []}
    )
    assert found[1:] == [
        ImportProblem(f"{FOLDER}/messages.json#1", "is no message"),
        Skipped("messages/c1000000002/messages.json", "no messages in it"),
    ]


def test_a_file_that_breaks_off_keeps_what_came(read: Read) -> None:
    text = json.dumps([MESSAGE, MESSAGE])
    found = read({f"{FOLDER}/messages.json": text[:-20]})
    assert len(items(found)) == 1
    assert found[1] == ImportProblem(
        f"{FOLDER}/messages.json#1", "breaks off in the middle; download or copy it again"
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("messages/inbox/messages.json", json.dumps([MESSAGE])),
        (f"{FOLDER}/messages.json", '{"messages": []}'),
        (f"{FOLDER}/messages.csv", "a,b\n1,2\n"),
        ("account/user.json", json.dumps(USER)),
        (f"{FOLDER}/channel.json", '{"id": "1000000001"}'),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert DISCORD.claim([member_of(path, text.encode())]) is None


KEYS = st.sampled_from(
    ["ID", "Timestamp", "Contents", "Attachments", "id", "name", "guild", "user", "relationships"]
)
ODD = st.sampled_from(
    [None, 668000000000000000, "9" * 20, "²" * 18, "2020-01-17 20:49:00", "\ud800\x00", True, 1e9]
)
VALUES = st.recursive(
    ODD | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=15,
)  # fmt: skip


@settings(max_examples=150)
@given(VALUES, st.binary(max_size=60), st.integers(0, 20))
def test_any_content_gives_items_or_problems(
    member_of: MakeMember, value: Any, data: bytes, cut: int
) -> None:
    text = json.dumps([value])
    members = [
        member_of(f"{FOLDER}/messages.json", (text[:-cut] if cut else text).encode()),
        member_of("messages/c1000000002/messages.csv", CSV.encode() + data),
        member_of(f"{FOLDER}/channel.json", json.dumps({"id": value}).encode()),
        member_of(
            "account/user.json", json.dumps({"username": value, "relationships": value}).encode()
        ),
        member_of("messages/index.json", json.dumps({"1000000001": value}).encode()),
    ]
    DISCORD.claim(members)
    for one in DISCORD.read(members, Reading()):
        assert isinstance(one, Item | ImportProblem | Skipped)
        if isinstance(one, Item):
            (one.text + one.title + one.key).encode()
            assert one.text
