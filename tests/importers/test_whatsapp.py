"""WhatsApp chats: every layout phones write, whose words are whose, and days never invented."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import ImportProblem, Item, Skipped
from clone_app.importers.whatsapp import ORDER, WHATSAPP
from clone_app.protocols import Found, Member, Question, Reading

MakeMember = Callable[[str, bytes], Member]
Read = Callable[..., list[Found]]


@pytest.fixture(scope="session")
def read(member_of: MakeMember) -> Read:
    """Return a function that reads these lines as one chat with Ann."""

    def read_lines(
        *lines: str, me: str = "", order: str = "", name: str = "Ann.txt"
    ) -> list[Found]:
        member = member_of(name, "\n".join(lines).encode("utf-8", "surrogatepass"))
        answers = {ORDER: order} if order else {}
        return list(WHATSAPP.read([member], Reading(frozenset({me}), answers)))

    return read_lines


def items(found: list[Found]) -> list[Item]:
    return [one for one in found if isinstance(one, Item)]


def told(found: list[Found]) -> list[tuple[str, str]]:
    return [(one.locator, one.reason) for one in found if not isinstance(one, Item)]


# --- layouts -------------------------------------------------------------------------------------

# The header formats whatstk lists: four orders, three signs, two clocks, two frames, seconds or not.
FORMATS = [
    f"[{day} {clock}] %name:" if bracket else f"{day}, {clock} - %name:"
    for order, sign, bracket, seconds, half in product(
        ("ymd", "ydm", "dmy", "mdy"), "-/.", (False, True), (False, True), (False, True)
    )
    for day in [sign.join(f"%{letter}" for letter in order)]
    for clock in [f"%{'I' if half else 'H'}:%M{':%S' if seconds else ''}{' %p' if half else ''}"]
]
TIMES = [
    datetime(2019, 12, 24, 12, 5), datetime(2019, 12, 25, 0, 30), datetime(2020, 1, 17, 21, 49),
    datetime(2020, 3, 2, 9, 7), datetime(2020, 3, 2, 12, 0),
]  # fmt: skip


def test_there_are_ninety_six_formats() -> None:
    assert len(set(FORMATS)) == 96


@pytest.mark.parametrize("form", FORMATS)
def test_each_listed_format_is_read(read: Read, form: str) -> None:
    lines = [
        f"{when.strftime(form.replace('%name', 'Ann' if place % 2 else 'Bob'))} Line {place}: yes"
        for place, when in enumerate(TIMES)
    ]
    found = read(*lines)
    assert [one.text for one in items(found)] == [f"Line {place}: yes" for place in range(5)]
    assert [one.author for one in items(found)] == ["Bob", "Ann", "Bob", "Ann", "Bob"]
    assert [one.moment.local for one in items(found)] == TIMES
    assert {one.moment.precision for one in items(found)} == {
        "second" if "%S" in form else "minute"
    }
    assert not told(found)


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("[17/1/20, 3:20:11\u202fPM] Ann: Hi", "2020-01-17T15:20:11"),
        ("\u200e[17/01/20, 15:20:11] Ann: Hi", "2020-01-17T15:20:11"),
        ("17/1/20, 3:20 p.\xa0m. - Ann: Hi", "2020-01-17T15:20"),
        ("17/1/20, 12:20 a. m. - Ann: Hi", "2020-01-17T00:20"),
        ("17/1/20, 00:08 a. m. - Ann: Hi", "2020-01-17T00:08"),
        ("17/1/20, 12:20 p.m. - Ann: Hi", "2020-01-17T12:20"),
        ("17/1/20, 3:20 μ.μ. - Ann: Hi", "2020-01-17T15:20"),
        ("17.01.2020, ÖS 3:20 - Ann: Hi", "2020-01-17T15:20"),
        ("17/01/20, 3:20 अपराह्न - Ann: Hi", "2020-01-17T15:20"),
        ("[2020/1/17 下午3:20:11] Ann: Hi", "2020-01-17T15:20:11"),
        ("2020/1/17 上午12:20 - Ann: Hi", "2020-01-17T00:20"),
        ("2020/1/17 凌晨12:20 - Ann: Hi", "2020-01-17T00:20"),
        ("2020/1/17 中午12:20 - Ann: Hi", "2020-01-17T12:20"),
        ("2020/1/17 晚上11:20 - Ann: Hi", "2020-01-17T23:20"),
        ("20/1/17 下午3:20 - Ann: Hi", "2020-01-17T15:20"),
        ("2020年1月17日 15:20 - Ann: Hi", "2020-01-17T15:20"),
        ("2020. 1. 17. 오후 3:20 - Ann: Hi", "2020-01-17T15:20"),
        ("[2020. 1. 17. 오전 12:20:11] Ann: Hi", "2020-01-17T00:20:11"),
        ("2020. 01. 17. 15:20 - Ann: Hi", "2020-01-17T15:20"),
        ("17.01.20 г., 15:20 ч. - Ann: Hi", "2020-01-17T15:20"),
        ("17.1.2020 klo 15.20 - Ann: Hi", "2020-01-17T15:20"),
        ("17/01/2020 à 15:20 - Ann: Hi", "2020-01-17T15:20"),
        ("17/01/2020 15:20 - Ann: Hi", "2020-01-17T15:20"),
        ("[17.01.2020 15.20.11] Ann: Hi", "2020-01-17T15:20:11"),
        ("15:20, 17/01/2020 - Ann: Hi", "2020-01-17T15:20"),
        ("[15:20, 1/17/2020] Ann: Hi", "2020-01-17T15:20"),
        ("17/1/2563 15:20 - Ann: Hi", "2020-01-17T15:20"),
        ("\u200f١٧\u200f/١\u200f/٢٠٢٠، ٣:٢٠\u202fم - Ann: Hi", "2020-01-17T15:20"),
        ("[١٧/١/٢٠٢٠، ١٢:٢٠:١١ ص] \u202bAnn\u202c: Hi", "2020-01-17T00:20:11"),
    ],
)
def test_clocks_and_marks_of_many_languages_are_read(read: Read, line: str, when: str) -> None:
    (item,) = items(read(line, order="day/month/year"))
    assert (item.moment.iso(), item.author, item.text) == (when, "Ann", "Hi")


# --- order of day and month ----------------------------------------------------------------------


def test_one_date_decides_for_the_whole_file(read: Read) -> None:
    found = items(read("03/04/2024, 08:10 - Ann: a", "13/04/2024, 08:10 - Bob: b"))
    assert [one.moment.iso() for one in found] == ["2024-04-03T08:10", "2024-04-13T08:10"]
    found = items(read("03/04/2024, 08:10 - Ann: a", "04/13/2024, 08:10 - Bob: b"))
    assert [one.moment.iso() for one in found] == ["2024-03-04T08:10", "2024-04-13T08:10"]


def test_time_that_would_go_back_decides_too(read: Read) -> None:
    found = items(read("05/04/2024, 08:10 - Ann: a", "03/05/2024, 08:10 - Bob: b"))
    assert [one.moment.iso() for one in found] == ["2024-04-05T08:10", "2024-05-03T08:10"]


def test_days_that_would_be_years_decide_too(read: Read) -> None:
    found = items(read("25/12/19, 08:10 - Ann: a", "26/12/19, 08:10 - Bob: b"))
    assert [one.moment.iso() for one in found] == ["2019-12-25T08:10", "2019-12-26T08:10"]


OPEN = ("03/04/2024, 08:10 - Ann: a", "04/04/2024, 08:11 - Bob: b", "05/06/2024, 08:12 - Ann: c")


def test_what_nothing_decides_is_asked(member_of: MakeMember) -> None:
    claim = WHATSAPP.claim([member_of("chats/Ann.txt", "\n".join(OPEN).encode())])
    assert claim is not None
    assert claim.question == Question(
        "whatsapp.order",
        "The dates in “Ann.txt” can be read in more than one way. Which day is 03/04/2024?",
        (
            ("day/month/year", "day/month/year: it is 2024-04-03"),
            ("month/day/year", "month/day/year: it is 2024-03-04"),
        ),
    )


def test_what_is_decided_far_down_is_not_asked(member_of: MakeMember) -> None:
    lines = [*OPEN * 200, "15/06/2024, 08:10 - Ann: d"]
    claim = WHATSAPP.claim([member_of("Ann.txt", "\n".join(lines).encode())])
    assert claim is not None
    assert claim.question is None


def test_unanswered_no_day_is_invented_and_a_problem_says_what_to_do(read: Read) -> None:
    found = read(*OPEN)
    assert [one.moment.iso() for one in items(found)] == ["2024", "2024-04-04T08:11", "2024"]
    assert told(found) == [
        (
            "Ann.txt#dates",
            "has dates such as 03/04/2024 that can be read in more than one way, so 2 messages are "
            "kept without their day. Import it again and say which number is the day.",
        )
    ]


def test_one_of_a_kind_is_told_in_the_singular(read: Read) -> None:
    found = read(
        "13/01/2020, 08:09 - Messages are end-to-end encrypted.",
        "13/01/2020, 08:10 - Ann: <Media omitted>",
        "13/01/2020, 08:11 - Ann: Hi",
    )
    assert [one.reason for one in found if isinstance(one, Skipped)] == [
        "1 line that WhatsApp wrote and no person",
        "1 picture, sound, file or deleted message without words",
    ]


def test_an_answer_gives_the_days_and_changes_no_key(read: Read) -> None:
    asked, told_day = items(read(*OPEN)), items(read(*OPEN, order="day/month/year"))
    assert told_day[0].moment.iso() == "2024-04-03T08:10"
    assert items(read(*OPEN, order="month/day/year"))[0].moment.iso() == "2024-03-04T08:10"
    assert [one.key for one in asked] == [one.key for one in told_day]
    assert items(read(*OPEN, order="nonsense"))[0].moment.iso() == "2024"


def test_where_even_the_year_is_open_nothing_is_known(read: Read) -> None:
    assert items(read("10/11/12, 08:10 - Ann: a"))[0].moment.iso() is None


# --- messages ------------------------------------------------------------------------------------


def test_a_message_says_all_that_is_known(read: Read) -> None:
    found = read(
        "17/01/2020, 08:10 - Ann: Hello: you", "17/01/2020, 08:11 - Bob: Hi",
        me="bob", name="WhatsApp Chat with Ann.txt",
    )  # fmt: skip
    first, second = items(found)
    assert first == Item(
        key=first.key, medium="chat", moment=first.moment, text="Hello: you", mine=False,
        locator="WhatsApp Chat with Ann.txt#1", author="Ann", title="Ann", recipients=("Bob",),
        thread="whatsapp:Ann",
    )  # fmt: skip
    assert first.key.startswith("whatsapp:17-01-20:")
    assert (second.mine, second.author, second.recipients) == (True, "Bob", ("Ann",))


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("WhatsApp Chat with Ann.txt", "Ann"),
        ("WhatsApp Chat with Ann (2).txt", "Ann"),
        ("WhatsApp-Chat mit Ann.txt", "Ann"),
        ("Chat de WhatsApp con Ann.txt", "Ann"),
        ("Conversa do WhatsApp com Ann.txt", "Ann"),
        ("Discussion WhatsApp avec Ann.txt", "Ann"),
        ("WhatsApp Chat - Ann.zip!_chat.txt", "Ann"),
        ("WhatsApp Chat - Ann/_chat.txt", "Ann"),
        ("_chat.txt", ""),
    ],
)
def test_the_chat_is_named_by_its_file(read: Read, name: str, title: str) -> None:
    assert items(read("17/01/2020, 08:10 - Ann: Hello", name=name))[0].title == title


def test_a_message_of_many_lines_stays_one(read: Read) -> None:
    found = read(
        "17/01/2020, 08:10 - Ann: One", "", "two: three", "12:30 lunch",
        "[18/01/2020, 09:00] Bob: quoted", "17/01/2020, 08:11 - Bob: Hi",
    )  # fmt: skip
    assert [one.text for one in items(found)] == [
        "One\n\ntwo: three\n12:30 lunch\n[18/01/2020, 09:00] Bob: quoted", "Hi",
    ]  # fmt: skip


def test_two_equal_messages_are_two_items_and_a_second_import_has_the_same_keys(read: Read) -> None:
    lines = ("17/01/2020, 08:10 - Ann: ok",) * 2 + ("18/01/2020, 08:10 - Ann: ok",)
    keys = [one.key for one in items(read(*lines))]
    assert len(set(keys)) == 3
    assert keys == [one.key for one in items(read(*lines, name="elsewhere/Copy.txt"))]


def test_the_same_wish_to_two_people_in_one_minute_is_two_items_wherever_the_files_lie(
    read: Read,
) -> None:
    wish = "31/12/2020, 23:59 - Me: Happy new year!"

    def keys(other: str, name: str) -> list[str]:
        answer = f"01/01/2021, 00:03 - {other}: You too!"
        return [one.key for one in items(read(wish, answer, name=name))]

    ann, bob = (keys(who, f"WhatsApp Chat with {who}.txt") for who in ("Ann", "Bob"))
    assert len({*ann, *bob}) == 4
    assert ann == keys("Ann", "_chat.txt") == keys("Ann", "my whatsapp/renamed.txt")


def test_what_is_exported_again_stays_the_same_when_a_third_has_spoken_since(read: Read) -> None:
    first = ["13/01/2021, 10:00 - Me: Who comes?", "13/01/2021, 10:05 - Ann: I do."]
    third = "14/01/2021, 09:00 - Bob: Me too."
    for name in ("WhatsApp Chat with Rome.txt", "WhatsApp Chat - Rome.zip!_chat.txt"):
        before = [one.key for one in items(read(*first, name=name))]
        after = [one.key for one in items(read(*first, third, name=name))]
        assert after[:2] == before


def test_the_same_wish_to_two_groups_in_one_minute_is_two_items(read: Read) -> None:
    lines = [f"31/12/2020, 23:59 - {who}: Happy new year!" for who in ("Ann", "Bob", "Me")]
    one, other = (
        [each.key for each in items(read(*lines, name=f"WhatsApp Chat with {group}.txt"))]
        for group in ("Rome", "Choir")
    )
    assert len({*one, *other}) == 6


def test_what_the_program_wrote_is_counted_and_no_item(read: Read) -> None:
    found = read(
        "17/01/2020, 08:09 - Messages and calls are end-to-end encrypted. Tap to learn more.",
        '17/01/2020, 08:10 - +12 345 created group "Trip: Rome"',
        "17/01/2020, 08:10 - Ann changed the subject to “Trip: Rome”",
        "17/01/2020, 08:10 - Trip: \u200eMessages and calls are end-to-end encrypted.",
        "17/01/2020, 08:10 - Bob: \u200eMissed voice call",
        "17/01/2020, 08:11 - Ann: Hi",
    )
    assert [one.text for one in items(found)] == ["Hi"]
    assert told(found) == [("Ann.txt#program", "5 lines that WhatsApp wrote and no person")]


@pytest.mark.parametrize(
    "text",
    [
        "<Media omitted>", "<Medien ausgeschlossen>", "<Médias omis>", "<Multimedia omitido>",
        "<Arquivo de mídia oculto>", "<Media omessi>", "<Media weggelaten>", "<Без медиафайлов>",
        "<省略多媒体文件>", "<媒體已略去>", "<メディアは含まれていません>", "<تم استبعاد الوسائط>",
        "\u200eimage omitted", "image omitted", "\u200eBild weggelassen", "imagen omitida",
        "\u200esticker absent", "immagine omessa", "図像", "图片已忽略", "\u200e<attached: 1-PHOTO.jpg>",
        "\u200e<angehängt: 1-PHOTO.jpg>", "IMG-20200117-WA0001.jpg (file attached)",
        "PTT-20200117-WA0001.opus (Datei angehängt)", "This message was deleted",
        "\u200eThis message was deleted.", "Du hast diese Nachricht gelöscht.", "Eliminaste este mensaje",
        "此訊息已刪除",
    ],
)  # fmt: skip
def test_what_stands_for_a_picture_or_a_deleted_message_is_nobodys_word(
    read: Read, text: str
) -> None:
    found = items(read(f"17/01/2020, 08:10 - Ann: {text}", "17/01/2020, 08:11 - Bob: Hi"))
    assert [one.text for one in found] == (["図像", "Hi"] if text == "図像" else ["Hi"])


@pytest.mark.parametrize(
    ("lines", "text", "labels"),
    [
        (("IMG-1.jpg (file attached)", "Look here"), "Look here", ("attachment",)),
        (("Look here \u200e<attached: 1-PHOTO.jpg>",), "Look here", ("attachment",)),
        (("<Media omitted>", "Look here"), "Look here", ("attachment",)),
        (("See you \u200e<This message was edited>",), "See you", ("edited",)),
        (("Bis dann <Diese Nachricht wurde bearbeitet.>",), "Bis dann", ("edited",)),
        (("\u200eLocation: https://maps.example/?q=1,2",), "Location: https://maps.example/?q=1,2", ()),
        (("\u200ePOLL:", "Tea?", "\u200eOPTION: Yes (1 vote)"), "POLL:\nTea?\nOPTION: Yes (1 vote)", ()),
        (("I <3 you",), "I <3 you", ()),
        (("<b>",), "<b>", ()),
        (("null and void",), "null and void", ()),
    ],
)  # fmt: skip
def test_words_beside_them_stay(
    read: Read, lines: tuple[str, ...], text: str, labels: tuple[str, ...]
) -> None:
    (item,) = items(read(f"17/01/2020, 08:10 - Ann: {lines[0]}", *lines[1:]))
    assert (item.text, item.labels) == (text, labels)


def test_unknown_numbers_and_names_with_tildes_are_authors(read: Read) -> None:
    found = items(read("17/01/2020, 08:10 - +1 123 456: Hi", "[17/01/2020, 08:10] x"))
    assert [one.author for one in found] == ["+1 123 456"]
    assert items(read("[17/01/20, 08:10:00] ~\u202fAnn B.: Hi", me="ann b."))[0].mine


def test_lines_before_the_first_message_are_named(read: Read) -> None:
    found = read("a preface", "17/01/2020, 08:10 - Ann: Hi")
    assert told(found) == [
        ("Ann.txt#1", "stands before the first message, so nobody is its author")
    ]


def test_a_text_without_messages_is_skipped(read: Read) -> None:
    assert read("a note", "of two lines") == [
        Skipped("Ann.txt", "no lines of a WhatsApp chat in it")
    ]


# --- recognising ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("life.txt", "2024-03-02\nUp early.\n"),
        ("life.txt", "Up early.\n17/01/2020, 08:10 - Ann: Hi\n"),
        ("jrnl.txt", "[2024-03-02 08:10] Rain: again\n[2024-03-03 08:10] Sun: at last\n"),
        ("signal.txt", "[2024-03-02, 08:10] Ann: Hi\n[2024-03-02, 08:11] Bob: Hi\n"),
        ("chat.md", "17/01/2020, 08:10 - Ann: Hi\n"),
        ("chat.txt", "17/01/2020, 08:10 - You were added\n"),
        ("chat.txt", ""),
        ("chat.txt", "\x00\x01\x02" * 99),
    ],
)
def test_other_files_are_not_claimed(member_of: MakeMember, name: str, text: str) -> None:
    assert WHATSAPP.claim([member_of(name, text.encode())]) is None


def test_utf_16_is_read(member_of: MakeMember) -> None:
    member = member_of("Ann.txt", "17/01/2020, 08:10 - Ann: Grüße\r\n".encode("utf-16"))
    assert WHATSAPP.claim([member]) is not None
    (item,) = WHATSAPP.read([member], Reading())
    assert isinstance(item, Item)
    assert item.text == "Grüße"


PIECES = st.sampled_from(
    ["[", "]", "17/01/20", "3/4/2020", "2020.1.5.", "99/99/99", ", ", " - ", "08:10", "25:99", " PM",
     "下午", "Ann", ": ", ":", "\u200e", "\u200f", "<Media omitted>", "<a: b.jpg>", "\n", "\n", '"', "~",
     "(file attached)", "\ud800", "\x00", "٣", "²"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(PIECES | st.text(max_size=6), max_size=40))
def test_any_text_gives_items_or_problems(
    read: Read, member_of: MakeMember, pieces: list[str]
) -> None:
    text = "".join(pieces)
    WHATSAPP.claim([member_of("Ann.txt", text.encode("utf-8", "surrogatepass"))])
    found = read(text)
    assert all(isinstance(one, Item | ImportProblem | Skipped) for one in found)
    for one in items(found):
        (one.text + one.author + one.key).encode()
        assert one.text.strip()
    assert len({one.key for one in items(found)}) == len(items(found))
