"""Carry one question through: kept first, recalled, answered, the answer kept last."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from clone_app.entries import NO_FILTERS, AnswerEvent, Dial, Drafted, Filters, Mode, Recalled
from clone_app.errors import ModelError
from clone_app.memory.conversations import Conversations, Turn
from clone_app.memory.recipes import DEFAULT
from clone_app.memory.words import asked_words
from clone_app.persona.change.chain import looked_further
from clone_app.persona.clone import NO_MODEL, CloneEvent, Finished, answer, remembered
from clone_app.persona.declined import declined, drawn
from clone_app.persona.fresh import fresh, retold
from clone_app.persona.portrait import Portrait
from clone_app.persona.privacy.unsaid import named
from clone_app.persona.prompts import SILENT, Dialogue, harmless
from clone_app.persona.question.follow import resolved
from clone_app.persona.style.manner import Sound
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, Message
from clone_app.settings import AnswerStyle

# How many earlier turns a model that answers alone is told again.
RETOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Hold a question with what it takes to answer it.

    `at` is the time as the user wrote it, `asked_at` what the clone takes for today; `name` is whose
    clone it is. Without a `chat` model the answer is quotations; without an `embedder` words alone
    say what carries a sentence. `digest` is the persona document in short, `voice` how the user
    sounds, `recipe` how recall looks, `note` what the user is told with the answer. `apart` asks as
    if nothing had been said before: who listens now must not hear of it. `reason` says why the style
    is not the one that is set. At the `dial`'s stop "fresh" nothing but the question, and what was
    asked so before, goes to the model. `filters` are those that recall was given. `left_out` are topics
    of which nothing is said but that they are left out, nor what was said before of them told again.
    A `portrait` answers by itself, unless the model's words are wanted as they are.
    """

    question: str
    at: str | None
    asked_at: datetime
    name: str
    style: AnswerStyle
    chat: ChatModel | None
    embedder: Embedder | None = None
    digest: str = ""
    voice: Sound = SILENT
    recipe: str = DEFAULT.name
    note: str = ""
    apart: bool = False
    reason: str = ""
    dial: Dial = Dial.CHECKED
    filters: Filters = NO_FILTERS
    left_out: tuple[str, ...] = ()
    portrait: Portrait | None = None


