"""A question with all it is asked with, so that asking it again later asks the same."""

from __future__ import annotations

from dataclasses import dataclass

from clone_app.entries import Dial, Filters


@dataclass(frozen=True, slots=True)
class Question:
    """Hold what is asked: its words, among which entries, of the clone of when, at which stop."""

    text: str
    filters: Filters
    at: str | None
    dial: Dial
