"""The words of a question: what memory holds of each, who has them, how much of them an item bears."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence

from sqlite_utils import Database

from clone_app.entries import Cutoff, Term
from clone_app.memory.database import rows
from clone_app.memory.irregular import family
from clone_app.memory.spelling import SHORTEST, neighbours
from clone_app.memory.store import VISIBLE, visibility
from clone_app.memory.words import CJK, content_words, stem

_ALL_CJK = re.compile(f"[{CJK}]+")


def understand(db: Database, question: str) -> tuple[Term, ...]:
    """Return the content words of a question with what memory holds of each, and their rarity."""
    total = int(rows(db, "SELECT count(*) FROM passages")[0][0]) or 1
    found: dict[str, Term] = {}
    for word in content_words(question):
        root = stem(word)
        if root in found:
            continue
        spelled = tuple(dict.fromkeys((word, *family(word), *family(root)[1:])))
        holding = _frequency(db, spelled)
        if not holding:
            spelled = neighbours(root, _vocabulary(db, root))
            holding = _frequency(db, spelled)
        rarity = math.log((total - holding + 0.5) / (holding + 0.5) + 1.0)
        found[root] = Term(word, spelled, rarity)
    return tuple(found.values())


def match(words: Iterable[str]) -> str:
    """Return an FTS5 query for any of these words; CJK pairs are looked for among the pairs."""
    parts = []
    for word in words:
        quoted = '"' + word.replace('"', '""') + '"'
        parts.append(f"cjk : {quoted}" if _ALL_CJK.fullmatch(word) else quoted)
    return " OR ".join(parts)


def by_words(
    db: Database, terms: Sequence[Term], cutoff: Cutoff, *, limit: int
) -> list[tuple[int, int, float]]:
    """Return (passage, item, BM25 score) of what holds any of the words and can be seen, best first."""
    words = [word for term in terms for word in term.spelled]
    if not words:
        return []
    found = rows(
        db,
        "SELECT p.id, p.item_id, -bm25(passage_words, 1.0, 1.0, 0.7) AS score "
        "FROM passage_words f JOIN passages p ON p.id = f.rowid JOIN items i ON i.id = p.item_id "
        f"WHERE passage_words MATCH :words AND {VISIBLE} ORDER BY score DESC LIMIT :limit",
        {"words": match(words), "limit": limit, **visibility(cutoff)},
    )
    return [(row[0], row[1], row[2]) for row in found]


def coverage(db: Database, terms: Sequence[Term], items: Collection[int]) -> dict[int, float]:
    """Return for each item how much of the question's weight in words it holds (0 to 1)."""
    weight = sum(term.weight for term in terms)
    covered = dict.fromkeys(items, 0.0)
    if not weight or not items:
        return covered
    marks = ",".join(map(str, items))
    for term in terms:
        if not term.spelled:
            continue
        holding = rows(
            db,
            "SELECT DISTINCT p.item_id FROM passage_words f JOIN passages p ON p.id = f.rowid "
            f"WHERE passage_words MATCH ? AND p.item_id IN ({marks})",
            [match(term.spelled)],
        )
        for (item,) in holding:
            covered[item] += term.weight / weight
    return {item: min(1.0, held) for item, held in covered.items()}


def _frequency(db: Database, words: Sequence[str]) -> int:
    if not words:
        return 0
    found = rows(
        db, "SELECT count(*) FROM passage_words WHERE passage_words MATCH ?", [match(words)]
    )
    return int(found[0][0])


def _vocabulary(db: Database, root: str) -> list[str]:
    """Return the known words that start as this one does: a first letter is seldom misspelled."""
    if len(root) < SHORTEST or not root.isalpha():
        return []
    last = root[0] + "\U0010ffff"
    found = rows(db, "SELECT term FROM vocabulary WHERE term >= ? AND term < ?", [root[0], last])
    return [row[0] for row in found]
