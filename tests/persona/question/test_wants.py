"""What a question asks for decides what counts as an answer."""

from __future__ import annotations

import pytest

from clone_app.persona.question.wants import Kind, counts, holds, kind_of, stated, uncalled, wants


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much did the press cost?", Kind.MONEY),
        ("What did you pay for a periwig?", Kind.MONEY),
        ("What was the exact reading for her blood glucose?", Kind.AMOUNT),
        ("Do you know exactly how much he pays?", Kind.MONEY),
        ("How much does the cat weigh?", Kind.AMOUNT),
        ("What rent did you pay?", Kind.MONEY),
        ("When was Orla born?", Kind.DATE),
        ("Who taught your wife to dance?", Kind.PERSON),
        ("What is your sister's baby called?", Kind.PERSON),
        ("Who is Hazel?", Kind.OPEN),
        ("Where did you find the cat?", Kind.PLACE),
        ("Why did you leave?", Kind.REASON),
        ("Do you still run with Tom?", Kind.YES_NO),
        ("Has Appendix lost weight?", Kind.YES_NO),
        ("Do you know who carried it?", Kind.PERSON),
        ("To whom did you give it?", Kind.PERSON),
        ("How is the man who carried it?", Kind.OPEN),
        ("How is the house where you lived?", Kind.OPEN),
        ("What do you think of decaf?", Kind.OPEN),
        ("How are your eyes?", Kind.OPEN),
        ("Wo wohnst du?", Kind.OPEN),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(question: str, kind: Kind) -> None:
    assert kind_of(question) is kind


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        (Kind.AMOUNT, "It cost me two hundred pounds.", True),
        (Kind.AMOUNT, "It cost me dear.", False),
        (Kind.MONEY, "It cost me £40.", True),
        (Kind.MONEY, "I paid him forty for it.", False),
        (Kind.MONEY, "I paid him 40 for it.", True),
        (Kind.MONEY, "It is twenty pounds a week.", True),
        (Kind.MONEY, "It weighs 31 kilos.", False),
        (Kind.MONEY, "They left at 11.20.", False),
        (Kind.PERSON, "We met Robin there.", True),
        (Kind.PERSON, "We met a man there.", False),
        (Kind.PERSON, "My brother carried it.", True),
        (Kind.PLACE, "He sat behind the chandlery.", True),
        (Kind.PLACE, "He was found.", False),
        (Kind.REASON, "I left because it rained.", True),
        (Kind.REASON, "I left.", False),
        (Kind.OPEN, "I left.", True),
    ],
)
def test_a_text_holds_a_kind_of_answer_or_not(kind: Kind, text: str, held: bool) -> None:
    assert holds(kind, text) is held


def test_what_the_question_says_itself_is_no_answer() -> None:
    asked = wants("Who did Robin meet?")[0]
    assert not holds(asked.kind, "Robin met a man.", asked=asked.stems)
    assert holds(asked.kind, "Robin met Ann.", asked=asked.stems)


def test_a_question_of_two_parts_is_two_questions() -> None:
    found = wants("When was Orla born and what did she weigh?")
    assert [(each.text, each.kind) for each in found] == [
        ("When was Orla born", Kind.DATE),
        ("what did she weigh?", Kind.AMOUNT),
    ]
    assert len(wants("Did you see the king and the queen?")) == 1


def test_a_tag_at_the_end_asks_nothing() -> None:
    (only,) = wants("Where did Joel have his wedding, do you know?")
    assert only.kind is Kind.PLACE
    assert len(wants("Where is Joel, and do you know his wife?")) == 2


def test_of_a_story_only_the_sentence_that_asks_counts() -> None:
    found = wants("I remember how much you loved the sea. Why did you move away?")
    assert [each.kind for each in found] == [Kind.REASON]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Nineteen lessons at thirty-six pounds.", True),
        ("I had 19 driving lessons.", True),
        ("Lesson 1.", False),
        ("I stalled nine times in the first of my lessons.", False),
    ],
)
def test_what_is_counted_stands_behind_its_number(text: str, told: bool) -> None:
    assert counts("How many lessons did you take?", text) is told
    assert not counts("How long did you take lessons?", text)


def test_what_a_story_tells_asks_for_nothing() -> None:
    (only,) = wants("You told me how many steps it is. What's happened?")
    assert only.kind is Kind.OPEN


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("Old Chen, why did you stop?", "why did you stop?"),
        ("Guilin, why?", "why?"),
        ("In March, why did you stop?", "In March, why did you stop?"),
        ("Why did you stop?", "Why did you stop?"),
        ("Anne-Marie O’Neill, why?", "why?"),
        # With words tried in all their parts this would take hours.
        ("A" * 10_000, "A" * 10_000),
    ],
)
def test_the_name_that_is_called_is_no_part_of_the_question(question: str, bare: str) -> None:
    assert uncalled(question) == bare


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Did your wife write a play?", "my wife write a play"),
        ("Why did you sell your library?", "I sell my library"),
        ("What did the King say about your diary?", "the King say about my diary"),
        ("Do you still run with Tom?", "I still run with Tom"),
    ],
)
def test_a_question_turned_into_what_it_asks_about(question: str, statement: str) -> None:
    assert stated(question) == statement
