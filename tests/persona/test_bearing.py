"""What stands together in an entry, said of whom the question says it, bears the question."""

from __future__ import annotations

from datetime import date

import pytest

from clone_app.entries import Hit, Item, Moment, Term
from clone_app.memory.words import asked_words, content_words, stem
from clone_app.persona.bearing import borne, meant


def hit(text: str, *, mine: bool = True, author: str = "") -> Hit:
    item = Item(
        key=text[:20],
        text=text,
        medium="diary",
        mine=mine,
        author=author,
        locator="a",
        moment=Moment.on(date(2024, 3, 1)),
    )
    return Hit(
        item_id=1,
        item=item,
        passage=text,
        start=0,
        own=True,
        score=1.0,
        cosine=None,
        coverage=0.0,
        found_by=("words",),
    )


def share(question: str, text: str, *people: str, mine: bool = True, author: str = "") -> float:
    terms = [Term(word, (word,), 4.0) for word in dict.fromkeys(content_words(question))]
    whom = [frozenset(map(stem, each.split())) for each in people]
    return borne(question, hit(text, mine=mine, author=author), terms, whom)


def test_all_of_it_in_one_sentence_is_all() -> None:
    assert share("Did you bury the cheese?", "I buried my cheese.") == 1.0


def test_the_sentence_beside_is_worth_less_than_the_same_one() -> None:
    beside = share("Did you bury the cheese?", "I dug to bury it. The cheese kept well.")
    assert 0.5 < beside < 1.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Did you sell your library?", "He sold his library."),
        ("Did Tom sell the boat?", "I sold the boat. Tom laughed."),
    ],
)
def test_what_somebody_else_did_is_worth_half_of_the_rest(question: str, text: str) -> None:
    assert share(question, text, "tom") < 0.8


def test_what_a_thing_does_may_be_told_in_any_way() -> None:
    assert share("Where did the great fire begin?", "This great fire, he says, had begun.") == 1.0
    assert share("What did the book press weigh?", "My press for a book, I weighed it.") == 1.0


def test_a_person_is_known_by_a_pronoun_and_by_other_words() -> None:
    assert share("Did your father sell the boat?", "My dad sold the boat.", "father dad") > 0.6
    assert share("Did Tom sell the boat?", "Tom came. He sold the boat.", "tom") > 0.6


def test_in_others_letters_i_is_who_wrote_them() -> None:
    letter = "I sold the boat."
    assert share("Did Tom sell the boat?", letter, "tom", mine=False, author="Tom Hill") == 1.0


def test_terms_are_meant_without_who_is_called_and_with_other_words_for_kin() -> None:
    terms = [Term(word, (word,), 4.0) for word in ("chen", "grandmother")]
    (kin,) = meant("Chen, where is your grandmother?", terms)
    assert {"grandmother", "nan"} <= set(kin.spelled)
    assert meant("", terms) != ()


def chinese(question: str, text: str) -> float:
    terms = [Term(word, (word,), 4.0) for word in asked_words(question)]
    return borne(question, hit(text), terms)


def test_a_chinese_word_stands_where_its_characters_stand_together() -> None:
    assert chinese("爸的助听器配了吗？", "爸去配助听器。") == 1.0
    assert chinese("爸的助听器配了吗？", "爸借助收听器材，配好了。") < 0.8
    assert chinese("船漏水了吗？", "那里漏水的船。") == 1.0  # at the end of a run too


def test_the_word_for_what_is_asked_for_is_meant_only_where_memory_holds_it() -> None:
    terms = [Term("妈", ("妈",), 4.0, 3), Term("反应", (), 4.0)]
    assert [each.word for each in meant("妈有什么反应？", terms)] == ["妈"]
    held = [terms[0], Term("反应", ("反应",), 4.0, 2)]
    assert [each.word for each in meant("妈有什么反应？", held)] == ["妈", "反应"]
