"""Cut the stretch of a text that answers a question best, verbatim and at clause boundaries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from clone_app.entries import Hit, Term
from clone_app.memory.words import CJK, content_words, findable, sentences, stem

# Where a long sentence may be cut: after a mark, or before a word that opens a clause. A line's end
# inside a sentence is where a mail was wrapped.
_CLAUSE = re.compile(
    r"(?<=[,;:—–)])\s+|(?<=[，、；：])|"
    r"\s+(?=(?:but|because|which|who|while|when|where|whereas|then|though|although|"
    r"aber|weil|dass|mais|parce|pero|porque)\s)|"
    r"\s+(?=and\s+(?:I|he|she|we|they|it|you|there|then|thence|so|here|did|was|were|had)\s)"
)
# How a clause inside a sentence may begin and still read as one.
_ENTRY = re.compile(
    r"(?:and|but|or|so|for|because|which|who|while|when|where|then|thence|though|although|if|I|he|"
    r"she|we|they|it|there|this|that|my|his|her|our|their|the|a|being|having)\s",
    re.IGNORECASE,
)
# A line that answers quotes: it stands in the text, and somebody else wrote it.
QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_WORD_END = re.compile(rf"\s+|(?<=[{CJK}])")
_MOST: Final = 12_000
_LINE: Final = 60
_ELSEWHERE: Final = 0.4
_KIND_WORTH: Final = 0.7
_TAIL: Final = " \t\n,;:—–-，、；："


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what a question asks for in words: a term's weight and the stems that stand for it."""

    weights: tuple[tuple[float, frozenset[str]], ...]

    @classmethod
    def of(cls, terms: Sequence[Term]) -> Asked:
        """Return the terms that memory holds under some spelling, and the weight of all."""
        return cls(
            tuple(
                (term.weight, frozenset({*term.spelled, *map(stem, term.spelled)}))
                for term in terms
            )
        )

    @classmethod
    def mainly(cls, terms: Sequence[Term], stems: frozenset[str]) -> Asked:
        """Return the terms with those of one sub-question weighing full and the others less."""
        whole = cls.of(terms)
        return cls(
            tuple(
                (weight if stem(term.word) in stems else weight * _ELSEWHERE, held)
                for term, (weight, held) in zip(terms, whole.weights, strict=True)
            )
        )

    @property
    def total(self) -> float:
        """Return the weight of the whole question."""
        return sum(weight for weight, _ in self.weights)

    def weight(self, held: frozenset[str]) -> float:
        """Return the weight of the terms among these stems."""
        return sum(weight for weight, stems in self.weights if stems & held)

    def share(self, text: str) -> float:
        """Return how much of the question's weight (0 to 1) a text bears."""
        return self.weight(_stems(text)) / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Slice:
    """Hold a verbatim stretch of a text and the share of the question's weight it bears."""

    text: str
    start: int
    share: float


@dataclass(frozen=True, slots=True)
class _Clause:
    start: int
    end: int
    opens: bool
    closes: bool
    sentence: int
    quoted: bool


def best_slice(
    text: str,
    asked: Asked,
    *,
    limit: int,
    near: tuple[int, int] = (0, 0),
    wanted: Callable[[str], bool] | None = None,
) -> Slice | None:
    """Return the stretch of at most `limit` characters that bears most of a question, if any.

    It starts and ends at a clause, at a sentence where that costs little; of a sentence to be cut,
    what leads up to the words asked for is worth less than what follows them. Lines quoted with `>`
    have no part in it. `near` is where recall saw the best passage and decides between equals.
    `wanted` tells whether a clause holds what would answer (an amount, a name): worth most of a term.
    Everything is a slice of `text`: nothing is joined, so it stands there verbatim.
    """
    clauses = _clauses(text, limit)
    held = [_stems(text[each.start : each.end]) for each in clauses]
    weights = [asked.weight(each) for each in held]
    kinds = [wanted is not None and wanted(text[each.start : each.end]) for each in clauses]
    bears = any(weights)  # then a stretch that bears nothing is not worth a look
    unit = max((weight for weight, _ in asked.weights), default=0.0) or 1.0
    best: tuple[float, int, int] | None = None
    for first, opening in enumerate(clauses):
        if opening.quoted:
            continue
        gathered: frozenset[str] = frozenset()
        lead, weight, kind = None, 0.0, False
        for last in range(first, len(clauses)):
            closing = clauses[last]
            if closing.quoted or closing.end - opening.start > limit:
                break
            kind = kind or kinds[last]
            if weights[last]:
                gathered |= held[last]
                weight = asked.weight(gathered)
                lead = closing.start - opening.start if lead is None else lead
            if bears and not gathered:
                continue
            worth = weight + unit * (_form(text, opening, closing, near) + _KIND_WORTH * kind)
            if not (opening.opens and closing.closes and opening.sentence == closing.sentence):
                worth -= unit * 0.5 * (lead or 0) / limit
            if best is None or worth > best[0]:
                best = (worth, opening.start, closing.end)
    if best is None:
        return None
    _, start, end = best
    while end > start and text[end - 1] in _TAIL:
        end -= 1
    return Slice(text[start:end], start, asked.share(text[start:end])) if end > start else None


