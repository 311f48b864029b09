"""A language model as the reader: free answer, option id, and what a model held to options says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clone_app.entries import Item
from clone_app.evaluation.arms import Given
from clone_app.evaluation.metrics import first_id, lenient, strict
from clone_app.evaluation.readers import Read
from clone_app.evaluation.reading import (
    AROUND,
    CHOICE_TOKENS,
    FREE_TASK,
    FREE_TOKENS,
    Notes,
    choice_task,
    fit,
    messages,
    prompt_hash,
)
from clone_app.evaluation.selection import combinations_of, ids_in, is_best, worth_of
from clone_app.evaluation.suites import Life, SuiteQuestion
from clone_app.progress import Progress
from clone_app.protocols import ChatModel, Chooser, Message, Sampling

FREE_TEMPERATURE = 0.7
CHOICE_TEMPERATURE = 0.1


class Held(Protocol):
    """What a model needs of a life: whose it is and its traces by key, oldest first."""

    @property
    def life(self) -> Life:
        """Return the life."""
        ...

    @property
    def items(self) -> Mapping[str, Item]:
        """Return its traces."""
        ...


@dataclass(slots=True)
class ModelReader:
    """Answer with a chat model, local or on a server.

    `tokens` is the budget of one prompt with its reply, 0 for the model's window. A local model is
    also held to the options by a grammar and asked how likely each option's text is as the answer.
    """

    name: str
    chat: ChatModel
    tokens: int = 0
    seed: int = 7
    parallel: int = 1
    _sizes: dict[str, int] = field(default_factory=dict)

    @property
    def window(self) -> int:
        """Return how many tokens prompt and reply may take together."""
        return min(self.tokens, self.chat.context) if self.tokens else self.chat.context

    def facts(self) -> dict[str, object]:
        """Return model, budget and how it is asked."""
        return {
            "model": self.chat.name,
            "window": self.window,
            "prompts": prompt_hash(),
            "temperatures": [FREE_TEMPERATURE, CHOICE_TEMPERATURE],
            "right_by": "choice_constrained" if self._holds else "choice_lenient",
        }

    @property
    def _holds(self) -> bool:
        return isinstance(self.chat, Chooser)

    def read(
        self, made: Held, question: SuiteQuestion, given: Given, k: int, progress: Progress
    ) -> Read:
        """Answer from at most `k` traces, as much of them as the budget holds."""
        notes = self._notes(made, question, given, k)
        if not notes.fits:
            return Read(failure="does not fit the reader's window")
        free = messages(made.life.name, notes, question, FREE_TASK)
        asked, said = [free], {}
        said["free"] = self._say(free, FREE_TOKENS, FREE_TEMPERATURE, (), progress, fresh=True)
        scores: dict[str, float] = {}
        right: bool | None = None
        if question.choices:
            choosing = messages(made.life.name, notes, question, choice_task(question))
            if question.choose > 1:
                asked.append(choosing)
                right = self._choose_several(question, choosing, said, scores, progress)
            else:
                asked += self._choose(question, free, choosing, said, scores, progress)
                right = bool(scores.get("choice_constrained", scores["choice_lenient"]))
                scores |= abstention(question, said.get("constrained") or said["chosen"])
        return Read(
            read=notes.read,
            cut=notes.cut,
            scores=scores,
            said=said,
            right=right,
            tokens_read=sum(self._count(each.text) for prompt in asked for each in prompt),
            tokens_written=sum(self._count(said[name]) for name in WRITTEN if name in said),
        )

    def _choose(
        self,
        question: SuiteQuestion,
        free: tuple[Message, ...],
        choosing: tuple[Message, ...],
        said: dict[str, str],
        scores: dict[str, float],
        progress: Progress,
    ) -> list[tuple[Message, ...]]:
        """Note what the model chooses in each way; return the prompts it was given."""
        ids = [each for each, _ in question.choices]
        reply = self._say(choosing, CHOICE_TOKENS, CHOICE_TEMPERATURE, (), progress)
        said["choice"], said["chosen"] = reply, first_id(reply, ids)
        scores["choice_strict"] = strict(reply, question.correct)
        scores["choice_lenient"] = lenient(reply, question.correct, ids)
        if not isinstance(self.chat, Chooser):
            return [choosing]
        said["constrained"] = self._say(choosing, CHOICE_TOKENS, 0.0, tuple(ids), progress)
        scores["choice_constrained"] = float(said["constrained"] == question.correct)
        weighed = self.chat.likelihoods(free, [text for _, text in question.choices], progress)
        said["likelihood"] = ids[max(range(len(ids)), key=lambda place: weighed[place])]
        scores["choice_likelihood"] = float(said["likelihood"] == question.correct)
        return [choosing, choosing, free]

    def _choose_several(
        self,
        question: SuiteQuestion,
        choosing: tuple[Message, ...],
        said: dict[str, str],
        scores: dict[str, float],
        progress: Progress,
    ) -> bool:
        """Note which options the model chooses together, a model that can be held to pairs is."""
        held = combinations_of(question) if self._holds else ()
        temperature = 0.0 if held else CHOICE_TEMPERATURE
        reply = self._say(choosing, CHOICE_TOKENS, temperature, held, progress)
        chosen = ids_in(reply, question)
        said["choice"], said["chosen"] = reply, ", ".join(chosen)
        scores["selection"] = worth_of(question, chosen)
        return is_best(question, chosen)

    def _say(
        self,
        prompt: Sequence[Message],
        tokens: int,
        temperature: float,
        choices: tuple[str, ...],
        progress: Progress,
        *,
        fresh: bool = False,
    ) -> str:
        sampling = Sampling(
            max_tokens=tokens,
            temperature=temperature,
            seed=self.seed,
            choices=choices,
            fresh=fresh,
        )
        return "".join(self.chat.stream(prompt, sampling, progress)).strip()

    def _notes(self, made: Held, question: SuiteQuestion, given: Given, k: int) -> Notes:
        """Return the traces that fit beside the longest of the tasks."""
        bare = Notes("", (), ())
        tasks = [(FREE_TASK, FREE_TOKENS)]
        if question.choices:
            tasks.append((choice_task(question), CHOICE_TOKENS))
        taken = max(
            sum(self._count(each.text) for each in messages(made.life.name, bare, question, task))
            + reply
            for task, reply in tasks
        )
        room = self.window - taken - 2 * AROUND
        return fit(given, made.items, k=k, tokens=max(0, room), count=self._count)

    def _count(self, text: str) -> int:
        """Return how many tokens a text takes; the same traces come again under every arm."""
        if text not in self._sizes:
            self._sizes[text] = self.chat.count(text)
        return self._sizes[text]


WRITTEN = ("free", "choice", "constrained")


def abstention(question: SuiteQuestion, chosen: str) -> dict[str, float]:
    """Return whether the reader said that it can't be known, where it should and where it shouldn't."""
    if not question.abstaining or not chosen:
        return {}
    said = float(chosen == question.abstaining)
    return {"abstained_rightly" if question.unanswerable else "abstained_wrongly": said}
