"""Searching and asking: what is found, what the clone answers, what was said before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from clone_app.app.parts import Parts
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
from clone_app.progress import Progress
from clone_app.protocols import ChatModel


class Chatting(Parts):
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
        progress: Progress,
    ) -> Iterator[AnswerEvent]:
        """Answer a question: sources first, then the draft sentence by sentence, last the answer.

        The question is kept before anything is done with it, the draft if the work is stopped. In a
        program that may not write, the answer is given and nothing is kept.
        """
        store = self._store() if conversation is None else self._writer()
        kept = Conversations(store.base) if self.writing else None
        yield from self._answer(
            question,
            at=at,
            conversation=conversation,
            chat=self._chat(),
            kept=kept,
            progress=progress,
        )

    def _answer(
        self,
        question: str,
        *,
        at: str | None,
        conversation: int | None,
        chat: ChatModel | None,
        kept: Conversations | None,
        progress: Progress,
    ) -> Iterator[AnswerEvent]:
        cutoff, question = self.cutoff(at), encodable(question)
        with self._models().answering():
            yield from self._talks.ask(
                Asked(
                    question=question,
                    at=at,
                    asked_at=cutoff.instant.astimezone(self.home_zone()),
                    name=self._store().usual_author(),
                    style=self.settings.answer_style,
                    chat=chat,
                    recipe=self._recipe().name,
                    note=self._language_note(question),
                ),
                lambda words: self._recall(
                    words, cutoff, self.settings.sources_shown, self._recipe(), progress
                ),
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
