"""A job, a home, a love, a thing, a life and a habit end in words of their own, and only the user's do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from clone_app.entries import Hit, Item, Moment, Recalled, Sentence, Term
from clone_app.memory.words import content_words
from clone_app.persona.change.chain import change, lasts, looked_further, told

DAYS = (date(2022, 3, 2), date(2024, 5, 3), date(2024, 11, 3))
WORK = ("Do you still work at Corrabell?", "I work at Corrabell on the ovens.")
HOME = ("Do you still live in Leeds?", "I live in Leeds, in a flat by the canal.")
LOVE = ("Are you still with Joel?", "Joel and I cooked a goose.")
COFFEE = ("Do you still drink coffee?", "I drink four cups of coffee a day.")
RUN = ("Do you still run with Tom?", "I run with Tom every Sunday.")
SMOKE = ("Do you still smoke?", "I smoke ten a day.")
SOFA = ("Do you still have the green sofa?", "The green sofa fills the room.")
CAR = ("Do you still drive the car?", "I drive the old car to work.")
DOG = ("Do you still have the dog?", "The dog slept on my feet.")
REX = ("Do you still have Rex?", "Rex slept on my feet.")
GYM = ("Are you still a member of the gym?", "I joined the gym on Mill Road.")
CHOIR = ("Do you still sing in the choir?", "I sing in the choir on Mondays.")
CHANGED = "That changed between 2 March 2022 and 3 May 2024."


def hit(text: str, day: date, number: int = 1, medium: str = "diary") -> Hit:
    item = Item(
        key=text[:20], medium=medium, moment=Moment.on(day), text=text, mine=True, locator="a",
        author="Ola Falk",
    )  # fmt: skip
    return Hit(
        item_id=number, item=item, passage=text, start=0, own=True, score=1.0, cosine=None,
        coverage=1.0, found_by=("words",),
    )  # fmt: skip


def terms(question: str) -> tuple[Term, ...]:
    return tuple(Term(word, (word,), 3.0) for word in dict.fromkeys(content_words(question)))


def answered(question: str, *texts: str) -> list[str]:
    hits = [hit(text, day) for text, day in zip(texts, DAYS, strict=False)]
    found = change(question, terms(question), hits)
    return [each.text for each in told(question, found)] if found else []


@pytest.mark.parametrize(
    ("asked", "ending", "lead"),
    [
        (WORK, "Last day at Corrabell. Chair handed back.", "I no longer work at Corrabell"),
        (WORK, "You'll have heard: Friday was my last day. Corrabell wept.", "I no longer work at"),
        (WORK, "Corrabell shuts. I was made redundant today.", "I no longer work at Corrabell"),
        (WORK, "I retired from Corrabell in May.", "I no longer work at Corrabell"),
        (WORK, "I've handed in my notice at Corrabell.", CHANGED),
        (WORK, "Corrabell is behind me. I started at the new place on Monday.", CHANGED),
        (HOME, "Keys handed back in Leeds, and that was that.", "I no longer live in Leeds"),
        (HOME, "We have moved from Leeds to York.", "I no longer live in Leeds"),
        (LOVE, "It is quiet without Joel. We split up in April.", "I am no longer with Joel"),
        (LOVE, "Joel left me.", "I am no longer with Joel"),
        (COFFEE, "I've stopped drinking coffee.", "I no longer drink coffee"),
        (COFFEE, "No coffee for me: I gave it up.", CHANGED),
        (SMOKE, "I gave up smoking.", "I no longer smoke"),
        (RUN, "I don't run with Tom any more.", "I no longer run with Tom"),
        (SOFA, "Sold the green sofa to a student.", "I no longer have the green sofa"),
        (SOFA, "The green sofa would not fit. Sold it.", CHANGED),
        (SOFA, "I lost the green sofa in a bet.", CHANGED),
        (DOG, "We had the dog put down.", "I no longer have the dog"),
        (REX, "Rex died this morning.", "I no longer have Rex"),
        (DOG, "My poor dog, that I had these three years, is dead.", "I no longer have the dog"),
        (CAR, "The car died on the hill.", CHANGED),
        (GYM, "Cancelled my gym membership.", "I am no longer a member of the gym"),
        (CHOIR, "I left the choir last year.", CHANGED),
    ],
)  # fmt: skip
def test_what_ended_is_told_as_surely_as_the_entry_tells_it(
    asked: tuple[str, str], ending: str, lead: str
) -> None:
    said, then, now = answered(*asked, ending)
    assert said.startswith(lead)
    assert then == f"On 2 March 2022 I wrote: “{asked[1]}”"
    assert now.startswith("On 3 May 2024 I wrote: “")


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        # another's
        (WORK, "Joel's last day at Corrabell; we had cake."),
        (WORK, "Dawn has left Corrabell after nine years."),
        (WORK, "Joel no longer works at Corrabell."),
        (HOME, "Dawn moved out of the flat in Leeds."),
        (HOME, "Gave Joel back his keys in Leeds."),
        (LOVE, "Bridie and Sam split up; Joel told me."),
        (RUN, "Tom no longer runs with Dawn."),
        (SOFA, "Joel sold his green sofa."),
        (DOG, "Hazel's dog died."),
        (GYM, "Joel cancelled his gym membership."),
        # planned, wished, supposed, asked, denied, nearly so, reported
        (WORK, "My last day at Corrabell will be Friday."),
        (WORK, "Friday is my last day at Corrabell."),
        (WORK, "If I left Corrabell after nine years, what then?"),
        (WORK, "I haven't left Corrabell."),
        (WORK, "I nearly resigned from Corrabell."),
        (WORK, "I dreamt I had resigned from Corrabell."),
        (WORK, "She asked whether I'd left Corrabell for good."),
        (HOME, "When I've moved out of Leeds I shall get a dog."),
        (LOVE, "I thought Joel and I had split up."),
        (COFFEE, "I must give up coffee."),
        (COFFEE, "I haven't given up coffee."),
        (SOFA, "I am glad I never sold the green sofa."),
        # of something else, or of an evening
        (WORK, "Left Corrabell at six, home by seven."),
        (WORK, "Corrabell sent a card. Friday was my last day at Ebbwright."),
        (WORK, "Corrabell is busy. My last day of antibiotics."),
        (WORK, "Last day at Corrabell before the holidays."),
        (WORK, "I no longer want to work at Corrabell."),
        (HOME, "Moved out of the way of a tram in Leeds."),
        (LOVE, "Joel and I split up the work."),
        (LOVE, "Joel left me at the station."),
        (LOVE, "Joel and I got separated in the crowd."),
        (COFFEE, "I stopped to drink coffee."),
        (COFFEE, "I gave up coffee breaks."),
        (COFFEE, "I've stopped drinking coffee after six."),
        (COFFEE, "I drink coffee as I used to."),
        (RUN, "Stopped running when Tom fell."),
        (RUN, "I haven't run with Tom since Tuesday."),
        (SOFA, "Sold two green sofas at the market."),
        (SOFA, "I sold the red sofa."),
        (SOFA, "I sold the green sofa's cushions."),
        (SOFA, "Hazel wants the green sofa. Sold her the lamp."),
        (CAR, "I stopped the car."),
        (DOG, "The dog next door died."),
        (DOG, "The dog is dead tired."),
        (CHOIR, "I left the choir early."),
    ],
)  # fmt: skip
def test_no_ending_is_read_where_none_of_the_users_is_told(
    asked: tuple[str, str], other: str
) -> None:
    assert answered(*asked, other) == []


def test_of_a_move_elsewhere_both_entries_are_shown_and_nothing_is_said() -> None:
    then, now = answered(*HOME, "We moved to the coast in March.")
    assert "I live in Leeds" in then
    assert "moved to the coast" in now
    assert answered(HOME[0], "I could never leave Leeds.", "We moved to the coast.") == []
    assert answered(*HOME, "We moved to Mill Road.") == []


def test_only_a_last_time_long_ago_is_shown_and_nothing_is_said() -> None:
    for ago in (
        "It's been a year since I last drank coffee.",
        "I haven't drunk coffee since March.",
    ):
        assert len(answered(*COFFEE, ago)) == 2


def test_what_is_so_again_later_has_not_ended() -> None:
    assert answered(*HOME, "Moved out of Leeds.", "I live in Leeds again.") == []
    assert answered(*SOFA, "Sold the green sofa.", "Bought the green sofa back.") == []
    assert answered(*COFFEE, "I gave up coffee.", "Drank coffee with Tom.") == []
    later = "I worked at Corrabell for nine years and never liked the ovens."
    assert answered(*WORK, "Last day at Corrabell.", later) != []


def test_a_question_for_the_ending_itself_is_answered_with_both_days() -> None:
    assert answered("Have you given up coffee?", COFFEE[1], "I gave up coffee.")[0] == CHANGED
    gone = "Friday was my last day at Corrabell."
    assert answered("Have you left Corrabell?", WORK[1], gone)[0] == CHANGED
    lead, then, _ = answered("Are you no longer at Corrabell?", WORK[1], gone)
    assert lead == "I am no longer at Corrabell, as I wrote on 3 May 2024."
    assert WORK[1] in then
    assert answered("Are you no longer at Corrabell?", "I stayed there no longer.", gone) == []


def test_of_somebody_else_only_their_own_ending_counts_and_it_is_not_mine() -> None:
    mother = ("Does your mother still walk with a stick?", "Mum walks with a stick.")
    assert answered(*mother, "Mum walks without a stick now.")[0] == CHANGED
    assert answered(*mother, "I walk without a stick now.") == []
    femi = ("Does Femi still work at Corrabell?", "Femi works at Corrabell.")
    assert answered(*femi, "Femi left Corrabell after nine years.")[0] == CHANGED
    assert answered(*femi, "Last day at Corrabell. Femi drew me a card.") == []
    assert answered("Is your grandfather still alive?", "Grandpa sang.", "Grandpa died at noon.")


def test_in_a_chat_another_s_line_ends_nothing_and_is_not_what_was() -> None:
    chat = "12:34 Ida F: I left Corrabell after nine years.\n12:35 Ola Falk: And the ovens?"
    assert answered(*WORK, chat) == []
    mine = "12:34 Ida F: Well?\n12:35 Ola Falk: Friday was my last day at Corrabell."
    assert answered(*WORK, mine)[2] == (
        "On 3 May 2024 I wrote: “Friday was my last day at Corrabell.”"
    )
    assert (
        answered(WORK[0], "12:34 Ida F: So you work at Corrabell?\n12:35 Ola Falk: Yes.", mine)
        == []
    )


def quoted(question: str, hits: Sequence[Hit], *chosen: Hit) -> list[str]:
    given = tuple(Sentence(each.item.text, True, (each.item.key,)) for each in chosen)
    return [each.text for each in lasts(question, terms(question), hits, given)]


def test_where_it_still_is_so_the_latest_entry_that_says_so_comes_last() -> None:
    early, late = hit(SOFA[1], DAYS[0]), hit("Read all night on the green sofa.", DAYS[2], 2)
    other = hit("Sewed sails.", DAYS[1], 3)
    assert quoted(SOFA[0], [early, other, late], early) == [
        SOFA[1],
        "On 3 November 2024 I wrote: “Read all night on the green sofa.”",
    ]
    assert quoted(SOFA[0], [early, other, late], late) == [late.item.text]
    assert quoted("What is the green sofa like?", [early, late], early) == [SOFA[1]]


def test_an_ending_that_shares_no_word_with_the_question_is_looked_for() -> None:
    sought: list[str] = []
    gone, other = hit("Last day at Corrabell.", DAYS[1], 2), hit("Sewed sails.", DAYS[2], 3)

    def recall(words: str) -> Recalled:
        sought.append(words)
        return Recalled((gone, other), terms(words))

    found = Recalled((hit(WORK[1], DAYS[0]),), terms(WORK[0]))
    assert [each.item.text for each in looked_further(WORK[0], found, recall).hits] == [
        WORK[1],
        "Last day at Corrabell.",
    ]
    assert sought == ["I left corrabell, I resigned, it was my last day there"]
    assert looked_further("What did Corrabell make?", found, recall) is found
