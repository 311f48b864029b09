"""The strip says which parts of a question have evidence."""

from __future__ import annotations

from datetime import date

from clone_app.entries import Hit, Item, Moment, Part, Sentence, Term
from clone_app.memory.words import asked_words, content_words
from clone_app.persona.parts import MOST, parts

SOFA = "I paid Joel two hundred pounds for the green sofa."


def hit(text: str, key: str) -> Hit:
    item = Item(
        key=key,
        medium="diary",
        moment=Moment.on(date(2024, 1, 1)),
        text=text,
        mine=True,
        locator="a",
    )
    return Hit(
        item_id=1, item=item, passage=text, start=0, own=True, score=1.0, cosine=None, coverage=1.0,
        found_by=("words",),
    )  # fmt: skip


def strip(question: str, hits: list[Hit], *said: Sentence) -> tuple[Part, ...]:
    terms = [Term(word, (word,), 3.0) for word in dict.fromkeys(content_words(question))]
    return parts(question, terms, hits, said)


def test_found_is_what_stands_in_a_cited_item_in_the_questions_own_words() -> None:
    said = Sentence("I paid Joel two hundred pounds.", True, ("a",))
    found = strip("How much did the green sofa cost, and the lamp?", [hit(SOFA, "a")], said)
    assert found == (
        Part("green", True, ("a",)),
        Part("sofa", True, ("a",)),
        Part("cost", False),
        Part("lamp", False),
        Part("an amount of money", True),
    )


def test_words_that_stand_together_are_one_part_where_an_item_holds_them_all() -> None:
    said = Sentence("I paid Joel.", True, ("a",))
    assert strip("What of the green sofa?", [hit(SOFA, "a")], said) == (
        Part("green sofa", True, ("a",)),
    )


def test_what_is_wanted_must_be_in_the_answer_itself() -> None:
    said = Sentence("I paid Joel for the green sofa.", True, ("a",))
    found = strip("How much was the green sofa?", [hit(SOFA, "a")], said)
    assert Part("an amount", False) in found


def test_where_nothing_is_cited_the_nearest_items_tell() -> None:
    never = Sentence("I never wrote about that.", False, ())
    found = strip("Did you buy a sofa and a helicopter?", [hit(SOFA, "a")], never)
    assert [(each.text, each.found) for each in found] == [
        ("buy", False), ("sofa", True), ("helicopter", False)
    ]  # fmt: skip


def test_a_long_question_has_no_endless_strip() -> None:
    question = "What of " + " and of ".join(f"thing{n} there" for n in range(20)) + "?"
    assert len(strip(question, [hit(SOFA, "a")])) <= MOST


def test_a_chinese_question_has_its_words_as_parts() -> None:
    question = "戴师傅的记录搁在哪儿？"
    terms = tuple(Term(word, (word,), 4.0) for word in asked_words(question))
    found = parts(question, terms, [hit("戴师傅的记录十七本。", "k")], [])
    assert [(each.text, each.found) for each in found] == [
        ("戴师傅", True),
        ("记录", True),
        ("搁", False),
        ("a place", False),
    ]
