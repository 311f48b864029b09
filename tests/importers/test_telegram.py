"""Telegram exports: the true moment, whose words are whose, and invalid JSON mended."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.telegram import TELEGRAM
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]
ABOUT = "Here is the data you requested. Remember: Telegram is ad free."
OWNER = {"user_id": 7, "first_name": "Robin", "last_name": "Wren", "phone_number": "+1 555"}


def message(number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "type": "message",
        "date": "2020-01-17T21:49:00",
        "date_unixtime": "1579294140",
        "from": "Ann",
        "from_id": "user9",
        "text": "Hello",
        **more,
    }


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"name": "Ann", "type": "personal_chat", "id": 9, **more, "messages": list(messages)}


def everything(*chats: Any, **more: Any) -> dict[str, Any]:
    return {
        "about": ABOUT,
        "personal_information": OWNER,
        "contacts": {"about": "", "list": []},
        "chats": {"about": "All chats", "list": list(chats)},
        **more,
    }


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that claims and reads one export."""

    def read_export(export: Any, *me: str) -> list[Found]:
        text = export if isinstance(export, str) else json.dumps(export, ensure_ascii=False)
        member = member_of("result.json", text.encode("utf-8", "surrogatepass"))
        claim = TELEGRAM.claim([member])
        assert claim is not None
        assert claim.paths == {"result.json"}
        return list(TELEGRAM.read([member], Reading(frozenset(me))))

    return read_export


def only(found: list[Found]) -> Item:
    (item,) = found
    assert isinstance(item, Item)
    return item


def test_a_message_says_all_that_is_known(read: Read) -> None:
    item = only(read(chat(message())))
    assert item.moment.iso() == "2020-01-17T21:49:00+01:00"
    assert item == Item(
        key="telegram:9:1",
        medium="chat",
        moment=item.moment,
        text="Hello",
        mine=False,
        locator="result.json#9/1",
        author="Ann",
        title="Ann",
        thread="telegram:9",
    )


@pytest.mark.parametrize(
    ("times", "right"),
    [
        ({"date": "2020-01-17T14:49:00"}, "2020-01-17T14:49:00-06:00"),
        ({"date": "2020-01-18T02:34:00"}, "2020-01-18T02:34:00+05:45"),
        ({"date": None}, "2020-01-17T20:49:00+00:00"),
        ({"date": "2021-05-01T00:00:00"}, "2020-01-17T20:49:00+00:00"),
        ({"date_unixtime": None}, "2020-01-17T21:49:00"),
        ({"date_unixtime": 1579294140}, "2020-01-17T21:49:00+01:00"),
        ({"date": "soon", "date_unixtime": "soon"}, None),
    ],
)
def test_the_stamp_is_the_truth_and_the_wall_clock_tells_the_offset(
    read: Read, times: dict[str, Any], right: str | None
) -> None:
    assert only(read(chat(message(**times)))).moment.iso() == right


def test_text_of_parts_is_put_together(read: Read) -> None:
    parts = [
        "See ",
        {"type": "link", "text": "https://example.org"},
        {"type": "bold", "text": "!"},
        5,
    ]
    assert only(read(chat(message(text=parts)))).text == "See https://example.org!5"


def test_a_full_export_says_whose_it_is(read: Read) -> None:
    group = chat(
        message(1, **{"from": "Robin Wren", "from_id": "user7"}),
        message(2, **{"from": "Robin Wren", "from_id": "user8"}),
        message(3),
        name="Trip", type="private_group", id=33,
    )  # fmt: skip
    old = chat(message(1), id=34)
    found = read(everything(group, chat(message()), left_chats={"about": "", "list": [old]}))
    assert [(one.key, one.mine, one.recipients) for one in found if isinstance(one, Item)] == [
        ("telegram:33:1", True, ("Trip",)),
        ("telegram:33:2", False, ("Trip",)),
        ("telegram:33:3", False, ("Trip",)),
        ("telegram:9:1", False, ("Robin Wren",)),
        ("telegram:34:1", False, ("Robin Wren",)),
    ]
    assert len(found) == 5


def test_in_one_chat_mine_is_what_the_user_says_is_theirs(read: Read) -> None:
    found = read(chat(message(1), message(2, **{"from": "Robin", "from_id": "user7"})), "robin")
    assert [one.mine for one in found if isinstance(one, Item)] == [False, True]


def test_saved_messages_are_mine_unless_they_are_forwarded(read: Read) -> None:
    saved = chat(
        message(1), message(2, forwarded_from="Bob"), name=None, type="saved_messages", id=7
    )
    first, second = read(saved)
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert (first.mine, first.text) == (True, "Hello")
    assert (second.mine, second.text, second.context) == (False, "", "Bob: Hello")
    assert second.labels == ("forwarded",)


