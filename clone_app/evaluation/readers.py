"""What answers from the traces an arm gives: nobody (the nearest option), or a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from clone_app.evaluation.arms import Given
from clone_app.evaluation.prepare import Prepared
from clone_app.evaluation.selection import is_best, worth_of
from clone_app.evaluation.suites import SuiteQuestion
from clone_app.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Hold what a reader made of a question.

    `read` are the traces it got, `cut` those of them it got a part of. `right` is None where nothing
    says whether the answer is; `said` its replies by kind.
    """

    read: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    said: Mapping[str, str] = field(default_factory=dict, hash=False)
    right: bool | None = None
    tokens_read: int = 0
    tokens_written: int = 0
    failure: str = ""


class Reader(Protocol):
    """Answer questions. `parallel` is how many may be answered at once."""

    @property
    def name(self) -> str:
        """Return `none`, `local` or `remote`."""
        ...

    @property
    def parallel(self) -> int:
        """Return how many questions may be in flight."""
        ...

    def facts(self) -> dict[str, object]:
        """Return what a run keeps of it: model, hashes of model and prompts, settings."""
        ...

    def read(
        self, made: Prepared, question: SuiteQuestion, given: Given, k: int, progress: Progress
    ) -> Read:
        """Answer from at most `k` traces."""
        ...


@dataclass(frozen=True, slots=True)
class Nearest:
    """Choose the option whose meaning is nearest to any passage of the traces: no model that writes.

    With no traces it is the option nearest to the question, which is what can be guessed. What needs
    the absence of evidence ("cannot be determined") is never nearest to anything: such questions are
    lost by this reader, and that is a property of it, not of the memory.
    """

    name: str = "none"
    parallel: int = 1

    def facts(self) -> dict[str, object]:
        """Return how the option is chosen."""
        return {"choice": "nearest option by the embedder"}

    def read(
        self, made: Prepared, question: SuiteQuestion, given: Given, k: int, progress: Progress
    ) -> Read:
        """Answer from the first `k` traces (all, for an arm that gives everything)."""
        keys = given.keys if given.whole or given.document else given.keys[:k]
        if not question.choices:
            return Read(read=keys)
        options = made.embedder.embed([text for _, text in question.choices], progress=progress)
        items, vectors = made.vectors
        near = vectors[np.isin(items, [made.numbers[key] for key in keys])]
        if given.document:
            near = made.embedder.embed(given.document.splitlines(), progress=progress)
        if not len(near):
            near = made.embedder.ask([question.text], progress=progress)
        order = np.argsort(-(options @ near.T).max(axis=1), kind="stable")
        if question.choose > 1:
            nearest = [question.choices[place][0] for place in order[: question.choose]]
            return Read(
                read=keys,
                scores={"selection": worth_of(question, nearest)},
                said={"nearest": ", ".join(nearest)},
                right=is_best(question, nearest),
            )
        chosen = question.choices[int(order[0])][0]
        right = chosen == question.correct
        return Read(
            read=keys,
            scores={"choice_nearest": float(right)},
            said={"nearest": chosen},
            right=right,
        )
