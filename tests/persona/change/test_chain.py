"""What an entry says has ended no longer holds; what none says has ended does."""

from __future__ import annotations

from datetime import date

from clone_app.entries import Hit, Item, Moment, Term
from clone_app.memory.words import content_words
from clone_app.persona.change.chain import change, told

THEN, NOW = date(2022, 3, 2), date(2024, 5, 3)


def hit(text: str, day: date | None, *, mine: bool = True) -> Hit:
    moment = Moment.on(day) if day else Moment.unknown()
    item = Item(key=text[:8], medium="diary", moment=moment, text=text, mine=mine, locator="a")
    return Hit(
        item_id=1, item=item, passage=text, start=0, own=True, score=1.0, cosine=None, coverage=1.0,
        found_by=("words",),
    )  # fmt: skip


def terms(question: str) -> tuple[Term, ...]:
    return tuple(Term(word, (word,), 3.0) for word in dict.fromkeys(content_words(question)))


RUN = hit("I run with Tom every Sunday.", THEN)
STOPPED = hit("I have stopped running; I no longer run with Tom.", NOW)


def said(question: str, *hits: Hit) -> list[str]:
    found = change(question, terms(question), hits)
    return [sentence.text for sentence in told(question, found)] if found else []


def test_a_premise_that_no_longer_holds_is_corrected_then_before_now() -> None:
    assert said("Do you still run with Tom?", STOPPED, RUN) == [
        "I no longer run with Tom, as I wrote on 3 May 2024.",
        "On 2 March 2022 I wrote: “I run with Tom every Sunday.”",
        "On 3 May 2024 I wrote: “I have stopped running; I no longer run with Tom.”",
    ]


def test_both_entries_are_cited() -> None:
    question = "Do you still run with Tom?"
    found = change(question, terms(question), [RUN, STOPPED])
    assert found is not None
    lead, first, second = told(question, found)
    assert lead.citations == (*first.citations, *second.citations)
    assert lead.supported


def test_without_a_yes_or_no_the_two_days_are_told() -> None:
    assert said("What about your running with Tom?", RUN, STOPPED)[0] == (
        "That changed between 2 March 2022 and 3 May 2024."
    )


def test_a_changed_mind_does_not_deny_the_question() -> None:
    changed = hit("I changed my mind about decaf coffee, it is good.", NOW)
    before = hit("Decaf coffee is for the dead.", THEN)
    assert said("Do you drink decaf coffee?", before, changed)[0].startswith("That changed")


def test_silence_is_no_change_and_neither_is_another_matter() -> None:
    assert said("Do you still run with Tom?", RUN, hit("Tom came to tea.", NOW)) == []
    assert said("Do you still run with Tom?", RUN, hit("I stopped smoking today.", NOW)) == []
    assert said("Do you still run with Tom?", STOPPED) == []


def test_an_ending_before_a_beginning_is_none() -> None:
    again = hit("I run with Tom again, every Sunday.", date(2025, 1, 1))
    early = hit("I no longer run with Tom.", date(2024, 12, 1))
    assert said("Do you still run with Tom?", early, again) == []


def test_what_others_ended_or_nobody_dated_is_not_my_change() -> None:
    assert (
        said("Do you run with Tom?", RUN, hit("I no longer run with Tom.", NOW, mine=False)) == []
    )
    assert said("Do you run with Tom?", RUN, hit("I no longer run with Tom.", None)) == []


def test_a_word_of_ending_about_something_else_ends_nothing() -> None:
    wig = hit("I paid for a periwig at the barber.", THEN)
    nits = hit("I saw a periwig full of nits, as his work used to be.", NOW)
    assert said("Do you wear a periwig?", wig, nits) == []
    walks = hit("I stopped at the inn; the periwig was paid for.", NOW)
    assert said("Do you wear a periwig?", wig, walks) == []
    sold = hit("I no longer wear a periwig.", NOW)
    assert said("What did you pay for a periwig?", wig, sold) == []


def test_a_premise_with_more_in_it_than_the_entry_is_not_denied() -> None:
    found = said("Do you still run with Tom in the old park?", RUN, STOPPED)
    assert found[0].startswith("That changed")


def test_am_and_have_keep_their_verb() -> None:
    before = hit("I am afraid of dogs.", THEN)
    after = hit("I am no longer afraid of dogs.", NOW)
    assert said("Are you still afraid of dogs?", before, after)[0] == (
        "I am no longer afraid of dogs, as I wrote on 3 May 2024."
    )