def _form(text: str, opening: _Clause, closing: _Clause, near: tuple[int, int]) -> float:
    """Return how well a stretch reads, in units of the heaviest term: never worth a whole term."""
    stretch = text[opening.start : closing.end]
    worth = 0.2 * closing.closes
    if opening.opens:
        worth += 0.15
    elif _ENTRY.match(stretch) or text[: opening.start].rstrip().endswith((";", ":", "；", "：")):
        worth += 0.1
    worth += 0.1 * (near[0] <= opening.start < near[1])
    worth -= 0.25 * max(0.0, 1 - len(stretch) / 60)  # a few words say little alone
    worth -= 0.05 * (closing.sentence - opening.sentence)
    worth -= 0.2 * (stretch.count("(") != stretch.count(")"))
    return worth - 0.25 * min(2, stretch.count("\n"))


def without_quoted(text: str) -> str:
    """Return a text without the lines it quotes with `>`."""
    return QUOTED.sub("", text)


def slice_of(
    hit: Hit, asked: Asked, limit: int, *, wanted: Callable[[str], bool] | None = None
) -> Slice | None:
    """Return the stretch of a hit's own words that bears most of a question, if it has any."""
    text, near = around(hit)
    found = best_slice(text, asked, limit=limit, near=near, wanted=wanted)
    if found and not found.share and near[1]:  # found by meaning alone: its passage says it best
        found = best_slice(text[near[0] : near[1]], asked, limit=limit, wanted=wanted)
        found = found and Slice(found.text, near[0] + found.start, 0.0)
    return found


def telling_slice(
    hit: Hit,
    asked: Asked,
    limit: int,
    *,
    least: int,
    wanted: Callable[[str], bool] | None = None,
) -> Slice | None:
    """Return that stretch with neighbouring sentences while it is shorter than `least`.

    A few words that bear the question tell a reader little alone: "Dear Hazel".
    """
    found = slice_of(hit, asked, limit, wanted=wanted)
    if found is None or len(found.text) >= least:
        return found
    return widened(around(hit)[0], found, limit, least)


def widened(text: str, found: Slice, limit: int, wanted: int) -> Slice:
    """Add the sentences after a stretch, then those before it, up to `limit` characters.

    A blank line is crossed only while the stretch is shorter than a line.
    """
    start, end = found.start, found.start + len(found.text)
    spans = sentences(text)
    for _, right in spans:
        if right <= end:
            continue
        apart = "\n\n" in text[end:right] and end - start > _LINE
        apart = apart or bool(QUOTED.search(text[end:right]))
        if end - start >= wanted or right - start > limit or apart:
            break
        end = right
    for left, _ in reversed(spans):
        if left >= start:
            continue
        apart = "\n\n" in text[left:start] and end - start > _LINE
        # A sentence begins behind the mark of its line.
        apart = apart or bool(QUOTED.search(text[text.rfind("\n", 0, left) + 1 : start]))
        if end - start >= wanted or end - left > limit or apart:
            break
        start = left
    return Slice(text[start:end], start, found.share)


def around(hit: Hit, most: int = _MOST) -> tuple[str, tuple[int, int]]:
    """Return an item's own text, of a very long one what lies around the passage that was found.

    With it comes where the passage stands in it, (0, 0) where it stands in others' words: a book is
    not read through for one question, and every stretch of it still stands verbatim in the item.
    """
    text, start = hit.item.text, hit.start if hit.own else 0
    end = start + len(hit.passage) if hit.own else 0
    if len(text) <= most:
        return text, (start, end)
    opened = max(0, min(start - most // 2, len(text) - most))
    while opened and not text[opened - 1].isspace() and opened < start:
        opened += 1
    closed = opened + most
    while closed < len(text) and not text[closed - 1].isspace() and closed > end:
        closed -= 1
    return text[opened:closed], (start - opened, end - opened) if end else (0, 0)


def _clauses(text: str, limit: int) -> list[_Clause]:
    """Return the clauses of a text in order, none longer than `limit`."""
    found: list[_Clause] = []
    others = [match.span() for match in QUOTED.finditer(text)]
    for number, (start, end) in enumerate(sentences(text)):
        cuts = [start]
        for match in _CLAUSE.finditer(text, start, end):
            if match.end() < end and match.end() > cuts[-1]:
                cuts.append(match.end())
        spans = [*zip(cuts, [*cuts[1:], end], strict=True)]
        pieces = [piece for span in spans for piece in _short(text, *span, limit)]
        for at, (opened, closed) in enumerate(pieces):
            quoted = any(first <= opened < last for first, last in others)
            found.append(_Clause(opened, closed, at == 0, at == len(pieces) - 1, number, quoted))
    return found


def _short(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Yield a clause without space at its end, cut between words where it exceeds `limit`."""
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > limit:
        ends = list(_WORD_END.finditer(text, start + 1, start + limit))
        if ends and ends[-1].start() > start:
            yield start, ends[-1].start()
            start = max(ends[-1].end(), ends[-1].start())
        else:
            yield start, start + limit
            start += limit
    if end > start:
        yield start, end


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    """Return a text's content words and what is findable there: a term may be spelled either way."""
    return findable(text).union(content_words(text))
