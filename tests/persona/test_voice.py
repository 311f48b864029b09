"""How a person writes, register by register, and whether a text sounds like them."""

from __future__ import annotations

import random
from datetime import date

import pytest

from clone_app.entries import Item, Moment
from clone_app.persona.style.exemplars import exemplars
from clone_app.persona.style.nearness import (
    MOST,
    HeldOut,
    Voice,
    chunks,
    held_out,
    ngrams,
    others_chunks,
    own_chunks,
    told_apart,
)
from clone_app.persona.traits.remarks import own_text, remarks
from clone_app.persona.voice import Register, StyleCard, described, register_of, style_cards


def item(text: str, medium: str = "diary", **more: object) -> Item:
    """Something the user wrote."""
    fields: dict[str, object] = {
        "key": f"{medium}:{text}",
        "medium": medium,
        "moment": Moment.unknown(),
        "text": text,
        "mine": True,
        "locator": "x",
    }
    return Item(**(fields | more))  # type: ignore[arg-type]


def card(items: list[Item], register: Register) -> StyleCard:
    return next(each for each in style_cards(items) if each.register is register)


@pytest.mark.parametrize(
    ("medium", "register"),
    [
        ("diary", Register.DIARY),
        ("memo", Register.DIARY),
        ("email", Register.MAIL),
        ("wechat_moments", Register.POST),
        ("chat_group", Register.CHAT),
        ("search_history", None),
        ("todo_list", None),
    ],
)
def test_every_medium_has_its_register_or_none(medium: str, register: Register | None) -> None:
    assert register_of(medium) is register


def test_a_card_measures_sentences_openings_closings_marks_and_emoji() -> None:
    mails = [
        item(
            f"Dear Tom {n},\n\nAll well here! We sailed on day {n}; it rained.\n\nCheers,\nMarnie",
            "mail",
        )
        for n in range(6)
    ]
    chats = [item(f"ok so number {n} is fine 😀 see you there", "chat") for n in range(6)]
    mail, chat = card([*mails, *chats], Register.MAIL), card([*mails, *chats], Register.CHAT)
    assert mail.items == 6
    assert mail.openings == (("Dear …", 1.0),)
    assert mail.closings == (("Cheers", 1.0),)
    assert dict(mail.marks)["!"] == pytest.approx(1000 * 6 / mail.words, abs=0.1)
    assert mail.emoji_rate == 0
    assert chat.emoji == ("😀",)
    assert chat.small_starts == 1.0
    assert chat.sentence[1] == 8
    assert "emoji 😀" in described(chat)
    assert "small letters at the start" in described(chat)


def test_a_card_of_two_languages_says_so() -> None:
    both = [item(f"今天天气很好我们去了海边。 And then we went home, {n}.") for n in range(6)]
    shares = dict(card(both, Register.DIARY).languages)
    assert shares["Chinese, Japanese or Korean"] > 0.5
    assert shares["English"] > 0.2


def test_pet_words_are_the_users_not_the_subjects_and_not_names() -> None:
    mine = [
        item(f"Frankly the weather on day {n} was poor, and Gerald frankly agreed.")
        for n in range(20)
    ]
    theirs = [
        item(
            f"The weather on day {n} was poor and we all agreed on it. " * 5,
            mine=False,
            author="Bob",
        )
        for n in range(30)
    ]
    assert card([*mine, *theirs], Register.DIARY).pet_words == ("frankly",)


def test_too_few_items_make_no_card() -> None:
    assert style_cards([item("Short."), item("Shorter.")]) == ()


def test_what_others_say_is_no_part_of_the_voice() -> None:
    told = item("She said, “You would love it!!! You would!!!” I didn't answer.")
    assert "love" not in own_text(told)
    assert [each.text.replace("\ufffc", "…") for each in remarks(told)] == [
        "She said, ….",
        "I didn't answer.",
    ]


def test_exemplars_are_the_users_own_whole_sentences_of_that_register() -> None:
    own = [
        item(
            f"The harbour was grey on day {n} and I walked round it twice. Nobody was there but a gull. "
            "We had words, the gull and I, about chips and whose they were."
        )
        for n in range(4)
    ]
    other = item(
        "I am delighted to inform you of the harbour closing early for works this week.", "mail"
    )
    bob = item(
        "The harbour is mine says Bob, all of it, from wall to wall.", mine=False, author="Bob"
    )
    found = exemplars([*own, other, bob], Register.DIARY, number=2)
    assert len(found) == 2
    for each in found:
        assert each.text in " ".join(next(o.text for o in own if o.key == each.key).split())
    assert exemplars([bob], Register.DIARY) == ()


