"""Searching and asking: what is found, what the clone answers, what was said before."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from functools import partial
from typing import TypeVar

from clone_app.app.ability import Trying
from clone_app.app.persona import Persona
from clone_app.app.scoping import scope_of
from clone_app.asking import Asked, Talks
from clone_app.entries import NO_FILTERS, AnswerEvent, Checked, Cutoff, Dial, Filters, Hit, Recalled
from clone_app.errors import ModelError
from clone_app.memory.conversations import Conversations, Turn
from clone_app.memory.database import encodable
from clone_app.memory.index import DamagedIndexError
from clone_app.memory.recall import recall
from clone_app.memory.recipes import DEFAULT, SEARCH, THOROUGH, Recipe
from clone_app.memory.when import cutoff_of
from clone_app.memory.words import mostly_latin
from clone_app.models.catalogue import EMBEDDER
from clone_app.persona.document import Audience, Marks, estimate
from clone_app.persona.fresh import fresh
from clone_app.persona.privacy.audience import SPARE, heard
from clone_app.persona.prompts import SILENT, Dialogue
from clone_app.persona.style.manner import Sound
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, FromFile
from clone_app.settings import AnswerStyle

Looked = TypeVar("Looked")
_TICK = timedelta(microseconds=1)


class Chatting(Trying, Persona):
    """Answer questions, and keep what was said."""

    _told_language = False

    def search(
        self,
        text: str,
        *,
        k: int = 10,
        at: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> tuple[Hit, ...]:
        """Return the `k` items that fit a text best, best first."""
        return self.look_up(text, k=k, at=at, filters=filters).hits

    def look_up(
        self,
        text: str,
        *,
        k: int = 10,
        at: str | None = None,
        filters: Filters = NO_FILTERS,
    ) -> Recalled:
        """Return what `search` does, and how the text was understood."""
        return self._recall(encodable(text), self.cutoff(at), k, SEARCH, filters)

    def cutoff(self, at: str | None) -> Cutoff:
        """Return what can be seen at a time: ISO 8601, a bare day to its end; None for now."""
        return cutoff_of(at, now=self._now(), home=self.home_zone())

    def ask(
        self,
        question: str,
        *,
        at: str | None = None,
        conversation: int | None = None,
        audience: Audience = Audience.PRIVATE,
        dial: Dial | None = None,
        filters: Filters = NO_FILTERS,
        progress: Progress,
    ) -> Iterator[AnswerEvent]:
        """Answer a question: sources first, then the draft sentence by sentence, last the answer.

        The question is kept before anything is done with it, the draft if the work is stopped. In a
        program that may not write, the answer is given and nothing is kept. `audience` says who
        listens: entries it must not hear of take no part, nor sentences on a private line or on what is
        left out of the clone; the user who asks about that is told so. `dial` is how much of memory the
        answer uses, None as the settings say; at its stop "fresh" nothing is looked up and nothing told,
        and a `ModelError` is raised where there is no model. `filters` say among which entries to look.
        """
        store = self._store() if conversation is None else self._writer()
        kept = Conversations(store.base) if self.writing else None
        yield from self._answer(
            question,
            at=at,
            conversation=conversation,
            chat=self._chat(),
            kept=kept,
            audience=audience,
            dial=dial,
            filters=filters,
            progress=progress,
        )

    def without_memory(self, question: str, progress: Progress, *, at: str | None = None) -> str:
        """Return what the model says to a question with no memory at all, to be held against an answer.

        `at` is the moment that answer was asked of: the model takes it for today too. A model that is
        told much about somebody tends to say what pleases them: the difference shows. Nothing of it is
        kept. Raises `ModelError` where there is no model.
        """
        chat = self._chat() or self._models().chat()
        with self._models().answering():
            said = [
                event.sentence.text
                for event in fresh(
                    encodable(question),
                    dialogue=Dialogue(),
                    chat=chat,
                    asked_at=self.cutoff(at).instant.astimezone(self.home_zone()),
                    clock=time.perf_counter,
                    progress=progress,
                )
                if isinstance(event, Checked)
            ]
        return " ".join(said)

    def _answer(
        self,
        question: str,
        *,
        at: str | None,
        conversation: int | None,
        chat: ChatModel | None,
        kept: Conversations | None,
        audience: Audience = Audience.PRIVATE,
        dial: Dial | None = None,
        filters: Filters = NO_FILTERS,
        progress: Progress,
        rehearsed: Talks | None = None,
    ) -> Iterator[AnswerEvent]:
        """Answer with a model; `rehearsed` are the talks as it would know them, to leave no trace."""
        cutoff, question = self.cutoff(at), encodable(question)
        dial = dial or Dial(self.settings.answer_style.value)
        style, reason = self._style(chat, dial)
        marks, unsaid = self.private_marks(), self.unsaid(audience)
        alone = dial is Dial.FRESH  # then not even what is only looked up is
        told = chat is not None and style is not AnswerStyle.QUOTES and not alone

        def look(words: str) -> Recalled:
            k = self.settings.sources_shown
            more = k if audience is Audience.PRIVATE and not unsaid else k * SPARE
            found = self._recall(words, cutoff, more, self._recipe(), filters, progress)
            return heard(found, audience, marks, k, unsaid=unsaid, asked=f"{question}\n{words}")

        portrait = None
        if not alone and filters == NO_FILTERS:
            before = self._day_after(cutoff) if at else None
            portrait = self.portrait(question, audience, marks, unsaid, before)
        with self._models().answering():
            yield from (rehearsed or self._talks).ask(
                Asked(
                    question=question,
                    at=at,
                    asked_at=cutoff.instant.astimezone(self.home_zone()),
                    name="" if alone else self._store().usual_author(),
                    style=style,
                    chat=chat,
                    embedder=None if alone else self._meaning(),
                    digest=self._digest(audience, marks, cutoff if at else None) if told else "",
                    voice=self._sounding(chat, audience, marks, cutoff) if told else SILENT,
                    recipe="" if alone else self._recipe().name,
                    note="" if alone or rehearsed or portrait else self._language_note(question),
                    apart=audience is not Audience.PRIVATE,
                    reason=reason,
                    dial=dial,
                    filters=filters,
                    portrait=portrait,
                    # Others are told what they are of things never written about.
                    left_out=tuple(sorted(unsaid.topics)) if audience is Audience.PRIVATE else (),
                ),
                look,
                kept=kept,
                told=Conversations(self._store().base) if rehearsed else None,
                conversation=conversation,
                now=self._now(),
                progress=progress,
            )

    def _sounding(
        self, chat: ChatModel | None, audience: Audience, marks: Marks, cutoff: Cutoff
    ) -> Sound:
        """Return how the user sounds, for a model that reads well enough to be told; else nothing.

        That is one that read all notes of its test but one right, or a server's, which is taken at its
        word. Weak ones read the notes less for it: of the claims of a 0.5 B model, which reads one note
        of six right, the entries carried 0.14 without the voice, 0.04 with its line, 0.10 with exemplars
        too, and its drafts came no nearer to the user's voice beyond chance (36 questions,
        `packaging/bench/voice.py`). What it does for a good reader nobody has measured yet.
        """
        able = self._ability(chat)
        sure = not isinstance(chat, FromFile) if able is None else able.asked - able.answered <= 1
        return self.voice(audience, marks, cutoff) if sure else SILENT

    def _digest(self, audience: Audience, marks: Marks, cutoff: Cutoff | None) -> str:
        """Return the persona document in short, as the clone of that moment knows it.

        Of a day that isn't over nobody knows what was written by then: only a whole one counts, whose
        last microsecond the cutoff is.
        """
        before = None if cutoff is None else self._day_after(cutoff)
        return self.persona_digest(estimate, audience=audience, marks=marks, before=before)

    def _day_after(self, cutoff: Cutoff) -> date:
        """Return the day before whose beginning all was written that a moment knows whole."""
        return (cutoff.instant + _TICK).astimezone(self.home_zone()).date()

    def conversations(self) -> tuple[tuple[int, str, datetime], ...]:
        """Return (number, first question, start) of earlier conversations, the latest first."""
        return Conversations(self._store().base).list()

    def delete_conversation(self, conversation: int) -> None:
        """Take a conversation out for good; raise for a number that isn't there."""
        Conversations(self._writer().base).delete(conversation)
        self._talks.drop(conversation)

    def turns(self, conversation: int) -> tuple[Turn, ...]:
        """Return the turns of a conversation in order."""
        return Conversations(self._store().base).turns(conversation)

    def restart_models(self) -> None:
        """End the models' processes, so that the next use starts fresh ones."""
        self._models().restart()
        self._talks.forget()

    def _language_note(self, question: str) -> str:
        """Return, once a program's run, that the starter embedder can't read a question's language."""
        starter = self._models().embedder_name().startswith(EMBEDDER.name)
        if self._told_language or not starter or mostly_latin(question):
            return ""
        self._told_language = True
        return (
            "The embedder that came along reads English: a question in this script is looked for by its "
            "words and its time, not by its meaning. Ask with the words your entries use."
        )

    def _meaning(self) -> Embedder | None:
        """Return the embedder that has a say in what carries a sentence, None where there is none."""
        try:
            return self._models().embedder()
        except ModelError:
            return None

    def _recipe(self) -> Recipe:
        """Return how answers are looked for."""
        return THOROUGH if self.settings.thorough else DEFAULT

    def _recall(
        self,
        text: str,
        cutoff: Cutoff,
        k: int,
        recipe: Recipe,
        filters: Filters,
        progress: Progress | None = None,
    ) -> Recalled:
        """Recall by words and meaning; by words alone where the index or the embedder can't serve."""
        look = partial(
            recall,
            self._store(),
            text,
            cutoff,
            home=self.home_zone(),
            calendar=self.calendar(),
            recipe=recipe,
            scope=scope_of(filters, self._addressbook()),
            reranker=self._models().reranker() if recipe.rerank else None,
            k=k,
            progress=progress,
        )
        return self._by_meaning_too(look)

    def _by_meaning_too(self, look: Callable[..., Looked]) -> Looked:
        """Return what is seen with index and embedder, without them where they can't serve."""
        try:
            return look(index=self._vectors(), embedder=self._models().embedder())
        except (DamagedIndexError, ModelError) as fault:
            self._index_state = "damaged" if isinstance(fault, DamagedIndexError) else str(fault)
            return look(index=None, embedder=None)
