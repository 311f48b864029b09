"""The plainest retriever: one vector a whole text, as CloneMem's flat baseline has it."""

from __future__ import annotations

import numpy as np

from clone_app.memory.ranking import Column, Ranking
from clone_app.memory.store import Store
from clone_app.protocols import Embedder

# So many of the nearest by their passages are looked at whole.
LOOKED_AT = 50
# More than any embedder reads of a text; the starter cuts at 256 tokens.
LETTERS_READ = 4000


def by_wholes(store: Store, ranking: Ranking, question: str, embedder: Embedder) -> Ranking:
    """Rank by the cosine of question and whole text, as far as the embedder reads one.

    The index holds passages, so whole texts are embedded on the fly: those of the items whose
    passages are nearest. A text's vector is of what its nearest passages are part of, so little is
    lost by that; an evaluation, which asks hundreds of questions, keeps vectors of all of them.
    """
    ids = np.sort(ranking.best(LOOKED_AT))
    if not len(ids):
        return ranking
    items = store.by_id(ids.tolist())
    ids = np.array([item for item in ids.tolist() if item in items], dtype=np.int64)
    texts = [
        f"{items[item].item.title}\n{items[item].item.text}"[:LETTERS_READ] for item in ids.tolist()
    ]
    (probe,) = np.asarray(embedder.ask([question]), dtype=np.float64)
    cosines = np.asarray(embedder.embed(texts), dtype=np.float64) @ probe
    seen = ranking.columns[0]
    passages = np.array([ranking.passage(item) or 0 for item in ids.tolist()], dtype=np.int64)
    return Ranking.of(
        [Column("meaning", seen.probe, ids, cosines, passages=passages, cosines=cosines)]
    )
