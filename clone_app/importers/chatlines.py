"""Chats that are text: messages start with a line of a known form and go on until the next one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

_LETTERS = 1_000_000  # WhatsApp allows 65,536 in a message, Signal less
_KEYS = 10_000
Begin = TypeVar("Begin")


@dataclass(slots=True)
class Block(Generic[Begin]):
    """Hold one message: how it begins, the number of its line, and the lines below it.

    Without a beginning it is what stands before the first message. `cut` tells that it was longer
    than any message, so that its end is not here.
    """

    begin: Begin | None
    place: int
    rows: list[str] = field(default_factory=list)
    cut: bool = False


def blocks(lines: Iterable[str], begins: Callable[[str], Begin | None]) -> Iterator[Block[Begin]]:
    """Yield the messages of a text; `begins` reads the first line of one."""
    block: Block[Begin] = Block(None, 0)
    letters = 0
    for number, line in enumerate(lines, start=1):
        begin = begins(line)
        if begin is not None:
            if block.place:
                yield block
            block, letters = Block(begin, number), 0
            continue
        if not block.place and line.strip():
            block.place = number
        letters += len(line)
        block.cut = letters > _LETTERS
        if not block.cut:
            block.rows.append(line.rstrip("\n"))
    if block.place:
        yield block


def who_talks(names: Iterable[str], title: str) -> tuple[str, ...]:
    """Return what tells a chat from others in later exports of it too, for the keys of its messages.

    The same wish may go to two people in one minute. Both names stay whatever the file is called;
    where one has spoken so far, it is most often called after the other. Of more than two, the title.
    A chat goes by other names once a second or a third one speaks whom the title didn't name.
    """
    known = set(names)
    if len(known) > 2:
        return (title,)
    return tuple(sorted(known if len(known) == 2 else {*known, title}))


class Repeats:
    """Tell equal messages of one moment apart by their number, which each export gives them alike.

    Only the last few thousand keys are remembered: they hold their moment, so equals stand close.
    """

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def key(self, key: str) -> str:
        """Return the key, with its number behind it from the second on."""
        if len(self._counts) >= _KEYS:
            self._counts.clear()
        self._counts[key] += 1
        return f"{key}/{self._counts[key]}" if self._counts[key] > 1 else key
