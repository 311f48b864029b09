"""In a chat kept as one text each line is its speaker's, and is quoted so."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from clone_app.entries import Hit, Item, Moment, Term
from clone_app.persona.ground import Evidence, check
from clone_app.persona.lines import lines
from clone_app.persona.quote import quote_answer
from clone_app.persona.traits.remarks import own_text

CHAT = (
    "12:34 Ida F: The shed freezes at noon, and nobody paints after noon.\n"
    "12:35 Ola Falk: I lost the key of the shed.\n"
    "12:36 Ida F: Look under the red bucket."
)


def quoted(text: str, *words: str, author: str = "Ola Falk") -> list[str]:
    item = Item(
        key="k", medium="note", moment=Moment.on(date(2024, 11, 1)), text=text, mine=True,
        locator="a.txt", author=author,
    )  # fmt: skip
    hit = Hit(
        item_id=1, item=item, passage=text, start=0, own=True, score=1.0, cosine=None,
        coverage=1.0, found_by=("words",),
    )  # fmt: skip
    found = quote_answer(tuple(Term(word, (word,), 3.0) for word in words), [hit])
    return [each.text for each in found]


def test_anothers_line_is_quoted_under_their_name() -> None:
    assert quoted(CHAT, "freezes", "paints") == [
        "On 1 November 2024 Ida F wrote: “The shed freezes at noon, and nobody paints after noon.”"
    ]


def test_an_own_line_is_quoted_as_mine_without_its_label() -> None:
    assert quoted(CHAT, "lost", "key") == [
        "On 1 November 2024 I noted: “I lost the key of the shed.”"
    ]


def test_where_no_line_is_mine_nobody_s_line_is() -> None:
    theirs = CHAT.replace("Ola Falk", "Per Lund")
    assert quoted(theirs, "lost", "key") == [
        "On 1 November 2024 Per Lund wrote: “I lost the key of the shed.”"
    ]
    kept = Evidence(key="k", text=theirs, moment=Moment.unknown(), mine=True, author="Ola Falk")
    assert not check("I lost the key of the shed.", [kept]).supported


def test_what_leads_to_a_chat_is_its_authors() -> None:
    found = quoted("I kept this for the laughs about the barn.\n" + CHAT, "laughs", "barn")
    assert found == ["On 1 November 2024 I noted: “I kept this for the laughs about the barn.”"]


def test_a_diary_with_times_and_labels_is_no_chat() -> None:
    assert lines("8:30 Breakfast: two eggs.\n12:10 Lunch: soup.\nNote: buy salt.", "Ola Falk") == []
    assert lines("Note: I sold the boat.\nhttps://example.org/a", "Ola Falk") == []


def test_each_line_ends_where_the_next_begins() -> None:
    found = lines("**Ola**: Yes.\nAnd no.\n**Ida**: Fine.", "Ola Falk")
    assert [(line.who, line.mine) for line in found] == [("Ola", True), ("Ida", False)]
    assert found[0].end == found[1].opens


def test_a_time_may_stand_behind_the_name_and_an_author_has_more_names() -> None:
    chat = "Ola (20:40): Lock the shed.\nmum [seen]: I sold the boat."
    assert [(each.who, each.mine) for each in lines(chat, "Ola Falk")] == [
        ("Ola", True),
        ("mum", False),
    ]
    assert [each.mine for each in lines("Skipper: Aye.\nIda: No.", "Ola Falk", ["skipper"])] == [
        True,
        False,
    ]


def test_in_a_chat_of_others_nothing_is_the_users_own() -> None:
    theirs = CHAT.replace("Ola Falk", "Per Lund")
    item = Item(
        key="k", medium="chat", moment=Moment.unknown(), text=theirs, mine=True, locator="a",
        author="Ola Falk",
    )  # fmt: skip
    assert own_text(item).strip() == ""
    assert own_text(replace(item, text=CHAT)).strip() == "I lost the key of the shed."
