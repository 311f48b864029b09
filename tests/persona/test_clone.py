"""An answer shows where it comes from, and is never worse than a good search result."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from clone_app.entries import (
    Checked,
    Drafted,
    Mode,
    Moment,
    Recalled,
    SourcesFound,
    Term,
)
from clone_app.errors import Cancelled, ModelError, ModelStoppedError
from clone_app.models.fakes import FakeEmbedder
from clone_app.persona.clone import (
    CloneEvent,
    Finished,
    answer,
)
from clone_app.persona.phrases import ENGLISH
from clone_app.persona.prompts import Dialogue
from clone_app.progress import Progress
from clone_app.protocols import Message
from clone_app.settings import AnswerStyle

from .scripted import CHEESE, HALF_TRUE, QUOTED, Scripted, events, finished, hit, recalled


def test_the_sources_come_before_the_first_word_and_the_answer_last() -> None:
    chat = Scripted("I put my Parmazan cheese in the pit with 3 bottles. Then I flew to Mars. ")
    found = events(recalled(hit(CHEESE)), chat)
    kinds = [type(event) for event in found]
    assert kinds[0] is SourcesFound
    assert kinds[1] is Drafted
    assert kinds[-1] is Finished
    assert kinds.count(Checked) == 2
    first = next(index for index, kind in enumerate(kinds) if kind is Checked)
    assert kinds[first + 1] is Drafted  # it was checked while the model went on


def test_words_the_sources_carry_stand_and_the_rest_is_marked() -> None:
    chat = Scripted(HALF_TRUE)
    done = finished(recalled(hit(CHEESE)), chat)
    assert done.answer.mode is Mode.GROUNDED
    assert [(each.supported, each.citations) for each in done.answer.sentences] == [
        (True, ("k",)),
        (True, ("k",)),
        (False, ()),
    ]
    assert done.answer.text == chat.text
    assert done.answer.model == "scripted"
    assert done.answer.seconds > 0
    assert done.note == ""


def test_a_draft_nobody_can_stand_for_gives_way_to_the_users_own_words() -> None:
    done = finished(recalled(hit(CHEESE)), Scripted("I ate it with the queen of Spain. Yum."))
    assert done.answer.mode is Mode.QUOTE
    assert [sentence.text for sentence in done.answer.sentences] == [
        "On 14 September 1666 I wrote: “In the evening Penn and I did dig another pit, and put our "
        "wine in it; and I my Parmazan cheese, as well as 3 bottles.”"
    ]


def test_a_true_sentence_beside_the_point_gives_way_too() -> None:
    both = recalled(hit(CHEESE), hit("We walked to the river with a merry dog.", "w", coverage=0.0))
    done = finished(both, Scripted("We walked to the river with a merry dog."))
    assert done.answer.mode is Mode.QUOTE
    assert done.answer.sentences[0].citations == ("k",)


def test_a_draft_that_only_repeats_the_question_is_no_answer() -> None:
    text = "I put my cheese in the pit."
    assert finished(recalled(hit(text)), Scripted("The cheese is in the pit.")).answer.mode is (
        Mode.QUOTE
    )


def test_quotes_only_asks_no_model() -> None:
    chat = Scripted("I flew to Mars.")
    done = finished(recalled(hit(CHEESE)), chat, style=AnswerStyle.QUOTES)
    assert done.answer.mode is Mode.QUOTE
    assert done.answer.model == ""
    assert chat.sent == []


def test_free_keeps_the_models_words_marked() -> None:
    chat = Scripted("I flew to Mars. I put my Parmazan cheese in the pit with 3 bottles.")
    done = finished(recalled(hit(CHEESE)), chat, style=AnswerStyle.FREE)
    assert done.answer.mode is Mode.FREE
    assert [sentence.supported for sentence in done.answer.sentences] == [False, True]


@pytest.mark.parametrize("style", [AnswerStyle.CHECKED, AnswerStyle.FREE])
def test_a_model_that_fails_leaves_the_quotations_and_says_so(style: AnswerStyle) -> None:
    fault = ModelStoppedError("The language model stopped. Restart it.")
    done = finished(recalled(hit(CHEESE)), Scripted("I fl", fault=fault), style=style)
    assert done.answer.mode is Mode.QUOTE
    assert "The language model stopped. Restart it." in done.note
    assert done.dialogue == Dialogue()


def test_without_a_model_the_quotations_are_the_answer() -> None:
    done = finished(recalled(hit(CHEESE)), None)
    assert done.answer.mode is Mode.QUOTE
    assert done.note


def test_counting_that_fails_is_a_model_that_fails() -> None:
    class Broken(Scripted):
        def count(self, text: str) -> int:
            raise ModelError("The model is not there. Choose another one.")

    assert finished(recalled(hit(CHEESE)), Broken("x")).answer.mode is Mode.QUOTE


def test_nothing_near_means_never_written_with_the_nearest_shown() -> None:
    phone = Recalled((hit(CHEESE, coverage=0.3),), (Term("smartphone", (), 8.0),))
    chat = Scripted("I have a smartphone.")
    done = finished(phone, chat)
    assert done.answer.abstained
    assert done.answer.text == ENGLISH.never
    assert [(each.supported, each.citations) for each in done.answer.sentences] == [(False, ())]
    assert [(part.text, part.found) for part in done.answer.parts] == [("a place", False)]
    assert [source.key for source in done.answer.sources] == ["k"]
    assert chat.sent == []
    assert done.dialogue == Dialogue()


def test_what_stands_only_in_others_words_was_never_written() -> None:
    reply = hit("", context="> the cheese in the pit", own=False)
    assert finished(recalled(reply), Scripted("x")).answer.abstained


def test_cancelling_passes_through_and_what_came_before_it_was_told() -> None:
    progress = Progress()
    chat = Scripted("I put my Parmazan cheese in the pit. " * 20)
    seen: list[CloneEvent] = []
    stream = answer(
        "Where is the cheese?", recalled(hit(CHEESE)), dialogue=Dialogue(), chat=chat,
        style=AnswerStyle.FREE, name="", asked_at=datetime(1669, 6, 1), clock=lambda: 0.0,
        fence="f", progress=progress,
    )  # fmt: skip
    for event in stream:
        seen.append(event)
        if isinstance(event, Checked):
            progress.cancel()
            break
    with pytest.raises(Cancelled):
        seen.extend(stream)
    assert isinstance(seen[-1], Checked)
    assert chat.closed


def test_a_rambling_model_is_stopped() -> None:
    chat = Scripted("The cat sat. " * 500)
    finished(recalled(hit(CHEESE)), chat)
    assert chat.pieces < 30
    assert chat.closed


def test_the_next_turn_holds_what_was_answered_and_not_what_was_invented() -> None:
    chat = Scripted(HALF_TRUE)
    done = finished(recalled(hit(CHEESE)), chat)
    assert done.dialogue.messages[-1] == Message(
        "assistant", HALF_TRUE.removesuffix(" Then I flew to Mars.")
    )
    again = finished(recalled(hit(CHEESE)), chat, dialogue=done.dialogue)
    assert chat.sent[1][: len(chat.sent[0])] == chat.sent[0]
    assert "Mars" not in " ".join(message.text for message in chat.sent[1])
    assert len(again.dialogue.messages) == 5


def test_the_model_reads_again_what_it_wrote_with_its_own_spaces() -> None:
    written = "I put my Parmazan cheese in the pit\nwith 3 bottles.\n\nI flew to Mars. And th"
    said = (
        "I put my Parmazan cheese in the pit with 3 bottles.\n\nWe put our wine in the pit. And th"
    )
    free = finished(recalled(hit(CHEESE)), Scripted(said), style=AnswerStyle.FREE)
    assert free.dialogue.messages[-1].text == said.removesuffix(" And th")
    torn = finished(recalled(hit(CHEESE)), Scripted(written), style=AnswerStyle.FREE)
    assert torn.dialogue.messages[-1].text == " ".join(each.text for each in torn.answer.sentences)


def test_of_quotations_the_model_is_told_the_beginning_since_it_holds_the_notes() -> None:
    texts = (
        "The cheese that my old friend brought from the hills lies deep in the pit behind the barn.",
        "My brother and his tired dog dug for cheese in a pit until it rained upon us all.",
        "Nobody knows which pit holds the finest cheese, says the widow who sells her eggs here.",
    )
    long = recalled(*(hit(text, text[:9], number=at) for at, text in enumerate(texts)))
    done = finished(long, Scripted("I flew to Mars."))
    assert done.answer.reason == "your entries don't carry what the model drafted"
    assert len(done.dialogue.messages[-1].text) <= 200 < len(done.answer.text)


def test_a_line_quoted_in_an_entry_carries_nothing() -> None:
    text = "The cheese is in the pit.\n> I am not saying cheese, I am saying wine.\nSo to bed."
    chat = Scripted(
        "I am not saying cheese, I am saying wine. The cheese is in the pit with bread."
    )
    done = finished(recalled(hit(text)), chat, style=AnswerStyle.FREE)
    assert [sentence.supported for sentence in done.answer.sentences] == [False, False]
    mine = finished(recalled(hit(text.replace("> ", ""))), chat, style=AnswerStyle.FREE)
    assert mine.answer.sentences[0].supported


def test_never_is_followed_by_the_nearest_thing_found() -> None:
    other = recalled(hit(CHEESE, cosine=0.1), terms=("cheese", "helicopter", "pilot", "licence"))
    question = "Did a helicopter pilot lose his licence over the cheese?"
    done = finished(other, Scripted("x"), question=question)
    assert done.answer.abstained
    assert [each.text for each in done.answer.sentences] == [
        ENGLISH.never,
        f"{ENGLISH.nearest} {QUOTED}",
    ]
    assert done.answer.sentences[1].citations == ("k",)


def test_where_only_the_answer_is_missing_never_is_not_said() -> None:
    other = recalled(hit(CHEESE, cosine=0.6), terms=("much", "cheese", "cost"))
    done = finished(other, Scripted("x"), question="How much did the cheese cost?")
    assert done.answer.abstained
    assert [each.text for each in done.answer.sentences] == [
        ENGLISH.unanswered,
        f"{ENGLISH.nearest} {QUOTED}",
    ]


def test_what_no_longer_holds_is_said_with_both_days_and_no_model_is_asked() -> None:
    then = hit("I keep my cheese in the pit.", "then", moment=Moment.on(date(1666, 9, 1)))
    now = hit("I no longer keep cheese in the pit.", "now", number=2)
    chat = Scripted("I keep my cheese in the pit.")
    done = finished(recalled(now, then), chat, question="Is your cheese still in the pit?")
    assert [each.citations for each in done.answer.sentences] == [
        ("then", "now"),
        ("then",),
        ("now",),
    ]
    assert (
        done.answer.sentences[0].text
        == "That changed between 1 September 1666 and 14 September 1666."
    )
    assert chat.sent == []


def test_what_surely_ended_is_told_though_no_place_holds_all_words_of_the_question() -> None:
    then = hit("I work at Corrabell.", "then", moment=Moment.on(date(1666, 9, 1)))
    now = hit("Last day at Corrabell.", "now", number=2)
    found = recalled(now, then, terms=("longer", "corrabell"))
    done = finished(found, Scripted("x"), question="Are you no longer at Corrabell?")
    assert done.answer.sentences[0].text == (
        "I am no longer at Corrabell, as I wrote on 14 September 1666."
    )


def test_meaning_is_asked_only_about_what_words_carry() -> None:
    embedder = FakeEmbedder()
    chat = Scripted(HALF_TRUE)
    done = finished(recalled(hit(CHEESE)), chat, embedder=embedder)
    assert done.answer.mode is Mode.GROUNDED
    assert embedder.batches == [2, 2]