class Talks:
    """Hold the conversations of a running program as the model has read them."""

    def __init__(self) -> None:
        self._dialogues: dict[int, Dialogue] = {}

    def copy(self) -> Talks:
        """Return the same to rehearse with: what happens to it happens to no conversation."""
        same = Talks()
        same._dialogues.update(self._dialogues)
        return same

    def drop(self, conversation: int) -> None:
        """Let the model forget one conversation, which is gone."""
        self._dialogues.pop(conversation, None)

    def forget(self) -> None:
        """Start every conversation afresh: a model was changed, or something must not be told again."""
        self._dialogues.clear()

    def ask(
        self,
        asked: Asked,
        recall: Callable[[str], Recalled],
        *,
        kept: Conversations | None,
        conversation: int | None,
        now: datetime,
        progress: Progress,
        told: Conversations | None = None,
    ) -> Iterator[AnswerEvent]:
        """Yield an answer's events; `kept` is where questions and answers are kept, None for nowhere.

        `told` is where earlier ones are read of a question that is only rehearsed: where `kept` is, if
        it is not given. `recall` finds what some words are about: the question's, of a follow-up also
        those of what was asked before. A stopped answer's draft is kept too, so that nothing a person
        has seen is lost.
        """
        turn: int | None = None
        earlier: Sequence[Turn] = ()
        apart = False
        told = told or kept
        if told is not None:
            earlier = told.turns(conversation) if conversation is not None else ()
            if asked.apart or not _all_known(earlier, asked.at):
                apart, earlier = True, ()
            earlier = [each for each in earlier if _alone(each) is (asked.dial is Dial.FRESH)]
            earlier = self._but_otherwise(asked, earlier, conversation)
        if kept is not None:
            conversation = kept.begin(now) if conversation is None else conversation
            turn = kept.ask(conversation, asked.question, now=now, at=asked.at, recipe=asked.recipe)
        draft: list[str] = []
        recalled = Recalled((), ())
        try:
            if asked.dial is Dial.FRESH:
                events = _alone_with(asked, earlier, progress)
            else:
                if about := _left_out(asked, earlier):
                    events = declined(asked.question, about)
                elif asked.portrait is not None and asked.style is not AnswerStyle.FREE:
                    events = drawn(asked.question, asked.portrait)
                else:
                    earlier = [each for each in earlier if not _says_of(each, asked.left_out)]
                    words = resolved(asked.question, [each.question for each in earlier])
                    recalled = looked_further(asked.question, recall(words), recall)
                    progress.check()
                    if kept is not None and turn is not None:
                        kept.keep_found(turn, recalled.hits)
                    events = answer(
                        asked.question,
                        recalled,
                        dialogue=self._dialogue(conversation, earlier) if earlier else Dialogue(()),
                        chat=asked.chat,
                        embedder=asked.embedder,
                        digest=asked.digest,
                        voice=asked.voice,
                        style=asked.style,
                        name=asked.name,
                        asked_at=asked.asked_at,
                        clock=time.perf_counter,
                        fence=secrets.token_hex(4),
                        progress=progress,
                    )
            for event in events:
                if isinstance(event, Finished):
                    given = replace(
                        event.answer,
                        conversation=conversation,
                        dial=asked.dial,
                        times=recalled.times,
                        people=recalled.people,
                        filters=asked.filters,
                        note=" ".join(filter(None, (event.note, asked.note))),
                        reason=event.answer.reason
                        or (asked.reason if event.answer.mode is Mode.QUOTE else ""),
                    )
                    if kept is not None and turn is not None and conversation is not None:
                        if not kept.keep_answer(turn, given) or apart:
                            # Of a turn set apart the next one is told from the store what it may know.
                            self._dialogues.pop(conversation, None)
                        elif asked.dial is not Dial.FRESH and event.dialogue.messages:
                            self._dialogues[conversation] = event.dialogue
                    draft.clear()
                    yield given
                else:
                    if isinstance(event, Drafted):
                        draft.append(event.piece)
                    yield event
        finally:
            if kept is not None and turn is not None and draft:
                kept.keep_draft(turn, "".join(draft))

    def _but_otherwise(
        self, asked: Asked, earlier: Sequence[Turn], conversation: int | None
    ) -> Sequence[Turn]:
        """Return the turns but those of the same question with other filters, and let the model forget.

        A question asked again to be understood otherwise must not be answered with what it got before.
        """
        left = [
            turn
            for turn in earlier
            if turn.question != asked.question
            or turn.answer is None
            or turn.answer.filters == asked.filters
        ]
        if len(left) < len(earlier) and conversation is not None:
            self._dialogues.pop(conversation, None)
        return left

    def _dialogue(self, conversation: int | None, earlier: Sequence[Turn]) -> Dialogue:
        """Return what the model has read of a conversation; after a restart, what was said in it.

        That has no front: it gets the one of the day where the next prompt is composed.
        """
        if conversation in self._dialogues:
            return self._dialogues[conversation]
        messages: list[Message] = []
        for turn in earlier:
            said = remembered(turn.answer) if turn.answer is not None else ""
            if said:
                messages += (Message("user", harmless(turn.question)), Message("assistant", said))
        return Dialogue(tuple(messages))


def _alone_with(asked: Asked, earlier: Sequence[Turn], progress: Progress) -> Iterator[CloneEvent]:
    """Let the model answer alone, having read of the conversation what it said alone."""
    if asked.chat is None:
        raise ModelError(NO_MODEL)
    said = [(turn.question, turn.answer.text) for turn in earlier if turn.answer is not None]
    return fresh(
        asked.question,
        dialogue=retold(said[-RETOLD:]),
        chat=asked.chat,
        asked_at=asked.asked_at,
        clock=time.perf_counter,
        progress=progress,
    )


def _alone(turn: Turn) -> bool:
    """Tell whether a turn was asked of the model alone: neither side may read of the other.

    What was said from memory must not reach a model that is to know nothing; what it made up on its own
    must not be read by the clone as said before.
    """
    return turn.answer is not None and turn.answer.dial is Dial.FRESH


def _left_out(asked: Asked, earlier: Sequence[Turn]) -> tuple[str, ...]:
    """Return which topics that are left out a question is about: it names them, or asks on about them.

    One that names something else may stand alone: "Who is Tom?" after a question about coffee.
    """
    about = named(asked.question, asked.left_out)
    if about or not asked.left_out or asked_words(asked.question):
        return about
    return named(resolved(asked.question, [each.question for each in earlier]), asked.left_out)


def _says_of(turn: Turn, topics: Sequence[str]) -> bool:
    """Tell whether what was said in a turn is about a topic that was left out since."""
    return turn.answer is not None and bool(
        named(f"{turn.question} {remembered(turn.answer)}", topics)
    )


def _all_known(earlier: Sequence[Turn], at: str | None) -> bool:
    """Tell whether the clone of a moment may know what was said: it was said to the same clone.

    What was said to the clone of today may rest on entries that the clone of last year doesn't know.
    """
    return at is None or all(turn.at == at for turn in earlier)
