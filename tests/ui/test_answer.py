"""How checked sentences take the place of their draft."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from clone_app.entries import Sentence
from clone_app.ui.chat.answer import AnswerView, _after, _gaps


@pytest.mark.parametrize(
    ("draft", "sentence", "left"),
    [
        ("I went home. Then", "I went home.", " Then"),
        (" I went\nhome. Then", "I went home.", " Then"),
        ("I went home.", "I went home.", ""),
        ("I wen home. Then I", "I went home.", "Then I"),
        ("", "I went home.", ""),
    ],
)
def test_the_checked_sentence_takes_its_words_out_of_the_draft(
    draft: str, sentence: str, left: str
) -> None:
    assert _after(draft, sentence)[1] == left


def test_line_breaks_between_sentences_are_kept() -> None:
    said = [Sentence("One.", True, ()), Sentence("Two.", True, ()), Sentence("Three.", True, ())]
    assert _gaps("One.\nTwo. Three.", said) == ["", "\n", " "]


def test_sentences_that_are_not_in_the_text_are_set_apart_by_a_space() -> None:
    said = [Sentence("One.", True, ()), Sentence("Other.", True, ()), Sentence("Two.", True, ())]
    assert _gaps("One.\nTwo.", said) == ["", " ", "\n"]


def test_a_quotes_own_line_breaks_do_not_tear_the_answer(dressed: object, qtbot: QtBot) -> None:
    view = AnswerView()
    qtbot.addWidget(view)
    view.check(Sentence("On 1 May I wrote: “We\nfound him.”", True, ()))
    assert view.plain() == "On 1 May I wrote: “We found him.”"


def test_emoji_and_right_to_left_text_come_through_whole(dressed: object, qtbot: QtBot) -> None:
    view = AnswerView()
    qtbot.addWidget(view)
    for piece in ("Fam", "ily 👨‍👩‍👧 ", "שלום"):
        view.draft(piece)
    assert view.plain() == "Family 👨‍👩‍👧 שלום"
    view.check(Sentence("Family 👨‍👩‍👧 שלום", True, ()))
    assert view.plain() == "Family 👨‍👩‍👧 שלום"
