"""Read a chat that was kept as text inside one entry: which line is whose.

An entry counts as its author's; a line in it, "20:40 Ola: Did you lock the shed?", is Ola's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from clone_app.entries import Item
from clone_app.memory.words import plain, sentences, tokens
from clone_app.persona.slices import QUOTED, Asked, Slice

# "20:40 Ola: …", "[20:40] Ola: …", "[12/03/2024, 20:40:11] Ola: …", "**Ola**: …", "Ola (20:40): …"
_LINE: Final = re.compile(
    r"^[ \t]*(?:[-*>][ \t]+)?(?P<time>\[?(?:[\d./-]{6,10},?[ \t]+)?\d{1,2}:\d{2}(?::\d{2})?\]?[ \t]+"
    r"(?:-[ \t]+)?)?(?:\*\*|__)?"
    r"(?P<who>[^\W\d_][^:：*\n]{0,38}?)(?:\*\*|__)?[ \t]*"
    r"(?:\([^)\n]{1,30}\)|\[[^\]\n]{1,30}\])?[:：](?:\*\*|__)?[ \t]*",
    re.MULTILINE,
)
_ME: Final = frozenset({"me", "i", "you", "self", "user", "我", "本人", "ich", "moi", "yo"})
# A name has no more words.
_NAME: Final = 4


@dataclass(frozen=True, slots=True)
class Line:
    """Hold who says a stretch of a text and where it stands; `mine` is the author's.

    `opens` is where the line begins, `start` where what is said does.
    """

    who: str
    opens: int
    start: int
    end: int
    mine: bool


def lines(text: str, author: str, others: Iterable[str] = ()) -> list[Line]:
    """Return the lines of a chat kept as text in order, none where a text is no chat.

    A label alone makes no chat: "Note: …" opens many a line, and "8:30 Breakfast: …". One must be the
    author's, or two of one name must tell their time; then all that are a line of it do. `others` are
    more names of the author.
    """
    if ":" not in text and "：" not in text:
        return []
    names = [
        frozenset(plain(match[0]) for match in tokens(name.partition("<")[0] or name))
        for name in (author, *others)
    ]
    found = [match for match in _LINE.finditer(text) if not text.startswith("//", match.end())]
    timed = Counter(match["who"] for match in found if match["time"] and _is_name(match["who"]))
    if (
        not any(_is_mine(match["who"], names) for match in found)
        and max(timed.values(), default=0) < 2
    ):
        return []
    if timed.total() > 1:
        found = [match for match in found if match["time"]]
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [
        Line(match["who"].strip(), match.start(), match.end(), end, _is_mine(match["who"], names))
        for match, end in zip(found, ends, strict=True)
    ]


def _is_name(who: str) -> bool:
    return not who[0].islower() and len(who.split()) <= _NAME


def _is_mine(who: str, names: Iterable[frozenset[str]]) -> bool:
    return plain(who.strip()) in _ME or any(is_named(who, name) for name in names)


def is_named(who: str, author: frozenset[str]) -> bool:
    """Tell whether a name is the author's, in whole or in part."""
    words = {plain(match[0]) for match in tokens(who)}
    return bool(words) and bool(author) and (words <= author or author <= words)


def own_sentences(text: str, author: str) -> list[tuple[int, int]]:
    """Return the sentences of a text that its author says, in order."""
    quoted = [match.span() for match in QUOTED.finditer(text)]
    chat = lines(text, author)
    parts = [(0, chat[0].opens if chat else len(text))]
    parts += [(line.start, line.end) for line in chat if line.mine]
    return [
        (first + start, first + end)
        for first, last in parts
        for start, end in sentences(text[first:last])
        if not any(opens < first + end and first + start < closes for opens, closes in quoted)
    ]


def one_speaker(item: Item, piece: Slice, asked: Asked) -> tuple[Slice, str]:
    """Return the part of a stretch that one speaker says, and who: "" for the item's author.

    Of several the one that bears most of the question, the author's before the others'.
    """
    at = piece.start
    if not item.text.startswith(piece.text, at):
        at = item.text.find(piece.text)
    end = at + len(piece.text)
    best: tuple[float, bool, Slice, str] | None = None
    found = lines(item.text, item.author) if at >= 0 else []
    if found:  # what stands before the first line is the author's
        found.insert(0, Line("", 0, 0, found[0].opens, True))
    for line in found:
        first, last = max(at, line.start), min(end, line.end)
        said = item.text[first:last].strip() if first < last else ""
        if not said:
            continue
        share = asked.share(said)
        if best is None or (share, line.mine) > best[:2]:
            start = piece.start + item.text.index(said, first) - at
            best = (share, line.mine, Slice(said, start, share), "" if line.mine else line.who)
    return (best[2], best[3]) if best else (piece, "")
