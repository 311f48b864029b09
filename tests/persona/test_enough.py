"""Thin evidence is no evidence: another person, another time, no amount, words in another sense."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest

from clone_app.entries import Hit, Item, Moment, NamedTime, Recalled, Term
from clone_app.memory.when import find, without_times
from clone_app.memory.words import asked_words, content_words
from clone_app.persona.enough import Enough, Thresholds, enough
from clone_app.persona.question.then import in_named_time

NOW = datetime(2024, 6, 1)


def hit(text: str, *, day: date = date(2024, 3, 1), **more: object) -> Hit:
    of: dict[str, object] = {
        "medium": "diary",
        "mine": True,
        "locator": "a",
        "moment": Moment.on(day),
    }
    found: dict[str, object] = {
        "cosine": 0.45,
        "coverage": 0.0,
        "own": True,
        "found_by": ("words",),
    }
    for name, value in more.items():
        (found if name in found else of)[name] = value
    item = Item(key=text[:20], text=text, **of)  # type: ignore[arg-type]
    return Hit(item_id=1, item=item, passage=text, start=0, score=1.0, **found)  # type: ignore[arg-type]


def asked(question: str, *hits: Hit, unknown: str = "", seen: int = 0) -> Enough:
    terms = tuple(
        Term(word, () if word in unknown.split() else (word,), 4.0)
        for word in dict.fromkeys(
            content_words(without_times(question, find(question, NOW.date())))
        )
    )
    return enough(question, Recalled(hits, terms, seen=seen), NOW)


def test_what_stands_together_is_enough() -> None:
    verdict = asked("Did you bury the cheese in a pit?", hit("I buried my cheese in the pit."))
    assert verdict.yes
    assert verdict.hits
    assert verdict.strength > 0.95


def test_nothing_found_is_not() -> None:
    assert asked("Did you bury it?") == Enough(False, "nothing was found")


def test_a_word_that_memory_does_not_hold_outweighs_the_rest() -> None:
    verdict = asked(
        "Which computer did your pilot buy?",
        hit("I bought bread.", cosine=0.3),
        unknown="computer pilot",
    )
    assert not verdict.yes


def test_a_word_found_in_another_that_says_the_same_counts_half_against() -> None:
    entry = hit("We saw the film.", cosine=0.3)
    loose = Term("movie", ("film",), 4.0, loose=True)
    own, seen = replace(loose, loose=False), Term("see", ("saw", "see"), 4.0)
    none = replace(loose, spelled=(), loose=False)
    strengths = [
        enough("Did you see the movie?", Recalled((entry,), (seen, term)), NOW).strength
        for term in (own, loose, none)
    ]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == 3


def test_two_who_are_asked_about_stand_together_somewhere() -> None:
    question = "Did Robin meet Hazel?"
    apart = hit("Robin met the baker. It rained. I slept. I read a book. Nothing else. Hazel rang.")
    assert asked(question, apart).reason == "nothing holds together whom the question names"
    assert asked(question, hit("Robin came. He met Hazel on the stairs.")).yes
    told = hit("I met Hazel today.", mine=False, author="Robin Hill <robin@example.org>")
    assert asked(question, told).yes


def test_what_is_liked_best_is_told_by_somebody_who_likes_it() -> None:
    question = "What is your favourite film?"
    beside = hit("That is a thing old men do in films.")
    assert asked(question, beside, unknown="favourite").reason == (
        "what is liked best was asked for and none is told"
    )
    assert asked(question, hit("Of all the films I love Ikiru most."), unknown="favourite").yes
    assert asked("Which soup do you like best?", hit("Leek soup is the best soup there is.")).yes


def test_another_person_is_not_the_one_asked_about() -> None:
    ride = hit("I ran with Tom along the river.")
    assert asked("Did you run with Tom?", ride).yes
    verdict = asked("Did you run with Robin?", ride)
    assert (verdict.yes, verdict.reason) == (False, "nothing is about whom the question names")
    assert not asked("What does your father say?", hit("My mother says it will rain.")).yes
    assert asked("What does your father say?", hit("My dad says it will rain.")).yes


def test_who_wrote_it_is_who_it_is_about() -> None:
    mail = hit("I missed the last train.", mine=False, author="Robin Hill <robin@example.org>")
    assert asked("Did Robin miss the train?", mail).yes


def test_another_time_is_not_the_one_asked_about() -> None:
    market = hit("We sold books at the market.", day=date(2023, 7, 2))
    assert asked("Did you sell books at the market in July 2023?", market).yes
    verdict = asked("Did you sell books at the market in March 2024?", market)
    assert (verdict.yes, verdict.reason) == (False, "nothing is from that time")
    later = hit("In March we sold books at the market.", day=date(2024, 5, 20))
    assert asked("Did you sell books at the market in March 2024?", later).yes


def test_an_amount_that_nobody_told_is_not_answered() -> None:
    untold = hit("I bought the book press and carried it home.")
    verdict = asked("How much did the book press cost?", untold)
    assert (verdict.yes, verdict.reason) == (
        False,
        "an amount of money was asked for and none is told",
    )
    assert asked("How much did the book press cost?", hit("The book press cost me £40.")).yes
    heavy = hit("The book press weighs 31 kilos.")
    assert asked("How much did the book press cost?", heavy).reason == verdict.reason
    assert asked("How much does the book press weigh?", heavy).yes


def test_a_feast_is_a_time_and_nobody() -> None:
    then = NamedTime("2023-12-20", "2023-12-31", "Christmas")
    terms = (Term("spend", ("spent",), 4.0),)
    day = hit("We spent the day in bed.", day=date(2023, 12, 25), found_by=("when", "words"))
    question = "How did you spend Christmas?"
    assert enough(question, Recalled((day,), terms, intervals=(then,)), NOW).yes
    assert enough(question, Recalled((day,), terms), NOW).reason == (
        "nothing is about whom the question names"
    )


def test_a_feast_and_a_year_are_one_time() -> None:
    march = hit("I spent the money.", day=date(2022, 3, 1))
    feast = hit("We spent the day in bed.", day=date(2022, 12, 25))
    found = in_named_time("How did you spend Christmas in 2022?", [march, feast], NOW)
    assert found == [feast]
    plain = frozenset({"in 2022", "christmas in 2022"})
    asked = "How did you spend Christmas in 2022?"
    assert in_named_time(asked, [march, feast], NOW, plain=plain) == [march, feast]
    either = in_named_time("Was it in 2022 or on 3 May 2023?", [march, feast], NOW)
    assert either == [march, feast]


def test_what_another_thinks_is_told_of_them_or_by_them() -> None:
    question = "What does Mrs Dunphy think of the manual?"
    letter = (
        "Dear Mrs Dunphy, I am sorry about the noise. It rained. The manual keeps me up at night."
    )
    to_her = hit(letter, recipients=("Maureen Dunphy",))
    assert asked(question, to_her).reason == "nothing is told of whom the question names on this"
    assert asked(question, hit("Mrs Dunphy thinks the manual is too long.")).yes
    hers = hit("I think your manual too long.", mine=False, author="Maureen Dunphy")
    assert asked(question, hers).reason != "nothing is told of whom the question names on this"


def test_words_apart_or_said_of_somebody_else_bear_no_question() -> None:
    words = "It rained all week. We talked. "
    apart = hit(f"The duel was long ago. {words * 8} I fight with my umbrella.", cosine=0.3)
    assert not asked("Did you fight a duel?", apart, seen=3000).yes
    other = hit("He sold his library to a bookseller.", cosine=0.2)
    assert not asked("Did you sell your library?", other, seen=3000).yes
    mine = hit("I sold my library.", cosine=0.2)
    assert asked("Did you sell your library?", mine, seen=3000).yes


def test_the_more_there_is_the_more_must_stand_together() -> None:
    wanted = [Thresholds().wanted(seen) for seen in (1, 400, 1000, 3413, 10**6)]
    assert wanted == sorted(wanted)
    assert (wanted[0], wanted[-1]) == (Thresholds().least, Thresholds().enough)
    half = hit("I keep a library.", cosine=0.2)
    assert asked("Did you sell your library?", half, seen=50).yes
    assert not asked("Did you sell your library?", half, seen=5000).yes


def test_a_plain_fact_must_be_told_in_words_however_little_there_is() -> None:
    half = hit("We had a market in Otley.", cosine=0.3)
    assert not asked("Which team won at the market?", half, seen=50).yes
    assert asked(
        "Which team won at the market?", hit("Their team won the market.", cosine=0.3), seen=50
    ).yes


def test_a_long_question_tells_a_story_and_its_meaning_is_enough() -> None:
    story = (
        "Looking back at those frantic weeks of spreadsheets, quarrels, appointments, and sleepless "
        "nights beside the window, do you feel calmer now?"
    )
    assert asked(story, hit("I walked by the sea and breathed.", cosine=0.5)).yes
    assert not asked(story, hit("I walked by the sea and breathed.", cosine=0.2)).yes


def test_a_name_alone_says_nothing_of_what_is_asked_about_it() -> None:
    fond = hit("Leonard wore a tie with anchors on it and clapped.")
    verdict = asked("What did Leonard earn before retirement?", fond, seen=50)
    assert not verdict.yes
    question = "What music was played at the wedding of Leonard?"
    verdict = asked(question, hit("The wedding of Leonard."), seen=50)
    assert (verdict.yes, asked(question, hit("Leonard laughed."), seen=50).reason) == (
        True,
        "nothing is told of whom the question names on this",
    )
    assert asked("Who is Leonard?", fond).yes


def test_kin_may_be_told_of_by_name() -> None:
    named = hit("I kept the palpitations from Bridie.")
    spoken = hit("My sister is a nurse. I kept the palpitations quiet.")
    verdict = asked("Why did you keep the palpitations from your sister?", named, spoken)
    assert verdict.hits == (named, spoken)


def test_a_story_is_not_silenced_by_a_name() -> None:
    story = "I remember how quiet you were with Tom. Why did you stop talking in the evenings?"
    assert asked(story, hit("I sat by the window and said nothing all evening.", cosine=0.5)).yes


def test_what_is_counted_may_have_another_name() -> None:
    failed = hit("Driving test (2), passed at last.")
    question = "How many attempts did the driving test take?"
    assert asked(question, failed, unknown="attempts", seen=50).yes


def test_a_word_that_memory_does_not_hold_counts_against_the_rest() -> None:
    holiday = hit("The holiday was long.", cosine=0.3)
    question = "What was your skiing holiday like?"
    known = asked(question, holiday, seen=50)
    unknown = asked(question, holiday, unknown="skiing", seen=50)
    assert unknown.strength < known.strength


def test_meaning_is_enough_where_nobody_is_named() -> None:
    sick = hit("I do much dread it, and cannot sleep for thinking of the sickness.", cosine=0.6)
    assert asked("Were you afraid of the plague?", sick, seen=3413).yes
    assert not asked("Were you afraid of Robin?", replace(sick, cosine=0.57), seen=3413).yes
    assert not asked("Were you afraid of the plague?", replace(sick, cosine=0.5), seen=3413).yes


def test_a_time_in_the_question_is_met_by_what_is_from_then() -> None:
    eve = NamedTime("2023-12-26", "2024-01-06", "New Year's Eve 2023")
    terms = tuple(Term(word, (word,), 4.0) for word in ("spend", "new", "year", "eve"))
    inventory = hit("Inventory, since it is quiet.", day=date(2023, 12, 31), found_by=("when",))
    found = Recalled((inventory,), terms, intervals=(eve,))
    assert enough("How did you spend New Year's Eve 2023?", found, NOW).yes


def test_a_question_about_nothing_but_a_time_is_answered_by_what_was_written_then() -> None:
    then = replace(hit("We walked.", cosine=0.1), found_by=("when",))
    assert enough("What happened on 1 March 2024?", Recalled((then,), ()), NOW).yes
    assert not enough("What happened?", Recalled((hit("We walked.", cosine=0.1),), ()), NOW).yes


def test_what_stands_only_in_others_quoted_words_bears_nothing() -> None:
    assert not asked(
        "Did you bury the cheese?", hit("", own=False, context="> bury the cheese")
    ).yes


@pytest.mark.parametrize("question", ["你搬家了吗？", "???", "", "a" * 3000])
def test_any_question_gets_a_verdict(question: str) -> None:
    assert asked(question, hit("我搬家了。")).reason


def in_chinese(question: str, *hits: Hit) -> Enough:
    terms = tuple(Term(word, (word,), 4.0, 1) for word in asked_words(question))
    return enough(question, Recalled(hits, terms), NOW)


def test_whom_a_chinese_question_names_the_evidence_is_about() -> None:
    wears = hit("爸戴着助听器坐了半天。")
    assert in_chinese("你爸戴助听器吗？", wears).yes
    assert in_chinese("你父亲戴助听器吗？", wears).yes
    other = in_chinese("戴师傅戴助听器吗？", wears)
    assert other == Enough(False, "nothing is about whom the question names")


def test_a_chinese_question_for_an_amount_or_a_name_wants_one() -> None:
    leak = hit("上游一条化肥船舱底漏水。")
    assert in_chinese("化肥船漏水罚了多少钱？", leak).reason == (
        "an amount of money was asked for and none is told"
    )
    assert in_chinese("化肥船漏水是谁发现的？", leak).reason == (
        "a name was asked for and none is told"
    )
    assert in_chinese("化肥船漏水是谁发现的？", hit("化肥船漏水是小邵发现的。")).yes


def test_what_another_says_of_it_in_chinese_stands_beside_them() -> None:
    told = hit("机器装好了，声音不大。" + "今天很累。" * 3 + "戴师傅走了。")
    assert not in_chinese("戴师傅怎么看那台机器？", told).yes
    assert in_chinese("戴师傅怎么看那台机器？", hit("戴师傅说机器也好。")).yes


def test_a_low_cosine_tells_nothing_against_chinese() -> None:
    question, text = "你配助听器了吗？", "去配助听器。"
    low, unseen = (in_chinese(question, hit(text, cosine=each)).strength for each in (0.1, None))
    assert low == unseen


def test_which_one_is_told_where_its_kind_or_its_name_stands() -> None:
    quiz = hit("Office party. A quiz, a dry turkey. We won nothing.")
    assert asked("Which team won the quiz at the office party?", quiz).reason == (
        "which one was asked for and none is told"
    )
    assert asked(
        "Which team won the quiz at the office party?",
        hit("Office party. A quiz, and the team from Leeds won."),
    ).yes
    assert asked("Which film did you see at the party?", quiz, unknown="film").reason != (
        "which one was asked for and none is told"
    )


def test_a_part_that_refers_back_is_no_question_of_its_own() -> None:
    talk = hit("Gavin came by.")
    assert not asked(
        "What did the broker charge for the mooring, and did Gavin take it well?", talk
    ).yes


def test_what_kin_are_called_is_told_beside_the_word_for_them() -> None:
    question = "What's your sister's name?"
    assert asked(question, hit("My sister Lena came from Graz.")).yes
    assert asked(question, hit("Lena, my sister, came from Graz.")).yes
    beside = hit("My sister came. Then I went to the market in Leeds.")
    assert asked(question, beside).reason == "a name was asked for and none is told"


def test_a_plain_fact_of_one_thing_stands_in_its_sentence() -> None:
    question = "How much did the boots cost?"
    few = {"unknown": "cost", "seen": 34}
    assert asked(question, hit("First pay today. Bought new boots for 89 euros."), **few).yes  # type: ignore[arg-type]
    apart = hit("I love the boots. It rained all day. The soup was 4 euros.")
    assert not asked(question, apart, **few).yes  # type: ignore[arg-type]
    colour = hit("Painted the kitchen yellow.")
    assert asked("What colour is the kitchen?", colour, unknown="colour", seen=34).yes


def test_what_is_called_by_a_season_is_found_out_of_season() -> None:
    trip = hit("Spring break in Asheville with Jess.", day=date(2023, 3, 11))
    assert in_named_time("Where did you go for spring break?", [trip], NOW) == [trip]


def test_of_kin_nothing_is_answered_of_which_memory_holds_no_word() -> None:
    verdict = asked("When is your mother's birthday?", hit("Mum hides it."), unknown="birthday")
    assert verdict.reason == "nothing holds a word of what is asked of them"
