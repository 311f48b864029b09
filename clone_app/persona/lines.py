"""Read a chat that was kept as text inside one entry: which line is whose.

An entry counts as its author's; a line in it, "20:40 Ola: Did you lock the shed?", is Ola's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from clone_app.entries import Item
from clone_app.memory.words import plain, tokens
from clone_app.persona.slices import Asked, Slice

# "20:40 Ola: …", "[20:40] Ola: …", "[12/03/2024, 20:40:11] Ola: …", "**Ola**: …"
LINE: Final = re.compile(
    r"^[ \t]*(?:[-*>][ \t]+)?(?P<time>\[?(?:[\d./-]{6,10},?[ \t]+)?\d{1,2}:\d{2}(?::\d{2})?\]?[ \t]+"
    r"(?:-[ \t]+)?)?(?:\*\*|__)?"
    r"(?P<who>[^\W\d_][^:：*\n]{0,38}?)(?:\*\*|__)?[ \t]*[:：](?:\*\*|__)?[ \t]*",
    re.MULTILINE,
)
# So many lines with a time and a name are a chat even where none of them is the author's.
_TIMED: Final = 2
_ME: Final = frozenset({"me", "i", "you", "我", "ich", "moi", "yo"})


@dataclass(frozen=True, slots=True)
class Line:
    """Hold who says a stretch of a text and where what they say stands; `mine` is the author's."""

    who: str
    start: int
    end: int
    mine: bool


def lines(text: str, author: str) -> list[Line]:
    """Return the lines of a chat kept as text in order, none where a text is no chat.

    A label alone makes no chat: "Note: …" opens many a line. One must be the author's, or two lines
    must tell their time.
    """
    found = list(LINE.finditer(text))
    names = frozenset(plain(match[0]) for match in tokens(author.partition("<")[0]))
    mine = [is_named(match["who"], names) or plain(match["who"]) in _ME for match in found]
    timed = sum(bool(match["time"]) for match in found)
    if not any(mine) and timed < _TIMED:
        return []
    if timed >= _TIMED:  # then a label without a time opens no line of its own
        kept = [at for at, match in enumerate(found) if match["time"]]
        found, mine = [found[at] for at in kept], [mine[at] for at in kept]
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [
        Line(match["who"].strip(), match.end(), end, own)
        for match, end, own in zip(found, ends, mine, strict=True)
    ]


def is_named(who: str, author: frozenset[str]) -> bool:
    """Tell whether a name is the author's, in whole or in part."""
    words = {plain(match[0]) for match in tokens(who)}
    return bool(words) and bool(author) and (words <= author or author <= words)


def one_speaker(item: Item, piece: Slice, asked: Asked) -> tuple[Slice, str]:
    """Return the part of a stretch that one speaker says, and who: "" for the item's author.

    Of several the one that bears most of the question, the author's before the others'. Where no line
    of a chat is the author's and the stretch stands before the first, it is as it was.
    """
    at = piece.start
    if not item.text.startswith(piece.text, at):
        at = item.text.find(piece.text)
    end = at + len(piece.text)
    best: tuple[float, bool, Slice, str] | None = None
    for line in lines(item.text, item.author) if at >= 0 else ():
        first, last = max(at, line.start), min(end, line.end)
        said = item.text[first:last].strip() if first < last else ""
        if not said:
            continue
        share = asked.share(said)
        if best is None or (share, line.mine) > best[:2]:
            start = piece.start + item.text.index(said, first) - at
            best = (share, line.mine, Slice(said, start, share), "" if line.mine else line.who)
    return (best[2], best[3]) if best else (piece, "")
