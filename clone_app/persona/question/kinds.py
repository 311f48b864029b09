"""The kinds of answer a question may want, whatever language it is asked in."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What would answer a question."""

    AMOUNT = "an amount"
    MONEY = "an amount of money"
    DATE = "a date"
    PERSON = "a name"
    COLOUR = "a colour"
    PLACE = "a place"
    WHICH = "which one"
    LIKED = "what is liked best"
    REASON = "a reason"
    YES_NO = "yes or no"
    OPEN = "anything"
