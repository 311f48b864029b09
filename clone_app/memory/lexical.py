"""The words of a question: what memory holds of each, who has them, how much of them an item bears."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlite_utils import Database

from clone_app.entries import Cutoff, Term
from clone_app.memory import chinese
from clone_app.memory.database import rows
from clone_app.memory.irregular import family
from clone_app.memory.kin import also
from clone_app.memory.spelling import SHORTEST, neighbours
from clone_app.memory.store import VISIBLE, visibility
from clone_app.memory.thesaurus import instead
from clone_app.memory.words import CJK, asked_words, plain, sentences, stem, tokens

_ALL_CJK = re.compile(f"[{CJK}]+")
# How many postings a search may read: a word that half the passages hold tells nothing and costs most.
# Measured in packaging/bench/scale.py.
POSTINGS = 100_000
# Beyond this many passages a word is common, and how common no longer matters.
COUNTED = POSTINGS + 1
# So many times the wanted hits are ranked before what the cut-off hides is taken out.
SPARE = 2


def understand(db: Database, question: str) -> tuple[Term, ...]:
    """Return the content words of a question with what memory holds of each, and their rarity."""
    return looked_up(db, asked_words(question), names=_names(question))


def looked_up(
    db: Database, words: Iterable[str], *, names: Collection[str] = ()
) -> tuple[Term, ...]:
    """Return words with what memory holds of each.

    That is the word itself, else words that say the same, a neighbour by spelling, or its parts. Nothing
    says the same as a name.
    """
    # The last number stands for the count, which would be counted anew: 34 ms for a million.
    total = int(rows(db, "SELECT coalesce(max(id), 0) FROM passages")[0][0]) or 1
    found: dict[str, Term] = {}
    for word in words:
        root = stem(word)
        if root in found:
            continue
        spelled = tuple(dict.fromkeys((word, *family(word), *family(root)[1:], *also(word))))
        holding = _frequency(db, match(spelled))
        loose = False
        if not holding and word not in names:
            spelled = tuple(
                each for each in instead(root) if _frequency(db, match((each,)), at_most=1)
            )
            holding = _frequency(db, match(spelled))
            loose = bool(holding)
        if not holding:
            spelled = neighbours(root, _vocabulary(db, root)) or chinese.parts(word)
            holding = _frequency(db, match(spelled))
        rarity = math.log((total - holding + 0.5) / (holding + 0.5) + 1.0)
        if chinese.lone(word):  # half a word, and in a text's end it isn't counted
            spelled, rarity = (word,), rarity / 2
        found[root] = Term(word, spelled, rarity, holding, loose)
    return tuple(found.values())


def _names(question: str) -> frozenset[str]:
    """Return the words that a question writes with a capital, but for one that opens a sentence."""
    opening = {start for start, _ in sentences(question)}
    return frozenset(
        plain(match[0])
        for match in tokens(question)
        if match[0][0].isupper() and match.start() not in opening
    )


def match(words: Iterable[str]) -> str:
    """Return an FTS5 query for any of these words.

    CJK is looked for among the pairs: a longer word as the pairs it is made of, one behind the other,
    a lone character as what a pair begins with.
    """
    parts = []
    for word in words:
        if _ALL_CJK.fullmatch(word):
            pairs = " ".join(word[at : at + 2] for at in range(len(word) - 1))
            parts.append(f'cjk : "{pairs}"' if pairs else f'cjk : "{word}" *')
        else:
            parts.append('"' + word.replace('"', '""') + '"')
    return " OR ".join(parts)


def by_words(
    db: Database,
    terms: Sequence[Term],
    cutoff: Cutoff,
    *,
    limit: int,
    postings: int | None = POSTINGS,
    hidden: bool = True,
    clauses: Sequence[str] = (),
    parameters: Mapping[str, Any] = MappingProxyType({}),
) -> list[tuple[int, int, float]]:
    """Return (passage, item, BM25 score) of what holds any of the words and can be seen, best first.

    The rarest words are looked for first and the common ones left out once `postings` are read
    (None: never): on a million passages that is the difference between a twentieth of a second and
    a whole one. Where even the rarest is common, passages that hold two of the words must do. Who knows
    that nothing is `hidden` by the cut-off spares looking up when each was written. `clauses` over
    `items i` keep all else out before anything is ranked.
    """
    query = _affordable(db, [term for term in terms if term.spelled], postings)
    if not query:
        return []
    ranked = (
        "SELECT rowid, bm25(passage_words, 1.0, 1.0, 0.7) AS score FROM passage_words "
        "WHERE passage_words MATCH :words ORDER BY score LIMIT "
    )
    if not hidden and not clauses:
        best = rows(
            db,
            f"SELECT p.id, p.item_id, -f.score FROM ({ranked} :limit) f "
            "JOIN passages p ON p.id = f.rowid ORDER BY f.score, p.id",
            {"words": query, "limit": limit},
        )
        return [(row[0], row[1], row[2]) for row in best]
    # Ranked within FTS5 first and joined after: joining every posting costs four times as much. Where
    # the cut-off hides most of the best, all are joined after all.
    if not clauses:
        best = rows(
            db,
            f"SELECT p.id, p.item_id, -f.score FROM ({ranked} :more) f "
            "JOIN passages p ON p.id = f.rowid JOIN items i ON i.id = p.item_id "
            f"WHERE {VISIBLE} ORDER BY f.score, p.id LIMIT :limit",
            {"words": query, "more": limit * SPARE, "limit": limit, **visibility(cutoff)},
        )
        if len(best) == limit or _frequency(db, query, at_most=limit * SPARE) < limit * SPARE:
            return [(row[0], row[1], row[2]) for row in best]
    where = " AND ".join(["passage_words MATCH :words", VISIBLE, *clauses])
    found = rows(
        db,
        "SELECT p.id, p.item_id, -bm25(passage_words, 1.0, 1.0, 0.7) AS score "
        "FROM passage_words f JOIN passages p ON p.id = f.rowid JOIN items i ON i.id = p.item_id "
        f"WHERE {where} ORDER BY score DESC, p.id LIMIT :limit",
        {**parameters, "words": query, "limit": limit, **visibility(cutoff)},
    )
    return [(row[0], row[1], row[2]) for row in found]


def _affordable(db: Database, terms: Sequence[Term], postings: int | None) -> str:
    """Return an FTS5 query for the rarest of the words, so many that their postings stay in bounds."""
    if postings is None:
        return match(word for term in terms for word in term.spelled)
    counted = [(_held(db, term, postings), term) for term in terms]
    counted.sort(key=lambda each: each[0])  # stable: the question's order decides between equals
    chosen: list[Term] = []
    left = postings
    for held, term in counted:
        if held > left:
            break
        left -= held
        chosen.append(term)
    if chosen or not counted:
        return match(word for term in chosen for word in term.spelled)
    rarest = [match(term.spelled) for _, term in counted]
    if len(rarest) == 1:
        return rarest[0]
    return f"({rarest[0]}) AND ({' OR '.join(rarest[1:])})"


def coverage(db: Database, terms: Sequence[Term], items: Collection[int]) -> dict[int, float]:
    """Return for each item how much of the question's weight in words it holds (0 to 1)."""
    weight = sum(term.weight for term in terms)
    covered = dict.fromkeys(items, 0.0)
    if not weight or not items:
        return covered
    marks = ",".join(map(str, items))
    passages = rows(db, f"SELECT id, item_id FROM passages WHERE item_id IN ({marks})")
    item_of = {int(row[0]): int(row[1]) for row in passages}
    inside = ",".join(map(str, item_of))
    for term in terms:
        if not term.spelled:
            continue
        # Asked by their numbers, FTS5 looks these passages up and reads no whole list of postings.
        holding = rows(
            db,
            f"SELECT rowid FROM passage_words WHERE passage_words MATCH ? AND rowid IN ({inside})",
            [match(term.spelled)],
        )
        for item in {item_of[int(row[0])] for row in holding}:
            covered[item] += term.weight / weight
    return {item: min(1.0, held) for item, held in covered.items()}


def _held(db: Database, term: Term, postings: int) -> int:
    """Return how many passages hold a word, exactly up to `postings`."""
    if 0 < term.held < COUNTED or postings < COUNTED <= term.held:
        return term.held
    return _frequency(db, match(term.spelled), at_most=postings + 1)


def _frequency(db: Database, query: str, *, at_most: int = COUNTED) -> int:
    """Return how many passages an FTS5 query finds, counted no further than `at_most`."""
    if not query:
        return 0
    found = rows(
        db,
        "SELECT count(*) FROM (SELECT 1 FROM passage_words WHERE passage_words MATCH ? LIMIT ?)",
        [query, at_most],
    )
    return int(found[0][0])


def _vocabulary(db: Database, root: str) -> list[str]:
    """Return the known words that start as this one does: a first letter is seldom misspelled."""
    if len(root) < SHORTEST or not root.isalpha():
        return []
    last = root[0] + "\U0010ffff"
    found = rows(db, "SELECT term FROM vocabulary WHERE term >= ? AND term < ?", [root[0], last])
    return [row[0] for row in found]