def test_what_was_forwarded_is_others_words_unless_it_was_my_own(read: Read) -> None:
    ours = {"from": "Robin Wren", "from_id": "user7"}
    found = read(
        everything(
            chat(
                message(1, forwarded_from=None, **ours),
                message(2, forwarded_from="Robin Wren", **ours),
            )
        )
    )
    assert [(one.text, one.context, one.mine) for one in found if isinstance(one, Item)] == [
        ("", "Hello", False),
        ("Hello", "", True),
    ]


def test_a_deleted_account_has_no_name(read: Read) -> None:
    item = only(read(chat(message(**{"from": None}))))
    assert (item.author, item.mine, item.recipients) == ("", False, ("Ann",))


def test_calls_pictures_and_broken_messages_are_counted_or_named(read: Read) -> None:
    found = read(
        chat(
            {"id": 1, "type": "service", "action": "phone_call", "text": ""},
            message(2, text="", photo="photos/1.jpg"),
            message(3, text="", media_type="sticker", sticker_emoji="x"),
            message(4, text="Look", photo="photos/1.jpg", edited="2020-01-18T00:00:00"),
            "nonsense",
            message(6, text="", poll={"question": "Tea?", "answers": [{"text": "Yes"}]}),
        )
    )
    assert [(one.text, one.labels) for one in found if isinstance(one, Item)] == [
        ("Look", ("attachment", "edited")),
        ("Tea?\n- Yes", ()),
    ]
    assert [one for one in found if not isinstance(one, Item)] == [
        ImportProblem("result.json#messages/4", "is no message"),
        Skipped("result.json#service", "1 note of the program on calls, members and pins"),
        Skipped("result.json#wordless", "2 pictures, sounds, stickers and files without words"),
    ]


def test_control_characters_are_mended_and_counted(read: Read) -> None:
    text = json.dumps(chat(message(text="a@b#c~d"), message(2)))
    text = text.replace("@", "\\x1F").replace("#", "\x0c").replace("~", "\\x0B")
    first, second, mended = read(text)
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert first.text == "abc\nd"
    assert mended == Skipped(
        "result.json#mended", "3 control characters that are no JSON, taken out"
    )


def test_without_numbers_two_equal_messages_at_different_times_are_two(read: Read) -> None:
    export = {"messages": [message(), message(date_unixtime="1579294141"), message()]}
    for one in export["messages"]:
        del one["id"]
    keys = [one.key for one in read(export) if isinstance(one, Item)]
    assert len(set(keys)) == 2
    assert keys[0].startswith("telegram:2020-01-17:")


def test_an_export_still_downloading_keeps_what_came(read: Read) -> None:
    text = json.dumps(chat(message(1), message(2)))
    first, problem = read(text[: text.rindex('"text"')])
    assert isinstance(first, Item)
    assert problem == ImportProblem(
        "result.json#messages/0", "breaks off in the middle; download or copy it again"
    )


def test_an_export_without_messages_is_skipped(read: Read) -> None:
    assert read(everything()) == [Skipped("result.json", "no messages in it")]


def test_pages_are_named_with_what_to_do(member_of: MakeMember) -> None:
    page = member_of(
        "ChatExport/messages2.html", b'<body><div class="page_wrap"><div class="history">'
    )
    assert TELEGRAM.claim([page]) is not None
    assert list(TELEGRAM.read([page], Reading())) == [
        ImportProblem(
            "ChatExport/messages2.html",
            "is Telegram's export for reading; export again, as Machine-readable JSON",
        )
    ]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "result.json",
            '{"messages": [{"sender_name": "Ann", "timestamp_ms": 1, "content": "x"}]}',
        ),
        ("result.txt", json.dumps(chat(message()))),
        ("messages.html", "<html><body>other</body></html>"),
        ("result.json", '{"type": "personal_chat"}'),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, path: str, text: str) -> None:
    assert TELEGRAM.claim([member_of(path, text.encode())]) is None


ODD = st.sampled_from(
    [
        None,
        "",
        "user7",
        "1579294140",
        "2020-01-17T21:49:00",
        "\ud800\x00",
        "a\\x1f",
        7,
        1e99,
        -5,
        "9" * 30,
    ]
)
KEYS = st.sampled_from(
    ["id", "type", "date", "date_unixtime", "from", "from_id", "text", "poll", "question", "answers",
     "forwarded_from", "photo", "name", "messages", "chats", "list", "left_chats", "personal_information",
     "user_id", "first_name"]
)  # fmt: skip
VALUES = st.recursive(
    ODD | st.text(max_size=5) | st.booleans() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)


@settings(max_examples=200)
@given(VALUES, st.integers(0, 40))
def test_any_json_gives_items_or_problems(member_of: MakeMember, value: Any, cut: int) -> None:
    for export in (
        value,
        {"messages": value},
        chat(value),
        everything(value),
        everything(chat(value)),
    ):
        text = json.dumps(export)
        for data in (text, text[:-cut]):
            for one in TELEGRAM.read([member_of("result.json", data.encode())], Reading()):
                assert isinstance(one, Item | ImportProblem | Skipped)
                if isinstance(one, Item):
                    (one.text + one.context + one.author + one.title + one.key).encode()
