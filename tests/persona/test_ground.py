"""A sentence is supported only by an item that carries it; citations are found, never believed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clone_app.entries import Moment
from clone_app.errors import ModelError
from clone_app.persona.ground import Evidence, Meaning, check, is_claim
from clone_app.protocols import Vectors

CHEESE = Evidence(
    key="cheese",
    text=(
        "Up betimes. In the evening Sir W. Penn and I did dig another pit, and put our wine in it; "
        "and I my Parmazan cheese, as well as 3 bottles. I never slept that night."
    ),
    moment=Moment.on(date(1666, 9, 4)),
    mine=True,
)
MOVE = Evidence(
    key="move",
    text=(
        "We moved to Lisbon in March. The flat has 4 rooms and a lemon tree. "
        "I don't like the noise."
    ),
    moment=Moment.on(date(2022, 5, 20)),
    mine=True,
)
ROBIN = Evidence(
    key="robin",
    text="I missed the last train and slept in the station. The dog is fine.",
    moment=Moment.on(date(2024, 5, 3)),
    mine=False,
    author="Robin Hill <robin@example.org>",
)
ALL = (CHEESE, MOVE, ROBIN)


def cited(sentence: str) -> tuple[str, ...]:
    found = check(sentence, ALL)
    assert found.supported is bool(found.citations)
    assert found.text == sentence
    return found.citations


@pytest.mark.parametrize(
    "sentence",
    [
        "I dug a pit with Sir W. Penn in the evening and put wine in it.",
        "In the evening we did dig a pit and put in our wine and Parmazan cheese.",
        "On 4 September 1666 Penn and I did dig a pit for the wine.",
        "I put 3 bottles in the pit with my Parmazan cheese.",
        "I put three bottles in the pit with my Parmazan cheese.",
        "I never slept that night.",
    ],
)
def test_a_sentence_in_an_items_words_rests_on_that_item(sentence: str) -> None:
    assert cited(sentence) == ("cheese",)


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("I dug a pit with Sir Batten in the evening and put wine in it.", "another name"),
        ("I put 7 bottles in the pit with my Parmazan cheese.", "another number"),
        ("I put seven bottles in the pit with my Parmazan cheese.", "another number in words"),
        ("On 5 September 1666 I did dig a pit for the wine.", "another day"),
        ("In 1667 I did dig a pit for the wine in the evening.", "another year"),
        ("On Monday I did dig a pit for the wine in the evening.", "another weekday"),
        ("I did not dig a pit in the evening to put wine in it.", "denied"),
        ("I slept that night.", "the denial left out"),
        ("I like the noise of the flat.", "the denial left out"),
        ("I bought a new car and drove it to the sea.", "nothing of it is there"),
        ("I ate the cheese with bread and fruit at a merry dinner.", "one word of it is there"),
        ("We moved to Lisbon in April.", "another month"),
    ],
)
def test_a_sentence_that_says_otherwise_is_not_supported(sentence: str, why: str) -> None:
    assert cited(sentence) == (), why


def test_a_word_of_its_own_makes_a_short_clause_another_claim() -> None:
    lamp = Evidence(
        key="l",
        text="The van cost 300 euros and Robin broke the blue lamp on the stairs.",
        moment=Moment.on(date(2024, 3, 1)),
        mine=True,
    )
    assert not check("The van was a luxury car, and Robin broke the blue lamp.", [lamp]).supported
    assert check("The van cost 300 euros, and Robin broke the blue lamp.", [lamp]).supported
    assert not check("Robin broke the blue lamp on the stairs, and the mirror.", [lamp]).supported


def test_whose_notes_they_are_is_not_for_the_model_to_say() -> None:
    told = Evidence(
        key="c",
        text="Ana left the choir because the rehearsals are too late for her.",
        moment=Moment.on(date(2019, 9, 20)),
        mine=True,
    )
    assert check("Ana left the choir because rehearsals are too late.", [told]).supported
    assert not check("The notes were written by Ana, who left the choir.", [told]).supported
    book = replace(told, text="The book was written by Ana, who left the choir.")
    assert check("The book was written by Ana, who left the choir.", [book]).supported


def test_the_items_own_day_may_be_said_though_its_text_does_not() -> None:
    assert cited("On 20 May 2022 I wrote that the flat has 4 rooms and a lemon tree.") == ("move",)
    assert cited("In May 2022 the flat had a lemon tree and 4 rooms.") == ("move",)


def test_a_sentence_may_rest_on_two_items_each_carrying_its_part() -> None:
    both = "I put my Parmazan cheese in the pit, and we moved to Lisbon."
    pit = replace(CHEESE, moment=Moment.on(date(2022, 5, 3)))
    assert check(both, (pit, MOVE)).citations == ("cheese", "move")
    assert check(both.replace("Lisbon", "Madrid"), (pit, MOVE)).citations == ()
    undated = replace(CHEESE, moment=Moment.unknown())
    assert check(both, (undated, MOVE)).supported


def test_two_items_far_apart_in_time_are_not_told_as_one_story() -> None:
    assert cited("I put my Parmazan cheese in the pit, and we moved to Lisbon.") == ()
    dated = "I put my Parmazan cheese in the pit in 1666, and we moved to Lisbon in March 2022."
    assert cited(dated) == ("cheese", "move")


def test_what_another_wrote_is_never_i() -> None:
    assert cited("I missed the last train and slept in the station.") == ()
    assert cited("He missed the last train and slept in the station.") == ()
    assert cited("Robin missed the last train and slept in the station.") == ("robin",)
    assert cited("Robin wrote to me that the dog is fine, after the train was missed.") == (
        "robin",
    )
    assert cited("There was a mail: “I missed the last train and slept in the station.”") == (
        "robin",
    )


@pytest.mark.parametrize(
    "sentence", ["I see.", "Well,", "Did I dig a pit?", "The wine was:", "!", ""]
)
def test_what_claims_nothing_is_neither_supported_nor_counted(sentence: str) -> None:
    assert not is_claim(sentence)
    assert cited(sentence) == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "Yes.", "Yes, I do.", "No, not any more.", "Oh yes, I did.", "I don't.", "Not any more.",
        "No, I no longer do.", "Of course!",
    ],
)  # fmt: skip
def test_a_bare_yes_or_no_is_a_claim_that_nothing_supports(sentence: str) -> None:
    run = Evidence(
        key="k",
        text=f"{sentence} I run alone now. Tom moved away.",
        moment=Moment.unknown(),
        mine=True,
    )
    assert is_claim(sentence)
    assert not check(sentence, [run]).supported


@pytest.mark.parametrize(
    "sentence",
    [
        "You would like the noise here.",
        "Your flat has 4 rooms.",
        "Yesterday I never slept in Lund.",
    ],
)
def test_you_and_yesterday_mean_another_once_they_are_read_again(sentence: str) -> None:
    item = Evidence(key="k", text=sentence, moment=Moment.on(date(2024, 5, 3)), mine=True)
    assert is_claim(sentence)
    assert not check(sentence, [item]).supported
    assert check(f"On 3 May 2024 I wrote: “{sentence}”", [item]).supported


def test_of_a_chat_kept_as_text_only_ones_own_lines_carry_a_sentence() -> None:
    chat = "Chat with Ida\n20:40 Ida: I sold the green boat.\n20:41 Ola: I kept the yellow oars.\n"
    kept = Evidence(key="k", text=chat, moment=Moment.unknown(), mine=True, author="Ola Falk")
    assert not check("I sold the green boat.", [kept]).supported
    assert check("I kept the yellow oars.", [kept]).supported
    diary = replace(kept, text="Note: I sold the green boat.")
    assert check("I sold the green boat.", [diary]).supported


@pytest.mark.parametrize(
    ("sentence", "text", "carried"),
    [
        ("My brother carried it home.", "My brother carried it home and would not rest.", True),
        ("My brother carried it home.", "My brother carried it home without a word.", True),
        ("I took the stew with regret.", "I took the stew without regret.", False),
        ("My brother carried it home.", "My brother would not have carried it home.", False),
    ],
)
def test_a_denial_of_something_else_denies_nothing(sentence: str, text: str, carried: bool) -> None:
    one = Evidence(key="k", text=text, moment=Moment.unknown(), mine=True)
    assert check(sentence, [one]).supported is carried


def test_what_breaks_off_is_not_supported() -> None:
    assert cited("We moved to Lisbon in March.") == ("move",)
    assert cited("We moved to Lisbon in March") == ()


def test_a_length_of_time_alone_says_nothing() -> None:
    alone = Evidence(key="k", text="He left. It's five months.", moment=Moment.unknown(), mine=True)
    assert not check("It's five months.", [alone]).supported
    told = replace(alone, text="The voyage lasted five months.")
    assert check("The voyage lasted five months.", [told]).supported


def test_a_mail_kept_in_ones_own_files_is_whose_its_head_says() -> None:
    mail = "From: Ida Falk <ida@example.org>\nTo: Ola Falk <ola@example.org>\n\nI sold the boat."
    kept = Evidence(key="k", text=mail, moment=Moment.unknown(), mine=True, author="Ola Falk")
    assert not check("I sold the boat.", [kept]).supported
    assert check("Ida sold the boat.", [kept]).supported
    sent = replace(kept, text=mail.replace("From: Ida", "From: Ola"))
    assert check("I sold the boat.", [sent]).supported


@pytest.mark.parametrize(
    "sentence",
    ["I did not write about that.", "The notes don't mention a smartphone.", "I have no entries."],
)
def test_saying_that_the_notes_are_silent_is_no_claim(sentence: str) -> None:
    assert not is_claim(sentence)


def test_one_word_carries_a_sentence_only_with_its_neighbour() -> None:
    ill = Evidence(key="ill", text="My wife fell ill.", moment=Moment.unknown(), mine=True)
    assert check("I was ill.", [ill]).citations == ()
    assert check("Ill.", [ill]).citations == ()
    assert check("My wife fell ill.", [ill]).citations == ("ill",)


def test_what_one_does_or_owns_is_not_told_of_another() -> None:
    def told(sentence: str, text: str) -> bool:
        return check(
            sentence, [Evidence(key="k", text=text, moment=Moment.unknown(), mine=True)]
        ).supported

    ride = "My father rode to Ware, only his eyesight is bad. Then I bought a blue horse."
    assert told("His eyesight is bad, and my father rode to Ware.", ride)
    assert not told("My eyesight is bad.", ride)
    assert not told("I rode to Ware.", ride)
    assert told("I bought a blue horse.", ride)
    assert not told("She bought a blue horse.", ride)
    assert not told("I buried the dead in the churchyard.", "The officers do bury the dead there.")
    assert not told("I learned to sing.", "She asked that I would let her learn to sing.")


@pytest.mark.parametrize(
    ("sentence", "text", "carried"),
    [
        ("The bookseller bought a blue horse.", "Up early. Then I bought a blue horse.", False),
        (
            "The bookseller bought a blue horse.",
            "I met the bookseller, and bought a blue horse.",
            False,
        ),
        (
            "The bookseller bought a blue horse.",
            "The bookseller came late, and bought a blue horse.",
            True,
        ),
        (
            "The bookseller bought two maps.",
            "To the shop, and bought two maps of the bookseller.",
            False,
        ),
        ("Hazel bought a blue horse.", "I told Hazel. I bought a blue horse.", False),
        ("Hazel bought a blue horse.", "Hazel bought a blue horse.", True),
        ("Hazel bought a blue horse.", "I saw Hazel. She bought a blue horse.", True),
        ("I gave the horse to Hazel.", "Hazel gave me the horse.", False),
        ("Penn dug a deep pit.", "Penn and I did dig a deep pit.", True),
        ("I dug a deep pit.", "Penn and I did dig a deep pit.", True),
        ("I run with Tom.", "I run with Tom on Sundays.", True),
        ("I run with Tom.", "Tom has moved away; I run alone now.", False),
    ],
)
def test_who_is_named_as_doer_is_the_one_who_does_it(
    sentence: str, text: str, carried: bool
) -> None:
    one = Evidence(key="k", text=text, moment=Moment.unknown(), mine=True)
    assert check(sentence, [one]).supported is carried


def test_a_word_that_stands_nowhere_in_the_item_is_not_carried_along() -> None:
    one = Evidence(
        key="k", text="I bought a blue horse at the fair.", moment=Moment.unknown(), mine=True
    )
    assert check("I bought a blue horse at the fair.", [one]).supported
    assert not check("I bought a dying blue horse.", [one]).supported


@pytest.mark.parametrize(
    ("sentence", "carried"),
    [
        ("On 3 May 2024 I wrote: “I bought a blue horse.”", True),
        ("On 3 May 2024 I wrote: “I bought a blue horse", False),
        ("I wrote: “I sold a blue horse and bought another.”", False),
        ('I wrote: "I bought a blue horse', False),
    ],
)
def test_a_quotation_in_a_sentence_is_whole_and_word_for_word(sentence: str, carried: bool) -> None:
    one = Evidence(
        key="k", text="I bought a blue horse.", moment=Moment.on(date(2024, 5, 3)), mine=True
    )
    assert check(sentence, [one]).supported is carried


def test_meaning_has_a_say_where_an_embedder_is_there() -> None:
    batches: list[list[str]] = []

    def near(cosine: float) -> Meaning:
        def vectors(texts: Sequence[str]) -> Vectors:
            batches.append(list(texts))
            side = float(np.sqrt(1 - cosine**2))
            return np.array([[1.0, 0.0], [cosine, side]], np.float32)

        return vectors

    said = "I put 3 bottles in the pit with my Parmazan cheese."
    assert check(said, ALL, meaning=near(0.8)).citations == ("cheese",)
    assert check(said, ALL, meaning=near(0.1)).citations == ()
    assert [len(batch) for batch in batches] == [2, 2]
    assert batches[0][0] == said
    assert batches[0][1] in CHEESE.text

    def broken(texts: Sequence[str]) -> Vectors:
        raise ModelError("The embedder stopped. Ask again.")

    assert check(said, ALL, meaning=broken).citations == ("cheese",)
    assert check("I flew to Mars with the queen.", ALL, meaning=near(0.99)).citations == ()
    assert len(batches) == 2  # what words don't carry, meaning is not asked about


def test_a_clause_grafted_on_a_true_sentence_is_noticed() -> None:
    graft = "I met the queen at the palace, and put my wine and Parmazan cheese in another pit."
    assert cited(graft) == ()


def test_words_far_apart_carry_nothing_together() -> None:
    far = "I bought a horse. It rained all week and the roads were bad. We talked. A book of maps."
    assert (
        check(
            "I bought a book.", [Evidence(key="k", text=far, moment=Moment.unknown(), mine=True)]
        ).citations
        == ()
    )


def test_an_undated_item_supports_no_date() -> None:
    bare = Evidence(key="bare", text="We ate soup with Ann.", moment=Moment.unknown(), mine=True)
    assert check("We ate soup with Ann.", [bare]).citations == ("bare",)
    assert check("We ate soup with Ann on 3 May 2024.", [bare]).citations == ()


def test_without_evidence_nothing_is_supported() -> None:
    assert check("I dug a pit.", []).supported is False


# The invariant, with a checker that shares nothing with the code but the language.

_MONTHS = [f"{date(2024, month, 1):%B}" for month in range(1, 13)]
_WORDS = st.sampled_from(
    [
        "dug", "pit", "wine", "cheese", "garden", "walked", "station", "train", "I", "me", "he",
        "the", "a", "in", "with", "and", "never", "not", "didn't", "no", ",", ";", ".", "and then",
        "Robin", "Robin's", "Lisbon", "Will", "NASA", "Penn", "3", "1,200", "twenty", "17", "2024",
        "on 3 May 2024", "in March", "in 1666", "the 4th", "September 4th, 1666", "1666-09-04",
        "14/9/1666", "Tuesday", "May", "“", "”", "北京", "told me",
    ]
)  # fmt: skip
_TEXTS = st.lists(_WORDS, min_size=1, max_size=14).map(" ".join)
_MOMENTS = st.one_of(
    st.just(Moment.unknown()), st.dates(date(1660, 1, 1), date(2030, 1, 1)).map(Moment.on)
)


@st.composite
def _evidence(draw: st.DrawFn) -> Evidence:
    return Evidence(
        key=draw(st.uuids().map(str)),
        text=draw(_TEXTS),
        moment=draw(_MOMENTS),
        mine=draw(st.booleans()),
        author=draw(st.sampled_from(["", "Robin Hill", "Ann <ann@example.org>"])),
    )


def violations(sentence: str, citations: tuple[str, ...], evidence: list[Evidence]) -> list[str]:
    """List what is wrong with a supported sentence, by the issue's words."""
    found = [each for each in evidence if each.key in citations]
    wrong = [] if found and len(found) == len(set(citations)) else ["a citation is no item"]
    texts = " ".join(each.text for each in found).casefold()
    held = set(re.findall(r"[^\W\d_]+", texts))
    held |= set(
        re.findall(r"[^\W\d_]+", " ".join(e.author for e in found if not e.mine).casefold())
    )
    days = [each.moment.local for each in found if each.moment.local]
    months = {_MONTHS[day.month - 1].casefold() for day in days}
    weekdays = {f"{day:%A}".casefold() for day in days}
    written = re.findall(r"\d{4}-(\d\d)|\d+/(\d+)/\d{4}", texts)
    months |= {_MONTHS[int(one or two) - 1].casefold() for one, two in written}
    figures = {int(each) for each in re.findall(r"\d+", texts.replace(",", ""))}
    figures |= {part for day in days for part in (day.year, day.month, day.day)}
    figures |= {n for n, month in enumerate(_MONTHS, 1) if month.casefold() in held}
    spelled = {"twenty": 20, "dozen": 12}
    figures |= {number for word, number in spelled.items() if word in held}
    for match in re.finditer(r"[^\W\d_]+", sentence):
        word = match[0].casefold()
        opening = not sentence[: match.start()].strip(" “”,;.")
        named = match[0][0].isupper() and not opening and word not in ("i", "s")
        if named and word not in held | months | weekdays:
            wrong.append(f"the name {word}")
        if word in spelled and spelled[word] not in figures:
            wrong.append(f"the number {word}")
    for number in re.findall(r"\d+", sentence.replace(",", "")):
        if int(number) not in figures:
            wrong.append(f"the number {number}")
    said = re.sub(r"\btold me\b", "", re.sub(r"[“\"][^“”\"]*[”\"]", "", sentence))
    if re.search(r"\b(?:I|me)\b", said) and not any(each.mine for each in found):
        wrong.append("I am somebody else")
    return wrong


