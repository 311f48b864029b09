"""The questions importers can ask, and whether an answer is one of their choices."""

from __future__ import annotations

from collections.abc import Mapping

from clone_app.errors import CloneAppError
from clone_app.importers.whatsapp import ORDER
from clone_app.importers.whatsapp_lines import DateOrder

CHOICES: Mapping[str, tuple[str, ...]] = {ORDER: tuple(order.value for order in DateOrder)}


def check_answers(answers: Mapping[str, str]) -> None:
    """Raise `CloneAppError` with what there is to choose where an answer would count for nothing."""
    for name, value in answers.items():
        if name not in CHOICES:
            raise CloneAppError(
                f"No source asks “{name}”. Answer one of these: {', '.join(CHOICES)}."
            )
        if value not in CHOICES[name]:
            raise CloneAppError(
                f"“{value}” is no answer to {name}. Choose one of these: {', '.join(CHOICES[name])}."
            )
