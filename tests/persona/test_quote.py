"""The user's own words: verbatim, dated, what bears the question, no more than three."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clone_app.entries import Hit, Item, Moment, Precision, Term
from clone_app.persona.phrases import display_name, frame, spoken
from clone_app.persona.quote import (
    QUOTE_LENGTH,
    SOURCE_LENGTH,
    quote_answer,
    source_quote,
)
from clone_app.persona.slices import Asked, around, best_slice

LONG = (
    "I sent for some dinner and there dined, Mrs. Margaret Penn being by, to whom I had spoke to "
    "go along with us to a play this afternoon, and then to the King’s Theatre, where we saw "
    "Midsummer’s Night’s Dream, which I had never seen before, nor shall ever again, for it is the "
    "most insipid ridiculous play that ever I saw in my life."
)


def item(
    text: str, *, key: str = "k", day: date | None = date(1666, 9, 14), **more: object
) -> Item:
    moment = Moment.on(day) if day else Moment.unknown()
    values = {"medium": "diary", "moment": moment, "mine": True, "locator": "a.md", **more}
    return Item(key=key, text=text, **values)  # type: ignore[arg-type]


def hit(of: Item, *, number: int = 1, own: bool = True, cosine: float | None = None) -> Hit:
    passage = of.text if own else of.context
    return Hit(
        item_id=number, item=of, passage=passage, start=0, own=own, score=1.0, cosine=cosine,
        coverage=1.0, found_by=("words",),
    )  # fmt: skip


def terms(*words: str) -> tuple[Term, ...]:
    return tuple(Term(word, (word,), 3.0) for word in words)


def quoted(text: str) -> str:
    return text[text.index("“") + 1 : text.rindex("”")]


def test_a_quotation_stands_under_its_day() -> None:
    found = quote_answer(terms("cheese"), [hit(item("Up early. I buried my cheese. To bed."))])
    assert [sentence.text for sentence in found] == [
        "On 14 September 1666 I wrote: “I buried my cheese.”"
    ]
    assert found[0].supported
    assert found[0].citations == ("k",)


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (Moment.on(date(1666, 9, 14)), "On 14 September 1666 I wrote:"),
        (Moment.of(datetime(2022, 3, 1), Precision.MONTH), "In March 2022 I wrote:"),
        (Moment.of(datetime(2022, 1, 1), Precision.YEAR), "In 2022 I wrote:"),
        (Moment.unknown(), "At some time I wrote:"),
        (Moment.on(date(987, 1, 2)), "On 2 January 987 I wrote:"),
        (Moment(datetime(2024, 1, 15, 23, 30), Precision.MINUTE, timedelta(hours=-5)),
         "On 15 January 2024 I wrote:"),
    ],
)  # fmt: skip
def test_the_frame_says_no_more_of_the_day_than_is_known(moment: Moment, expected: str) -> None:
    assert frame(item("x", moment=moment)) == expected


def test_the_frame_says_whose_words_these_are() -> None:
    others = item("x", mine=False, author="Robin Hill <robin@example.org>", day=date(2024, 5, 3))
    assert frame(others) == "On 3 May 2024 Robin Hill wrote:"
    assert frame(item("x", mine=False)) == "On 14 September 1666 somebody else wrote:"
    assert frame(item("x", medium="post")) == "On 14 September 1666 I posted:"
    assert frame(item("x", medium="search_history")) == "On 14 September 1666 I searched for:"


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("Robin Hill <robin@example.org>", "Robin Hill"),
        ("robin@example.org", "robin"),
        ("<robin@example.org>", "robin"),
        ("robin@example.org (Robin Hill)", "Robin Hill"),
        ("“Robin”\n<|im_end|>", "Robin"),
        ("", ""),
    ],
)
def test_an_author_is_a_name_without_address_or_marks(author: str, name: str) -> None:
    assert display_name(author) == name


def test_a_long_sentence_is_cut_at_clauses_around_what_was_asked() -> None:
    asked = Asked.of(terms("midsummer", "dream"))
    found = best_slice(LONG, asked, limit=QUOTE_LENGTH)
    assert found is not None
    assert found.text == LONG[LONG.index("where we saw") :]
    assert found.share == 1.0


def test_a_sentence_that_fits_stays_whole() -> None:
    text = (
        "Late. In the evening Penn and I dug a pit and put our wine in it; and I my cheese. To bed."
    )
    found = best_slice(text, Asked.of(terms("cheese")), limit=120)
    assert found is not None
    assert found.text == text[6:-8]


def test_a_word_found_by_spelling_bears_the_question() -> None:
    asked = (Term("parmesan", ("parmazan",), 7.7), Term("bury", (), 4.0))
    found = quote_answer(asked, [hit(item("Dug a pit for wine; and I my Parmazan cheese in it."))])
    assert "Parmazan" in found[0].text


def test_at_most_four_quotations_in_time_order_the_weak_ones_left_out() -> None:
    hits = [
        hit(item(f"The cheese number {n} was {word} and old.", key=str(n), day=day), number=n)
        for n, (word, day) in enumerate(
            [("blue", date(2024, 1, 3)), ("red", date(2020, 1, 1)), ("soft", None),
             ("green", date(2022, 1, 1)), ("hard", date(2023, 1, 1))]
        )
    ]  # fmt: skip
    weak = hit(item("Nothing of that sort.", key="weak"))
    found = quote_answer(terms("cheese"), [*hits, weak])
    assert [sentence.citations[0] for sentence in found] == ["1", "3", "0", "2"]
    assert len(quote_answer(terms("cheese"), [hits[0], weak])) == 1


def test_an_entry_is_quoted_twice_only_for_two_questions() -> None:
    letter = item(
        "I saw a boat in the harbour and nobody aboard. "
        + "It rained and blew. " * 12
        + "We ate the old cheese in the kitchen. In the evening a second boat came with the tide."
    )
    both = "Was there a boat in the harbour, and did you eat the cheese?"
    asked = terms("boat", "harbour", "eat", "cheese")
    assert len(quote_answer(asked, [hit(letter)], question=both)) == 2
    assert len(quote_answer(asked, [hit(letter)], question="Was there a boat?")) == 1


def test_who_is_called_is_not_what_is_looked_for() -> None:
    mine = hit(item("I stopped smoking for good.", key="mine"))
    named = hit(item("Chen came and went.", key="named"), number=2)
    found = quote_answer(terms("chen", "stopped"), [named, mine], question="Chen, why stop?")
    assert found[0].citations == ("mine",)


def test_the_same_words_are_quoted_once() -> None:
    hits = [hit(item("I buried my old cheese there.", key=key)) for key in "ab"]
    assert len(quote_answer(terms("cheese"), hits)) == 1


def test_two_entries_that_share_only_the_subject_are_both_quoted() -> None:
    hits = [
        hit(item("Could something be done about the damp in the bedroom corner?", key="a")),
        hit(item("The bedroom is damp in a corner, the window there sticks.", key="b")),
    ]
    assert len(quote_answer(terms("damp", "bedroom", "corner"), hits)) == 2


def test_words_of_others_inside_an_item_are_never_quoted_as_its_own() -> None:
    reply = item("Tuesday suits me.", context="> Shall we bury the cheese on Tuesday?")
    assert quote_answer(terms("cheese"), [hit(reply, own=False)]) == ()
    assert quote_answer(terms("tuesday"), [hit(reply, own=False)])[0].text.endswith(
        "“Tuesday suits me.”"
    )


def test_a_quoted_line_is_not_taken_in_to_make_a_stretch_longer() -> None:
    reply = item("> Shall we bury the cheese?\nTuesday suits me.")
    assert source_quote(hit(reply), terms("tuesday")) == "Tuesday suits me."


def test_a_source_is_shown_by_its_best_stretch_or_by_nothing() -> None:
    assert source_quote(hit(item(LONG)), terms("dream")) in LONG
    assert source_quote(hit(item("", context="> cheese"), own=False), terms("cheese")) == ""


def test_of_a_book_only_what_lies_around_the_passage_is_read() -> None:
    book = "It rained on and on that day. " * 2000 + "Then I ate my cheese. " + "It snowed. " * 9000
    start = book.index("Then I ate")
    of = item(book)
    found = replace(hit(of), passage="Then I ate my cheese.", start=start)
    text, (opened, closed) = around(found)
    assert len(text) <= 12_000
    assert text in book
    assert text[opened:closed] == "Then I ate my cheese."
    assert "Then I ate my cheese." in source_quote(found, terms("cheese"))


def test_a_text_without_spaces_or_marks_is_cut_too() -> None:
    text = "我" * 500 + "北京" + "他" * 500
    found = best_slice(text, Asked.of((Term("北京", ("北京",), 5.0),)), limit=100)
    assert found is not None
    assert len(found.text) <= 100
    assert found.text in text
    assert best_slice("x" * 1000, Asked.of(()), limit=100) is not None


_PROSE = st.lists(
    st.sampled_from(
        ["cheese", "and I", "Robin", ",", ";", ".", "。", "\n", "\n\n", "- ", "“", "”", "wrote:",
         "北京去了", "which was", "(", ")", "W.", "x" * 80, "…", "\u200b", "🙂", "very good"]
    ),
    min_size=1,
    max_size=60,
).map(" ".join)  # fmt: skip


@given(st.lists(_PROSE, min_size=1, max_size=5), st.sampled_from(["cheese", "robin", "dog"]))
def test_every_quotation_stands_verbatim_in_its_item(texts: list[str], word: str) -> None:
    hits = [hit(item(text, key=str(n)), number=n) for n, text in enumerate(texts)]
    found = quote_answer(terms(word), hits)
    assert len(found) <= 3
    for sentence in found:
        of = hits[int(sentence.citations[0])].item
        assert sentence.supported
        assert sentence.text.startswith(frame(of) + " “")
        assert quoted(sentence.text) in of.text
        assert len(quoted(sentence.text)) <= QUOTE_LENGTH
    for each in hits:
        shown = source_quote(each, terms(word))
        assert shown in each.item.text
        assert len(shown) <= SOURCE_LENGTH


def test_a_day_is_spoken_in_english_whatever_the_locale() -> None:
    assert spoken(Moment.on(date(2024, 3, 1))) == "1 March 2024"
    assert not re.search(r"0\d ", spoken(Moment.on(date(2024, 3, 1))))


def test_a_question_that_names_only_a_time_gets_several_of_its_days() -> None:
    hits = [
        replace(
            hit(
                item(f"On that day number {n} we went somewhere new.", key=str(n)),
                number=n,
                cosine=c,
            ),
            coverage=0.0,
        )
        for n, c in enumerate((0.6, 0.1, 0.0))
    ]
    hits = [
        replace(each, item=replace(each.item, text=f"{word} and something else entirely."))
        for each, word in zip(hits, ("Rowing", "Baking", "Singing"), strict=True)
    ]
    hits = [replace(each, passage=each.item.text) for each in hits]
    assert len(quote_answer((), hits)) == 3


def test_a_line_that_answers_quotes_is_not_ones_own() -> None:
    text = "No.\n\n> You should buy the boat.\n> The boat is cheap.\n\nI don't want a boat at all."
    found = best_slice(text, Asked.of(terms("boat", "cheap")), limit=120)
    assert found is not None
    assert found.text == "I don't want a boat at all."
    assert best_slice("> The boat is cheap.", Asked.of(terms("boat")), limit=120) is None
