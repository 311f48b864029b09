"""Searching and asking: what is found, what the clone answers, what was said before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from clone_app.app.ability import Trying
from clone_app.app.persona import Persona
from clone_app.asking import Asked
from clone_app.entries import AnswerEvent, Cutoff, Hit, Recalled
from clone_app.errors import ModelError
from clone_app.memory.conversations import Conversations, Turn
from clone_app.memory.database import encodable
from clone_app.memory.index import DamagedIndexError
from clone_app.memory.recall import recall
from clone_app.memory.recipes import DEFAULT, SEARCH, THOROUGH, Recipe
from clone_app.memory.when import cutoff_of
from clone_app.memory.words import mostly_latin
from clone_app.models.catalogue import EMBEDDER
from clone_app.persona.audience import SPARE, heard
from clone_app.persona.document import Audience, estimate
from clone_app.persona.draft import Draft
from clone_app.persona.prompts import harmless
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Embedder, Message, Sampling


class Chatting(Trying, Persona):
    """Answer questions, and keep what was said."""

    _told_language = False

    def search(self, text: str, *, k: int = 10, at: str | None = None) -> tuple[Hit, ...]:
        """Return the `k` items that fit a text best, best first."""
        return self._recall(encodable(text), self.cutoff(at), k, SEARCH).hits

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
        progress: Progress,
    ) -> Iterator[AnswerEvent]:
        """Answer a question: sources first, then the draft sentence by sentence, last the answer.

        The question is kept before anything is done with it, the draft if the work is stopped. In a
        program that may not write, the answer is given and nothing is kept. `audience` says who
        listens: entries it must not hear of take no part.
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
            progress=progress,
        )

    def without_memory(self, question: str, progress: Progress) -> str:
        """Return what the model says to a question with no memory at all, to be held against an answer.

        A model that is told much about somebody tends to say what pleases them: the difference shows.
        Nothing of it is kept. Raises `ModelError` where there is no model.
        """
        chat = self._chat() or self._models().chat()
        chat.load(progress)
        name = self._store().usual_author() or "the person asked"
        messages = (
            Message("system", f"You are {harmless(name)}. Answer in the first person, briefly."),
            Message("user", harmless(encodable(question))),
        )
        draft = Draft()
        said: list[str] = []
        with self._models().answering():
            for piece in chat.stream(messages, Sampling(), progress):
                said += draft.add(piece)
                if draft.full:
                    break
        return " ".join([*said, *draft.finish()])

    def _answer(
        self,
        question: str,
        *,
        at: str | None,
        conversation: int | None,
        chat: ChatModel | None,
        kept: Conversations | None,
        audience: Audience = Audience.PRIVATE,
        progress: Progress,
    ) -> Iterator[AnswerEvent]:
        cutoff, question = self.cutoff(at), encodable(question)
        style, reason = self._style(chat)
        marks = self.private_marks()

        def look(words: str) -> Recalled:
            k = self.settings.sources_shown
            more = k if audience is Audience.PRIVATE else k * SPARE
            return heard(
                self._recall(words, cutoff, more, self._recipe(), progress), audience, marks, k
            )

        with self._models().answering():
            yield from self._talks.ask(
                Asked(
                    question=question,
                    at=at,
                    asked_at=cutoff.instant.astimezone(self.home_zone()),
                    name=self._store().usual_author(),
                    style=style,
                    chat=chat,
                    embedder=self._meaning(),
                    digest=self.persona_digest(estimate, audience=audience),
                    recipe=self._recipe().name,
                    note=self._language_note(question),
                    apart=audience is not Audience.PRIVATE,
                    reason=reason,
                ),
                look,
                kept=kept,
                conversation=conversation,
                now=self._now(),
                progress=progress,
            )

    def conversations(self) -> tuple[tuple[int, str, datetime], ...]:
        """Return (number, first question, start) of earlier conversations, the latest first."""
        return Conversations(self._store().base).list()

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
            reranker=self._models().reranker() if recipe.rerank else None,
            k=k,
            progress=progress,
        )
        try:
            return look(index=self._vectors(), embedder=self._models().embedder())
        except (DamagedIndexError, ModelError) as fault:
            self._index_state = "damaged" if isinstance(fault, DamagedIndexError) else str(fault)
            return look(index=None, embedder=None)