@settings(deadline=None)
@given(sentence=_TEXTS, evidence=st.lists(_evidence(), max_size=3))
def test_a_supported_sentence_has_citations_that_hold_its_names_numbers_and_dates(
    sentence: str, evidence: list[Evidence]
) -> None:
    found = check(sentence, evidence)
    assert found.supported is bool(found.citations)
    if found.supported:
        assert violations(sentence, found.citations, evidence) == []


@settings(deadline=None)
@given(text=_TEXTS, other=_TEXTS, evidence=st.lists(_evidence(), min_size=1, max_size=3))
def test_an_items_own_words_with_others_mixed_in_keep_the_invariant(
    text: str, other: str, evidence: list[Evidence]
) -> None:
    sentence = f"{evidence[0].text} {other}" if len(other) % 2 else f"{other} {evidence[0].text}"
    found = check(sentence, evidence)
    if found.supported:
        assert violations(sentence, found.citations, evidence) == []


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_compared(sentence: str, text: str) -> None:
    item = Evidence(key="k", text=text, moment=Moment.unknown(), mine=True)
    assert set(check(sentence, [item]).citations) <= {"k"}


def test_the_checker_of_these_tests_sees_what_is_wrong() -> None:
    told = "I met Batten on 5 September 1666 with 7 men"
    wrong = violations(told, ("cheese",), [CHEESE])
    assert wrong == ["the name batten", "the number 5", "the number 7"]
    assert violations("I slept", ("robin",), [ROBIN]) == ["I am somebody else"]
