"""The second stage: look at the best again, with more care than all could be given.

A round for the words that the best hits share, and a reranker that reads question and text together:
a cross-encoder where one is installed, else the letters that both have.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from clone_app.entries import Term
from clone_app.errors import ModelError
from clone_app.memory.lexical import looked_up
from clone_app.memory.ranking import Column, Ranking
from clone_app.memory.recipes import Recipe
from clone_app.memory.store import Store
from clone_app.memory.words import content_words, stem
from clone_app.progress import Progress
from clone_app.protocols import Reranker

ECHO_WORDS = 10
# Each looked up in the base for its rarity.
LOOKED_UP = 40
LETTERS_READ = 2000


def echo_terms(store: Store, items: Sequence[int], asked: Collection[Term]) -> tuple[Term, ...]:
    """Return the rarest words that the best hits hold most often and the question doesn't."""
    known = {stem(term.word) for term in asked}
    counts: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for stored in store.by_id(items).values():
        held = Counter(content_words(f"{stored.item.title}\n{stored.item.text}"[:LETTERS_READ]))
        roots: Counter[str] = Counter()
        for word, count in held.items():
            roots[stem(word)] += count
            spelled.setdefault(stem(word), word)
        for root, count in roots.items():
            counts[root] += min(count, 2)
    likely = sorted(
        (root for root in counts if root not in known), key=lambda root: (-counts[root], root)
    )
    terms = looked_up(store.base.db(), [spelled[root] for root in likely[:LOOKED_UP]])
    telling = sorted(
        (term for term in terms if term.spelled),
        key=lambda term: (-term.weight * counts[stem(term.word)], term.word),
    )
    return tuple(telling[:ECHO_WORDS])


def reviewed(
    store: Store,
    ranking: Ranking,
    question: str,
    recipe: Recipe,
    reranker: Reranker,
    *,
    progress: Progress | None,
) -> Ranking:
    """Return the ranking with what a reranker says of its first items; the rest count as its worst."""
    ids = np.sort(ranking.best(recipe.depth))
    items = store.by_id(ids.tolist())
    ids = np.array([item for item in ids.tolist() if item in items], dtype=np.int64)
    if len(ids) < 2:
        return ranking
    texts = [
        f"{items[item].item.title}\n{items[item].item.text}".strip()[:LETTERS_READ]
        for item in ids.tolist()
    ]
    try:
        told = reranker.scores(question, texts, progress=progress)
    except ModelError:  # a folder that was moved, too little memory: the answer needn't fail for it
        reranker = LETTERS
        told = reranker.scores(question, texts, progress=progress)
    scores = np.asarray(told, dtype=np.float64)
    spread = float(scores.std())
    if not spread or not math.isfinite(spread):
        return ranking
    # On the scale of the totals: a weight of 1 makes reranker and rankers count alike.
    scale = float(ranking.totals[np.isin(ranking.ids, ids)].std()) or 1.0
    standings = recipe.rerank * scale * (scores - scores.mean()) / spread
    return ranking.plus(
        Column("rerank", reranker.name, ids, standings, rest=float(standings.min()))
    )


class SharedLetters:
    """Score a text by the letter groups it shares with the question, the rarer ones more.

    Knows no language and needs no model: inflections, compounds and names written a little
    differently still share most of their letters. Rare is what few of the texts at hand hold.
    """

    name = "shared letters"

    def scores(
        self, question: str, texts: Sequence[str], *, progress: Progress | None = None
    ) -> Sequence[float]:
        """Return one score a text, comparable within one call."""
        if progress is not None:
            progress.check()
        held = [_groups(text) for text in texts]
        counts: Counter[str] = Counter()
        for groups in held:
            counts.update(groups)
        wanted = _groups(question)
        return [
            sum(math.log(1 + len(texts) / counts[group]) for group in sorted(wanted & groups))
            / math.sqrt(1 + len(groups))
            for groups in held
        ]


LETTERS = SharedLetters()


def _groups(text: str) -> frozenset[str]:
    """Return the groups of four letters in a text, of two where a script has no spaces."""
    flat = " ".join(text.casefold().split())
    size = 4 if sum(map(str.isascii, flat)) * 2 >= len(flat) else 2
    return frozenset(flat[at : at + size] for at in range(len(flat) - size + 1))
