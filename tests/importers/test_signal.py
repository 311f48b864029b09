"""Signal chats from signal-export: both of its layouts, and what in a message is whose."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.signal import SIGNAL
from clone_app.protocols import Found, Member, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads these lines as one chat with Zoë."""

    def read_lines(*rows: str, me: str = "", name: str = "export/Zoë/chat.md") -> list[Found]:
        member = member_of(name, "\n".join(rows).encode("utf-8", "surrogatepass"))
        return list(SIGNAL.read([member], Reading(frozenset({me}))))

    return read_lines


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


def test_a_message_says_all_that_is_known(read: Read) -> None:
    first, second = items(
        read(
            "[2024-01-17 15:20:11] Me: Hello: you  ",
            "",
            "[2024-01-17 15:21:00] Zoë: Hi  ",
            "there  ",
        )
    )
    assert first == Item(
        key=first.key, medium="chat", moment=first.moment, text="Hello: you", mine=True,
        locator="export/Zoë/chat.md#1", author="Me", title="Zoë", recipients=("Zoë",),
        thread="signal:Zoë",
    )  # fmt: skip
    assert first.moment.iso() == "2024-01-17T15:20:11"
    assert first.key.startswith("signal:2024-01-17:")
    assert (second.text, second.mine, second.recipients) == ("Hi\nthere", False, ("Me",))


def test_the_older_layout_is_known_to_the_minute(read: Read) -> None:
    (item,) = items(read("[2019-05-29, 15:04] Zoë: Hello", me="zoë"))
    assert (item.moment.iso(), item.mine) == ("2019-05-29T15:04", True)


def test_a_quotation_above_is_anothers_words(read: Read) -> None:
    (item,) = items(
        read("[2024-01-17 15:20:11] Me: ", "", "> Tea?", "> Or coffee?", "", "Tea.", "> and cake")
    )
    assert (item.text, item.context) == ("Tea.\n> and cake", "Tea?\nOr coffee?")


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (("Hi  ", "(- Zoë: 👍, Ann: 😀 -)"), "Hi"),
        (("Look  ![a.jpg](./media/a.jpg)  ",), "Look"),
        (("Look  [a.pdf](./media/a.pdf)  ",), "Look"),
        (("See [this](https://example.org)",), "See [this](https://example.org)"),
    ],
)
def test_reactions_and_files_are_no_words(read: Read, rows: tuple[str, ...], text: str) -> None:
    (item,) = items(read(f"[2024-01-17 15:20:11] Me: {rows[0]}", *rows[1:]))
    assert item.text == text


def test_what_has_no_words_is_counted(read: Read) -> None:
    found = read(
        "[2024-01-17 15:20:11] Me:   ![a.jpg](./media/a.jpg)  ",
        "[2024-01-17 15:20:12] Zoë:   ",
        "(( 😀 ))",
        "[2024-01-17 15:20:13] Zoë: (This message was deleted)",
        "[2024-01-17 15:20:14] Me: Outgoing voice call (accepted, 5m 3s)  ",
        "[2024-01-17 15:20:15] No-Sender:   ",
    )
    assert found == [
        Skipped("export/Zoë/chat.md#program", "3 calls and deleted messages"),
        Skipped("export/Zoë/chat.md#wordless", "2 pictures, sounds and stickers without words"),
    ]


def test_equal_messages_are_items_of_their_own(read: Read) -> None:
    rows = ["[2019-05-29, 15:04] Me: ok"] * 2 + ["[2019-05-30, 15:04] Me: ok"]
    keys = [one.key for one in items(read(*rows, "[2019-05-30, 15:05] Zoë: ok"))]
    assert len(set(keys)) == 4
    again = read(*rows, "[2019-05-30, 15:05] Zoë: ok", name="elsewhere/chat.md")
    assert keys == [one.key for one in items(again)]


@pytest.mark.parametrize("answer", [(), ("[2020-01-01, 00:03] {}: And to you",)])
def test_the_same_wish_to_two_people_in_one_minute_is_two_items(
    read: Read, answer: tuple[str, ...]
) -> None:
    wish = "[2020-01-01, 00:01] Me: Happy New Year"
    zoe, kim = (
        items(read(wish, *(row.format(name) for row in answer), name=f"export/{name}/chat.md"))[0]
        for name in ("Zoë", "Kim")
    )
    assert zoe.text == kim.text
    assert zoe.key != kim.key


def test_the_first_answer_to_a_chat_changes_no_key(read: Read) -> None:
    asked = "[2020-01-01, 00:01] Zoë: Happy New Year"
    (before,) = items(read(asked))
    after = items(read(asked, "[2020-01-01, 00:03] Me: And to you"))
    assert before.key == after[0].key


def test_lines_before_the_first_message_are_named(read: Read) -> None:
    assert read("# Zoë", "[2024-01-17 15:20:11] Me: Hi")[0] == ImportProblem(
        "export/Zoë/chat.md#1", "stands before the first message, so nobody is its author"
    )
    assert read("") == [Skipped("export/Zoë/chat.md", "no messages of Signal in it")]


@pytest.mark.parametrize(
    ("name", "text", "sure"),
    [
        ("Zoë/chat.md", "[2024-01-17 15:20:11] Me: Hi\n", 0.97),
        ("Zoë/index.md", "[2019-05-29, 15:04] Me: Hi\n", 0.97),
        ("Zoë.txt", "[2019-05-29, 15:04] Me: Hi\n", 0.85),
        ("Zoë.txt", "[2019-05-29, 15:04:05] Me: Hi\n", None),
        ("Zoë.txt", "[2019-05-29 15:04] Me: Hi\n", None),
        ("2024-03-02.md", "Up early.\n", None),
        ("chat.md", "Hello\n[2024-01-17 15:20:11] Me: Hi\n", None),
        ("chat.md", "", None),
    ],
)
def test_only_its_own_files_are_claimed(
    member_of: MakeMember, name: str, text: str, sure: float | None
) -> None:
    claim = SIGNAL.claim([member_of(name, text.encode())])
    assert (claim and claim.confidence) == sure


PIECES = st.sampled_from(
    ["[2024-01-17 15:20:11] ", "[9999-99-99 99:99:99] ", "Me: ", "No-Sender: ", ":", "\n", "> ", "> x",
     "(- a: b -)", "![a](./media/b)", "(( x ))", "\ud800", "\x00", "(This message was deleted)"]
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(PIECES | st.text(max_size=6), max_size=30))
def test_any_text_gives_items_or_problems(
    read: Read, member_of: MakeMember, pieces: list[str]
) -> None:
    text = "".join(pieces)
    SIGNAL.claim([member_of("chat.md", text.encode("utf-8", "surrogatepass"))])
    found = read(text)
    assert all(isinstance(one, Item | ImportProblem | Skipped) for one in found)
    for one in items(found):
        (one.text + one.context + one.author + one.key).encode()
        assert one.text
