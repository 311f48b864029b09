"""One file a benchmark: its life as items, its questions with the evidence that answers them.

`opening.open_suite` finds the right reader for a path or a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from clone_app.entries import Item

UNANSWERABLE = "unanswerable"
# CloneMem's own wording in both languages, and what is said in its place elsewhere.
_UNKNOWABLE = re.compile(
    r"^\W*(?:(?:it )?can(?:not|'t|’t) be (?:determined|known|told)|not enough information|"
    r"无法(?:确定|判断|得知|根据)|根据现有信息无法|信息不足)",
    re.IGNORECASE,
)


class Pin(StrEnum):
    """Say whether a life's file is, to the byte, the one its authors released."""

    OFFICIAL = "verified official"
    OTHER = "other"
    NONE = "no pin known"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteQuestion:
    """Hold one question with what answers it.

    `asked_at` is naive, the life's own wall clock; nothing later may be seen. `statements` are the
    sets of item keys that carry each piece of evidence, `evidence` their wording in the same order;
    both are empty for a question without evidence, which recall is not measured on. `dropped` counts
    evidence the life lacks. `choices` are (id, text) pairs in the order shown and `correct` the right
    id; without them `answer` is compared by a judge, against `points` (what it must say, its weight)
    where the suite has them. Where several options are to be chosen, `choose` says how many and
    `worth` what each gives (parallel to `choices`: 1, 0, -1). `assistant` says that the user talks to
    an assistant here, rather than a friend to the clone.
    """

    id: str
    text: str
    asked_at: datetime
    kind: str
    dimension: str
    statements: tuple[frozenset[str], ...]
    evidence: tuple[str, ...] = ()
    dropped: int = 0
    answer: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    correct: str = ""
    points: tuple[tuple[str, float], ...] = ()
    worth: tuple[float, ...] = ()
    choose: int = 1
    assistant: bool = False

    @property
    def gold(self) -> frozenset[str]:
        """Return every key of the evidence once."""
        return frozenset().union(*self.statements)

    @property
    def unanswerable(self) -> bool:
        """Tell whether the right reply is that it can't be known."""
        return self.kind.casefold() == UNANSWERABLE

    @property
    def right_ids(self) -> frozenset[str]:
        """Return the ids of the right options: one, or those that give something where several do."""
        if self.choose == 1:
            return frozenset({self.correct} - {""})
        return frozenset(
            each for (each, _), worth in zip(self.choices, self.worth, strict=True) if worth > 0
        )

    @property
    def abstaining(self) -> str:
        """Return the id of the option that says it can't be known, empty where there is none."""
        return next((each for each, text in self.choices if _UNKNOWABLE.search(text)), "")

    @property
    def leaks(self) -> bool:
        """Tell whether the options give the answer away: CloneMem's A, B, C, E is always E."""
        ids = [each for each, _ in self.choices]
        return all(len(each) == 1 for each in ids) and any(
            ord(after) - ord(before) != 1 for before, after in pairwise(ids)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Hold one person of a benchmark: the items, the questions, whose they are.

    `id` is the suite's own for the person; `tier` its size class (`100k`), empty where there is none.
    `sha256` is that of the file (of all files' names and hashes for a folder). `notes` are sentences
    about what a reader should know: evidence that doesn't exist, traces without text.
    """

    suite: str
    name: str
    items: tuple[Item, ...]
    questions: tuple[SuiteQuestion, ...]
    id: str = ""
    language: str = "en"
    tier: str = ""
    sha256: str = ""
    pin: Pin = Pin.NONE
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """Hold what was opened: its name as the user knows it, and its lives."""

    name: str
    lives: tuple[Life, ...]
