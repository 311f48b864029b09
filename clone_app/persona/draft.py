"""Cut what a model streams into sentences as they complete, and notice when it rambles."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import pairwise
from typing import Final

from clone_app.entries import Checked, Drafted, Sentence
from clone_app.memory.words import sentences, stems
from clone_app.persona.ground import is_yes_or_no
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Message, Sampling

_ENDED = re.compile(r"[.!?…。！？｡][\"'”’»)\]」』]*$")
# A small model plays on alone: it writes the next question, or copies the form of the notes.
_PLAYS_ON = re.compile(
    r"(?:^|\n)\s*(?:question|user|human|system|assistant|(?:more )?notes|end of notes)\b"
    r"[^\n]{0,24}[:.]",
    re.IGNORECASE,
)
# "a bit of a bit of a bit of": what no sentence comes out of any more.
_LOOP = re.compile(r"(.{3,60}?)\1{4,}$", re.DOTALL)
# What a model's own template is made of ends a reply, whether the model meant it or copied it.
_TEMPLATE = re.compile(
    r"<\|[^|<>\n]{1,40}\|?>?|<｜|</?s>|</?(?:start|end)_of_turn>|\[/?INST\]|<</?SYS>>|"
    r"</?(?:think|tool_call)>|\[/?(?:SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS)\]"
)
# "Yes, I run alone now": what follows can be looked up, the word before it is a guess.
_YES = re.compile(
    r"^(?:(?:oh|well),?\s+)?(?:yes|yeah|yep|no|nope|indeed|absolutely|certainly|of course|sure)"
    r"\s*[,;:–—-]+\s+(?=\S+\s+\S+\s+\S)",
    re.IGNORECASE,
)
_LONGEST: Final = 700
_MOST: Final = 4000
# A draft whose pieces outnumber its tokens so many times comes from no model.
_PIECES: Final = 8
_LABEL = re.compile(r"^(?:answer|a|me|reply|assistant)\s*:\s*", re.IGNORECASE)


class Draft:
    """Gather streamed pieces; give each sentence once, when nothing that follows can change it.

    It is `full` after `most` sentences, after the second repeated one, when the model turns round
    in a loop, goes on to play the other side or writes marks of its template; whoever streams stops
    then. A label ("Answer:") is taken off, unless the model's words are wanted `as_written`.
    """

    def __init__(self, most: int = 5, *, as_written: bool = False) -> None:
        self._most: Final = most
        self._as_written: Final = as_written
        self._text = ""
        self._settled = 0
        self._seen: list[frozenset[str]] = []
        self._given = 0
        self._repeats = 0
        self._played = False
        self._looped = False

    @property
    def full(self) -> bool:
        """Tell whether more would be rambling."""
        return self._played or self._looped or self._given >= self._most or self._repeats >= 2

    def add(self, piece: str) -> Iterator[str]:
        """Take a piece of the stream and yield the sentences it completes."""
        if self.full:
            return
        self._text += piece
        marked = _TEMPLATE.search(self._text, max(0, self._settled))
        if marked:
            self._text = self._text[: marked.start()]
            yield from self.finish()
            self._played = True
            return
        plays = _PLAYS_ON.search(self._text, max(0, self._settled - 1))
        if plays and plays.start() >= self._settled and self._text[: plays.start()].strip():
            self._text = self._text[: plays.start()]
            yield from self.finish()
            self._played = True
            return
        base = self._settled
        for (start, end), (following, _) in pairwise(sentences(self._text[base:])):
            if not re.match(r"\S+\s", self._text[base + following :]):
                break  # its first word may yet decide whether this was the end
            self._settled = base + end
            yield from self._give(self._text[base + start : base + end])
        tail = self._text[self._settled :]
        if len(tail) > _LONGEST or len(self._text) > _MOST or _LOOP.search(tail[-320:]):
            self._settled, self._looped = len(self._text), True

    def finish(self) -> Iterator[str]:
        """Yield what is left when the stream has ended, without a sentence that breaks off."""
        rest = self._text[self._settled :]
        self._settled = len(self._text)
        for start, end in sentences(rest):
            sentence = rest[start:end]
            if _ENDED.search(sentence) or not self._given:
                yield from self._give(sentence)

    def _give(self, sentence: str) -> Iterator[str]:
        """Yield a sentence in one line, unless it was said."""
        sentence = " ".join(sentence.split())
        if not self._as_written:
            sentence = _LABEL.sub("", sentence)
        alone = without_yes(sentence) or sentence
        said = stems(alone) or frozenset({alone.casefold()})
        if self.full or not sentence:
            return
        if said in self._seen:
            self._repeats += 1
            return
        self._seen.append(said)
        self._given += 1
        yield sentence


def without_yes(sentence: str) -> str:
    """Return what a yes or no stands before, as a sentence of its own; "" where none does.

    Without it a sentence may say something else ("No, I sold it"): whoever leaves it out checks the rest.
    """
    opened = _YES.match(sentence)
    if opened is None or is_yes_or_no(sentence):
        return ""
    rest = sentence[opened.end() :]
    return rest[:1].upper() + rest[1:]


def streamed(
    chat: ChatModel,
    messages: Sequence[Message],
    sampling: Sampling,
    progress: Progress,
    check: Callable[[str], Sentence],
    *,
    as_written: bool,
) -> Iterator[Drafted | Checked]:
    """Let a model write; yield its pieces, and each sentence as `check` finds it."""
    draft = Draft(as_written=as_written)
    stream = chat.stream(messages, sampling, progress)
    try:
        for number, piece in enumerate(stream):
            progress.check()
            yield Drafted(piece)
            yield from map(Checked, map(check, draft.add(piece)))
            if draft.full or number > _PIECES * sampling.max_tokens:
                break
    finally:
        if isinstance(stream, Generator):
            stream.close()  # the model stops writing now, not when this is collected
    yield from map(Checked, map(check, draft.finish()))
