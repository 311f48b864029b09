"""Answers for which nothing is recalled: what is left out of the clone, what About me tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from clone_app.entries import Answer, Mode, Sentence, SourcesFound
from clone_app.persona.clone import CloneEvent, Finished
from clone_app.persona.phrases import phrases_of
from clone_app.persona.portrait import Portrait
from clone_app.persona.prompts import Dialogue

FROM_ABOUT: Final = "from About me, drawn from many entries"
LEFT_OUT: Final = "left out at your wish"


def declined(question: str, topics: Sequence[str]) -> Iterator[CloneEvent]:
    """Yield that there are no sources, then one sentence: these topics are left out, and where.

    No turn of the conversation as a model reads it: it must not take the silence for a memory.
    """
    yield SourcesFound(())
    said = Sentence(phrases_of(question).left_out(topics), False, ())
    yield Finished(
        Answer(
            question=question,
            text=said.text,
            sentences=(said,),
            sources=(),
            mode=Mode.NONE,
            model="",
            seconds=0.0,
            reason=LEFT_OUT,
        ),
        Dialogue(),
    )


def drawn(question: str, portrait: Portrait) -> Iterator[CloneEvent]:
    """Yield a portrait's sources and its sentences, as an answer in the words of About me.

    No turn of a running conversation as a model reads it: its prompt's front holds the best of those lines.
    """
    yield SourcesFound(portrait.sources)
    yield Finished(
        Answer(
            question=question,
            text="\n".join(each.text for each in portrait.sentences),
            sentences=portrait.sentences,
            sources=portrait.sources,
            mode=Mode.QUOTE,
            model="",
            seconds=0.0,
            reason=FROM_ABOUT,
        ),
        Dialogue(),
    )
