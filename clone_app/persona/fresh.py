"""Ask the model alone: nothing of memory reaches it, nothing is cited, and the answer says so.

The memory dial's first stop, and what an answer from memory is held against: a model that is told much
about somebody tends to say what pleases them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from clone_app.entries import Answer, Checked, Mode, Moment, Sentence, SourcesFound
from clone_app.errors import ModelError
from clone_app.persona.clone import CloneEvent, Finished
from clone_app.persona.draft import streamed
from clone_app.persona.phrases import spoken
from clone_app.persona.prompts import Dialogue, harmless
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Message, Sampling

NOTHING: Final = "The language model wrote nothing. Ask in other words, or choose another model."
ALONE: Final = (
    "Answer the question briefly, in the first person, from what you know yourself. You know nothing "
    "about anybody's private life: where the question is about one, say that you don't know."
)
SAMPLING: Final = Sampling()
# What a chat template adds around a message, counted generously.
_AROUND: Final = 8


def fresh(
    question: str,
    *,
    dialogue: Dialogue,
    chat: ChatModel,
    asked_at: datetime,
    clock: Callable[[], float],
    progress: Progress,
    sampling: Sampling = SAMPLING,
) -> Iterator[CloneEvent]:
    """Yield what a model says to a question of itself, sentence by sentence, and last the answer.

    `dialogue` holds what was said in the same way before, never what was said from memory. No sentence
    counts as supported. Raises `ModelError` where the model fails: there is nothing to fall back on.
    """
    begun = clock()
    yield SourcesFound(())
    chat.load(progress)
    sampling = replace(sampling, max_tokens=min(sampling.max_tokens, chat.context // 3))
    sent = alone(
        dialogue, question, asked_at, count=chat.count, room=chat.context - sampling.max_tokens
    )
    said: list[Sentence] = []
    for event in streamed(chat, sent.messages, sampling, progress, _unsupported, as_written=True):
        if isinstance(event, Checked):
            said.append(event.sentence)
        yield event
    if not said:
        raise ModelError(NOTHING)
    text = " ".join(sentence.text for sentence in said)
    yield Finished(
        Answer(
            question=question,
            text=text,
            sentences=tuple(said),
            sources=(),
            mode=Mode.FRESH,
            model=chat.name,
            seconds=clock() - begun,
        ),
        sent.answered(text),
    )


def alone(
    dialogue: Dialogue,
    question: str,
    asked_at: datetime,
    *,
    count: Callable[[str], int],
    room: int,
) -> Dialogue:
    """Return the dialogue with the question in it: the oldest turns give way, then the question's end."""
    told = Message("system", f"{ALONE} Today is {spoken(Moment.on(asked_at.date()))}.")
    before = list(dialogue.messages[1:])
    line = harmless(question)

    def size() -> int:
        messages = (told, *before, Message("user", line))
        return sum(count(message.text) + _AROUND for message in messages)

    while before and size() > room:
        del before[:2]
    while line and size() > room:
        line = line[: int(len(line) * 0.8)].rstrip()
    return Dialogue((told, *before, Message("user", line)))


def _unsupported(text: str) -> Sentence:
    return Sentence(text, False, ())


def retold(turns: Sequence[tuple[str, str]]) -> Dialogue:
    """Return a dialogue of questions and what the model alone said to them, the oldest first."""
    messages = [Message("system", ALONE)]
    for question, text in turns:
        messages += [Message("user", harmless(question)), Message("assistant", text)]
    return Dialogue(tuple(messages))
