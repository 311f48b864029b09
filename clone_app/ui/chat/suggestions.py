"""The three questions Chat suggests before the first one is asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clone_app.app import App

SUGGESTIONS = (
    "What was I looking forward to?",
    "Who did I spend the most time with, and what did we do?",
    "What worried me, and how did it end?",
)


def suggest(app: App) -> tuple[str, str, str]:
    """Return three questions: the sample life's own where that is there, else of any life."""
    sample = app.sample_life()
    if all(source.path != str(sample.absolute()) for source in app.sources()):
        return SUGGESTIONS
    try:
        written = json.loads((sample / "questions.json").read_text("utf-8"))
        known = [str(each["question"]) for each in written if not each["absent"]]
    except (OSError, ValueError, KeyError, TypeError):
        return SUGGESTIONS
    return (known[0], known[3], known[-1]) if len(known) > 3 else SUGGESTIONS
