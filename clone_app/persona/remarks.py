"""The sentences a person wrote themselves: no quoted speech, no other speaker of a transcript."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from clone_app.entries import Item
from clone_app.memory.words import sentences, stems

LONGEST: Final = 400
BLANK: Final = "\ufffc"  # stands where quoted speech stood
# Never the user's own telling, even where the item counts as theirs.
_NOT_TELLING: Final = frozenset(
    {"search", "search_history", "calendar", "photo", "purchase", "consumption_log", "push", "call"}
)
_CODE = re.compile(r"```.*?```|`[^`\n]+`|https?://\S+|<[^>\n]{1,200}>", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_SPEECH = re.compile(
    r"“[^”\n]{1,1200}(?:”|$)|\"[^\"\n]{1,1200}\"|«[^»\n]{1,800}»|「[^」\n]{1,800}」|『[^』\n]{1,800}』|"
    r"(?<![\w])‘[^’\n]{2,400}’(?!\w)",
    re.MULTILINE,
)
_LABEL = re.compile(
    r"^[ \t]*(?:[-*>][ \t]+)?(?:\*\*|__)?(?P<who>[^\W\d_][^:：*\n]{0,38}?)(?:\*\*|__)?[ \t]*"
    r"(?:\([^)\n]{1,30}\)|\[[^\]\n]{1,30}\])?[:：](?:\*\*|__)?[ \t]*",
    re.MULTILINE,
)
_MARKS = re.compile(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|\[\[(?:[^\]|]*\|)?|\]\]|^#{1,6}\s+|~~")
_ME: Final = frozenset({"me", "i", "self", "user", "我", "本人", "ich", "moi", "yo"})


@dataclass(frozen=True, slots=True)
class Remark:
    """Hold one sentence of the user's own with the item it stands in."""

    text: str
    key: str
    day: date | None
    medium: str


@lru_cache(maxsize=65536)
def about_of(text: str) -> frozenset[str]:
    """Return the stems of a sentence's content words; kept, since many ask it of the same sentences."""
    return stems(text)


def telling(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items in which the user tells something in their own words."""
    for item in items:
        if item.mine and item.medium not in _NOT_TELLING and item.text.strip():
            yield item


def remarks(item: Item, me: frozenset[str] = frozenset()) -> list[Remark]:
    """Return the sentences of an item that its writer says in their own name.

    Quoted speech of several words is blanked, so that "I" in it is never the user; in a transcript
    only the user's lines count (`me`: casefolded names; a name's words may come in any order).
    """
    text = own_text(item, me)
    found = []
    for start, end in sentences(text):
        sentence = " ".join(_MARKS.sub("", text[start:end]).split())
        if 3 <= len(sentence) <= LONGEST:
            found.append(Remark(sentence, item.key, item.moment.day(), item.medium))
    return found


def own_text(item: Item, me: frozenset[str] = frozenset()) -> str:
    """Return an item's text with quoted speech, code and other speakers' lines left out."""
    text = (
        _CODE.sub(" ", item.text.replace("’", "'"))
        if "`" in item.text or "<" in item.text or ("http" in item.text)
        else item.text.replace("’", "'")
    )
    text = _QUOTED_LINE.sub("", text)
    text = _own_lines(text, item, me)
    return _SPEECH.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    """Leave a single word in quotation marks, blank what somebody says."""
    said = match[0]
    wide = any("\u3040" <= letter <= "\u9fff" for letter in said)
    if (len(said) <= 6) if wide else (" " not in said.strip('"“” ')):
        return said
    return f" {BLANK} " if said[-2:-1] not in ".!?。！？" else f" {BLANK}. "


def _own_lines(text: str, item: Item, me: frozenset[str]) -> str:
    """Return a transcript without the other speakers' lines; any other text as it is."""
    labels = list(_LABEL.finditer(text))
    if not labels:
        return text
    names = [frozenset(name.split()) for name in (*me, item.author.casefold()) if name]
    mine = [_is_me(match["who"], names) for match in labels]
    if not any(mine):
        return text
    kept: list[str] = [text[: labels[0].start()]]
    for at, match in enumerate(labels):
        end = labels[at + 1].start() if at + 1 < len(labels) else len(text)
        if mine[at]:
            kept.append(text[match.end() : end])
    return "\n".join(kept)


def _is_me(who: str, names: Sequence[frozenset[str]]) -> bool:
    words = frozenset(who.casefold().split())
    return words <= _ME or any(words == name for name in names)
