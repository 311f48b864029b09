"""One file a benchmark: its life as items, its questions with the evidence that answers them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from clone_app.entries import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteQuestion:
    """Hold one question with what answers it.

    `asked_at` is naive, the life's own wall clock; nothing later may be seen. `statements` are the
    sets of item keys that carry each piece of evidence, `gold` all of them; empty for a question
    without evidence, which recall is not measured on. `dropped` counts evidence the life lacks.
    """

    id: str
    text: str
    asked_at: datetime
    kind: str
    dimension: str
    statements: tuple[frozenset[str], ...]
    dropped: int = 0

    @property
    def gold(self) -> frozenset[str]:
        """Return every key of the evidence once."""
        return frozenset().union(*self.statements)


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Hold one person of a benchmark: the items, the questions, whose they are."""

    suite: str
    name: str
    items: tuple[Item, ...]
    questions: tuple[SuiteQuestion, ...]
