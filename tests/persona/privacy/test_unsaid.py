"""What an answer passes over: sentences on a topic that is left out, or on what a private line is about."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from clone_app.entries import Hit, Item, Moment, Term
from clone_app.memory.lines import Line, Section, Support
from clone_app.memory.words import sentences
from clone_app.persona.clone import evidence_of
from clone_app.persona.privacy.unsaid import Unsaid, named, part_of, private, without
from clone_app.persona.quote import quote_answer, source_quote
from clone_app.persona.slices import without_quoted


def item(text: str, **more: object) -> Item:
    made = Item(
        key=text[:8], medium="diary", moment=Moment.on(date(2024, 3, 1)), text=text, mine=True,
        locator="x",
    )  # fmt: skip
    return replace(made, **more)


def hit(entry: Item, passage: str = "") -> Hit:
    passage = passage or entry.text
    return Hit(
        item_id=1, item=entry, passage=passage, start=entry.text.find(passage), own=True, score=1.0,
        cosine=0.6, coverage=1.0, found_by=("words",),
    )  # fmt: skip


def line(text: str, section: Section, *, hidden: bool = True) -> Line:
    return Line(
        section=section, topic=text, text=text, supports=(Support("k", None),), private=hidden
    )


def left(text: str, unsaid: Unsaid) -> str:
    """Return what an answer may still say of a text."""
    kept = part_of(item(text), unsaid)
    rest = "" if kept is None else without_quoted(kept.text)
    return " ".join(rest[start:end] for start, end in sentences(rest))


COFFEE = Unsaid(topics=frozenset({"coffee"}))


@pytest.mark.parametrize(
    ("topic", "text", "kept"),
    [
        ("coffee", "I made coffee. Set type all day.", "Set type all day."),
        ("coffee", "No coffees for me.", ""),
        # What only goes on about it goes with it; the weather doesn't.
        ("coffee", "Gave up coffee. It made me shaky. Tom called.", "Tom called."),
        ("coffee", "Gave up coffee. It rained all day.", "It rained all day."),
        # The words decide: rather too much is passed over than too little.
        ("coffee", "Sold the coffee table. Rain.", "Rain."),
        ("coffee table", "I made coffee. Rain.", "I made coffee. Rain."),
        ("coffee", "Offered Tom a toffee at the coffeehouse.",
         "Offered Tom a toffee at the coffeehouse."),
        # Words of one topic may be shared by two sentences that stand together.
        ("job at Corrabell", "Corrabell rang. The job is mine. Rain.", "Rain."),
        ("job at Corrabell", "Corrabell rang. Rain. A job for Tom.",
         "Corrabell rang. Rain. A job for Tom."),
        ("The Who", "We heard The Who. Late home.", "Late home."),
        ("咖啡", "今天喝了咖啡。汤姆来了。", "汤姆来了。"),
    ],
)  # fmt: skip
def test_sentences_with_all_words_of_a_topic_are_passed_over(
    topic: str, text: str, kept: str
) -> None:
    assert left(text, Unsaid(topics=frozenset({topic}))) == kept


def test_an_entry_whose_title_or_writer_is_the_topic_is_passed_over_whole() -> None:
    assert part_of(item("Yes, at ten.", title="Re: coffee"), COFFEE) is None
    tom = Unsaid(topics=frozenset({"Tom"}))
    assert part_of(item("At ten.", author="Tom King", mine=False), tom) is None
    assert part_of(item("At ten.", author="Tom King"), tom) is not None  # the user's own name


def test_nothing_is_quoted_shown_or_taken_as_evidence_across_the_gap() -> None:
    found = hit(item("I set type for the almanac. Then coffee. The almanac is late."))
    terms = (Term("almanac", ("almanac",), 3.0), Term("late", ("late",), 3.0))
    (kept,) = without([found], COFFEE)
    told = [each.text for each in quote_answer(terms, [kept], question="Is the almanac late?")]
    for said in (source_quote(kept, terms), evidence_of(kept).text, *told):
        assert "coffee" not in said
    quoted = source_quote(kept, terms)
    assert quoted in found.item.text
    assert quoted == "The almanac is late."
    assert kept.cosine is None  # it was the whole passage's


def test_a_hit_that_was_found_for_the_topic_alone_takes_no_place() -> None:
    far = item("I made coffee. " + "Nothing else. " * 3)
    assert list(without([hit(far, "I made coffee.")], COFFEE)) == []
    other = hit(far, "Nothing else.")
    (kept,) = without([other], COFFEE)
    assert (kept.passage, kept.cosine) == ("Nothing else.", 0.6)
    assert kept.item.text.startswith(kept.passage, kept.start)


def test_in_a_chat_kept_as_text_who_speaks_stays_who_speaks() -> None:
    chat = "20:40 Ola: Coffee? The shed is open.\n20:41 Ada: I locked it."
    kept = part_of(item(chat, author="Ada"), COFFEE)
    assert kept is not None
    assert kept.text.startswith("20:40 Ola: ")
    assert "offee" not in kept.text
    assert "The shed is open." in kept.text


def test_without_a_word_of_it_everything_stays_the_same_object() -> None:
    found = hit(item("Rain."))
    assert next(without([found], Unsaid())) is found
    assert next(without([found], COFFEE)) is found


def test_a_question_names_a_topic_by_all_its_words() -> None:
    topics = ("coffee", "job at Corrabell")
    assert named("Do you drink coffees?", topics) == ("coffee",)
    assert named("Do you like your job?", topics) == ()


HEART = line("Heart: “My heart skips.”", Section.HEALTH)


@pytest.mark.parametrize(
    ("lines", "text", "kept"),
    [
        ([HEART], "The heart is dull! Walked to the harbour.", "Walked to the harbour."),
        ([HEART], "Palpitations again. Rain.", "Rain."),
        # All ailments, with a line on them or without, but for those that others may hear of.
        ([], "The heart is dull! Rain.", "Rain."),
        ([HEART], "A cough all week. Rain.", "Rain."),
        ([HEART, line("Cough: “A cough.”", Section.HEALTH, hidden=False)], "A cough. Rain.",
         "A cough. Rain."),
        ([HEART], "I learned it by heart, in the heart of the city.",
         "I learned it by heart, in the heart of the city."),
        ([HEART], "A heart-shaped stone, knee-deep in mud.",
         "A heart-shaped stone, knee-deep in mud."),
        ([replace(HEART, private=False)], "The heart is dull!", "The heart is dull!"),
        ([line("I like pavements", Section.LIKES)], "Good pavements here. Rain.", "Rain."),
        ([line("Bridie, my sister", Section.PEOPLE)], "Bridie laughed. My sister? No.",
         "My sister? No."),
        ([line("I swim in the sea at night", Section.HABITS)],
         "Swam at night again. A bad night. The sea was grey.",
         "A bad night. The sea was grey."),
    ],
)  # fmt: skip
def test_others_do_not_hear_what_a_private_line_is_about(
    lines: list[Line], text: str, kept: str
) -> None:
    assert left(text, private(lines)) == kept


@pytest.mark.parametrize(
    ("unsaid", "question", "about"),
    [
        (private([HEART]), "How is your heart?", True),
        (private([HEART]), "How are your eyes?", True),
        (private([HEART]), "Do you know it by heart?", False),
        (COFFEE, "Do you drink coffee?", True),
        (COFFEE, "Do you drink tea?", False),
    ],
)
def test_a_question_is_about_it_by_its_words(unsaid: Unsaid, question: str, about: bool) -> None:
    assert unsaid.is_asked(question) is about
