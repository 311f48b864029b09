"""What the model that answers is able to: tried once, kept, and minded when it is asked to write."""

from __future__ import annotations

import hashlib
import time
from typing import Final

from clone_app.app.parts import Parts
from clone_app.entries import Dial
from clone_app.errors import ModelError
from clone_app.persona.ability import TEST, Ability, measure
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, FromFile
from clone_app.settings import AnswerStyle

FAILED: Final = "this model failed its reading test"
ON_SERVER: Final = (
    "A model on a server is not tried, since every try would be sent there. Take the server out in "
    "Preferences › Models to try the one on this machine."
)
_HEAD: Final = 1 << 20


class Trying(Parts):
    """Try each language model once; a server's is taken at its word, since each try would be sent."""

    def ability(self) -> Ability | None:
        """Return how the model that answers did in its test, None where it took none."""
        return self._ability(self._chat())

    def model_untried(self) -> bool:
        """Tell whether the model that answers should be tried, and what comes out can be kept."""
        chat = self._chat()
        return self.writing and bool(_fact(chat)) and self._ability(chat) is None

    def try_model(self, progress: Progress, *, fresh: bool = False) -> Ability:
        """Try the model that answers and keep how it did; raise `ModelError` where it can't be tried.

        One on a server never is: a trial that was begun for this machine's may come to its turn when
        another answers.
        `fresh` tries it without notes too: the memory dial's first stop, which takes as long again.
        """
        if self.writing and self._agreed():
            raise ModelError(ON_SERVER)
        chat = self._chat() or self._models().chat()
        self._models().wait_until_quiet(progress)
        return self._measured(chat, progress, fresh=fresh)

    def _measured(self, chat: ChatModel, progress: Progress, *, fresh: bool = False) -> Ability:
        """Try a model and keep how it did."""
        found = measure(chat, clock=time.perf_counter, progress=progress, fresh=fresh)
        if name := _fact(chat):
            self._writer().set_fact(name, found.kept())
        return found

    def model_name(self) -> str:
        """Return the name of the model that answers, empty where there is none."""
        chat = self._chat()
        return chat.name if chat is not None else ""

    def model_triable(self) -> bool:
        """Tell whether what a trial says of the model that answers can be kept."""
        return self.writing and bool(_fact(self._chat()))

    def _ability(self, chat: ChatModel | None) -> Ability | None:
        name = _fact(chat)
        kept = self._store().fact(name) if name else None
        return Ability.read(kept) if kept else None

    def _reads_well(self, chat: ChatModel, progress: Progress) -> bool:
        """Tell whether a model reads well enough to write more than answers; tries one that is new."""
        found = self._ability(chat) or self._measured(chat, progress)
        return found.style is AnswerStyle.CHECKED

    def _style(self, chat: ChatModel | None, dial: Dial) -> tuple[AnswerStyle, str]:
        """Return how to answer at a stop of the dial, and why so where that isn't what it says.

        A model that failed would only cost the seconds of a draft that quotations then replace.
        """
        wanted = AnswerStyle.FREE if dial is Dial.FRESH else AnswerStyle(dial.value)
        if wanted is not AnswerStyle.CHECKED:
            return wanted, ""
        able = self._ability(chat)
        if able is not None and able.style is AnswerStyle.QUOTES:
            return AnswerStyle.QUOTES, FAILED
        return wanted, ""

    def _model_state(self) -> str:
        """Return what the language model is and how far it is trusted, for a person who asks."""
        chat = self._chat()
        if chat is None:
            return "none: answers are quotations"
        able = self._ability(chat)
        if able is None:
            later = " (it is tried after its first answer)" if _fact(chat) else ""
            return f"{chat.name}, not tried yet{later}"
        drafts = able.style is AnswerStyle.CHECKED
        return f"{chat.name} {able}: {'it drafts' if drafts else 'answers are quotations'}"


def _fact(chat: ChatModel | None) -> str:
    """Return the name under which a model's ability is kept: other weights, another name."""
    if not isinstance(chat, FromFile):
        return ""
    try:
        with chat.path.open("rb") as file:
            head = hashlib.blake2b(file.read(_HEAD), digest_size=8).hexdigest()
        size = chat.path.stat().st_size
    except OSError:
        return ""
    return f"ability {TEST} {chat.path.name} {size} {head}"
