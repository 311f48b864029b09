"""Who one is, who somebody is, what one likes: told by the lines drawn from many entries."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from clone_app.entries import Item, Moment
from clone_app.memory.lines import Line, Section, Support
from clone_app.persona.portrait import asked_for, portrayed, whom


def line(section: Section, text: str, *days: str) -> Line:
    supports = tuple(Support(day, date.fromisoformat(day)) for day in days)
    return Line(section=section, topic=text.casefold(), text=text, supports=supports)


WHO = line(Section.WHO, "“Nora Vale, forty.”", "2023-02-01")
BAKER = line(Section.WORK, "“I bake at Mill Road.”", "2023-05-01")
RETIRED = line(Section.WORK, "“Last day at the bakery.”", "2024-06-01")
ROBIN = line(Section.PEOPLE, "Robin Hill, my brother", "2023-01-05", "2023-03-05", "2024-03-05")
HAZEL = line(Section.PEOPLE, "Hazel", "2023-04-01")
LEEKS = line(Section.LIKES, "I don't like leeks", "2023-07-01")
LINES = (WHO, ROBIN, HAZEL, RETIRED, BAKER, LEEKS)
TEXTS = {
    "2023-01-05": "Robin, who mends clocks, came by. We ate.",
    "2023-02-01": "Nora Vale, forty. A new book.",
    "2023-03-05": "Saw Robin. It rained.",
    "2023-04-01": "Hazel rang.",
    "2023-05-01": "I bake at Mill Road.",
    "2023-07-01": "No leeks for me.",
    "2024-03-05": "Robin rang.",
    "2024-06-01": "Last day at the bakery.",
}
ITEMS = {
    day: (
        number,
        Item(
            key=day,
            medium="diary",
            moment=Moment.on(date.fromisoformat(day)),
            text=text,
            mine=True,
            locator=day,
        ),
    )
    for number, (day, text) in enumerate(TEXTS.items(), 1)
}


def told(question: str, lines: tuple[Line, ...] = LINES) -> list[str]:
    found = portrayed(question, asked_for(question, lines), ITEMS)
    return [each.text for each in found.sentences] if found else []


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Who are you?", {WHO, RETIRED, BAKER, ROBIN, HAZEL, LEEKS}),
        ("Hi, tell me a bit about yourself please", {WHO, RETIRED, BAKER, ROBIN, HAZEL, LEEKS}),
        ("So where do you work?", {RETIRED, BAKER}),
        ("Who are your best friends?", {ROBIN, HAZEL}),
        ("What do you hate?", {LEEKS}),
        ("Do you still like leeks?", {LEEKS}),
        ("Who's Robin Hill?", {ROBIN}),
        ("Who is your brother?", {ROBIN}),
        ("What's your brother called?", {ROBIN}),
        ("And who’s Robin?", {ROBIN}),
        ("你是谁？", {WHO, RETIRED, BAKER, ROBIN, HAZEL, LEEKS}),
        ("你喜欢什么？", {LEEKS}),
    ],
)
def test_a_question_about_the_whole_is_answered_by_lines(question: str, lines: set[Line]) -> None:
    assert set(asked_for(question, LINES)) == lines


@pytest.mark.parametrize(
    "question",
    [
        "Who are you meeting tomorrow?",
        "Where do you work on Sundays?",
        "Do you like cheese?",
        "Who is Tom?",
        "Who is your sister?",
        "Who is Robin afraid of?",
        "What did you do?",
        "Is Hazel well?",
        "Did you enjoy the leeks?",
        "Tell me about your bakery.",
        "",
    ],
)
def test_any_other_question_is_left_to_recall(question: str) -> None:
    assert asked_for(question, LINES) == ()
    assert portrayed(question, (), ITEMS) is None


def test_what_one_does_is_told_oldest_first_each_with_its_entries() -> None:
    found = portrayed("What do you do?", asked_for("What do you do?", LINES), ITEMS)
    assert found is not None
    assert [each.citations for each in found.sentences] == [("2023-05-01",), ("2024-06-01",)]
    assert [each.text for each in found.sentences] == [
        "“I bake at Mill Road.” (1 May 2023).",
        "“Last day at the bakery.” (1 June 2024).",
    ]
    assert {each.key for each in found.sources} == {"2023-05-01", "2024-06-01"}
    assert all(each.quote in TEXTS[each.key] for each in found.sources)


def test_of_somebody_it_is_told_word_for_word_how_the_user_speaks_of_them() -> None:
    line_told, *quoted = told("Who is Robin?")
    assert line_told.startswith("Robin Hill, my brother (3 entries")
    assert quoted == ["On 5 January 2023 I wrote: “Robin, who mends clocks, came by.”"]


def test_money_and_ailments_are_not_volunteered() -> None:
    owed = replace(line(Section.WORK, "“I owe 60,000.”", "2023-05-01"), private=True)
    heart = replace(line(Section.HEALTH, "Heart: dull", "2023-05-01"), private=True)
    lines = (*LINES, owed, heart)
    assert owed not in asked_for("Who are you?", lines)
    assert owed not in asked_for("Where do you work?", lines)
    assert asked_for("How is your health?", lines) == (heart,)


def test_a_line_whose_entries_may_not_be_shown_is_not_told() -> None:
    asked = asked_for("Who is Hazel?", LINES)
    assert portrayed("Who is Hazel?", asked, {}) is None


MAILED = Item(
    key="2023-01-05",
    medium="mail",
    moment=Moment.on(date(2023, 1, 5)),
    text="> Robin is a thief and I never liked him.\n\nRobin, my brother, is no thief. Regards",
    mine=True,
    locator="1",
)


def test_what_others_say_of_somebody_in_a_quoted_mail_is_not_told_as_the_users_words() -> None:
    found = portrayed("Who is Robin?", (ROBIN,), {MAILED.key: (1, MAILED)})
    assert found is not None
    assert [each.text for each in found.sentences[1:]] == [
        "On 5 January 2023 I wrote: “Robin, my brother, is no thief.”"
    ]


@pytest.mark.parametrize("wording", ["Mrs Hill, my boss", "My boss Robin", ", my boss"])
def test_by_a_title_or_the_users_own_wording_no_other_sentences_are_found(wording: str) -> None:
    boss = line(Section.PEOPLE, wording, "2023-01-05")
    other = replace(MAILED, text="Mrs Tagle, the vet, came by. My shoes, the brown ones, are wet.")
    found = portrayed("Who is your boss?", (boss,), {other.key: (1, other)})
    assert found is not None
    assert len(found.sentences) == 1


def test_what_refers_back_is_not_looked_for_among_likes() -> None:
    wine = line(Section.LIKES, "I like white wine", "2023-07-01")
    assert asked_for("Do you like wine?", (wine,)) == (wine,)
    assert asked_for("Do you like it?", (wine,)) == ()


def test_beside_a_line_stands_the_sentence_that_it_quotes() -> None:
    text = "We don't like a leek tank that leaks. I eat pie, I don't like leeks. So there."
    item = replace(MAILED, key="2023-07-01", text=text)
    found = portrayed("What do you like?", (LEEKS,), {item.key: (1, item)})
    assert found is not None
    assert found.sources[0].quote == "I eat pie, I don't like leeks."


def test_whom_a_question_asks_to_be_told_about() -> None:
    assert whom("Who is Mrs Dunphy?") == "Mrs Dunphy"
    assert whom("Tell me about Desmond.") == "Desmond"
    assert whom("What is the name of your dog?") == ""
    assert whom("Who was it?") == ""
    assert whom("晓雨是谁？") == "晓雨"


def test_what_somebody_is_to_the_user_stands_behind_my() -> None:
    worker = line(Section.PEOPLE, "Bo, at work on my roof", "2023-01-05")
    assert asked_for("Tell me about your work.", (worker,)) == ()
    assert asked_for("Who is your brother?", (ROBIN,)) == (ROBIN,)


def test_to_others_no_entries_are_counted() -> None:
    found = portrayed("Who is Hazel?", (HAZEL,), ITEMS, counted=False)
    assert found is not None
    assert found.sentences[0].text == "Hazel."


def test_somebody_is_introduced_in_chinese_too() -> None:
    friend = line(Section.PEOPLE, "晓雨", "2023-01-05")
    item = replace(ITEMS["2023-01-05"][1], text="晓雨是我的邻居。今天下雨。")
    found = portrayed("晓雨是谁？", (friend,), {item.key: (1, item)})
    assert found is not None
    assert [each.text for each in found.sentences][1:] == [
        "2023年1月5日，我写道：“晓雨是我的邻居。”"
    ]


def test_likes_and_dislikes_come_as_they_are_asked_for() -> None:
    jazz = line(Section.LIKES, "I love jazz", "2023-08-01")
    assert asked_for("What do you like?", (LEEKS, jazz)) == (jazz, LEEKS)
    assert asked_for("What do you hate?", (jazz, LEEKS)) == (LEEKS, jazz)
