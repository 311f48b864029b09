"""Carry one question through: kept first, recalled, answered, the answer kept last."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from clone_app.entries import AnswerEvent, Drafted, Mode, Recalled
from clone_app.memory.conversations import Conversations, Turn
from clone_app.memory.recipes import DEFAULT
from clone_app.persona.clone import Finished, answer
from clone_app.persona.follow import resolved
from clone_app.persona.prompts import Dialogue, instructions
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, Message
from clone_app.settings import AnswerStyle

# How many earlier turns of a conversation the model is told again after a restart.
RETOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Hold a question with what it takes to answer it.

    `at` is the time as the user wrote it, `asked_at` what the clone takes for today; `name` is whose
    clone it is. Without a `chat` model the answer is quotations; without an `embedder` words alone
    say what carries a sentence. `digest` is the persona document in short, `recipe` how recall looks,
    `note` what the user is told with the answer. `apart` asks as if nothing had been said before: who
    listens now must not hear of it. `reason` says why the style is not the one that is set.
    """

    question: str
    at: str | None
    asked_at: datetime
    name: str
    style: AnswerStyle
    chat: ChatModel | None
    embedder: Embedder | None = None
    digest: str = ""
    recipe: str = DEFAULT.name
    note: str = ""
    apart: bool = False
    reason: str = ""


class Talks:
    """Hold the conversations of a running program as the model has read them."""

    def __init__(self) -> None:
        self._dialogues: dict[int, Dialogue] = {}

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
    ) -> Iterator[AnswerEvent]:
        """Yield an answer's events; `kept` is where questions and answers are kept, None for nowhere.

        `recall` finds what some words are about: the question's, of a follow-up also those of what was
        asked before. A stopped answer's draft is kept too, so that nothing a person has seen is lost.
        """
        turn: int | None = None
        earlier: Sequence[Turn] = ()
        if kept is not None:
            earlier = kept.turns(conversation) if conversation is not None else ()
            if asked.apart or not _all_known(earlier, asked.at):
                earlier = ()
            conversation = kept.begin(now) if conversation is None else conversation
            turn = kept.ask(conversation, asked.question, now=now, at=asked.at, recipe=asked.recipe)
        draft: list[str] = []
        try:
            recalled = recall(resolved(asked.question, [each.question for each in earlier]))
            progress.check()
            if kept is not None and turn is not None:
                kept.keep_found(turn, recalled.hits)
            for event in answer(
                asked.question,
                recalled,
                dialogue=self._dialogue(conversation, earlier, asked.name)
                if earlier
                else Dialogue(()),
                chat=asked.chat,
                embedder=asked.embedder,
                digest=asked.digest,
                style=asked.style,
                name=asked.name,
                asked_at=asked.asked_at,
                clock=time.perf_counter,
                fence=secrets.token_hex(4),
                progress=progress,
            ):
                if isinstance(event, Finished):
                    given = replace(
                        event.answer,
                        conversation=conversation,
                        note=" ".join(filter(None, (event.note, asked.note))),
                        reason=event.answer.reason
                        or (asked.reason if event.answer.mode is Mode.QUOTE else ""),
                    )
                    if kept is not None and turn is not None and conversation is not None:
                        if kept.keep_answer(turn, given):
                            self._dialogues[conversation] = event.dialogue
                        else:
                            self._dialogues.pop(conversation, None)
                    draft.clear()
                    yield given
                else:
                    if isinstance(event, Drafted):
                        draft.append(event.piece)
                    yield event
        finally:
            if kept is not None and turn is not None and draft:
                kept.keep_draft(turn, "".join(draft))

    def _dialogue(self, conversation: int | None, earlier: Sequence[Turn], name: str) -> Dialogue:
        """Return what the model has read of a conversation; after a restart, what was said in it."""
        if conversation in self._dialogues:
            return self._dialogues[conversation]
        messages: list[Message] = []
        for turn in earlier[-RETOLD:]:
            if turn.answer is not None:
                messages.append(Message("user", turn.question))
                messages.append(Message("assistant", turn.answer.text))
        if messages:
            messages.insert(0, Message("system", instructions(name)))
        return Dialogue(tuple(messages))


def _all_known(earlier: Sequence[Turn], at: str | None) -> bool:
    """Tell whether the clone of a moment may know what was said: it was said to the same clone.

    What was said to the clone of today may rest on entries that the clone of last year doesn't know.
    """
    return at is None or all(turn.at == at for turn in earlier)