def test_an_exemplar_names_nobody_and_no_number_where_another_stretch_is_there() -> None:
    found = exemplars(
        [
            item(
                f"At {n + 4} I met Gerald and Maud at the old quay, and we went home.\n\n"
                "It was one of those evenings when the whole sky seems to be listening to you."
            )
            for n in range(3)
        ],
        Register.DIARY,
    )
    assert {each.text.partition(" ")[0] for each in found} == {"It"}


def test_an_exemplar_is_short_and_tells_no_sensitive_matter() -> None:
    found = exemplars(
        [
            item("word " * 40 + "."),
            item("The therapist says that I should write down whatever comes into my poor head."),
            item("Too short to show anything."),
        ],
        Register.DIARY,
    )
    assert found == ()


def test_exemplars_reach_over_the_time_a_register_does() -> None:
    written = [
        item(
            "I went down to the water again and looked at nothing at all for a while.",
            key=str(year),
            moment=Moment.on(date(year, 1, 1)),
        )
        for year in range(2001, 2025)
    ]
    days = {each.day.year for each in exemplars(written, Register.DIARY, number=4) if each.day}
    assert [sum(low <= year < low + 6 for year in days) for low in (2001, 2007, 2013, 2019)] == [
        1,
        1,
        1,
        1,
    ]


def test_names_and_numbers_are_masked_before_counting() -> None:
    assert ngrams("we met Bob on 12 May") == ngrams("we met Ann on 7 June")


def written(seed: int, words: str, number: int) -> list[str]:
    """Chunks of someone who knows these words."""
    draw = random.Random(seed)
    known = words.split()
    return [" ".join(draw.choice(known) for _ in range(150)) for _ in range(number)]


MINE = "verily thou hast seen yon merry harbour whereupon gulls doth cry aloud betimes"
THEIRS = "basically yeah guys lol gonna check out this super cool thing later maybe okay"


def test_a_voice_knows_the_user_from_others_on_text_it_never_saw() -> None:
    voice = Voice.fit(written(1, MINE, 10), {"bob": written(2, THEIRS, 10)})
    assert voice.nearness(written(3, MINE, 1)[0]) > 0.5
    assert voice.nearness(written(4, THEIRS, 1)[0]) < -0.5
    found = held_out(written(1, MINE, 10), {"bob": written(2, THEIRS, 10)})
    assert found is not None
    assert (found.mine, found.theirs, found.balanced) == (1.0, 1.0, 1.0)


def test_two_who_write_alike_are_not_told_apart() -> None:
    found = held_out(written(1, MINE, 40), {"bob": written(2, MINE, 40)})
    assert found is not None
    assert 0.2 <= found.balanced <= 0.8


def test_too_little_text_gives_no_score() -> None:
    assert held_out(["short"], {"bob": ["text", "more"]}) is None
    assert held_out(written(1, MINE, 10), {}) is None


def test_chunks_are_cut_at_sentences_by_author() -> None:
    assert chunks(["One two three. Four five six. Seven."], words=6) == [
        "One two three. Four five six."
    ]
    mine = item("I write a little here today. " * 40)
    bob = item("Bob writes a lot about his boats. " * 60, mine=False, author="Bob")
    assert all("Bob" not in each for each in own_chunks([mine, bob]))
    assert list(others_chunks([mine, bob])) == ["bob"]


def test_an_archive_says_how_well_its_owner_is_told_from_the_others() -> None:
    mine = [item(f"{text}.") for text in written(1, MINE, 12)]
    bob = [item(f"{text}.", mine=False, author="Bob") for text in written(2, THEIRS, 12)]
    found = told_apart([*mine, *bob])
    assert found == HeldOut(1.0, 1.0, 12, 1)
    assert HeldOut.unpacked(found.packed()) == found
    assert found.said() == (
        "Held-out stretches are told as yours or as others' in 100 of 100 cases (by chance 50): 12 of "
        "yours against one other in the archive."
    )
    assert told_apart(mine) is None


def test_of_a_long_archive_stretches_from_all_of_its_time_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[list[str]] = []
    monkeypatch.setattr(
        "clone_app.persona.style.nearness.held_out", lambda mine, _: taken.append(list(mine))
    )
    texts = [f"{'so on ' * 80}year {year}." for year in range(10 * MOST)]
    told_apart([item(each) for each in texts])
    (few,) = taken
    assert MOST / 2 < len(few) <= MOST
    assert ("year 0." in few[0], f"year {10 * MOST - 10}." in few[-1]) == (True, True)
