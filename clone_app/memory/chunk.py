"""Cut an item into passages: whole sentences, about a hundred words, at paragraphs where possible.

The starter embedder reads 256 tokens, some 180 English words; a passage stays below, so that no
sentence is out of its sight, and above the few words that match anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clone_app.entries import Item, Passage
from clone_app.memory.words import sentences

WORDS_WANTED = 100
WORDS_AT_MOST = 150
# A letter of Chinese, Japanese or Korean carries about as much as half an English word.
LETTERS_A_WORD = 2
# Links, keys and base64 have no spaces: so many letters count as one word.
LETTERS_A_WALL_WORD = 12

_SCRIPT = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
CJK = re.compile(f"[{_SCRIPT}]")
_CJK_RUN = re.compile(f"[{_SCRIPT}]+")
_UNIT = re.compile(f"[{_SCRIPT}]|[^\\s{_SCRIPT}]+")


def passages(item: Item) -> tuple[Passage, ...]:
    """Return an item's passages in order: its own text first, then others' words that came along."""
    cut = [(True, *span) for span in _spans(item.text)]
    cut += [(False, *span) for span in _spans(item.context)]
    return tuple(
        Passage(number, start, end, own, (item.text if own else item.context)[start:end])
        for number, (own, start, end) in enumerate(cut)
    )


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of passages: verbatim slices that cover every sentence once."""
    start = end = -1
    size = 0.0
    for left, right, count in _pieces(text):
        new_paragraph = start >= 0 and "\n\n" in text[end:left]
        full = size + count > WORDS_AT_MOST or (new_paragraph and size >= WORDS_WANTED // 2)
        if start >= 0 and (size >= WORDS_WANTED or full):
            yield start, end
            start, size = -1, 0.0
        if start < 0:
            start = left
        end = right
        size += count
    if start >= 0:
        yield start, end


def _pieces(text: str) -> Iterator[tuple[int, int, float]]:
    """Yield sentences and their sizes in words, those longer than a passage cut at spaces.

    Where there are no spaces they are cut anywhere.
    """
    for left, right in sentences(text):
        while (size := _size(text[left:right])) > WORDS_AT_MOST:
            cut = _cut(text, left, right)
            yield left, cut, _size(text[left:cut])
            left = cut + (len(text[cut:right]) - len(text[cut:right].lstrip()))
        if left < right:
            yield left, right, size


def _cut(text: str, left: int, right: int) -> int:
    """Return where a too long sentence is cut: after the wanted words, or in a wall of letters."""
    farthest = min(right, left + WORDS_AT_MOST * LETTERS_A_WALL_WORD)
    words = 0.0
    for unit in _UNIT.finditer(text, left, farthest):
        words += 1 / LETTERS_A_WORD if CJK.match(unit[0]) else 1
        if words >= WORDS_WANTED:
            return unit.end()
    return farthest


def _size(text: str) -> float:
    words: float = len(text.split())
    if not text.isascii():
        words += len(CJK.findall(text)) / LETTERS_A_WORD
    return max(words, len(text) / LETTERS_A_WALL_WORD)


def bigrams(text: str) -> str:
    """Return the CJK runs of a text as bigrams parted by spaces; a lone letter stands by itself.

    FTS5's tokenizers take a whole run for one word, so that a two-letter word in it is never found.
    """
    if text.isascii():
        return ""
    found: list[str] = []
    for run in _CJK_RUN.findall(text):
        found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    return " ".join(found)
