"""What the document says of a person, and what it must never say."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from clone_app.entries import Item, Moment, content_hash
from clone_app.memory.lines import Line, Section
from clone_app.persona.document import Document
from clone_app.persona.traits.build import build

START = date(2023, 1, 2)  # a Monday


def entry(text: str, day: date | int = 0, **more: object) -> Item:
    """A diary entry; an int is days after the first Monday of 2023."""
    at = START + timedelta(days=day) if isinstance(day, int) else day
    fields: dict[str, object] = {
        "key": f"diary:{at}:{content_hash(text)}",
        "medium": "diary",
        "moment": Moment.on(at),
        "text": text,
        "mine": True,
        "locator": f"{at}.md",
    }
    return Item(**(fields | more))  # type: ignore[arg-type]


def texts(document: Document, section: Section) -> list[str]:
    return [line.text for line in document.section(section)]


def only(document: Document, section: Section) -> Line:
    lines = document.section(section)
    assert len(lines) == 1, [line.text for line in lines]
    return lines[0]


# --- likes and dislikes ------------------------------------------------------------------------------


def test_a_plain_statement_of_liking_is_a_line_with_its_entry_and_day() -> None:
    document = build([entry("Dinner was late. I can't stand coriander. Bed.", 3)])
    line = only(document, Section.LIKES)
    assert line.text == "I can't stand coriander"
    assert [(each.day, each.vital) for each in line.supports] == [(date(2023, 1, 5), True)]


def test_what_was_liked_once_is_an_event_and_three_times_a_trait() -> None:
    once = [entry("I enjoyed the concert.", 1)]
    assert not texts(build(once), Section.LIKES)
    thrice = [entry(f"I enjoyed the concert, take {number}.", number * 9) for number in range(3)]
    assert texts(build(thrice), Section.LIKES) == ["I enjoyed the concert"]


@pytest.mark.parametrize(
    "text",
    [
        "My sister loves opera.",
        "She said, “I love opera more than bread.”",
        'Tom wrote "I hate opera and always will" on the wall.',
        "Do I love opera? Who knows.",
        "If I loved opera I would go.",
        "I'd like opera if it were shorter.",
        "Bridie says I love opera.",
        "I feel like opera was made for others.",
    ],
)
def test_others_preferences_questions_and_conditions_are_not_the_users(text: str) -> None:
    assert not texts(build([entry(text)]), Section.LIKES)


def test_others_text_and_quoted_mail_are_never_the_users() -> None:
    theirs = entry("I love sailing.", mine=False, author="Bob")
    quoted = entry("Thanks!\n> I love sailing.", medium="mail", context="I love sailing.")
    assert not texts(build([theirs, quoted]), Section.LIKES)


def test_in_a_transcript_only_the_users_lines_count() -> None:
    talk = "**Zhou Yu:** I love tea.\n**Li Lin:** I love coffee and I hate tea.\n"
    document = build([entry(talk, medium="chat", author="Yu Zhou")])
    assert texts(document, Section.LIKES) == ["I love tea"]


def test_a_denial_turns_the_liking_round() -> None:
    assert texts(build([entry("I really don't like boats.")]), Section.LIKES) == [
        "I don't like boats"
    ]


def test_another_word_on_the_same_thing_later_is_then_and_now() -> None:
    document = build([entry("I hate running.", 0), entry("I love running now.", 200)])
    line = only(document, Section.LIKES)
    assert line.text == "running: hate (January 2023) → love (July 2023)"
    assert all(support.vital for support in line.supports)


def test_used_to_says_that_it_is_over() -> None:
    line = only(build([entry("I used to love jazz.")]), Section.LIKES)
    assert line.text == "jazz: love then → no more (January 2023)"


def test_chinese_stances_are_read_with_denial_and_past() -> None:
    document = build(
        [
            entry("今天下雨。我特别喜欢下雨天。", 1),
            entry("我不喜欢喝咖啡。", 2),
            entry("我妹妹喜欢猫。", 3),
            entry("我以前喜欢足球。", 4),
        ]
    )
    found = texts(document, Section.LIKES)
    assert "我喜欢下雨天" in found
    assert "我不喜欢喝咖啡" in found
    assert not any("猫" in line for line in found)
    assert "足球: 喜欢 then → no more (January 2023)" in found


# --- people and places ---------------------------------------------------------------------------------


def test_people_need_three_entries_and_come_with_what_they_are_to_me() -> None:
    told = [
        entry("Rang my sister Bridie. She laughed.", 1),
        entry("Lunch with Bridie, and then with Tom.", 8),
        entry("We told Bridie about the boat.", 15),
    ]
    document = build(told)
    assert texts(document, Section.PEOPLE) == ["Bridie, my sister"]
    assert len(only(document, Section.PEOPLE).supports) == 3


def test_a_first_name_and_the_full_name_of_a_correspondent_are_one_person() -> None:
    told = [entry(f"Talked to Paloma about it, letter {n}.", n * 7) for n in range(3)]
    mail = entry(
        "Dear Paloma,\nall is well.", 40, medium="mail",
        recipients=("Paloma Arrieta <p@example.org>",),
    )  # fmt: skip
    line = only(build([*told, mail]), Section.PEOPLE)
    assert (line.text, len(line.supports)) == ("Paloma Arrieta", 4)


def test_the_user_is_not_among_their_people() -> None:
    told = [entry(f"Tom told Marnie, that is me, a joke {n}. With Tom again.", n) for n in range(4)]
    document = build(told, me=frozenset({"marnie pellworth"}))
    assert texts(document, Section.PEOPLE) == ["Tom"]


def test_places_are_told_from_people_by_the_words_around_them() -> None:
    told = [
        entry(f"In Leeds all day, then the train to Leeds station {n}.", n * 5) for n in range(4)
    ]
    document = build(told)
    assert texts(document, Section.PLACES) == ["Leeds"]
    assert not texts(document, Section.PEOPLE)


def test_moving_house_is_then_and_now() -> None:
    told = [
        entry("I live in Leeds, on the second floor.", 1),
        entry("I moved to Wrackham, by the sea.", 300),
    ]
    assert "I lived in Leeds (January 2023) → Wrackham (October 2023)" in texts(
        build(told), Section.PLACES
    )


# --- habits ---------------------------------------------------------------------------------------------


def test_what_is_counted_again_and_again_is_a_habit_with_its_change() -> None:
    told = [entry(f"Long day.\n\nCoffees: {5 if n < 6 else 1}.", n * 10) for n in range(12)]
    assert texts(build(told), Section.HABITS) == [
        "I keep count of my coffees: usually 5 then (January 2023) → 1 now (from March 2023)"
    ]


def test_a_habit_said_outright_needs_entries_that_speak_of_it() -> None:
    claim = entry("I go running along the canal every morning.", 1)
    assert not texts(build([claim]), Section.HABITS)
    others = [
        entry("Every morning I go running by the canal, whatever the weather.", 30),
        entry("I went running along the canal and saw a heron.", 60),
    ]
    line = only(build([claim, *others]), Section.HABITS)
    assert "running" in line.text
    assert len(line.supports) == 3


TRACKER = "Mood: 3\nPracticed guitar: {}\nSlept well: Yes"


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Practiced guitar: {}", "No"),
        ("Practiced guitar = {}", "none"),
        ("| Practiced guitar | {} |", "0"),
        ("Mood: 3, practiced guitar: {}, coffees: 2", "no"),
        *(
            (TRACKER, value)
            for value in ("No", "no, too tired", "0", "0 min", "not today", "❌", "–")
        ),
    ],
)
def test_the_line_of_a_tracker_that_says_no_is_no_doing(line: str, value: str) -> None:
    told = [entry(line.format(value), n * 20) for n in range(12)]
    assert not texts(build(told), Section.HABITS)


@pytest.mark.parametrize(
    "line",
    [
        "☐ practice guitar",
        "- ⬜ Practice guitar ✅ milk",
        "Practiced guitar?",
        "- [ ] practice guitar",
        "Rain.\n1. [>] practice guitar\n",
    ],
)
def test_what_is_left_to_do_or_asked_is_no_doing(line: str) -> None:
    assert not texts(build([entry(line, n * 20) for n in range(12)]), Section.HABITS)


@pytest.mark.parametrize(
    "line",
    [
        "Practiced guitar: Yes",
        "Practiced guitar: 0.5 hours",
        "Practiced guitar: 20 min",
        "☑ practiced guitar",
        "- [x] practiced guitar",
        "Smoked: No\nPracticed guitar: Yes",
        "Practiced guitar: No Woman, No Cry",
    ],
)
def test_a_doing_that_a_tracker_has_again_and_again_is_a_habit(line: str) -> None:
    told = [entry(line, n * 20) for n in range(12)]
    assert texts(build(told), Section.HABITS) == ["Again and again: “practiced guitar”"]


def test_only_the_days_on_which_it_was_done_carry_a_habit() -> None:
    told = [entry(f"Practiced guitar: {'Yes' if n % 2 else 'No'}", n * 20) for n in range(12)]
    assert len(only(build(told), Section.HABITS).supports) == 6


def test_two_walks_make_no_walker() -> None:
    told = [entry("Walked the dog.", 1), entry("Walked the dog.", 50)]
    assert not texts(build(told), Section.HABITS)


# --- what I hold ------------------------------------------------------------------------------------------


def test_opinions_are_quoted_with_their_day() -> None:
    document = build([entry("Rain. I believe that good warnings save fingers. Bed.", 2)])
    line = only(document, Section.HOLD)
    assert line.text == "“I believe that good warnings save fingers.”"
    assert line.supports[0].day == date(2023, 1, 4)


def test_a_thing_said_to_be_so_and_later_not_so_is_then_and_now() -> None:
    told = [
        entry("I think stability is everything in a family.", 1),
        entry("Stability. A word about stability again.", 100),
        entry("I understand now that stability isn't everything at all.", 300),
    ]
    line = build(told).section(Section.HOLD)[0]
    assert line.text == (
        "“I think stability is everything in a family.” (January 2023) → "
        "“I understand now that stability isn't everything at all.” (October 2023)"
    )
    assert line.needed == 2


def test_chinese_convictions_and_habits_are_read_too() -> None:
    told = [
        entry("我一直觉得稳定最重要。", 1),
        entry("我每天早上沿河跑步。", 2),
        entry("今天我每天早上沿河跑步的习惯断了。", 30),
        entry("下雨，早上沿河跑步很累。", 60),
    ]
    document = build(told)
    assert texts(document, Section.HOLD) == ["“我一直觉得稳定最重要。”"]
    assert "“我每天早上沿河跑步”" in texts(document, Section.HABITS)


def test_a_plan_for_tonight_is_no_conviction() -> None:
    assert not texts(build([entry("I think I will cook tonight.")]), Section.HOLD)


# --- who, work, health ------------------------------------------------------------------------------------


def test_what_the_user_is_and_does_stands_in_their_own_words() -> None:
    document = build(
        [
            entry("I'm a vegetarian.", 1),
            entry("I am a technical writer at Corrabell.", 2),
            entry("Bob is a nurse. If I were a nurse I would quit.", 3),
        ]
    )
    assert texts(document, Section.WHO) == ["“I'm a vegetarian.”"]
    assert texts(document, Section.WORK) == ["“I am a technical writer at Corrabell.”"]


def test_health_needs_three_entries_of_ones_own_and_is_private() -> None:
    told = [entry(f"My headache came back after lunch, day {n}.", n * 6) for n in range(3)]
    others = [entry(f"My mother's headache again, day {n}.", n * 6 + 1) for n in range(3)]
    line = only(build([*told, *others]), Section.HEALTH)
    assert line.private
    assert line.text.startswith("Headache: “My headache came back")
    assert len(line.supports) == 3
    assert not texts(build(told[:2]), Section.HEALTH)
    assert not texts(build(others), Section.HEALTH)


# --- forgetting, generated text, sameness ------------------------------------------------------


def test_a_forgotten_topic_is_left_out() -> None:
    told = [entry("I love sushi. I love jazz.")]
    assert texts(build(told, forgotten=["sushi"]), Section.LIKES) == ["I love jazz"]


def test_what_the_user_asks_in_a_chat_to_forget_is_left_out() -> None:
    told = [
        entry("I love sushi.", 1, medium="chat"),
        entry("Please forget that I like sushi.", 2, medium="chat"),
        entry("I love jazz. I'll never forget that jazz evening.", 3),
    ]
    assert texts(build(told), Section.LIKES) == ["I love jazz"]


def test_an_answer_of_the_clone_is_no_entry_of_the_users() -> None:
    assert not build([entry("I love sushi.\n\nGenerated by the clone")]).lines


def test_the_same_entries_give_the_same_document_in_any_order() -> None:
    told = [
        entry(f"Met Tom at the harbour {n}. I love jazz. I never eat fish.", n) for n in range(9)
    ]
    told += [entry("I hate winter.", 40), entry("I have stopped smoking at last.", 60)]
    assert build(told) == build(told)
    assert {line.text for line in build(told).lines} == {
        line.text for line in build(told[::-1]).lines
    }


def test_nothing_gives_an_empty_document() -> None:
    assert build([]).lines == ()
    assert (
        build([entry("…"), entry("```\nI love code\n```"), entry("http://x.example")]).lines == ()
    )


@pytest.mark.parametrize(
    "last", ["I no longer like coffee.", "I don't like coffee any more.", "I used to like coffee."]
)
def test_what_is_liked_no_more_is_said_to_be_so(last: str) -> None:
    told = [entry(f"I love coffee {when}.", at) for at, when in ((0, "now"), (7, "in bed"))]
    line = only(build([*told, entry(last, 371)]), Section.LIKES)
    assert line.text == "coffee: love (January 2023) → no longer like (January 2024)"
